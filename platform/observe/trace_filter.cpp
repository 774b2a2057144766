#include "platform/observe/trace_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "platform/observe/point_of_time.h"

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
  if (!kernels_.all() && kernels_.has(0))
    throw base::UserError(fmt::format("--trace-kernel {}: kernels are numbered from 1", questions.kernels));
}

void TraceFilter::attach(const Machine& machine) {
  if (sms_.greatest() >= machine.sms)
    throw base::UserError(fmt::format("--trace-sm {}: there is no SM {}; the platform has SM 0 to {}", questions_.sms,
                                      sms_.greatest(), machine.sms - 1));
  base::Cycle to = base::never;
  if (!questions_.from.empty()) from_ = cycle_of("--trace-from", questions_.from, machine.clock);
  if (!questions_.to.empty()) to = cycle_of("--trace-to", questions_.to, machine.clock);
  // What begins when no time is left in picoseconds never comes.
  const base::Cycle past_all = machine.clock.cycle_at_or_after_ps(to_ps_ - 1);
  from_ps_ = machine.clock.ps_of(std::min(from_, past_all - 1));
  if (to < past_all) to_ps_ = machine.clock.ps_of(to);
  if (!questions_.to.empty() && to <= from_)
    throw base::UserError(fmt::format("--trace-to `{}` is not behind --trace-from `{}`", questions_.to,
                                      questions_.from.empty() ? "0" : questions_.from));
  if (questions_.line) line_.emplace(*questions_.line, machine.line_bytes);
}

bool TraceFilter::has_kernel(base::GridId grid) {
  const std::uint64_t number = base::kernel_number(grid);
  launched_ = std::max(launched_, number);
  return kernels_.has(number);
}

bool TraceFilter::has_line(base::LineAddress line) {
  return !line_ || line_->meets(line.value());
}

std::optional<TraceFilter::Time> TraceFilter::shown(std::uint64_t from_ps, std::uint64_t until_ps) const {
  if (from_ps >= to_ps_ || until_ps <= from_ps_) return std::nullopt;
  return Time(std::max(from_ps, from_ps_), std::min(until_ps, to_ps_));
}

void TraceFilter::check_answers(base::Cycle end, std::uint64_t events) const {
  if (from_ > end)
    throw base::UserError(fmt::format("--trace-from `{}`: the run ended in cycle {}", questions_.from, end));
  if (kernels_.greatest() > launched_)
    throw base::UserError(fmt::format("--trace-kernel {}: the run launched {} kernel{}", questions_.kernels, launched_,
                                      launched_ == 1 ? "" : "s"));
  if (line_ && !line_->was_met())
    throw base::UserError(fmt::format("--trace-line {:#x}: no message was about the line at {:#x}{}", *questions_.line,
                                      line_->address(), line_->nearest("one was about")));
  if (events == 0)
    throw base::UserError("--trace: nothing happened in the time, SMs, kernels and line that are asked for");
}

}  // namespace syncline::platform
