#pragma once

/// Compliance of contacts in global FCLIB files, which know none: a body of its own for each soft
/// contact, with one degree of freedom for each soft row and no momentum,
///
///     M = 1 / R,   H = 1 on the row,   f = 0       so that  H^T M^-1 H = R
///
/// which any code reads as it reads other bodies. They are the last degrees of freedom of M;
/// info/compliant_rows names their rows, in their order, by which scree makes R of them again.
/// Nothing is collective.

#include <vector>

#include "fclib_file.hpp"

namespace scree::fclib {

/// Adds a degree of freedom for each of @p rows, ascending rows of the file, with the compliances
/// @p r, 1/kg.
void append_springs(GlobalMatrices& matrices, const std::vector<std::int32_t>& rows,
                    const std::vector<double>& r);

/// Takes the last degrees of freedom, which stand for the compliances of @p rows, out of @p
/// matrices; gives R by the file's rows. @throws InputError when they are no such springs.
Dense take_springs(GlobalMatrices& matrices, const std::vector<std::int32_t>& rows,
                   const std::filesystem::path& path);

}  // namespace scree::fclib
