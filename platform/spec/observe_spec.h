// What watches over a run beside the blocks themselves.
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace syncline::platform {

enum class ConsistencyWatch { off, check };
inline const base::ChoiceTable<ConsistencyWatch>& consistency_watches() {
  static const base::ChoiceTable<ConsistencyWatch> table{{"off", ConsistencyWatch::off},
                                                         {"check", ConsistencyWatch::check}};
  return table;
}

enum class TransactionWatch { off, check };
inline const base::ChoiceTable<TransactionWatch>& transaction_watches() {
  static const base::ChoiceTable<TransactionWatch> table{{"off", TransactionWatch::off},
                                                         {"check", TransactionWatch::check}};
  return table;
}

/// The keys `observe.*`. They change no result of a run, except that a violation ends it.
struct ObserveSpec {
  ConsistencyWatch consistency = ConsistencyWatch::off;
  std::uint32_t consistency_window = 50'000;
  TransactionWatch transactions = TransactionWatch::off;
  std::uint32_t transactions_window = 100'000;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("consistency", consistency, consistency_watches(),
             param::text("check: all global accesses of a timed run are held against the consistency model of "
                         "`coherence.consistency`, and what they read against what was written, while it runs; a "
                         "violation ends the run with status 4"));
    v.field("consistency_window", consistency_window,
            param::count(
                "accesses, and writes with the bytes that they have overwritten, that the check remembers; what is "
                "older is judged only as far as it is known",
                "choice")
                .between(100, 100'000'000));
    v.choice("transactions", transactions, transaction_watches(),
             param::text("check: what committed transactions of a timed run have read and written is held against all "
                         "orders in which they could have run one after the other, while it runs; a violation ends "
                         "the run with status 4"));
    v.field("transactions_window", transactions_window,
            param::count("transactions that the check remembers, if they need be remembered for so long", "choice")
                .between(100, 100'000'000));
  }
};

}  // namespace syncline::platform
