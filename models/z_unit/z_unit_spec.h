// Parameters of the unit of a memory partition that orders writes by depth.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "models/block/block_model.h"

namespace syncline::models {

struct ZUnitSpec {
  BlockModel model = BlockModel::tlm;
  std::uint64_t clock = 650'000'000;
  std::uint32_t requests = 16;
  std::uint32_t comparators = 16;
  std::uint32_t cache_size = 16 * 1024;
  std::uint32_t ways = 4;
  std::uint32_t granule = 4;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("model", model, block_models(),
             param::text("tlm: the unit in C++; rtl: that in SystemVerilog, clocked cycle by cycle", "choice"));
    v.field("clock", clock, param::hertz("the unit and its cache", "GPUDet thesis T5.2: 650 MHz"));
    v.field("requests", requests, param::count("entries of the request buffer", "GPUDet thesis T5.2").between(1, 4096));
    v.field("comparators", comparators,
            param::count("entries of the comparator buffer: depths that wait for the comparator or for the L2",
                         "choice: one for each request")
                .between(1, 4096));
    v.field("cache_size", cache_size,
            param::bytes("depths that the Z-cache holds; its lines are as large as the L2's", "GPUDet thesis T5.2")
                .between(32, 1 << 30));
    v.field("ways", ways, param::count("lines per set of the Z-cache", "GPUDet thesis T5.2").between(1, 1024));
    v.field("granule", granule,
            param::bytes("data that share a depth; below 4 a line of data has several lines of depths",
                         "GPUDet thesis 4.6: one depth for 32 bits")
                .between(1, 4)
                .power_of_two());
  }
};

}  // namespace syncline::models
