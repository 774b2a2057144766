// What an L2 slice reports: statistics, traced signals, what is left over and who waits.
#include <fmt/format.h>

#include "models/l2_slice/l2_slice.h"

namespace syncline::models {

void L2Slice::add_statistics() {
  const CoherentLines::Counts& counts = lines().counts();
  const ClientLink::Counts& clients = clients_.counts();
  const HomeMemoryLink::Counts& memories = memory_.counts();
  statistic("loads", "requests", "loads of L1s", clients.loads);
  statistic("stores", "requests", "stores of L1s", clients.stores);
  statistic("atomics", "requests", "atomics of L1s", clients.atomics);
  statistic("hits", "requests", "requests answered at once that took no miss register", clients.hits);
  statistic(
      "misses", "lines",
      "times that a message took a miss register: for a line that comes from memory, or where the policy has others "
      "hear of it before anybody else gets it",
      counts.misses);
  statistic("merges", "requests", "requests that joined a line on its way", counts.merges);
  statistic("evictions", "lines", "lines that left for another one", counts.evictions);
  if (lines().directory() != nullptr)
    statistic("directory_evictions", "lines", "entries that left the directory for another one",
              counts.directory_evictions);
  statistic("fills", "lines", "lines read from memory", counts.fills);
  statistic("memory_reads", "lines", "reads of memory", memories.reads);
  statistic("memory_writes", "lines", "write-backs to memory", memories.writes);
  statistic("memory_written_bytes", "bytes", "dirty bytes written back", memories.written_bytes);
  statistic("bank_conflicts", "requests", "times that a request found its bank busy", clients.bank_conflicts);
  statistic("memory_latency", "L2 cycles", "from a miss to the arrival of its line", memories.cycles);
  statistic("miss_lifetime", "L2 cycles", "time for which a miss register was held", counts.miss_cycles);
  atomics.statistics([this](std::string_view name, std::string_view unit, std::string_view description,
                            const auto& value) { statistic(name, unit, description, value); });
  for (auto cause = static_cast<unsigned>(StallReason::protocol); cause < static_cast<unsigned>(StallReason::count_);
       ++cause) {
    const auto stall = static_cast<StallReason>(cause);
    if (stall == StallReason::recycled || stall == StallReason::handles_full) continue;
    if (stall == StallReason::no_directory_entry && lines().directory() == nullptr) continue;
    statistic(fmt::format("stall_{}", models::name(stall)), "L2 cycles",
              fmt::format("head of a request queue waited: {}", models::name(stall)),
              clients_.stall_cycles().cycles(stall));
  }
  statistic("recycles", "requests", "times that a request went to the back of its queue", clients.recycles);
  const auto counted = [this](const std::string& name, const char* unit, std::string_view meaning,
                              const base::Counter& counter) { statistic(name, unit, meaning, counter); };
  sent().statistics(  // L1s alone send the others
      [](protocols::TrafficClass c) { return !is_request(c); }, counted);
  lines().rows([this](const std::string& name, std::string_view why, auto value) { gauge(name, "times", why, value); });
  for (const auto& machine : lines().machines()) {
    for (const protocols::Tally& tally : machine->tallies())
      gauge(tally.name, tally.unit, tally.meaning, [&tally] { return double(tally.count); });
  }
  gauge("mshrs_in_use", "entries", "miss registers in use", [this] { return double(lines().mshrs().in_use()); });
  gauge("memory_in_flight", "transactions", "reads and writes of memory under way",
        [this] { return double(memory.in_flight()); });
  const TracedAs by_turns{Changes::with_block};
  traced(
      "l2", "request_queue", 16, [this] { return clients_.inbox().size(); }, by_turns);
  traced(
      "l2", "reply_queue", 16, [this] { return clients_.outbox().size(); }, by_turns);
  traced(
      "l2", "mshrs_in_use", 16, [this] { return lines().mshrs().in_use(); }, by_turns);
  traced(
      "l2", "memory_in_flight", 16, [this] { return memory.in_flight(); }, by_turns);
  traced(
      "l2", "locked_lines", 16, [this] { return atomics.in_flight(); }, by_turns);
  traced("l2", "stall_cause", 4, [this] { return static_cast<std::uint64_t>(clients_.stall_cycles().cause()); },
         {Changes::with_block, stall_reason_names()});
  traced("ports", "replies_busy", 1, [this] { return std::uint64_t{clients_.replies.any_busy()}; },
         {Changes::with_block, nullptr, true});
  traced(
      "l2", "hits", 32, [this] { return clients_.counts().hits.value(); }, by_turns);
  traced(
      "l2", "misses", 32, [this] { return lines().counts().misses.value(); }, by_turns);
}

std::vector<std::string> L2Slice::check_end_of_run() const {
  std::vector<std::string> left;
  for (const std::string& text : lines().left_over()) left.push_back("miss register of " + text);
  for (const std::string& text : memory.describe()) left.push_back(text);
  for (const std::string& text : atomics.describe()) left.push_back(text);
  if (clients_.inbox().size() != 0) left.push_back(fmt::format("{} requests in the queue", clients_.inbox().size()));
  if (ring_ && !ring_->empty()) left.emplace_back("messages on the ring");
  if (clients_.outbox().size() != 0) left.push_back(fmt::format("{} replies in the queue", clients_.outbox().size()));
  return left;
}

std::vector<std::string> L2Slice::describe_waiting() const {
  std::vector<std::string> waiting = lines().describe();
  for (const std::string& text : memory.describe()) waiting.push_back(text);
  for (const std::string& text : atomics.describe()) waiting.push_back(text);
  if (clients_.stall_cycles().cause() != StallReason::none)
    waiting.push_back(fmt::format("a request waits since cycle {}: {}", clients_.stall_cycles().since(),
                                  models::name(clients_.stall_cycles().cause())));
  if (replies.any_busy()) waiting.push_back("the network accepts no reply");
  return waiting;
}

}  // namespace syncline::models
