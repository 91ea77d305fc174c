#pragma once

/// Where a solve starts that knows what the recursions of the step before found
/// (step/recursion.hpp).

#include "scree/contact/contact_list.hpp"
#include "scree/step/contact_memory.hpp"

namespace scree {

/// The load of each of @p contacts as the next solve starts: the force and moment of its record
/// among @p records, and those that recursions of the last step (ContactKey::recursion) found for
/// its pair, from @p memory, each at the point that is nearest. The force of a pair that rests is
/// shared among all of them. @p memory is sorted by key. Not collective.
FoundRecords with_recursions(ContactView contacts, const FoundRecords& records,
                             const ContactRecords& memory);

}  // namespace scree
