// What an L2 slice reports: statistics, traced signals, what is left over and who waits.
#include <fmt/format.h>

#include "models/l2_slice/l2_slice.h"

namespace syncline::models {

void L2Slice::add_statistics() {
  const CoherentLines::Counts& counts = lines_.counts();
  statistic("loads", "requests", "loads of L1s", loads_);
  statistic("stores", "requests", "stores of L1s", stores_);
  statistic("atomics", "requests", "atomics of L1s", atomics_);
  statistic("hits", "requests", "requests answered without memory", hits_);
  statistic("misses", "lines", "lines for which a request had to wait", counts.misses);
  statistic("merges", "requests", "requests that joined a line on its way", counts.merges);
  statistic("evictions", "lines", "lines that left for another one", counts.evictions);
  if (lines_.directory() != nullptr)
    statistic("directory_evictions", "lines", "entries that left the directory for another one",
              counts.directory_evictions);
  statistic("fills", "lines", "lines read from memory", counts.fills);
  statistic("memory_reads", "lines", "reads of memory", memory_reads_);
  statistic("memory_writes", "lines", "write-backs to memory", memory_writes_);
  statistic("memory_written_bytes", "bytes", "dirty bytes written back", memory_written_bytes_);
  statistic("bank_conflicts", "requests", "times that a request found its bank busy", bank_conflicts_);
  statistic("memory_latency", "L2 cycles", "from a miss to the arrival of its line", memory_cycles_);
  statistic("miss_lifetime", "L2 cycles", "time for which a miss register was held", counts.miss_cycles);
  atomics.statistics([this](std::string_view name, std::string_view unit, std::string_view description,
                            const auto& value) { statistic(name, unit, description, value); });
  for (auto cause = static_cast<unsigned>(StallReason::protocol); cause < static_cast<unsigned>(StallReason::count_);
       ++cause) {
    const auto stall = static_cast<StallReason>(cause);
    if (stall == StallReason::recycled || stall == StallReason::handles_full) continue;
    if (stall == StallReason::no_directory_entry && lines_.directory() == nullptr) continue;
    statistic(fmt::format("stall_{}", models::name(stall)), "L2 cycles",
              fmt::format("head of a request queue waited: {}", models::name(stall)), request_stalls_.cycles(stall));
  }
  statistic("recycles", "requests", "times that a request went to the back of its queue", recycles_);
  const auto counted = [this](const std::string& name, const char* unit, std::string_view meaning,
                              const base::Counter& counter) { statistic(name, unit, meaning, counter); };
  sent_.statistics(  // L1s alone send the others
      [](protocols::TrafficClass c) { return c > protocols::TrafficClass::atomic_request; }, counted);
  lines_.rows([this](const std::string& name, std::string_view why, auto value) { gauge(name, "times", why, value); });
  const protocols::Machine& machine = lines_.machine();
  for (const protocols::Tally& tally : machine.tallies())
    gauge(tally.name, tally.unit, tally.meaning, [&tally] { return double(tally.count); });
  gauge("mshrs_in_use", "entries", "miss registers in use", [this] { return double(lines_.mshrs().in_use()); });
  gauge("memory_in_flight", "transactions", "reads and writes of memory under way",
        [this] { return double(memory.in_flight()); });
  traced("l2", "request_queue", 16, [this] { return inbox_.size(); });
  traced("l2", "reply_queue", 16, [this] { return outbox_.size(); });
  traced("l2", "mshrs_in_use", 16, [this] { return lines_.mshrs().in_use(); });
  traced("l2", "memory_in_flight", 16, [this] { return memory.in_flight(); });
  traced("l2", "locked_lines", 16, [this] { return atomics.in_flight(); });
  traced("l2", "stall_cause", 4, [this] { return static_cast<std::uint64_t>(request_stalls_.cause()); });
  traced("l2", "hits", 32, [this] { return hits_.value(); });
  traced("l2", "misses", 32, [this] { return lines_.counts().misses.value(); });
}

std::vector<std::string> L2Slice::check_end_of_run() const {
  std::vector<std::string> left;
  for (const std::string& text : lines_.left_over()) left.push_back("miss register of " + text);
  for (const std::string& text : memory.describe()) left.push_back(text);
  for (const std::string& text : atomics.describe()) left.push_back(text);
  if (inbox_.size() != 0) left.push_back(fmt::format("{} requests in the queue", inbox_.size()));
  if (ring_inbox_.size() != 0 || (ring_outbox_ && ring_outbox_->size() != 0)) left.emplace_back("messages on the ring");
  if (outbox_.size() != 0) left.push_back(fmt::format("{} replies in the queue", outbox_.size()));
  return left;
}

std::vector<std::string> L2Slice::describe_waiting() const {
  std::vector<std::string> waiting = lines_.describe();
  for (const std::string& text : memory.describe()) waiting.push_back(text);
  for (const std::string& text : atomics.describe()) waiting.push_back(text);
  if (request_stalls_.cause() != StallReason::none)
    waiting.push_back(fmt::format("a request waits since cycle {}: {}", request_stalls_.since(),
                                  models::name(request_stalls_.cause())));
  if (replies.any_busy()) waiting.push_back("the network accepts no reply");
  return waiting;
}

}  // namespace syncline::models
