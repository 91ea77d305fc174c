#include <fmt/format.h>

#include "fclib_bodies.hpp"
#include "fclib_cut.hpp"
#include "fclib_file.hpp"
#include "fclib_rolling.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib/fclib.hpp"

namespace scree {
namespace {

using fclib::FileDofs;
using fclib::Header;
using fclib::Shares;

constexpr double kSymmetric = 1e-6;  ///< asymmetry below this is the writer's rounding

/// A problem by the shares of the file's order.
struct InFileOrder {
  Header header;
  Shares contacts;
  Shares rows;
  fclib::FrictionOfContacts friction;
  std::vector<fclib::ConeShape> shapes;
  petsc::Matrix main;          ///< J or W
  petsc::Matrix inverse_mass;  ///< with J alone, like the rest
  FileDofs dofs;
  Shares single_dofs;
  std::vector<double> v_free;
  std::vector<double> compliance;
  std::vector<double> r;
  bool rigid_bodies = false;
  bool symmetric = true;
};

void multiply_by(std::vector<double>& values, const std::vector<double>& factors) {
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= factors[k];
}

/// l of the rolling rows of the file, by @p diagonal of N.
std::vector<double> choose_shapes(InFileOrder& file, const std::vector<double>& diagonal) {
  file.shapes = fclib::cone_shapes(file.header, file.friction, diagonal);
  return fclib::row_lengths(file.shapes, file.header.dim);
}

/// Brings W and r to the unit of forces. Collective.
void finish_matrix_form(InFileOrder& file, MPI_Comm comm, petsc::Matrix w) {
  file.main = std::move(w);
  petsc::Vector scale = fclib::make_vector(comm, file.r);
  SCREE_PETSC(MatGetDiagonal(file.main.get(), scale.get()));
  const std::vector<double> length = choose_shapes(file, to_rows(scale.get()));
  to_vec(length, scale.get());
  SCREE_PETSC(MatDiagonalScale(file.main.get(), scale.get(), scale.get()));
  file.symmetric = fclib::asymmetry(comm, file.main.get()) <= kSymmetric;
  multiply_by(file.r, length);
}

FileDofs dofs_by_bodies(const Shares& dofs, const fclib::Blocks& blocks) {
  FileDofs result{.unit = blocks.are_rigid_bodies ? kBodyDofs : 1, .units = dofs};
  for (std::int64_t& first : result.units.first) first /= result.unit;
  for (std::size_t k = 0; k < blocks.lowest.size(); k += result.unit) {
    result.body.push_back(blocks.lowest[k] / result.unit);
  }
  return result;
}

/// Takes over J and M^-1, J and r in the unit of forces. Collective.
void finish_product_form(InFileOrder& file, MPI_Comm comm, fclib::Bodies bodies,
                         fclib::MassInverse inverse) {
  file.rigid_bodies = inverse.blocks().are_rigid_bodies;
  file.single_dofs = bodies.dofs;
  file.dofs = dofs_by_bodies(bodies.dofs, inverse.blocks());
  file.inverse_mass = inverse.take_matrix();
  file.main = std::move(bodies.jacobian);
  file.symmetric = fclib::asymmetry(comm, file.inverse_mass.get()) <= kSymmetric;
  std::vector<double> diagonal;
  if (file.header.rolling) {
    diagonal = fclib::product_diagonal(file.main.get(), file.inverse_mass.get());
    fclib::add_to(diagonal, bodies.compliance);
  }
  const std::vector<double> length = choose_shapes(file, diagonal);
  SCREE_PETSC(MatDiagonalScale(file.main.get(), fclib::make_vector(comm, length).get(), nullptr));
  multiply_by(file.r, length);
  fclib::add_to(file.r, fclib::times(file.main.get(), file.v_free));
  file.compliance = std::move(bodies.compliance);
  multiply_by(file.compliance, length);
  multiply_by(file.compliance, length);
}

/// Collective.
void read_global(InFileOrder& file, MPI_Comm comm, hid_t handle,
                 const std::filesystem::path& path) {
  fclib::Bodies bodies = fclib::read_bodies(comm, handle, path, file.header, file.rows);
  fclib::MassInverse inverse(comm, bodies.mass.get(), bodies.dofs, path);
  bodies.mass.reset();
  file.v_free = inverse.times(bodies.momentum);
  if (inverse.by_blocks()) {
    finish_product_form(file, comm, std::move(bodies), std::move(inverse));
    return;
  }
  fclib::add_to(file.r, fclib::times(bodies.jacobian.get(), file.v_free));
  finish_matrix_form(file, comm, fclib::form_product(comm, bodies, inverse, file.rows, path));
}

/// Collective. @throws InputError on every rank.
InFileOrder read_in_file_order(MPI_Comm comm, const std::filesystem::path& path) {
  h5::File handle;
  InFileOrder file;
  fclib::refuse_on_all(comm, path, [&] {
    handle = h5::open_file(path);
    file.header = fclib::read_header(handle.get(), path);
  });
  const Header& header = file.header;
  file.contacts = fclib::even_shares(comm, header.n_contacts);
  file.rows = file.contacts.of_parts(header.dim);
  fclib::refuse_on_all(comm, path, [&] {
    file.friction = fclib::read_friction(handle.get(), path, header, file.contacts);
    file.r = fclib::read_share(handle.get(), path, header.velocity(), file.rows);
  });
  if (header.global()) {
    read_global(file, comm, handle.get(), path);
  } else {
    finish_matrix_form(file, comm,
                       fclib::read_operator(comm, handle.get(), path, header, file.rows));
  }
  return file;
}

/// Collective.
fclib::Cut cut(MPI_Comm comm, const InFileOrder& file) {
  fclib::FileContacts contacts{.shares = file.contacts, .dim = file.header.dim};
  for (const fclib::ConeShape& shape : file.shapes) contacts.dims.push_back(shape.dim);
  return file.inverse_mass ? fclib::cut_product(comm, file.main.get(), contacts, file.dofs)
                           : fclib::cut_matrix(comm, file.main.get(), contacts);
}

/// Things that a rank keeps, in its order, and the new numbers of all.
struct Kept {
  std::vector<std::int32_t> old;           ///< numbers in the file
  Shares shares = {};                      ///< of the new numbers
  std::vector<std::int32_t> renamed = {};  ///< of this rank's share of the file; -1 where left out
};

/// Collective.
Kept keep(MPI_Comm comm, const Shares& of_file, std::vector<std::int32_t> old) {
  Kept kept{.old = std::move(old)};
  kept.shares = fclib::shares_of(comm, std::ssize(kept.old));
  kept.renamed = fclib::deliver(comm, of_file, kept.old, fclib::counting(kept.shares), -1);
  return kept;
}

/// The cones of @p shapes. Collective.
void append_cones(ContactProblem& problem, const std::vector<fclib::ConeShape>& shapes,
                  const Friction& friction) {
  std::vector<double> length;
  for (const fclib::ConeShape& shape : shapes) {
    fclib::append_cone(problem.cones, shape, friction);
    length.push_back(shape.length);
  }
  problem.rolling_length = unless_zero(problem.comm, std::move(length));
}

/// The rows of the file that the cones @p shapes of @p contacts have.
std::vector<std::int32_t> rows_of(const std::vector<std::int32_t>& contacts,
                                  const std::vector<fclib::ConeShape>& shapes, int dim) {
  std::vector<std::int32_t> rows;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (int k = 0; k < shapes[i].dim; ++k) rows.push_back(contacts[i] * dim + k);
  }
  return rows;
}

/// Collective.
void keep_bodies(ContactProblem& problem, InFileOrder& file, const Kept& rows,
                 std::vector<std::int32_t> kept_dofs) {
  MPI_Comm comm = problem.comm;
  const Kept dofs = keep(comm, file.single_dofs, std::move(kept_dofs));
  petsc::Matrix jacobian =
      fclib::renumber(comm, file.main.get(), {rows.renamed, file.single_dofs, dofs.renamed},
                      rows.shares, dofs.shares);
  file.main.reset();
  petsc::Matrix inverse_mass =
      fclib::renumber(comm, file.inverse_mass.get(), {dofs.renamed, file.single_dofs, dofs.renamed},
                      dofs.shares, dofs.shares);
  file.inverse_mass.reset();
  if (file.rigid_bodies) {
    problem.delassus.blocks = std::make_shared<const BlockRows>(
        block_rows_of(comm, jacobian.get(), inverse_mass.get(), problem.cones));
  } else {
    problem.delassus.jacobian = std::move(jacobian);
    problem.delassus.inverse_mass = std::move(inverse_mass);
  }
  problem.v_free =
      fclib::make_vector(comm, fclib::fetch(comm, file.single_dofs, file.v_free, dofs.old));
  problem.compliance = fclib::fetch(comm, file.rows, file.compliance, rows.old);
  const bool is_rigid = std::all_of(problem.compliance.begin(), problem.compliance.end(),
                                    [](double r) { return r == 0.0; });
  if (is_rigid) problem.compliance.clear();
}

}  // namespace

