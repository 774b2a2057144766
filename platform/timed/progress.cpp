#include "platform/timed/progress.h"

#include <fmt/format.h>

namespace syncline::platform {
namespace {
constexpr base::Cycle look_interval = 4096;  // cycles between looks at the host's clock
}

base::Cycle Progress::tick(base::Cycle now) {
  if (line_.is_due())
    line_.print(fmt::format("cycle {} ({:.0f} kcycles/s)", now, static_cast<double>(now) / line_.seconds() / 1e3),
                work_());
  return now + look_interval;
}

}  // namespace syncline::platform
