#include "platform/observe/progress_line.h"

#include <fmt/format.h>

#include <chrono>

namespace syncline::platform {
namespace {

constexpr double line_interval = 0.5;  // seconds

double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProgressLine::ProgressLine(std::ostream& out) : ProgressLine(out, host_seconds) {}

ProgressLine::ProgressLine(std::ostream& out, Clock clock)
    : out_(out), clock_(std::move(clock)), start_(clock_()), last_(start_) {}

bool ProgressLine::is_due() {
  const double now = clock_();
  if (now - last_ < line_interval) return false;
  last_ = now;
  return true;
}

void ProgressLine::print(const std::string& position, const Work& work) {
  std::string line = fmt::format("\r{:.1f} s: {}", seconds(), position);
  if (work.ctas_launched != 0) line += fmt::format(", {} of {} CTAs done", work.ctas_done, work.ctas_launched);
  if (work.ctas_done != 0) {
    const double left = static_cast<double>(work.ctas_launched - work.ctas_done);
    line += fmt::format(", about {:.0f} s left", seconds() * left / static_cast<double>(work.ctas_done));
  }
  out_ << line << "   " << std::flush;
  printed_ = true;
}

void ProgressLine::clear() {
  if (printed_) out_ << "\r\033[K" << std::flush;
  printed_ = false;
}

ProgressLine::~ProgressLine() {
  clear();
}

}  // namespace syncline::platform
