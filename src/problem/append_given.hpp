#pragma once

/// The rows of other sources than contacts, behind those of contacts.

#include "contact_rows.hpp"
#include "local_bodies.hpp"
#include "scree/problem/given_rows.hpp"

namespace scree {

/// Appends @p given to @p rows. @pre the rows of all contacts are there, and @p bodies knows the
/// slots of @p given.
void append_given(const GivenRows& given, const Store& store, const LocalBodies& bodies,
                  ContactRows& rows);

}  // namespace scree
