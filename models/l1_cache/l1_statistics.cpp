// What an L1 reports: statistics, traced signals, what is left over and who waits.
#include <fmt/format.h>

#include "models/clock/turn.h"
#include "models/l1_cache/l1_cache.h"

namespace syncline::models {

void L1Cache::add_statistics() {
  const CoherentLines::Counts& counts = lines().counts();
  const CoreLink::Counts& core = core_.counts();
  statistic("loads", "accesses", "line loads of the SM, local and constant ones included", core.loads);
  statistic("stores", "accesses", "line stores of the SM", core.stores);
  statistic("atomics", "accesses", "line atomics of the SM", core.atomics);
  statistic("load_hits", "accesses", "loads answered from the L1 at once", core.hits);
  statistic(
      "misses", "lines",
      "times that an access took a miss register: for a line that it asked the home for, or, where the policy keeps "
      "account of them by line, for a store or an atomic",
      counts.misses);
  statistic("load_merges", "accesses", "loads that joined a miss on its way", counts.merges);
  statistic("forwarded_loads", "accesses", "loads that went around the L1", core.forwarded_loads);
  statistic("prefetches", "accesses", "prefetches of the SM", core.prefetches);
  statistic("prefetches_dropped", "accesses", "prefetches of lines that are here, on their way, or without room",
            core.prefetches_dropped);
  statistic("write_backs", "lines", "lines with bytes that the home lacked that left", homes_.write_backs());
  statistic("evictions", "lines", "lines that left for another one", counts.evictions);
  statistic("fills", "lines", "lines put into the cache", counts.fills);
  statistic("flushes", "flushes", "times that all lines were dropped (begin of a grid, acquires)", core.flushes);
  statistic("fences", "fences", "fences of the SM", core.fences);
  statistic("load_latency", "core cycles", "from the lookup of a load to the departure of its data", core.load_cycles);
  statistic("store_latency", "core cycles", "from the lookup of a store to its acknowledgement", core.store_cycles);
  statistic("atomic_latency", "core cycles", "from the lookup of an atomic to its reply", core.atomic_cycles);
  statistic("miss_lifetime", "core cycles", "time for which a miss register was held", counts.miss_cycles);
  for (auto cause = static_cast<unsigned>(StallReason::protocol); cause < static_cast<unsigned>(StallReason::count_);
       ++cause) {
    const auto stall = static_cast<StallReason>(cause);
    if (stall == StallReason::recycled || stall == StallReason::no_directory_entry || stall >= StallReason::memory_full)
      continue;
    statistic(fmt::format("stall_{}", models::name(stall)), "core cycles",
              fmt::format("head of the request queue waited: {}", models::name(stall)),
              core_.stall_cycles().cycles(stall));
  }
  statistic("held_by_stores", "core cycles",
            "in which a request of the SM waited while an older store or atomic to its line was not acknowledged",
            core_.held_by_stores());
  statistic("recycles", "accesses", "times that an access went to the back of the request queue", core.recycles);
  const auto counted = [this](const std::string& name, const char* unit, std::string_view meaning,
                              const base::Counter& counter) { statistic(name, unit, meaning, counter); };
  sent().statistics(
      [](protocols::TrafficClass c) {  // homes alone send the others
        return c < protocols::TrafficClass::data_reply || c > protocols::TrafficClass::atomic_reply;
      },
      counted);
  lines().rows([this](const std::string& name, std::string_view why, auto value) { gauge(name, "times", why, value); });
  if (policy().logical_time)
    gauge("logical_time", "logical time", "clock of the SM's loads",
          [this] { return double(lines().machine().logical_time(lines().node(), now_ps())); });
  gauge("mshrs_in_use", "entries", "miss registers in use", [this] { return double(lines().mshrs().in_use()); });
  gauge("handles_in_use", "entries", "accesses on their way by themselves",
        [this] { return double(homes_.handles().in_use()); });
  const TracedAs by_turns{Changes::with_block};
  traced(
      "l1", "request_queue", 16, [this] { return core_.requests().size(); }, by_turns);
  traced(
      "l1", "message_queue", 16, [this] { return homes_.messages().size(); }, by_turns);
  traced(
      "l1", "output_queue", 16, [this] { return homes_.outbox().size() + (peers_ ? peers_->outbox().size() : 0); },
      by_turns);
  traced(
      "l1", "mshrs_in_use", 16, [this] { return lines().mshrs().in_use(); }, by_turns);
  traced(
      "l1", "handles_in_use", 16, [this] { return homes_.handles().in_use(); }, by_turns);
  traced("l1", "stall_cause", 4, [this] { return static_cast<std::uint64_t>(core_.stall_cycles().cause()); },
         {Changes::with_block, stall_reason_names()});
  traced("ports", "to_network_busy", 1, [this] { return std::uint64_t{homes_.to_network.any_busy()}; },
         {Changes::with_block, nullptr, true});
  traced(
      "l1", "load_hits", 32, [this] { return core_.counts().hits.value(); }, by_turns);
  traced(
      "l1", "misses", 32, [this] { return lines().counts().misses.value(); }, by_turns);
}

std::vector<std::string> L1Cache::check_end_of_run() const {
  std::vector<std::string> left;
  for (const std::string& text : lines().left_over()) left.push_back("miss register of " + text);
  for (const ForwardedAccess& access : homes_.handles().all()) {
    if (access.used && !access.written_back)
      left.push_back(fmt::format("{} of warp {} to line {:#x} was never answered (sent in cycle {})",
                                 models::name(access.message_class), access.warp.value(), access.line.value(),
                                 access.since));
  }
  if (core_.requests().size() != 0)
    left.push_back(fmt::format("{} requests of the SM in the queue", core_.requests().size()));
  if (homes_.messages().size() != 0)
    left.push_back(fmt::format("{} messages from the network in the queue", homes_.messages().size()));
  if (homes_.outbox().size() != 0)
    left.push_back(fmt::format("{} messages for the network in the queue", homes_.outbox().size()));
  if (peers_ && peers_->outbox().size() != 0)
    left.push_back(fmt::format("{} messages for other L1s in the queue", peers_->outbox().size()));
  return left;
}

std::vector<std::string> L1Cache::describe_waiting() const {
  std::vector<std::string> waiting = lines().describe();
  if (core_.stall_cycles().cause() != StallReason::none)
    waiting.push_back(fmt::format("oldest request (line {:#x}) waits since cycle {}: {}",
                                  core_.requests().queue(0)[core_.requests().next(0)].message->line.value(),
                                  core_.stall_cycles().since(), models::name(core_.stall_cycles().cause())));
  for (const ForwardedAccess& access : homes_.handles().all()) {
    if (access.used)
      waiting.push_back(fmt::format("{} of warp {} to line {:#x} waits for its home since cycle {}",
                                    models::name(access.message_class), access.warp.value(), access.line.value(),
                                    access.since));
  }
  for (const Inbox::Arrived& arrived : core_.requests().queue(0)) {
    if (arrived.recycled)
      waiting.push_back(fmt::format("a request for line {:#x} was recycled until cycle {}",
                                    arrived.message->line.value(), arrived.at));
  }
  if (to_network.any_busy() || (to_peers && to_peers->any_busy())) waiting.push_back("the network accepts no message");
  return waiting;
}

}  // namespace syncline::models
