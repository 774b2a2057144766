#include "platform/timed/progress.h"

#include <fmt/format.h>

namespace syncline::platform {
namespace {
constexpr base::Cycle interval = 4096;  // cycles between looks at the host's clock
}

Progress::Progress(std::ostream& out, std::function<Work()> work)
    : out_(out), work_(std::move(work)), start_(Clock::now()), last_(start_) {}

base::Cycle Progress::tick(base::Cycle now) {
  const Clock::time_point host = Clock::now();
  if (host - last_ < std::chrono::milliseconds(500)) return now + interval;
  last_ = host;
  const double seconds = std::chrono::duration<double>(host - start_).count();
  const Work work = work_();
  std::string line =
      fmt::format("\r{:.1f} s: cycle {} ({:.0f} kcycles/s)", seconds, now, static_cast<double>(now) / seconds / 1e3);
  if (work.ctas_launched != 0) line += fmt::format(", {} of {} CTAs done", work.ctas_done, work.ctas_launched);
  if (work.ctas_done != 0) {
    const double left = static_cast<double>(work.ctas_launched - work.ctas_done);
    line += fmt::format(", about {:.0f} s left", seconds * left / static_cast<double>(work.ctas_done));
  }
  out_ << line << "   " << std::flush;
  printed_ = true;
  return now + interval;
}

void Progress::finish() {
  if (printed_) out_ << "\r\033[K" << std::flush;
  printed_ = false;
}

}  // namespace syncline::platform
