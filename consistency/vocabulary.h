// The words of the PTX memory model, as the reader, the models and the emission of kernels share them.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace syncline::consistency {

/// Litmus tests compute with 32-bit words.
using Value = std::int32_t;

/// The threads that a strong operation can order with. PTX's cluster is one CTA here.
enum class Scope : std::uint8_t { cta, gpu, sys };

enum class Semantics : std::uint8_t { weak, relaxed, acquire, release, acq_rel, sc };

enum class AtomicOp : std::uint8_t { add, sub, exch, cas, and_, or_, xor_, min, max, inc, dec };
enum class AluOp : std::uint8_t { add, sub, mul, and_, or_, xor_ };
enum class Comparison : std::uint8_t { always, eq, ne, lt, le, gt, ge };

/// The path that an access takes to memory. `alias` is no path: it is what fence.proxy.alias puts in order, accesses by
/// different generic addresses of one location.
enum class Proxy : std::uint8_t { generic, texture, surface, constant, alias };

const base::ChoiceTable<Scope>& scope_names();
const base::ChoiceTable<Semantics>& semantics_names();
const base::ChoiceTable<AtomicOp>& atomic_names();
const base::ChoiceTable<AluOp>& alu_names();
const base::ChoiceTable<Proxy>& proxy_names();

/// The name of `value` in its table.
template <class Enum>
std::string_view name_in(const base::ChoiceTable<Enum>& table, Enum value) {
  for (const auto& row : table) {
    if (row.second == value) return row.first;
  }
  return "?";
}

/// The word that `location` holds after the atomic; `compare` is used by cas only, where `operand` is the new word.
Value applied(AtomicOp op, Value old, Value operand, Value compare);
Value applied(AluOp op, Value a, Value b);
bool holds(Comparison comparison, Value a, Value b);

}  // namespace syncline::consistency
