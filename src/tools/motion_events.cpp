#include "scree/tools/motion_events.hpp"

#include "scree/config/declaration.hpp"

namespace scree {

void MotionEvents::declare(Declaration& d) {
  d.optional_object("start_when", start_when,
                    {.help = "the motion waits until this holds at the end of a step, and counts "
                             "its time from there"});
  d.optional_object("stop_when", stop_when,
                    {.help = "the motion ends when this holds at the end of a later step"});
}

}  // namespace scree
