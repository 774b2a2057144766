// The keys `transactions.getm.*`.
#pragma once

#include <cstdint>

#include "models/block/block_model.h"
#include "models/transactions/transaction_spec.h"
#include "protocols/transactions/getm/spec.h"

namespace syncline::models {

struct GetmUnitsSpec {
  std::uint64_t validation_clock = 1'400'000'000;
  std::uint64_t commit_clock = 700'000'000;
  std::uint32_t lookup = 1;
  std::uint32_t overflow = 115;
  std::uint32_t commit_bytes = 32;
  std::uint32_t queue = 16;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("validation_clock", validation_clock,
            param::hertz("of the validation units", "thesis 4.6: 1400 MHz").between(1'000'000, 10'000'000'000));
    v.field("commit_clock", commit_clock,
            param::hertz("of the commit units", "thesis 4.6: 700 MHz").between(1'000'000, 10'000'000'000));
    v.field(
        "lookup", lookup,
        param::cycles("validation",
                      "of the metadata tables for a request: precise table, stash and filter at the same time; each "
                      "entry that moves adds one",
                      "figure 4.13: 1; simulator: 2")
            .between(1, 1000));
    v.field("overflow", overflow,
            param::cycles("validation", "an access to the list of metadata in memory", "simulator of GETM")
                .at_most(1'000'000));
    v.field("commit_bytes", commit_bytes,
            param::bytes("of a log that a commit unit applies in a cycle", "thesis 4.7.2: 32")
                .between(4, 128)
                .power_of_two());
    v.field("queue", queue,
            param::entries("messages that wait before a validation unit, and for the L2 or an SM behind it", "choice")
                .between(2, 4096));
  }
};

struct StallBufferSpec {
  BlockModel model = BlockModel::tlm;

  template <class V>
  void fields(V& v) {
    v.choice(
        "model", model, block_models(),
        base::param::text("tlm: the buffer in C++, which takes no time; rtl: that in SystemVerilog, which answers a "
                          "command in a cycle",
                          "choice"));
  }
};

struct GetmKeys {
  protocols::getm::GetmSpec machine;
  GetmUnitsSpec units;
  TransactionSpec core;
  StallBufferSpec stall_buffer;

  template <class V>
  void fields(V& v) {
    machine.fields(v);
    units.fields(v);
    core.fields(v);
    v.group("stall_buffer", stall_buffer, "requests that wait until their granule is not reserved any more");
  }
};

}  // namespace syncline::models
