#include "platform/stress/stress.h"

#include <algorithm>
#include <chrono>
#include <deque>

#include "platform/stress/generate.h"
#include "platform/stress/row_coverage.h"

namespace syncline::stress {
namespace {

constexpr std::uint64_t operations_per_batch = 3000;

/// More of everything than a few warps need.
void make_ample(MemorySystemSpec& machine, base::Random& random) {
  const auto some = [&random](std::uint32_t least) { return least + random.below(3 * least); };
  machine.network_capacity = some(4);
  machine.l1.ways = machine.l2.ways = some(2);
  machine.l1.size = machine.l1.ways * some(1) * machine.l1.line;
  machine.l1.mshr_entries = some(4);
  machine.l1.mshr_merges = some(4);
  machine.l1.handles = some(8);
  machine.l1.input_queue = some(2);
  machine.l1.reply_queue = some(2);
  machine.l1.output_queue = some(2);
  machine.l2.size = machine.l2.ways * some(2) * machine.l2.line;
  machine.l2.mshr_entries = some(4);
  machine.l2.mshr_merges = some(4);
  machine.l2.input_queue = some(2);
  machine.l2.output_queue = some(2);
  machine.l2.memory_queue = some(4);
}

/// Caches of a few lines with few of everything, messages and memory of all speeds.
MemorySystemSpec random_machine(const StressOptions& options, std::uint64_t number, base::Random& random) {
  constexpr std::uint32_t delays_ps[] = {1, 5'000, 40'000, 200'000};
  const auto one_to = [&random](std::uint32_t most) { return 1 + random.below(most); };
  const auto pick = [&random](const auto& list) {
    return list[random.below(static_cast<std::uint32_t>(std::size(list)))];
  };
  MemorySystemSpec machine = MemorySystemSpec::tiny();
  machine.l1s = options.l1s;
  machine.slices = options.homes;
  machine.seed = base::stream_seed(options.seed, "machine", number);
  machine.own_policy = options.own_policy;
  if (!options.coherence.empty()) machine.coherence = pick(options.coherence);
  machine.max_network_delay_ps = pick(delays_ps);
  machine.max_memory_delay_ps = pick(delays_ps);
  machine.network_capacity = one_to(4);
  machine.l1.ways = one_to(2);
  machine.l1.size = machine.l1.ways * one_to(2) * machine.l1.line;
  machine.l1.mshr_entries = one_to(4);
  machine.l1.mshr_merges = one_to(4);
  machine.l1.handles = one_to(6);
  machine.l1.input_queue = one_to(2);
  machine.l1.output_queue = one_to(2);
  machine.l2.ways = one_to(2);
  machine.l2.size = machine.l2.ways * one_to(2) * machine.l2.line;
  machine.l2.mshr_entries = one_to(4);
  machine.l2.mshr_merges = one_to(4);
  machine.l2.output_queue = one_to(2);
  machine.l2.memory_queue = 1 + one_to(3);
  base::Random atomics(machine.seed, "atomic_unit");
  machine.l2.atomic_unit.forwarding = atomics.below(2) == 0;  // else its line is locked until it answers
  machine.l2.atomic_unit.latency = 1 + atomics.below(8);
  machine.l2.atomic_unit.queue = 1 + atomics.below(4);
  if (options.room == Room::ample) make_ample(machine, random);
  if (machine.policy().of_modules) {
    machine.spread();
    base::Random modules(machine.seed, "modules");
    machine.modules.pages.placement = static_cast<models::PagePlacement>(modules.below(4));
  }
  return machine;
}

void add(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& more) {
  for (std::size_t i = 0; i < std::min(sum.size(), more.size()); ++i) sum[i] += more[i];
}

}  // namespace

const base::ChoiceTable<Room>& room_names() {
  static const base::ChoiceTable<Room> names{{"tight", Room::tight}, {"ample", Room::ample}};
  return names;
}

Batch make_batch(const StressOptions& options, std::uint64_t number) {
  base::Random random(options.seed, "batch", number);
  Batch batch{random_machine(options, number, random), {}};
  const protocols::CoherencePolicy policy = batch.machine.policy();
  std::uint32_t stored = 0;
  // Of all modules or, for what ends at the home of a GPU, of the first GPU alone.
  const auto l1s = [&] {
    const bool of_a_gpu = batch.machine.modules.gpus > 1 && random.below(3) == 0;
    return of_a_gpu ? batch.machine.l1s / batch.machine.modules.gpus : batch.machine.l1s;
  };
  for (std::uint64_t operations = 0; operations < operations_per_batch;) {
    if (random.below(4) == 0) {
      TrafficSpec traffic;
      traffic.l1s = l1s();
      traffic.warps = 1 + random.below(options.warps);
      traffic.warp_places = options.warps;
      traffic.lines = 3 * options.lines;
      traffic.in_flight = 1 + random.below(6);
      traffic.accesses = 40;
      traffic.locks = random.below(4);
      traffic.read_only_loads = policy.coherent ? random.below(2) * 10 : 0;
      traffic.last_uses = policy.coherent ? 0 : 6;  // those write private memory through
      traffic.flushes = random.below(2) * 20;
      traffic.max_pause_ps = random.below(2) == 0 ? 20'000 : 200'000;
      batch.episodes.push_back(race_free_episode(traffic, random));
    } else {
      RaceSpec races;
      races.l1s = l1s();
      races.lines = options.lines;
      races.warps = std::max(2U, options.warps) - 1;
      batch.episodes.push_back(racy_episode(races, policy.consistency, random, stored));
    }
    operations += batch.episodes.back().operations();
  }
  return batch;
}

StressReport run_stress(const StressOptions& options, const std::function<void(const std::string&)>& tell) {
  StressReport report;
  const Batch first = make_batch(options, 0);
  const protocols::CoherencePolicy policy = first.machine.policy();
  report.policy = policy.name;
  report.promised = policy.consistency;
  report.seed = options.seed;
  report.taken = policy.no_rows();
  const auto begin = std::chrono::steady_clock::now();
  struct UnderWay {
    std::uint64_t number;
    Batch batch;
    BatchProcess process;
  };
  std::deque<UnderWay> under_way;
  std::uint64_t next = options.replay.value_or(0);
  do {
    while (under_way.size() < (options.replay ? 1 : std::max(1U, options.jobs))) {
      Batch batch = make_batch(options, next);
      BatchProcess process(batch);
      under_way.push_back({next++, std::move(batch), std::move(process)});
    }
    UnderWay oldest = std::move(under_way.front());
    under_way.pop_front();
    const BatchResult result = oldest.process.wait();
    ++report.batches;
    report.episodes += result.episodes;
    report.operations += result.operations;
    for (std::size_t role = 0; role < result.taken.size(); ++role) add(report.taken[role], result.taken[role]);
    if (!result.failure) continue;
    if (tell) tell("batch " + std::to_string(oldest.number) + " fails, and is shrunk: " + result.failure->what);
    report.failure = StressReport::Failure{oldest.number, result.failure->what,
                                           shrink(oldest.batch, *result.failure, options.most_trials)};
  } while (!report.failure && !options.replay && report.operations < options.operations);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (std::size_t place = 0; place < policy.roles.size(); ++place) {
    const protocols::TransitionTable& table = *policy.roles[place].table;
    report.rows += protocols::rows_taken(table, report.taken[place]).rows;
    for (std::string& row : rows_not_taken(table, report.taken[place])) report.rows_not_taken.push_back(std::move(row));
  }
  return report;
}

}  // namespace syncline::stress
