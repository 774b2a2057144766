// Exhaustive exploration of one program under the machine of quanta: every order in which warps issue, CTAs follow each
// other, stores are committed and atomics performed.
//
// Checked: all runs end alike, in what every load and atomic read and in memory (strong determinism); the end is one
// that the memory model allows; every state that is no end has a successor (quanta make progress, so no run is
// endless).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "protocols/determinism/explore/world.h"

namespace syncline::protocols::determinism {

struct ExploreOptions {
  WorldOptions world;
  std::uint64_t max_states = 5'000'000;
  /// Whether the memory model allows an end; empty: every end is allowed.
  std::function<bool(const explore::Outcome&)> allowed;
};

/// Modes of the machine of quanta.
constexpr std::size_t modes = 4;

struct Report {
  std::uint64_t states = 0, steps = 0, depth = 0;
  bool complete = true;  ///< false: max_states was reached
  /// Steps that led from a mode to another.
  std::array<std::array<std::uint64_t, modes>, modes> changes{};
  std::optional<explore::Outcome> outcome;
  /// What is wrong, and the steps that lead there.
  std::string violation, trace;
};

Report explore_quanta(const explore::Program& program, const ExploreOptions& options);

}  // namespace syncline::protocols::determinism
