// Keys that transactional memories share: what an SM does for transactions whoever detects their conflicts.
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace syncline::models {

/// Part of the keys `transactions.<policy>.*`.
struct TransactionSpec {
  std::uint32_t concurrency = 2;
  std::uint32_t backoff = 500;
  std::uint32_t backoff_limit = 5000;
  std::uint32_t backoff_spread = 10;
  std::uint32_t backoff_patience = 16;
  std::uint32_t log_entries = 64;
  std::uint32_t max_aborts = 100'000;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("concurrency", concurrency,
            param::count("warps of an SM that may be in transactions; 0: all",
                         "simulator of GETM: 2; thesis table 4.4: the optimum of each program")
                .at_most(64));
    v.field("backoff", backoff,
            param::cycles("core", "step of the wait before a warp whose lanes have aborted begins again",
                          "simulator of GETM")
                .at_most(1'000'000));
    v.field("backoff_limit", backoff_limit,
            param::cycles("core", "the wait is never longer", "simulator of GETM").at_most(100'000'000));
    v.field("backoff_spread", backoff_spread,
            param::count("0: the wait is a step for each attempt that has aborted; n: for each, modulo a random number "
                         "from 1 to n",
                         "simulator of GETM: 10; of WarpTM: 0")
                .at_most(1'000'000));
    v.field("backoff_patience", backoff_patience,
            param::count("after so many attempts of a warp, one after the other, of which no lane commits, steps and "
                         "limit double, and again after as many more: where messages take longer than the limit, warps "
                         "would abort each other for ever; 0: never. A `backoff` of 0 stays 0",
                         "choice")
                .at_most(1'000'000));
    v.field(
        "log_entries", log_entries,
        param::entries("of a warp's read log, and of its write log, before they lie where older ones lie: a line of "
                       "addresses and a line of words each, in local memory",
                       "choice: the logs of the thesis grow as needed")
            .between(1, 65536));
    v.field("max_aborts", max_aborts,
            param::count("attempts of a warp's transaction, one after the other, of which no lane commits, before the "
                         "run ends as livelocked; 0: it goes on for ever",
                         "choice")
                .at_most(1'000'000'000));
  }
};

}  // namespace syncline::models
