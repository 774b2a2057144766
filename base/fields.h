// How a block tells the world which parameters it has.
//
// A block's parameters are a plain struct (its Spec) with one static function that walks its members:
//
//   struct DramSpec {
//     std::uint32_t banks = 16;
//     std::uint32_t t_cl = 12;
//     template <class Visitor> void fields(Visitor& v) {
//       v.field("banks", banks, {unit::count, "banks per channel", "GPUDet T5.2", at_least(1)});
//       v.field("t_cl", t_cl, {unit::dram_cycles, "column latency tCL", "GPUDet T5.2"});
//     }
//   };
//
// The visitor reads (YAML), writes (dump), lists (documentation) or checks. Nested specs use `v.group("name", spec)`,
// enumerations `v.choice("name", value, table, info)`. So a key's name, unit, default, meaning and source are said once.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncline::base {

/// What a number counts. The reader accepts suffixes accordingly ("48 KiB", "1400 MHz", "32 B/cycle").
enum class Unit { none, count, bytes, hertz, cycles, bytes_per_cycle, seconds, bits, ratio };

/// What is said of one parameter beside its name and value.
struct FieldInfo {
  Unit unit = Unit::none;
  std::string_view description;
  std::string_view source = "";  ///< where the default comes from: a paper's table, a measurement, a choice
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool power_of_two = false;
  std::string_view cycle_of = "";  ///< for Unit::cycles: whose clock, for example "core" or "dram"
};

/// The values of an enumerated parameter, by name: the visible registry list of a policy family.
template <class Enum>
using ChoiceTable = std::vector<std::pair<std::string_view, Enum>>;

}  // namespace syncline::base
