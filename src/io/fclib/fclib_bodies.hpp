#pragma once

/// The matrices of an FCLIB file, distributed in the order of the file.

#include <filesystem>
#include <vector>

#include "fclib_file.hpp"
#include "fclib_mass.hpp"

namespace scree::fclib {

/// W, or A of an LCP. Collective. @throws InputError on every rank.
petsc::Matrix read_operator(MPI_Comm comm, hid_t file, const std::filesystem::path& path,
                            const Header& header, const Shares& rows);

/// The bodies and contacts of a global problem.
struct Bodies {
  Shares dofs = {};
  petsc::Matrix mass = {};              ///< M
  petsc::Matrix jacobian = {};          ///< J = H^T
  std::vector<double> momentum = {};    ///< f
  std::vector<double> compliance = {};  ///< R of this rank's rows
};

/// Those of @p file, whose rows of contacts are shared by @p rows. The last header.n_springs
/// degrees of freedom become R. Collective. @throws InputError on every rank.
Bodies read_bodies(MPI_Comm comm, hid_t file, const std::filesystem::path& path,
                   const Header& header, const Shares& rows);

/// The diagonal of J M^-1 J^T of this rank's rows. Collective.
std::vector<double> product_diagonal(Mat jacobian, Mat inverse_mass);

/// H^T M^-1 H of bodies that deform. Collective. @pre not inverse.by_blocks(). @throws InputError
/// on every rank where it has too many rows.
petsc::Matrix form_product(MPI_Comm comm, const Bodies& bodies, const MassInverse& inverse,
                           const Shares& rows, const std::filesystem::path& path);

}  // namespace scree::fclib
