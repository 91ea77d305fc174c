#pragma once

/// Files of mean fields (fields/means.hpp): images, their index, and a table.
///
///     fields/NAME_########.hdf   a mean that ends with that step
///       /                  attributes: program, version, git_hash, kind, from, time [s], step, samples,
///                          seconds (of the samples), width [m]
///       /configuration     text: the full effective run.yaml
///       /VTKHDF            VTKHDF 1.0 ImageData (whose cell data ParaView 5.11 reads by the index alone)
///         CellData/...     one dataset a field: z, y, x, and numbers of a vector or tensor; attribute `unit`
///     fields/NAME.xdmf     index of the images with their times, for ParaView's XDMF readers
///     fields/NAME.csv      a row a mean and cell
///
/// A tensor's nine numbers are row by row: xx, xy, xz, yx, ...

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/fields/means.hpp"
#include "scree/io/paraview/xdmf.hpp"

namespace scree {

struct FieldImage {
  FieldGrid grid;
  double width = 0.0;        ///< of the coarse-graining function, m
  double from = 0.0;         ///< s
  double time = 0.0;         ///< its end, s
  std::int64_t step = 0;     ///< at its end
  std::int64_t samples = 0;  ///< steps, and parts of steps, that it is the mean of
  double seconds = 0.0;      ///< that these lasted together: its weight in means of several
  std::int64_t first = 0;    ///< cell of this rank that `fields` begin with
  std::vector<MeanField> fields;
};

/// The entry of the index about an image.
struct FieldImageInfo {
  std::filesystem::path path;
  double time = 0.0;  ///< s
  Vec3 origin;        ///< m
  Vec3 spacing;       ///< m
  Vec3i cells;
};

/// Each rank writes its cells of @p image. The file appears when it is whole. Collective. @throws
/// Failure on all ranks; then nothing has changed.
FieldImageInfo write_field_image(MPI_Comm comm, const std::filesystem::path& path,
                                 const FieldImage& image, const std::string& configuration);
/// Not collective. @throws InputError when @p path is none.
FieldImageInfo read_field_image_info(const std::filesystem::path& path);

/// The entry of an image in an index that stands in @p folder.
XdmfEntry xdmf_entry(const std::filesystem::path& folder, const FieldImageInfo& image);

/// The table's line of names, and its rows of this rank's cells of an image, without the end of the
/// last. Not collective.
std::string field_table_header();
std::string field_table_rows(const FieldImage& image);

}  // namespace scree
