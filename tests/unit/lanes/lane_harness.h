// Runs lane kernels on vectors of values and compares them, lane by lane, with a reference function.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "isa/lanes/form.h"
#include "isa/lanes/kernel_table.h"
#include "isa/lanes/lane_kernel.h"

namespace syncline::isa::test {

template <class To, class From>
To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// A register: 32 values.
template <class T>
struct alignas(64) Lanes {
  std::array<T, kernel_lanes> v{};
};

/// The builds that this host can run; the others are named once per process.
const std::vector<LaneIsa>& runnable_builds();
const char* build_name(LaneIsa isa);

/// Patterns of one width that tend to break arithmetic: ends of ranges, zeros, subnormals, halfway cases, NaNs of every
/// floating-point format of that width.
const std::vector<std::uint64_t>& special_patterns(unsigned bytes);

/// One value, special with probability 1/2. `small` amounts (shift counts, positions) come up often too.
template <class T>
T any_value(std::mt19937_64& random) {
  const std::uint64_t choice = random();
  std::uint64_t pattern = random();
  const auto& special = special_patterns(sizeof(T));
  if (choice % 8 < 4) pattern = special[(choice >> 8) % special.size()];
  if (choice % 8 == 4) pattern = (choice >> 8) % 80;
  if (choice % 8 == 5) pattern >>= (choice >> 8) % (8 * sizeof(T));
  T value;
  std::memcpy(&value, &pattern, sizeof value);
  return value;
}

template <class T>
std::uint64_t pattern_of(const T& value) {
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, &value, sizeof value);
  return pattern;
}

inline Modifiers mods(Type type, Type source = Type::none) {
  Modifiers m;
  m.type = type;
  m.source_type = source;
  return m;
}

/// How a parameter of the reference function is passed to a kernel: `bool` as a mask, everything else as an array.
template <class T>
struct Source {
  Lanes<T> lanes;
  void fill(std::mt19937_64& random) {
    for (T& value : lanes.v) value = any_value<T>(random);
  }
  const void* data() const { return lanes.v.data(); }
  T at(unsigned lane) const { return lanes.v[lane]; }
};
template <>
struct Source<bool> {
  std::uint32_t mask = 0;
  void fill(std::mt19937_64& random) { mask = static_cast<std::uint32_t>(random()); }
  const void* data() const { return &mask; }
  bool at(unsigned lane) const { return (mask >> lane & 1u) != 0; }
};

/// Checks every build of one form against `reference`, with full and partial masks, on `rounds` random registers.
template <class R, class... A>
void expect_form(Opcode opcode, const Modifiers& modifiers, R (*reference)(A...), unsigned rounds = 60,
                 std::uint32_t immediate = 0) {
  for (const LaneIsa isa : runnable_builds()) {
    const LaneKernel kernel = kernel_table(isa)->find(form_of(opcode, modifiers));
    ASSERT_NE(kernel, nullptr) << name(opcode) << " ." << name(modifiers.type) << " ." << name(modifiers.source_type);
    std::mt19937_64 random(12345);
    for (unsigned round = 0; round < rounds; ++round) {
      std::tuple<Source<A>...> sources;
      std::apply([&](auto&... source) { (source.fill(random), ...); }, sources);
      const std::uint32_t mask = round % 3 == 0 ? static_cast<std::uint32_t>(random()) : 0xffffffffu;
      Source<R> result;
      result.fill(random);
      const Source<R> before = result;
      LaneArgs args;
      args.dst = const_cast<void*>(result.data());
      args.mask = mask;
      args.immediate = immediate;
      unsigned n = 0;
      std::apply([&](const auto&... source) { ((args.src[n++] = source.data()), ...); }, sources);
      kernel(args);
      for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
        const R expected =
            (mask >> lane & 1u) != 0
                ? std::apply([&](const auto&... source) { return reference(source.at(lane)...); }, sources)
                : before.at(lane);
        std::string inputs;
        const auto describe = [&](auto value) {
          char text[32];
          std::snprintf(text, sizeof text, " %#llx", static_cast<unsigned long long>(pattern_of(value)));
          inputs += text;
        };
        if (pattern_of(result.at(lane)) != pattern_of(expected)) {
          std::apply([&](const auto&... source) { (describe(source.at(lane)), ...); }, sources);
        }
        ASSERT_EQ(pattern_of(result.at(lane)), pattern_of(expected))
            << name(opcode) << " ." << name(modifiers.type) << " ." << name(modifiers.source_type) << " ."
            << name(modifiers.rounding) << " build " << build_name(isa) << " lane " << lane << " mask " << std::hex
            << mask << " inputs" << inputs;
      }
    }
  }
}

}  // namespace syncline::isa::test
