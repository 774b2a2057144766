#include "platform/observe/trace_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::platform {
namespace {

NumberRanges ranges_of(const std::string& text, std::string_view option) {
  return text.empty() ? NumberRanges() : NumberRanges(text, option);
}

}  // namespace

TraceFilter::TraceFilter(const TraceQuestions& questions)
    : questions_(questions),
      sms_(ranges_of(questions.sms, "--trace-sm")),
      kernels_(ranges_of(questions.kernels, "--trace-kernel")) {
  if (questions.from && questions.to && *questions.to <= *questions.from)
    throw base::UserError(
        fmt::format("--trace-to {}: expected a cycle behind --trace-from {}", *questions.to, *questions.from));
  if (!kernels_.all() && kernels_.has(0))
    throw base::UserError(fmt::format("--trace-kernel {}: kernels are numbered from 1", questions.kernels));
}

void TraceFilter::attach(const Machine& machine) {
  if (sms_.greatest() >= machine.sms)
    throw base::UserError(fmt::format("--trace-sm {}: there is no SM {}; the platform has SM 0 to {}", questions_.sms,
                                      sms_.greatest(), machine.sms - 1));
  if (questions_.from) from_ps_ = machine.ps_of(*questions_.from);
  if (questions_.to) to_ps_ = machine.ps_of(*questions_.to);
  if (questions_.line) line_ = *questions_.line / machine.line_bytes * machine.line_bytes;
}

bool TraceFilter::has_kernel(base::GridId grid) {
  launched_ = std::max<std::uint64_t>(launched_, std::uint64_t{base::kernel_number(grid)});
  return kernels_.has(std::uint64_t{base::kernel_number(grid)});
}

bool TraceFilter::has_line(base::LineAddress line) {
  if (!line_) return true;
  const auto distance = [this](std::uint64_t other) { return other < *line_ ? *line_ - other : other - *line_; };
  if (!nearest_line_ || distance(line.value()) < distance(*nearest_line_)) nearest_line_ = line.value();
  return line.value() == *line_;
}

std::optional<TraceFilter::Time> TraceFilter::shown(std::uint64_t from_ps, std::uint64_t until_ps) const {
  if (from_ps >= to_ps_ || until_ps <= from_ps_) return std::nullopt;
  return Time(std::max(from_ps, from_ps_), std::min(until_ps, to_ps_));
}

void TraceFilter::check_answers(base::Cycle end, std::uint64_t events) const {
  if (questions_.from && *questions_.from > end)
    throw base::UserError(fmt::format("--trace-from {}: the run ended in cycle {}", *questions_.from, end));
  if (kernels_.greatest() > launched_)
    throw base::UserError(fmt::format("--trace-kernel {}: the run launched {} kernel{}", questions_.kernels, launched_,
                                      launched_ == 1 ? "" : "s"));
  if (line_ && nearest_line_ != line_)
    throw base::UserError(fmt::format(
        "--trace-line {:#x}: no message was about the line at {:#x}{}", *questions_.line, *line_,
        nearest_line_ ? fmt::format("; the nearest that one was about is at {:#x}", *nearest_line_) : std::string()));
  if (events == 0)
    throw base::UserError("--trace: nothing happened in the time, SMs, kernels and line that are asked for");
}

}  // namespace syncline::platform
