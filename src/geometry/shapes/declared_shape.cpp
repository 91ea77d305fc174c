#include "scree/geometry/shapes/declared_shape.hpp"

#include <type_traits>

#include "scree/config/declaration.hpp"
#include "scree/geometry/shapes/all_declared_shapes.hpp"

namespace scree {
namespace {

/// The answer of @p ask for the geometry of @p shape.
template <class Ask>
auto of_declared(const DeclaredShape& shape, const Ask& ask) {
  return std::visit(
      [&ask](const auto& s) {
        if constexpr (requires { s.geometry(); }) {
          return ask(s.geometry());
        } else {
          return ask(s);
        }
      },
      *shape);
}

}  // namespace

void declare_shape(Declaration& d, DeclaredShape& shape, std::string_view help) {
  d.one_of("shape", shape.change(), {.help = help, .required = true});
}

Shape as_shape(const DeclaredShape& shape) {
  return std::visit(
      []<class S>(const S& s) -> Shape {
        if constexpr (ListedShape<S>) {
          return s;
        } else if constexpr (requires { s.held(); }) {
          return s.held();
        } else {
          return s.scaled(1.0);
        }
      },
      *shape);
}

Pose frame_of(const DeclaredShape& shape) {
  return std::visit([](const auto& s) { return declared_frame(s); }, *shape);
}

double volume(const DeclaredShape& shape) {
  return of_declared(shape, [](const auto& s) { return s.volume(); });
}

Vec3 inertia_per_mass(const DeclaredShape& shape) {
  return of_declared(shape, [](const auto& s) { return Vec3(s.inertia_per_mass()); });
}

MeshSpec* mesh_spec_of(DeclaredShape& shape) {
  return std::holds_alternative<MeshSpec>(*shape) ? &std::get<MeshSpec>(shape.change()) : nullptr;
}

ClumpSpec* clump_spec_of(DeclaredShape& shape) {
  return std::holds_alternative<ClumpSpec>(*shape) ? &std::get<ClumpSpec>(shape.change()) : nullptr;
}

MeshPolyhedron* mesh_of(DeclaredShape& shape) {
  return std::holds_alternative<MeshPolyhedron>(*shape) ? &std::get<MeshPolyhedron>(shape.change())
                                                        : nullptr;
}

}  // namespace scree
