// The keys `transactions.warptm.*`, and those of kilotm, warptm_el and eapg.
#pragma once

#include <cstdint>

#include "models/transactions/transaction_spec.h"
#include "protocols/transactions/warptm/spec.h"

namespace syncline::models {

struct WarptmUnitsSpec {
  std::uint64_t commit_clock = 700'000'000;
  std::uint32_t queue = 64;
  bool intra_warp_time = true;
  std::uint32_t watchdog = 100'000;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("commit_clock", commit_clock,
            param::hertz("of the commit units", "thesis 4.6: 700 MHz").between(1'000'000, 10'000'000'000));
    v.field("queue", queue,
            param::entries("messages that wait before a commit unit, and for the L2 or an SM behind it",
                           "simulator of GETM: 64")
                .between(2, 4096));
    v.field("intra_warp_time", intra_warp_time,
            param::flag("conflicts within a warp take time: the table of owners is cleared, 32 words of 4 entries a "
                        "cycle, and each line of the logs is looked at",
                        "simulator of GETM"));
    v.field("watchdog", watchdog,
            param::cycles("core",
                          "after which, and again after as many, what the lanes of an attempt have read is "
                          "compared with memory, and those abort for which it is others: they may have read words of "
                          "two times, and go round for ever by that; 0: never",
                          "choice")
                .at_most(1'000'000'000));
  }
};

struct WarptmKeys {
  protocols::warptm::WarptmSpec machine;
  WarptmUnitsSpec units;
  TransactionSpec core;

  /// What the policy of that name is unless keys say otherwise.
  static WarptmKeys of(protocols::warptm::Design design) {
    WarptmKeys keys;
    keys.machine = protocols::warptm::WarptmSpec::of(design);
    keys.core.backoff_spread = 0;
    return keys;
  }

  template <class V>
  void fields(V& v) {
    machine.fields(v);
    units.fields(v);
    core.fields(v);
  }
};

}  // namespace syncline::models
