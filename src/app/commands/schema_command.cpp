#include "scree/app/commands/schema_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "scree/app/config/run_config.hpp"
#include "scree/config/reference.hpp"
#include "scree/config/schema.hpp"

namespace scree {

int schema_command(bool markdown) {
  if (markdown) {
    fmt::print("{}", key_reference<RunConfig>());
  } else {
    fmt::print("{}\n", json_schema<RunConfig>("configuration of `scree run`").dump(2));
  }
  return 0;
}

}  // namespace scree
