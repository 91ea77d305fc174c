#pragma once

namespace scree {

/// Prints the JSON Schema of a run's configuration, or with @p markdown the table of its keys.
/// Not collective: for one rank. Returns the exit status 0.
int schema_command(bool markdown = false);

}  // namespace scree
