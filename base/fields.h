// How a block tells the world which parameters it has.
//
// A block's parameters are a plain struct (its Spec: immutable configuration, defaults as member initialisers) with one
// member function template that walks its members:
//
//   struct DramSpec {
//     std::uint32_t banks = 16;
//     base::Cycle t_cl = 12;
//     double clock = 924e6;
//     Scheduling scheduling = Scheduling::fr_fcfs;
//     QueueSpec queue;                                          // a Spec too
//
//     template <class V>
//     void fields(V& v) {
//       namespace param = base::param;
//       v.field("banks", banks, param::count("banks per channel", "GPUDet T5.2").at_least(1).power_of_two());
//       v.field("t_cl", t_cl, param::latency("dram", "column latency tCL", "GPUDet T5.2"));
//       v.field("clock", clock, param::hertz("command clock", "GPUDet T5.2"));
//       v.choice("scheduling", scheduling, scheduling_names(), param::text("order of requests"));
//       v.group("queue", queue, "requests that wait for a bank");
//       v.require(banks % 4 == 0, "banks", "must be a multiple of the 4 bank groups");
//     }
//   };
//
// So a key's name, unit, default, meaning and source are said once; visitors read (YAML), write (dump), list
// (documentation) and check. A Spec knows nothing of them: it may rely on these four calls and on nothing else.
//
//   v.field(name, value, info)          bool, any integer type, double, std::string, and std::vector of
//                                       integers, double or std::string (a list)
//   v.choice(name, value, table, info)  an enumeration; `table` is the ChoiceTable of its names, the visible registry
//   v.group(name, spec, description)    the keys of a nested Spec, below `name` (the description may be left out)
//   v.require(ok, name, message)        a rule over several keys; `name` is the key of this Spec to blame (its location
//                                       is shown), `message` completes "`name` ..."
//
// Names are snake_case and contain no dot. `fields` may be called several times: it must only walk.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace syncline::base {

/// What a number counts, and the unit in which the member holds it. The reader accepts suffixes accordingly: a size in
/// bytes may be written `48 KiB`, a clock `1.4 GHz`, a bandwidth `32 B/cycle`.
enum class Unit { none, count, bytes, hertz, cycles, bytes_per_cycle, bytes_per_second, seconds, bits, ratio };

/// What is said of one parameter beside its name and value. An aggregate; the builders of `param` read better.
struct FieldInfo {
  Unit unit = Unit::none;
  std::string_view description;
  std::string_view source = "";  ///< where the default comes from: a paper's table, a measurement, a choice
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool is_power_of_two = false;
  std::string_view cycle_of = "";  ///< for Unit::cycles: whose clock, for example "core" or "dram"

  /// Inclusive limits, in the unit in which the member holds the value. For a list they hold for each element.
  constexpr FieldInfo at_least(double bound) const {
    FieldInfo changed = *this;
    changed.min = bound;
    return changed;
  }
  constexpr FieldInfo at_most(double bound) const {
    FieldInfo changed = *this;
    changed.max = bound;
    return changed;
  }
  constexpr FieldInfo between(double low, double high) const { return at_least(low).at_most(high); }
  constexpr FieldInfo power_of_two() const {
    FieldInfo changed = *this;
    changed.is_power_of_two = true;
    return changed;
  }
};

/// Builders of FieldInfo. `source` says where the default comes from. The texts must outlive the FieldInfo: literals.
namespace param {

constexpr FieldInfo with_unit(Unit unit, std::string_view description, std::string_view source) {
  FieldInfo info;
  info.unit = unit;
  info.description = description;
  info.source = source;
  return info;
}
/// A bool.
constexpr FieldInfo flag(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::none, description, source);
}
/// A std::string or an enumeration.
constexpr FieldInfo text(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::none, description, source);
}
/// A number of things: ways, banks, entries. Also plain numbers such as a seed.
constexpr FieldInfo count(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::count, description, source);
}
/// A size, held in bytes.
constexpr FieldInfo bytes(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::bytes, description, source);
}
/// The frequency of a clock, held in hertz (double or 64-bit integer). The text must give a unit.
constexpr FieldInfo hertz(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::hertz, description, source).between(1e6, 1e11);
}
/// A time in periods of the clock `clock_name`.
constexpr FieldInfo cycles(std::string_view clock_name, std::string_view description, std::string_view source = "") {
  FieldInfo info = with_unit(Unit::cycles, description, source);
  info.cycle_of = clock_name;
  return info;
}
/// How long a part of the machine may take for one thing, in its cycles: far beyond any real part, and so far below
/// `limits.progress_window` that a slow machine is not taken for a hung one.
constexpr double longest_latency = 100'000;
/// A time that a part of the machine takes for one thing, in periods of the clock `clock_name`.
constexpr FieldInfo latency(std::string_view clock_name, std::string_view description, std::string_view source = "") {
  return cycles(clock_name, description, source).at_most(longest_latency);
}
/// Places of a queue, or entries of a buffer.
constexpr FieldInfo entries(std::string_view description, std::string_view source = "") {
  return count(description, source).between(1, 4096);
}
/// A bandwidth, held in bytes per cycle.
constexpr FieldInfo bytes_per_cycle(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::bytes_per_cycle, description, source);
}
/// A bandwidth, held in bytes per second (double or 64-bit integer). The text must give a unit.
constexpr FieldInfo bytes_per_second(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::bytes_per_second, description, source);
}
/// A time, held in seconds (double). The text must give a unit.
constexpr FieldInfo seconds(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::seconds, description, source);
}
/// A width, held in bits.
constexpr FieldInfo bits(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::bits, description, source);
}
/// A share or factor (double); the text may also give per cent.
constexpr FieldInfo ratio(std::string_view description, std::string_view source = "") {
  return with_unit(Unit::ratio, description, source);
}

}  // namespace param

/// The values of an enumerated parameter, by name: the visible registry list of a policy family. A registry that is
/// only known by names is a ChoiceTable<std::string> whose values are the names.
template <class Enum>
using ChoiceTable = std::vector<std::pair<std::string_view, Enum>>;

/// The first name of a value; empty: it has none.
template <class Enum>
std::string_view name_in(const ChoiceTable<Enum>& table, const Enum& value) {
  for (const auto& row : table) {
    if (row.second == value) return row.first;
  }
  return {};
}

}  // namespace syncline::base
