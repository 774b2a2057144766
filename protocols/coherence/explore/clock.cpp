#include "protocols/coherence/explore/clock.h"

#include <algorithm>

namespace syncline::protocols::explore {
namespace {

/// Places of a message's stamps under a policy of physical leases.
constexpr unsigned lease = 0, gwct = 1;

/// Without Clock's `forgets`: how far back it matters when GETS was sent.
constexpr std::uint64_t longest_lease = 4;

/// Whether each load that waits at an L1 came behind the end of the lease that is on its way there: all that is left of
/// when it came. Without a lease on its way it came before: one that is still to be granted does not end before now.
void set_parked_back(State& state, unsigned l1s, unsigned lines) {
  for (unsigned n = 0; n < l1s; ++n) {
    for (unsigned line = 0; line < lines; ++line) {
      auto& parked = state.nodes[n].lines[line].parked;
      if (parked.empty()) continue;
      std::uint64_t end = ~std::uint64_t{0};
      for (const Packet& p : state.packets) {
        if (p.destination == n && p.line == line && p.operation == Packet::no_operation) end = p.stamps[lease];
      }
      for (Packet& packet : parked) packet.parked_at = packet.parked_at > end ? present : present - 1;
    }
  }
}

}  // namespace

Clock::Clock(const CoherencePolicy& policy, const Program& program, bool forgets)
    : least_lease_(policy.least_lease),
      physical_(policy.physical_leases),
      current_(policy.copies_are_current),
      forgets_(forgets),
      threads_(static_cast<unsigned>(program.threads.size())),
      l1s_(program.l1s()),
      lines_(program.lines()),
      ahead_(program) {
  for (unsigned t = 0; t < threads_; ++t) l1_[t] = program.threads[t].l1;
}

/// When GETS was sent (`ver`) and the last load joined it tell an L1 one thing, and only of a store or atomic that
/// comes before the reply: whether the join was later than the least lease. The next join is now or later.
void Clock::set_requests_back(State& state) const {
  for (unsigned n = 0; n < l1s_; ++n) {
    for (unsigned line = 0; line < lines_; ++line) {
      LineMeta& meta = state.nodes[n].lines[line].meta;
      const std::uint64_t span = meta.last_read - meta.ver, age = state.time - meta.ver;
      if (meta.pending_reads == 0 || (forgets_ && !ahead_.write(state, n, line))) {
        meta.ver = meta.last_read = 0;
      } else if (!forgets_) {
        meta.ver = present - std::min(age, longest_lease + 1);
        meta.last_read = meta.ver + std::min(span, longest_lease + 1);
      } else {
        const bool late = span > least_lease_;
        meta.ver = present - (late ? least_lease_ + 1 : std::min(age, least_lease_ + 1));
        meta.last_read = late ? present : meta.ver;
      }
    }
  }
}

/// When writes are seen by all is asked by fences alone: of the warp's own writes, or of those of its SM.
void Clock::forget_views(State& state) const {
  std::array<bool, max_l1s> asks{};
  for (unsigned t = 0; t < threads_; ++t) {
    const bool fence = ahead_.fence(state, t);
    asks[l1_[t]] = asks[l1_[t]] || fence;
    if (!fence) state.nodes[l1_[t]].meta.gwct[t] = 0;
  }
  for (unsigned n = 0; n < l1s_; ++n) {
    if (!asks[n]) state.nodes[n].meta.write_view = 0;
  }
  for (Packet& packet : state.packets) {
    if (packet.destination < max_l1s && !asks[packet.destination]) packet.stamps[gwct] = 0;
  }
}

/// A copy for which nobody will ask is gone when its lease is over, replaced or not. Before that its bytes matter only
/// where no store is performed during a lease.
void Clock::forget_copies(State& state) const {
  for (unsigned n = 0; n < l1s_; ++n) {
    for (unsigned line = 0; line < lines_; ++line) {
      Copy& copy = state.nodes[n].lines[line];
      if (!copy.has_frame || ahead_.load(state, n, line)) continue;
      if (!current_) copy.frame.words = {};
      if (!copy.has_entry && copy.meta.exp < state.time && !ahead_.write(state, n, line)) copy = {};
    }
  }
}

void Clock::set_back(State& state) const {
  if (!physical_) return;
  const std::uint64_t now = state.time;
  const auto set = [now](std::uint64_t& time) {
    if (time != 0) time = time < now ? present - 1 : time - now + present;
  };
  const auto set_stamps = [&set](Packet& packet) {
    set(packet.stamps[lease]);
    set(packet.stamps[gwct]);
  };
  set_parked_back(state, l1s_, lines_);
  set_requests_back(state);
  if (forgets_) {
    forget_views(state);
    forget_copies(state);
  }
  for (unsigned t = 0; t < threads_; ++t) set(state.threads[t].fence_until);
  for (Node& node : state.nodes) {
    for (unsigned t = 0; t < threads_; ++t) set(node.meta.gwct[t]);
    set(node.meta.write_view);
    for (unsigned line = 0; line < lines_; ++line) {
      Copy& copy = node.lines[line];
      set(copy.meta.exp);
      set(copy.meta.last_write);
      for (Packet& packet : copy.parked) set_stamps(packet);
    }
    for (Packet& packet : node.replays) set_stamps(packet);
  }
  for (Timer& timer : state.timers) set(timer.at);
  for (Packet& packet : state.packets) set_stamps(packet);
  state.time = present;
}

}  // namespace syncline::protocols::explore
