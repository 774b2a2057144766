// What causality order asks of accesses to one location, as they are told (PTX ISA, axioms Coherence and Causality).
#include <algorithm>

#include "consistency/online/online_checker.h"

namespace syncline::consistency {

OrderReason OnlineChecker::reason_between(std::uint32_t thread, std::uint32_t other) {
  return thread == other ? OrderReason::program_order : OrderReason::synchronization;
}

bool OnlineChecker::comes_before(const Knower& knower, const OnlineAccess& access, const Clock& clock) const {
  return knower.thread == access.thread ? knower.step < access.step : covers(clock, knower.thread, knower.step);
}

CausalCoherence::Seen OnlineChecker::seen(Node node, const OnlineAccess& access, const base::ByteMask& bytes,
                                          LineVersion version) const {
  const Told& told = told_[node.slot];
  return {access.thread, access.step, bytes, version, told.kind != OnlineKind::read, node, told.clock};
}

/// A read of `bytes` as they were at `version`, which is what `sources` wrote.
void OnlineChecker::judge_read(Node node, const OnlineAccess& access, const base::ByteMask& bytes, LineVersion version,
                               const Neighbours& sources) {
  if (violation_) return;
  told_[node.slot].clock = threads_know_.clock_at(access.thread, access.step);
  const Clock& clock = told_[node.slot].clock;
  using Hops = std::vector<DynamicOrder::Hop>;

  // What it did not see did not come before it, and nobody before it had observed that.
  lines_[access.line].for_each_behind(bytes, version, [&](const LineRecord::Write& write) {
    if (!order_.knows(write.node)) return false;
    for (const Knower& knower : told_[write.node.slot].knowers) {
      if (!knower.bytes.overlaps(bytes) || !comes_before(knower, access, clock) || !order_.knows(knower.node)) continue;
      Hops cycle{{knower.node, reason_between(knower.thread, access.thread)}, {node, OrderReason::from_reads}};
      if (knower.node != write.node) cycle.push_back({write.node, OrderReason::reads_from});
      blame(cycle);
      return true;
    }
    return false;
  });

  const CausalCoherence::Seen self = seen(node, access, bytes, version);
  for (const auto& [source, common] : sources) {
    const Told& write = told_[source.slot];
    if (comes_before({access.thread, access.step, node, common}, write.access,
                     write.clock))  // reads what comes behind it
      blame({{node, reason_between(access.thread, write.access.thread)}, {source, OrderReason::reads_from}});
    if (!is_observed(write.access, access)) continue;
    // What comes behind it does not see, and does not write, anything older than what it has observed.
    coherence_.for_each_behind(
        access.line, self, order_, [&, source = source, common = common](const CausalCoherence::Seen& later) {
          if (later.node == source || later.version >= write.version || !later.bytes.overlaps(common)) return false;
          blame({{node, reason_between(access.thread, later.thread)},
                 {later.node, later.is_write ? OrderReason::coherence_order : OrderReason::from_reads},
                 {source, OrderReason::reads_from}});
          return true;
        });
  }
  coherence_.remember(access.line, self);
  observe(node, access, sources);
}

/// The newest write to its bytes. What it has read, if it is an atomic, stands in `predecessors_`.
void OnlineChecker::judge_write(Node node, const OnlineAccess& access, LineVersion version) {
  if (violation_) return;
  Told& told = told_[node.slot];
  told.clock = threads_know_.clock_at(access.thread, access.step);
  const Knower self{access.thread, access.step, node, access.bytes};
  told.knowers.assign(1, self);
  for (const auto& [reader, bytes] : predecessors_.readers) {
    const Told& read = told_[reader.slot];
    if (comes_before(self, read.access, read.clock))
      blame({{node, reason_between(access.thread, read.access.thread)}, {reader, OrderReason::from_reads}});
  }
  const CausalCoherence::Seen seen_as = seen(node, access, access.bytes, version);
  coherence_.for_each_behind(access.line, seen_as, order_, [&](const CausalCoherence::Seen& later) {
    blame({{node, reason_between(access.thread, later.thread)},
           {later.node, later.is_write ? OrderReason::coherence_order : OrderReason::from_reads}});
    return true;
  });
  coherence_.remember(access.line, seen_as);
  const bool is_atomic = told.kind == OnlineKind::atomic;
  release(node, access, is_atomic ? predecessors_.writes : Neighbours{});
  if (is_atomic && access.returns) observe(node, access, predecessors_.writes);
}

bool OnlineChecker::is_observed(const OnlineAccess& write, const OnlineAccess& read) {
  return write.thread == read.thread || morally_strong(write.manner, read.manner);
}

/// A read knows the writes that it has observed, and acquires what they carry.
void OnlineChecker::observe(Node node, const OnlineAccess& access, const Neighbours& sources) {
  constexpr std::size_t remembered = 32;
  for (const auto& [source, bytes] : sources) {
    if (!order_.knows(source) || !is_observed(told_[source.slot].access, access)) continue;
    Told& write = told_[source.slot];
    const bool is_known =
        std::any_of(write.knowers.begin(), write.knowers.end(), [&, bytes = bytes](const Knower& knower) {
          return knower.thread == access.thread && knower.bytes.contains(bytes);
        });
    if (!is_known && write.knowers.size() < remembered)
      write.knowers.push_back({access.thread, access.step, node, bytes});
    acquire(access, bytes, write.carried);
  }
}

void OnlineChecker::acquire(const OnlineAccess& access, const base::ByteMask& bytes, const CarriedParts& carried) {
  for (const Carried& part : carried)
    if (part.bytes.overlaps(bytes)) threads_know_.observed({access.thread, access.step}, access.manner, part.release);
}

/// What the read has observed of a write that is not performed yet.
const OnlineChecker::CarriedParts& OnlineChecker::observed_early(const OnlineAccess& read, std::uint64_t early) const {
  static const CarriedParts nothing;
  const auto write = announced_.find(early);
  return write != announced_.end() && is_observed(write->second.access, read) ? write->second.carried : nothing;
}

void OnlineChecker::carry(CarriedParts& parts, const base::ByteMask& bytes, const Release& release) {
  const auto same =
      std::find_if(parts.begin(), parts.end(), [&bytes](const Carried& part) { return part.bytes == bytes; });
  if (same == parts.end())
    parts.push_back({bytes, release});
  else
    same->release = Synchronization::both(same->release, release);
}

/// To an atomic, which has observed what carries `from` in these bytes.
void OnlineChecker::pass_on(CarriedParts& parts, const base::ByteMask& bytes, const CarriedParts& from) {
  for (const Carried& part : from)
    if (part.bytes.overlaps(bytes)) carry(parts, part.bytes & bytes, part.release);
}

void OnlineChecker::announce(const OnlineAccess& access, std::uint64_t early, const std::vector<ReadPart>& read) {
  if (violation_ || options_.model != OnlineModel::wo) return;
  Announced announced{access, {}};
  if (const Release own = threads_know_.released_by({access.thread, access.step}, access.manner))
    carry(announced.carried, access.bytes, own);
  for (const ReadPart& part : read) {
    if (part.early != 0) {
      pass_on(announced.carried, part.bytes, observed_early(access, part.early));
      continue;
    }
    lines_[access.line].find(part.bytes, part.version, order_, neighbours_);
    for (const auto& [source, bytes] : neighbours_.sources)
      if (order_.knows(source) && is_observed(told_[source.slot].access, access))
        pass_on(announced.carried, bytes, told_[source.slot].carried);
  }
  if (!announced.carried.empty()) announced_.emplace(early, std::move(announced));
}

/// What the write carries: what its thread releases, and, of an atomic, what the writes carried that it has read.
void OnlineChecker::release(Node node, const OnlineAccess& access, const Neighbours& sources) {
  CarriedParts& parts = told_[node.slot].carried;
  if (const Release own = threads_know_.released_by({access.thread, access.step}, access.manner))
    carry(parts, access.bytes, own);
  for (const auto& [source, bytes] : sources) {
    const Told& write = told_[source.slot];
    if (is_observed(write.access, access)) pass_on(parts, bytes, write.carried);
  }
}

}  // namespace syncline::consistency