ContactProblem read_fclib(MPI_Comm comm, const std::filesystem::path& path,
                          const Friction& friction) {
  InFileOrder file = read_in_file_order(comm, path);
  if (file.header.rolling && friction.law == FrictionLaw::box) {
    throw InputError(
        fmt::format("{}: the law box has no rolling friction; take coulomb, pyramid or associated",
                    path.string()));
  }
  ContactProblem problem;
  problem.comm = comm;
  problem.origin = path.filename().string();
  problem.delassus.symmetric = file.symmetric;
  fclib::Cut cut_here = cut(comm, file);
  const std::vector<fclib::ConeShape> shapes =
      fclib::fetch(comm, file.contacts, file.shapes, cut_here.contacts);
  append_cones(problem, shapes, friction);
  const Kept rows = keep(comm, file.rows, rows_of(cut_here.contacts, shapes, file.header.dim));
  problem.number_in_file = std::move(cut_here.contacts);
  problem.r = fclib::make_vector(comm, fclib::fetch(comm, file.rows, file.r, rows.old));
  if (file.inverse_mass) {
    keep_bodies(problem, file, rows, std::move(cut_here.dofs));
  } else {
    problem.delassus.matrix = fclib::renumber(
        comm, file.main.get(), {rows.renamed, file.rows, rows.renamed}, rows.shares, rows.shares);
  }
  return problem;
}

}  // namespace scree
