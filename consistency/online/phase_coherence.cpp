#include "consistency/online/phase_coherence.h"

#include <algorithm>
#include <iterator>

namespace syncline::consistency {
namespace {

using Hops = std::vector<DynamicOrder::Hop>;
using Mark = PhaseCoherence::Mark;

bool has_source(const Mark& mark) {
  return mark.source != DynamicOrder::Node{};
}

/// Whether `earlier` has written or seen something newer than `later`.
bool contradicts(const Mark& earlier, const Mark& later) {
  return earlier.version > later.version && earlier.bytes.overlaps(later.bytes);
}

Hops cycle_of(const Mark& earlier, const Mark& later) {
  Hops hops{{earlier.node, OrderReason::barrier}};
  hops.push_back({later.node, later.is_write ? OrderReason::coherence_order : OrderReason::from_reads});
  if (has_source(earlier)) hops.push_back({earlier.source, OrderReason::reads_from});
  return hops;
}

}  // namespace

void PhaseCoherence::put(Marks& marks, Mark mark, bool newest) {
  for (Mark& other : marks) {
    const bool stands = newest ? other.version >= mark.version : other.version <= mark.version;
    if (stands)
      mark.bytes -= other.bytes;
    else
      other.bytes -= mark.bytes;
  }
  marks.erase(std::remove_if(marks.begin(), marks.end(), [](const Mark& other) { return other.bytes.empty(); }),
              marks.end());
  if (!mark.bytes.empty()) marks.push_back(mark);
}

/// The phase of that number, or, when there are too many, the one behind the first that goes into it.
PhaseCoherence::Phase& PhaseCoherence::phase_of(Phases& phases, std::uint32_t number) {
  auto at = std::find_if(phases.begin(), phases.end(), [number](const Phase& phase) { return phase.number >= number; });
  if (at != phases.end() && at->number == number) return *at;
  at = phases.emplace(at);
  at->number = number;
  if (phases.size() <= apart) return *at;
  // What comes behind the second phase comes behind the first one, too. What comes before the second need not.
  for (const Mark& mark : phases[0].newest) put(phases[1].newest, mark, true);
  const auto index = at - phases.begin();
  phases.erase(phases.begin());
  return phases[static_cast<std::size_t>(std::max<std::ptrdiff_t>(index - 1, 0))];
}

Hops PhaseCoherence::add(BarrierPhase when, std::uint64_t line, const Mark& access, const std::vector<Mark>& sources,
                         const DynamicOrder& order) {
  Phases& phases = lines_[{when.group, line}];
  for (Phase& phase : phases) {
    forget(phase.newest, order);
    forget(phase.oldest, order);
    if (phase.number < when.phase) {
      for (const Mark& earlier : phase.newest)
        if (contradicts(earlier, access)) return cycle_of(earlier, access);
    } else if (phase.number > when.phase) {
      for (const Mark& later : phase.oldest) {
        if (access.is_write && contradicts(access, later)) return cycle_of(access, later);
        for (const Mark& source : sources)
          if (contradicts(source, later)) return cycle_of(source, later);
      }
    }
  }
  Phase& phase = phase_of(phases, when.phase);
  if (access.is_write) put(phase.newest, access, true);
  for (const Mark& source : sources) put(phase.newest, source, true);
  if (phase.number == when.phase) put(phase.oldest, access, false);
  return {};
}

void PhaseCoherence::forget(Marks& marks, const DynamicOrder& order) {
  const auto is_forgotten = [&](const Mark& mark) {
    return !order.knows(mark.node) || (has_source(mark) && !order.knows(mark.source));
  };
  marks.erase(std::remove_if(marks.begin(), marks.end(), is_forgotten), marks.end());
}

void PhaseCoherence::forget(const DynamicOrder& order) {
  for (auto line = lines_.begin(); line != lines_.end();) {
    Phases& phases = line->second;
    for (Phase& phase : phases) {
      forget(phase.newest, order);
      forget(phase.oldest, order);
    }
    phases.erase(std::remove_if(phases.begin(), phases.end(),
                                [](const Phase& phase) { return phase.newest.empty() && phase.oldest.empty(); }),
                 phases.end());
    line = phases.empty() ? lines_.erase(line) : std::next(line);
  }
}

std::size_t PhaseCoherence::size() const {
  std::size_t marks = 0;
  for (const auto& [key, phases] : lines_) {
    for (const Phase& phase : phases) marks += phase.newest.size() + phase.oldest.size();
  }
  return marks;
}

}  // namespace syncline::consistency
