#include "fclib_cut.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "fclib_graph.hpp"
#include "fclib_splitters.hpp"

namespace scree::fclib {
namespace {

/// Where contacts without bodies stand.
constexpr Place kFirstPlace{-1, -1, -1};

/// Lists of numbers, one for each contact of this rank's share.
struct Lists {
  std::vector<std::int32_t> number;
  std::vector<std::size_t> first{0};

  /// Ends the list of what has been appended, of which each number stays once.
  void close_one() {
    const auto begin = number.begin() + static_cast<std::ptrdiff_t>(first.back());
    std::sort(begin, number.end());
    number.erase(std::unique(begin, number.end()), number.end());
    first.push_back(number.size());
  }
  std::size_t count() const { return first.size() - 1; }
};

/// The columns, by units of @p unit, of the entries of each contact that are not zero. Not
/// collective.
Lists columns_of_contacts(Mat matrix, const FileContacts& contacts, int unit) {
  Lists lists;
  for (std::int64_t contact = contacts.shares.begin(); contact < contacts.shares.end(); ++contact) {
    const auto first = static_cast<PetscInt>(contact * contacts.dim);
    for_each_entry(matrix, first, first + contacts.dim,
                   [&](std::int32_t, std::int32_t column, double value) {
                     if (value != 0.0) lists.number.push_back(column / unit);
                   });
    lists.close_one();
  }
  return lists;
}

/// The bodies of each contact. Collective.
Lists bodies_of_contacts(MPI_Comm comm, Mat jacobian, const FileContacts& contacts,
                         const FileDofs& dofs) {
  const Lists units = columns_of_contacts(jacobian, contacts, dofs.unit);
  const std::vector<std::int32_t> body = fetch(comm, dofs.units, dofs.body, units.number);
  Lists bodies;
  for (std::size_t i = 0; i < units.count(); ++i) {
    bodies.number.insert(bodies.number.end(),
                         body.begin() + static_cast<std::ptrdiff_t>(units.first[i]),
                         body.begin() + static_cast<std::ptrdiff_t>(units.first[i + 1]));
    bodies.close_one();
  }
  return bodies;
}

/// A contact on its way to the rank that keeps it.
struct Moved {
  std::int32_t dim;
  Place place;
  std::int32_t number;
  auto operator<=>(const Moved&) const = default;
};

/// A contact in the order that ranks cut.
struct Key {
  Place place;
  std::int32_t contact;
  auto operator<=>(const Key&) const = default;
};

/// The first key of each rank but rank 0, and the contacts of each.
struct CutContacts {
  std::vector<Key> splitters;
  std::vector<std::int32_t> kept;
};

/// Collective.
CutContacts cut_contacts(MPI_Comm comm, const FileContacts& contacts,
                         const std::vector<Place>& places) {
  std::vector<Key> keys(places.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = {places[i],
               static_cast<std::int32_t>(contacts.shares.begin() + static_cast<std::int64_t>(i))};
  }
  CutContacts cut{.splitters = splitters(comm, keys), .kept = {}};
  std::vector<Moved> moved(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    moved[i] = {contacts.dims[i], keys[i].place, keys[i].contact};
  }
  moved = send(comm, moved, [&cut](const Moved& each) {
    return rank_of_key(cut.splitters, Key{each.place, each.number});
  });
  std::sort(moved.begin(), moved.end());
  for (const Moved& each : moved) cut.kept.push_back(each.number);
  return cut;
}

/// The file's order on one rank.
std::vector<std::int32_t> contacts_of_one_rank(const FileContacts& contacts) {
  std::vector<std::int32_t> numbers = counting(contacts.shares);
  std::stable_sort(numbers.begin(), numbers.end(), [&contacts](std::int32_t a, std::int32_t b) {
    return contacts.dims[a] < contacts.dims[b];
  });
  return numbers;
}

/// The place of a body, and how many contacts it has.
struct Standing {
  Place place;
  std::int32_t n_contacts;
};

/// Those of this rank's bodies. Collective.
std::vector<Standing> standings(MPI_Comm comm, const Shares& bodies, const Lists& of_contacts) {
  Graph graph(comm, bodies);
  for (std::size_t i = 0; i < of_contacts.count(); ++i) {
    for (std::size_t k = of_contacts.first[i] + 1; k < of_contacts.first[i + 1]; ++k) {
      graph.link(of_contacts.number[k - 1], of_contacts.number[k]);
    }
  }
  graph.close();
  std::vector<Standing> result;
  result.reserve(bodies.count());
  for (const Place& place : places(graph)) result.push_back({place, 0});
  const auto owner = [&bodies](std::int32_t body) { return bodies.owner(body); };
  for (const std::int32_t body : send(comm, of_contacts.number, owner)) {
    ++result[body - bodies.begin()].n_contacts;
  }
  return result;
}

/// The place of each contact, that of its body with the fewest contacts: a plate under many grains
/// says little of where a contact is. Collective.
std::vector<Place> contact_places(MPI_Comm comm, const Shares& bodies,
                                  const std::vector<Standing>& of_bodies,
                                  const Lists& of_contacts) {
  const std::vector<Standing> standing = fetch(comm, bodies, of_bodies, of_contacts.number);
  std::vector<Place> result(of_contacts.count(), kFirstPlace);
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::int32_t fewest = std::numeric_limits<std::int32_t>::max();
    for (std::size_t k = of_contacts.first[i]; k < of_contacts.first[i + 1]; ++k) {
      if (standing[k].n_contacts >= fewest) continue;
      fewest = standing[k].n_contacts;
      result[i] = standing[k].place;
    }
  }
  return result;
}

/// A unit of degrees of freedom on its way to the rank that keeps it.
struct MovedUnit {
  Place place;  ///< of its body
  std::int32_t number;
  std::int32_t keeper;  ///< rank
  auto operator<=>(const MovedUnit&) const = default;
};

/// A rank's bodies begin with that of its first contact; bodies that touch nothing stay where the
/// file's shares have them. Collective.
std::vector<std::int32_t> cut_units(MPI_Comm comm, const FileDofs& dofs,
                                    const std::vector<Standing>& of_bodies,
                                    const std::vector<Key>& first_contacts) {
  std::vector<Place> first_places;
  first_places.reserve(first_contacts.size());
  for (const Key& key : first_contacts) first_places.push_back(key.place);
  const std::vector<Standing> standing = fetch(comm, dofs.units, of_bodies, dofs.body);
  std::vector<MovedUnit> moved(standing.size());
  for (std::size_t k = 0; k < moved.size(); ++k) {
    const int keeper = standing[k].n_contacts == 0 ? dofs.units.owner(dofs.body[k])
                                                   : rank_of_key(first_places, standing[k].place);
    moved[k] = {standing[k].place,
                static_cast<std::int32_t>(dofs.units.begin() + static_cast<std::int64_t>(k)),
                keeper};
  }
  moved = send(comm, moved, [](const MovedUnit& each) { return each.keeper; });
  std::sort(moved.begin(), moved.end());
  std::vector<std::int32_t> kept;
  kept.reserve(moved.size());
  for (const MovedUnit& each : moved) kept.push_back(each.number);
  return kept;
}

/// The degrees of freedom of @p units of @p unit each.
std::vector<std::int32_t> dofs_of(const std::vector<std::int32_t>& units, int unit) {
  std::vector<std::int32_t> dofs;
  for (const std::int32_t number : units) {
    for (int k = 0; k < unit; ++k) dofs.push_back(number * unit + k);
  }
  return dofs;
}

}  // namespace

