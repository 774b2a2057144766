// The keys `transactions.local.*`.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "protocols/transactions/local/spec.h"

namespace syncline::models {

/// What a transactional access takes beside the latency and the bank of one outside of transactions. A bank works on
/// several work-items at a time, one in each phase; a work-item is in a bank's first phase alone.
struct LocalLatencies {
  std::uint32_t signature = 2;
  std::uint32_t ownership = 1;
  std::uint32_t broadcast = 1;
  std::uint32_t lookup = 1;
  std::uint32_t backup = 1;
  std::uint32_t restore = 1;
  std::uint32_t restart = 1;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    constexpr std::uint32_t most = 1000;
    v.field("signature", signature,
            param::cycles("core", "latency of the first phase: all signatures of the bank are tested",
                          "choice: the least latency of [LocalTM] table 3 is 5 cycles")
                .at_most(most));
    v.field("ownership", ownership,
            param::cycles("core", "latency of the second phase, where it is needed, beside that of the bank",
                          "choice: as `signature` with `lookup`")
                .at_most(most));
    v.field("broadcast", broadcast,
            param::cycles("core", "latency of the third phase: banks hear of conflicts", "choice").at_most(most));
    v.field("lookup", lookup,
            param::cycles("core", "of the bank, for an owner that is read in shadow memory", "choice").at_most(most));
    v.field("backup", backup,
            param::cycles("core", "of the bank, for a word that is copied to shadow memory", "choice").at_most(most));
    v.field("restore", restore,
            param::cycles("core", "of the bank, for a word that is copied back", "choice").at_most(most));
    v.field("restart", restart,
            param::cycles("core", "from the end of an attempt of a wavefront to the begin of its next one", "choice")
                .between(1, 100'000));
  }
};

/// When a kernel's transactions do not fit.
enum class Shortage : std::uint8_t { lock, refuse };
inline const base::ChoiceTable<Shortage>& shortages() {
  static const base::ChoiceTable<Shortage> table{{"lock", Shortage::lock}, {"refuse", Shortage::refuse}};
  return table;
}

/// What `.pragma "local_tm ..."` of a kernel may decide.
enum class HintUse : std::uint8_t { resources, all };
inline const base::ChoiceTable<HintUse>& hint_uses() {
  static const base::ChoiceTable<HintUse> table{{"resources", HintUse::resources}, {"all", HintUse::all}};
  return table;
}

struct LocalKeys {
  protocols::local::LocalTmSpec machine;  ///< its detection is the policy's name
  LocalLatencies latency;
  HintUse hints = HintUse::resources;
  Shortage shortage = Shortage::lock;
  std::uint32_t scalar_registers = 2048;
  std::uint32_t max_aborts = 100'000;
  std::uint32_t max_cycles = 1'000'000;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    machine.fields(v);
    v.group("latency", latency, "what transactional accesses take beside the latency of shared memory");
    v.choice("hints", hints, hint_uses(),
             param::text("what a kernel's `.pragma \"local_tm ...\"` decides: which variables have shadow memory "
                         "(resources); or besides how conflicts are found (all): by swo_sig with a multiple selection "
                         "where transactions only read, by dcd where they are large, and by what takes less of an SM "
                         "where that does not fit",
                         "[LocalTM] 7"));
    v.choice(
        "shortage", shortage, shortages(),
        param::text("what becomes of a kernel whose transactions do not fit beside it, as shadow memory, signatures "
                    "and masks take of an SM: they run one after the other in each CTA (lock), or the launch is "
                    "refused (refuse)",
                    "[LocalTM] 7.2: compilers put a coarse lock in the place"));
    v.field("scalar_registers", scalar_registers,
            param::entries("of 32 bits of an SM, in which masks and helper signatures are", "[LocalTM] table 3: 2048")
                .between(0, 1'000'000));
    v.field("max_aborts", max_aborts,
            param::count("attempts of a wavefront's transaction, one after the other, of which no lane commits, before "
                         "the run ends as livelocked; 0: it goes on for ever",
                         "choice")
                .at_most(1'000'000'000));
    v.field("max_cycles", max_cycles,
            param::cycles("core", "an attempt that takes longer never ends, and the run does; 0: it goes on for ever",
                          "choice")
                .at_most(1'000'000'000));
  }
};

}  // namespace syncline::models
