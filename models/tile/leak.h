// Where a tile still reaches beyond itself within its turn: what has to go before tiles can run side by side.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace syncline::models {

/// Ways that code names where it takes them, so that the check of tiles lets them pass.
enum class Leak : std::uint8_t { message, cta, system_call, spin_check, transactions, page };

struct LeakDescription {
  std::string_view name;
  std::string_view from, to;  ///< which part reaches into which
  std::string_view what;      ///< how, and what depends on the order of today
};

/// Those of Leak, in its order, and behind them those that no check sees: what they reach is no block.
const std::vector<LeakDescription>& leaks();

}  // namespace syncline::models
