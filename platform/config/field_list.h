// The parameters of any Spec as a flat list: path, kind, description, and how to get and set the value. Everything that
// reads, writes or documents configuration works on this list, so that it is compiled once and not per Spec.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/fields.h"
#include "platform/config/quantity.h"

namespace syncline::platform {

enum class FieldKind { boolean, integer, real, text, choice };

/// One element of a parameter's value. A choice is held by the name of its value.
using FieldValue = std::variant<bool, Integer, double, std::string>;

/// One parameter, bound to the member of a live Spec.
struct FieldRef {
  std::string path;  ///< "l1.size"
  base::FieldInfo info;
  FieldKind kind = FieldKind::text;
  bool is_list = false;
  IntegerRange range;                            ///< of the member's type, for integers
  std::vector<std::string> choices;              ///< names of the values, for a choice
  std::function<std::vector<FieldValue>()> get;  ///< one element unless it is a list
  std::function<void(const std::vector<FieldValue>&)> set;
};

struct FieldGroup {
  std::string path;
  std::string description;
};

/// A rule over several keys that the present values break (base/fields.h, `require`).
struct Violation {
  std::string path;
  std::string message;
};

/// The visitor that makes the list; see base/fields.h for the calls. Duplicate names and names with dots are a mistake
/// in the Spec: ModelError.
class FieldList {
 public:
  /// Lists `spec`, which must outlive the list and stay where it is.
  template <class Spec>
  static FieldList of(Spec& spec) {
    FieldList list;
    spec.fields(list);
    return list;
  }

  const std::vector<FieldRef>& fields() const { return fields_; }
  const std::vector<FieldGroup>& groups() const { return groups_; }  ///< without the root
  const std::vector<Violation>& violations() const { return violations_; }
  const FieldRef* find(std::string_view path) const;
  bool is_group(std::string_view path) const;
  /// Names of keys and groups directly below a group ("" is the root), in order.
  std::vector<std::string> names_below(std::string_view group) const;

  template <class T>
  void field(std::string_view name, T& value, const base::FieldInfo& info) {
    add_field<T, T>(
        name, info, false, [&value] { return std::vector<FieldValue>{to_value(value)}; },
        [&value](const std::vector<FieldValue>& values) { value = from_value<T>(values.front()); });
  }

  template <class T>
  void field(std::string_view name, std::vector<T>& list, const base::FieldInfo& info) {
    static_assert(!std::is_same_v<T, bool>, "a list of bools is not a parameter; use an integer mask or a choice");
    add_field<T, std::vector<T>>(
        name, info, true,
        [&list] {
          std::vector<FieldValue> values;
          for (const T& element : list) values.push_back(to_value(element));
          return values;
        },
        [&list](const std::vector<FieldValue>& values) {
          list.clear();
          for (const FieldValue& element : values) list.push_back(from_value<T>(element));
        });
  }

  template <class Enum>
  void choice(std::string_view name, Enum& value, const base::ChoiceTable<Enum>& table, const base::FieldInfo& info) {
    FieldRef ref;
    ref.info = info;
    ref.kind = FieldKind::choice;
    for (const auto& row : table) ref.choices.emplace_back(row.first);
    ref.get = [&value, table] { return std::vector<FieldValue>{std::string(base::name_in(table, value))}; };
    ref.set = [&value, table](const std::vector<FieldValue>& values) {
      for (const auto& row : table)
        if (row.first == std::get<std::string>(values.front())) value = row.second;
    };
    add(name, std::move(ref));
  }

  template <class Spec>
  void group(std::string_view name, Spec& spec, std::string_view description = "") {
    const std::string outer = prefix_;
    enter(name, description);
    spec.fields(*this);
    prefix_ = outer;
  }

  void require(bool ok, std::string_view name, std::string_view message);

 private:
  template <class T>
  static FieldValue to_value(const T& value) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return Integer::of(value);
    else
      return FieldValue(value);
  }
  template <class T>
  static T from_value(const FieldValue& value) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return std::get<Integer>(value).template as<T>();
    else
      return std::get<T>(value);
  }

  template <class Element, class Member, class Get, class Set>
  void add_field(std::string_view name, const base::FieldInfo& info, bool is_list, Get get, Set set) {
    FieldRef ref;
    ref.info = info;
    ref.is_list = is_list;
    if constexpr (std::is_same_v<Element, bool>) {
      ref.kind = FieldKind::boolean;
    } else if constexpr (std::is_integral_v<Element>) {
      ref.kind = FieldKind::integer;
      ref.range = IntegerRange::of<Element>();
    } else if constexpr (std::is_same_v<Element, double>) {
      ref.kind = FieldKind::real;
    } else {
      static_assert(std::is_same_v<Element, std::string>,
                    "a parameter is a bool, an integer, a double, a std::string, or a vector of the last three");
      ref.kind = FieldKind::text;
    }
    ref.get = std::move(get);
    ref.set = std::move(set);
    add(name, std::move(ref));
  }

  std::string path_of(std::string_view name) const;
  void check_name(const std::string& path, std::string_view name) const;
  void add(std::string_view name, FieldRef ref);
  void enter(std::string_view name, std::string_view description);

  std::string prefix_;  ///< "" or "group."
  std::vector<FieldRef> fields_;
  std::vector<FieldGroup> groups_;
  std::vector<Violation> violations_;
};

}  // namespace syncline::platform
