// Parameters of an atomic unit.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "base/ids.h"
#include "models/block/block_model.h"

namespace syncline::models {

struct AtomicUnitSpec {
  BlockModel model = BlockModel::tlm;
  base::Cycle latency = 4;
  std::uint32_t same_address_rate = 1;
  std::uint32_t line_rate = 16;
  std::uint32_t queue = 256;
  bool forwarding = true;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice(
        "model", model, block_models(),
        param::text("tlm: the unit in C++; rtl: that in SystemVerilog, clocked cycle by cycle, for integers of 32 and "
                    "64 bits",
                    "choice"));
    v.field("latency", latency,
            param::latency("L2", "from the arrival of a request at the unit to the new value in the line", "choice"));
    v.field("same_address_rate", same_address_rate,
            param::count("operations per L2 cycle on one address",
                         "Fermi: one per clock for one address (NVIDIA, Fermi tuning "
                         "guide)")
                .between(1, 1024));
    v.field("line_rate", line_rate,
            param::count("operations per L2 cycle on different addresses of one line",
                         "choice: as many as lanes of half a warp")
                .between(1, 1024));
    v.field("queue", queue,
            param::entries("requests in the unit; it takes no more until one has left",
                           "choice: more than replies fit behind an L2"));
    v.field("forwarding", forwarding,
            param::flag("results are there for the next access to the line as soon as a request is taken, as one "
                        "operation per clock on one address needs; false: the line is locked until the unit has "
                        "answered, and what comes for it waits",
                        "Fermi: see same_address_rate"));
  }
};

}  // namespace syncline::models
