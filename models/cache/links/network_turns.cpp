#include "models/cache/links/network_turns.h"

namespace syncline::models {
namespace {

/// Choices: far more than passes by chance, or where many ask for one line; and enough for room to come.
constexpr base::Cycle starvation_limit = 100'000, room_is_kept_for = 1000;

}  // namespace

unsigned NetworkTurns::first_of(std::uint32_t networks) const {
  unsigned first = 31 - static_cast<unsigned>(__builtin_clz(networks));
  if ((starved_ & networks) == 0) return first;
  for (std::uint32_t others = networks & ~(1U << first); others != 0; others &= others - 1) {
    const auto network = static_cast<unsigned>(__builtin_ctz(others));
    if (taken_at_[network] < taken_at_[first]) first = network;
  }
  return first;
}

void NetworkTurns::pass_over(unsigned network, base::Cycle now) {
  const std::uint32_t bit = 1U << network;
  if ((passed_over_ & bit) == 0) passed_over_since_[network] = now;
  passed_over_ |= bit;
  if (now - passed_over_since_[network] >= starvation_limit) starved_ |= bit;
}

bool NetworkTurns::keeps_room(unsigned network, base::Cycle now) const {
  if ((starved_ & passed_over_ & 1U << network) == 0) return false;
  return (now - passed_over_since_[network]) / room_is_kept_for % 2 == 0;
}

}  // namespace syncline::models
