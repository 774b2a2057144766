// Chance injected on purpose: what makes two runs of one program on one GPU differ (GPUDet, section 2.2).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fields.h"
#include "base/random.h"

namespace syncline::models {

/// Sources that are switched on together.
enum class Chance : std::uint8_t { none, injection, all };

/// The registry: every set of sources by its name in the configuration.
const base::ChoiceTable<Chance>& chance_names();

/// Each source is a key, off by default, and draws from streams of its own, so that switching one on changes no number
/// that another one draws. A source changes when things happen, never what a program without races computes.
struct PerturbationSpec {
  Chance chance = Chance::none;
  std::uint64_t seed = 0;
  std::uint32_t network_jitter = 0;
  bool random_arbitration = false;
  std::uint32_t dram_jitter = 0;
  bool refresh_phase = false;
  bool clock_phase = false;
  bool arbiter_state = false;
  bool slot_history = false;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("chance", chance, chance_names(),
             param::text("sources switched on together, beside those switched on one by one: `injection` is "
                         "`random_arbitration`; `all` is every flag below, a `network_jitter` of 1 and a `dram_jitter` "
                         "of 4 where they are 0",
                         "GPUDet: section 5 (injection), section 2.2 (all)"));
    v.field("seed", seed,
            param::count("what the chance is drawn from, so that it can vary while inputs stay; 0: the run's seed"));
    v.field(
        "network_jitter", network_jitter,
        param::latency("interconnect",
                       "largest random delay added to each message at injection and again on its way; messages with "
                       "equal source, destination and virtual network keep their order",
                       "choice"));
    v.field("random_arbitration", random_arbitration,
            param::flag("a contended port goes to a random contender instead of the next one in turn, so requests of "
                        "different SMs enter a partition in random order",
                        "choice; GPUDet section 5 randomises the order in which SMs inject"));
    v.field(
        "dram_jitter", dram_jitter,
        param::latency("dram", "largest random delay added to each answer of a DRAM channel; answers keep their order",
                       "choice; GPUDet section 2.2: refresh adapts to the state of cells"));
    v.field("refresh_phase", refresh_phase,
            param::flag("the first refresh of each DRAM channel comes at a random point of its interval", "choice"));
    v.field(
        "clock_phase", clock_phase,
        param::flag("each clock starts at a random point of its period", "choice; GPUDet section 2.2: clock domains"));
    v.field("arbiter_state", arbiter_state,
            param::flag(
                "round-robin arbiters of the interconnect and round-robin warp schedulers start at a random contender",
                "choice; GPUDet section 2.2: units are not reset between kernels"));
    v.field("slot_history", slot_history,
            param::flag("`first_free` placement starts at a random SM, as if earlier kernels had left it there",
                        "choice; GPUDet section 2.2: units are not reset between kernels"));
  }

  /// With the sources of `chance` switched on one by one.
  PerturbationSpec resolved() const;
  /// The numbers of one source in one block, in a run with seed `run_seed`.
  base::Random random(std::uint64_t run_seed, std::string_view stream) const {
    return base::Random(seed != 0 ? seed : run_seed, stream);
  }
};

}  // namespace syncline::models
