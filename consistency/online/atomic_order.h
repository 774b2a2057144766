// Whether what atomics of one instruction show of a location can have come about one after the other. The lanes of a
// warp whose atomics go to one location take effect in some order, which PTX leaves open.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace syncline::consistency {

/// A value of up to 128 bits as it lies in memory; the bytes that a narrower one has not are 0.
using AtomicBits = std::array<std::uint64_t, 2>;

/// What one lane's atomic found, by what its thread is given, and what it leaves then.
struct AtomicStep {
  AtomicBits found, left;
};

/// Is there an order of `steps` in which the first finds `before`, each other one what the step before it left, and the
/// last one leaves `after`? Steps join values as edges join the nodes of a graph, so that such an order is a trail that
/// takes each edge once: it exists where each value is left as often as it is found, but for the two ends, and all are
/// joined.
bool follow_each_other(const std::vector<AtomicStep>& steps, const AtomicBits& before, const AtomicBits& after);

enum class OrderVerdict : std::uint8_t { exists, none, unknown };

/// The value that lane `step` of a location's atomics leaves where it finds `found`.
using AtomicStepFunction = std::function<AtomicBits(unsigned step, const AtomicBits& found)>;

/// Where nobody is told what was found: can `count` steps in some order make `after` of `before`? `commute`: all orders
/// come to the same. Otherwise all are tried of up to six steps, and of more only the ascending one: `unknown` if that
/// is not it.
OrderVerdict can_leave(unsigned count, const AtomicStepFunction& apply, bool commute, const AtomicBits& before,
                       const AtomicBits& after);

}  // namespace syncline::consistency