Cut cut_matrix(MPI_Comm comm, Mat w, const FileContacts& contacts) {
  if (size_of(comm) == 1) return {contacts_of_one_rank(contacts), {}};
  const Lists neighbours = columns_of_contacts(w, contacts, contacts.dim);
  Graph graph(comm, contacts.shares);
  for (std::size_t i = 0; i < neighbours.count(); ++i) {
    const auto contact =
        static_cast<std::int32_t>(contacts.shares.begin() + static_cast<std::int64_t>(i));
    for (std::size_t k = neighbours.first[i]; k < neighbours.first[i + 1]; ++k) {
      graph.link(contact, neighbours.number[k]);
    }
  }
  graph.close();
  return {cut_contacts(comm, contacts, places(graph)).kept, {}};
}

Cut cut_product(MPI_Comm comm, Mat jacobian, const FileContacts& contacts, const FileDofs& dofs) {
  if (size_of(comm) == 1) {
    return {contacts_of_one_rank(contacts), dofs_of(counting(dofs.units), dofs.unit)};
  }
  const Lists of_contacts = bodies_of_contacts(comm, jacobian, contacts, dofs);
  const std::vector<Standing> of_bodies = standings(comm, dofs.units, of_contacts);
  CutContacts cut =
      cut_contacts(comm, contacts, contact_places(comm, dofs.units, of_bodies, of_contacts));
  const std::vector<std::int32_t> units = cut_units(comm, dofs, of_bodies, cut.splitters);
  return {std::move(cut.kept), dofs_of(units, dofs.unit)};
}

}  // namespace scree::fclib
