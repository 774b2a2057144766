// What time costs: a domain of 128 units of which some are busy in every cycle and the others sleep.
#include <benchmark/benchmark.h>

#include <memory>
#include <systemc>
#include <vector>

#include "models/clock/scheduler.h"

namespace {

using namespace syncline;

constexpr unsigned units = 128;

struct Unit : models::Ticked {
  base::Cycle tick(base::Cycle now) override {
    ++ticks;
    return busy ? now + 1 : base::never;
  }
  bool busy = false;
  std::uint64_t ticks = 0;
};

/// One elaboration serves all measurements: the set of busy units changes between runs.
struct Machine {
  Machine() {
    models::ClockDomain& clock = scheduler.add_domain("core", 1'000'000'000);
    for (unsigned i = 0; i < units; ++i) clock.add(all[i], models::TickRank::sm, "unit" + std::to_string(1000 + i));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  void make_busy(unsigned count) {
    for (unsigned i = 0; i < units; ++i) {
      all[i].busy = i * count / units != (i + 1) * count / units;  // spread evenly
      if (all[i].busy) all[i].wake(0);
    }
    sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS));  // those that went to sleep have done so
  }
  models::Scheduler scheduler{"scheduler"};
  std::vector<Unit> all = std::vector<Unit>(units);
};

Machine* machine = nullptr;

void cycles(benchmark::State& state) {
  machine->make_busy(static_cast<unsigned>(state.range(0)));
  constexpr int batch = 1000;
  for (auto _ : state) sc_core::sc_start(sc_core::sc_time(batch, sc_core::SC_NS));
  const auto ran = static_cast<double>(state.iterations()) * batch;
  state.counters["cycles/s"] = benchmark::Counter(ran, benchmark::Counter::kIsRate);
  state.counters["ns/tick"] =
      benchmark::Counter(ran * static_cast<double>(std::max<std::int64_t>(1, state.range(0))) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(cycles)->Arg(1)->Arg(8)->Arg(32)->Arg(128);

}  // namespace

int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  Machine the_machine;
  machine = &the_machine;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
