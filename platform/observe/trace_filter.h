// Which part of a run an event trace shows.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "models/clock/scheduler.h"
#include "platform/observe/asked_line.h"
#include "platform/observe/number_ranges.h"
#include "platform/observe/questions.h"

namespace syncline::platform {

/// Remembers what it has met, so that a question which nothing answers can be told.
class TraceFilter {
 public:
  /// What a machine has.
  struct Machine {
    unsigned sms, line_bytes;
    const models::ClockDomain& clock;  ///< of the SMs
  };
  /// UserError for a list that is none.
  explicit TraceFilter(const TraceQuestions& questions);
  /// UserError where the machine does not have what is asked for.
  void attach(const Machine& machine);
  /// The run has ended: UserError where it had nothing that was asked for. `events`: in the trace.
  void check_answers(base::Cycle end, std::uint64_t events) const;

  bool has_sm(unsigned sm) const { return sms_.has(sm); }
  bool all_sms() const { return sms_.all(); }
  bool has_kernel(base::GridId grid);
  bool all_kernels() const { return kernels_.all(); }
  bool has_line(base::LineAddress line);
  /// The part of a time that is shown; none for nothing.
  using Time = std::pair<std::uint64_t, std::uint64_t>;
  std::optional<Time> shown(std::uint64_t from_ps, std::uint64_t until_ps) const;

 private:
  const TraceQuestions questions_;
  const NumberRanges sms_, kernels_;
  base::Cycle from_ = 0;
  std::uint64_t from_ps_ = 0, to_ps_ = std::numeric_limits<std::uint64_t>::max();
  std::optional<AskedLine> line_;
  std::uint64_t launched_ = 0;  ///< kernels that were met, from 1
};

}  // namespace syncline::platform
