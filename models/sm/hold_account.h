// For how long an issue gate holds memory instructions back, and behind which older operation of the warp (Ren 2018,
// figures 3.1b and 3.9: stalls by the operation that they wait for, and the time until they are resolved).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "base/stats.h"

namespace syncline::models {

/// The older operation of the warp that is under way when the gate first says no. Of several, an atomic goes before a
/// store, a store before a load.
enum class Behind : std::uint8_t { load, store, atomic, nothing, count_ };

constexpr std::string_view name(Behind behind) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(Behind::count_)> names{"load", "store", "atomic",
                                                                                         "nothing"};
  return names[static_cast<std::size_t>(behind)];
}

/// The next instruction of a warp while the gate holds it back.
struct Hold {
  base::Cycle since = base::never;  ///< first refusal; never: the gate has not refused it
  Behind behind = Behind::nothing;
};

class HoldAccount {
 public:
  /// The gate says no. A second refusal continues the first one.
  static void refuse(Hold& hold, Behind behind, base::Cycle now) {
    if (hold.since != base::never) return;
    hold.since = now;
    hold.behind = behind;
  }
  /// The gate says yes, and the instruction issues: the wait is over. What counts is the time since the first refusal,
  /// with the cycles at the end in which the gate was open but the scheduler chose others or the pipeline was busy.
  void admit(Hold& hold, base::Cycle now) {
    if (hold.since == base::never) return;
    cycles[static_cast<std::size_t>(hold.behind)].sample(now - hold.since);
    hold.since = base::never;
  }

  std::array<base::Distribution, static_cast<std::size_t>(Behind::count_)> cycles;
};

}  // namespace syncline::models
