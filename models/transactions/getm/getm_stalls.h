// How much waits in all stall buffers of a GPU together (Ren's thesis, figure 4.15).
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/block/block.h"

namespace syncline::models {

class GetmStalls final : public Block {
 public:
  GetmStalls(const sc_core::sc_module_name& name, PlatformContext& context) : Block(name, context) {
    gauge("most_addresses", "granules", "the most for which requests waited at once, of all stall buffers together",
          [this] { return static_cast<double>(most_); });
  }
  /// A stall buffer had `before` granules in use, and has `after`.
  void changed(std::uint32_t before, std::uint32_t after) {
    now_ += after;
    now_ -= before;
    most_ = std::max(most_, now_);
  }

 private:
  std::uint64_t now_ = 0, most_ = 0;
};

}  // namespace syncline::models
