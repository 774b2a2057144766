// Launches for tests of what observes them.
#pragma once

#include <memory>
#include <string>

#include "isa/ptx/parser.h"
#include "models/sm/cta_sink.h"

namespace syncline::platform {

/// A launch of a kernel that does nothing.
inline std::shared_ptr<const models::GridLaunch> a_launch(std::uint32_t number, const std::string& kernel) {
  const auto module = isa::parse_module(
      ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry " + kernel + "() { ret; }\n", "nothing.ptx");
  isa::GridContext context;
  context.program = isa::decode_kernel(module, 0, {});
  context.grid = {3, 2, 1};
  context.block = {32, 1, 1};
  return models::make_grid_launch(base::GridId(number), std::move(context));
}

}  // namespace syncline::platform
