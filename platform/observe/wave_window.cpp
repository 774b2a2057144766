#include "platform/observe/wave_window.h"

#include <fmt/format.h>

#include "base/error.h"
#include "platform/observe/point_of_time.h"

namespace syncline::platform {

WaveWindow::WaveWindow(const WaveSpec& spec, const models::ClockDomain& clock)
    : from_text_(spec.from), kernel_(spec.kernel) {
  if (!spec.from.empty()) begin_ = cycle_of("--wave-from", spec.from, clock);
  if (!spec.to.empty()) end_ = cycle_of("--wave-to", spec.to, clock);
  if (end_ < begin_)
    throw base::UserError(fmt::format("--wave-to `{}` is before --wave-from `{}`", spec.to, spec.from));
}

std::string WaveWindow::why_not(std::uint64_t launches) const {
  if (kernel_ != 0 && !kernel_begun_)
    return fmt::format("the run launched {} kernel{} (--wave-kernel {})", launches, launches == 1 ? "" : "s", kernel_);
  return fmt::format("the run, or the kernel, was over before cycle {} (--wave-from {})", begin_, from_text_);
}

}  // namespace syncline::platform
