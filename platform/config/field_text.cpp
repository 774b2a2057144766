#include "platform/config/field_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.h"

namespace syncline::platform {
namespace {

using base::UserError;

[[noreturn]] void reject(const FieldRef& field, const YamlNode& node, const std::string& problem) {
  throw UserError(node.where, "`" + field.path + "` " + problem);
}

std::string bound_text(const FieldRef& field, double bound) {
  if (field.kind == FieldKind::integer && std::fabs(bound) < 0x1p63)
    return format_integer(Integer::of(static_cast<std::int64_t>(bound)), field.info.unit);
  return format_real(bound, field.info.unit);
}

void check_bounds(const FieldRef& field, const YamlNode& node, double value) {
  if (value < field.info.min)
    reject(
        field, node,
        fmt::format("must be at least {}, found {}", bound_text(field, field.info.min), quoted_for_message(node.text)));
  if (value > field.info.max)
    reject(
        field, node,
        fmt::format("must be at most {}, found {}", bound_text(field, field.info.max), quoted_for_message(node.text)));
}

void check_power_of_two(const FieldRef& field, const YamlNode& node, Integer value) {
  const std::uint64_t n = value.magnitude;
  if (!field.info.is_power_of_two || (!value.negative && n != 0 && (n & (n - 1)) == 0)) return;
  std::uint64_t below = 1;
  while (below <= n / 2) below *= 2;
  const auto text = [&](std::uint64_t v) { return format_integer({false, v}, field.info.unit); };
  std::string nearest = text(below);
  if (!value.negative && n != 0 && below < (std::uint64_t{1} << 63)) nearest += " or " + text(below * 2);
  reject(field, node,
         fmt::format("must be a power of two, found {}; the nearest: {}", quoted_for_message(node.text), nearest));
}

FieldValue read_scalar(const FieldRef& field, const YamlNode& node) {
  if (node.kind == YamlNode::Kind::null) reject(field, node, "has no value; give one or remove the key");
  if (node.kind != YamlNode::Kind::scalar)
    reject(field, node, fmt::format("expects {}, found {}", allowed_values(field), node.found()));
  const bool is_text = field.kind == FieldKind::text || field.kind == FieldKind::choice;
  if (node.quoted && !is_text)
    reject(field, node, fmt::format("expects {}, found a quoted text; remove the quotes", allowed_values(field)));
  const auto checked = [&](auto parsed) {
    if (!parsed.value) reject(field, node, parsed.problem);
    return *parsed.value;
  };
  switch (field.kind) {
    case FieldKind::boolean:
      return checked(parse_bool(node.text));
    case FieldKind::integer: {
      const Integer value = checked(parse_integer(node.text, field.info.unit, field.range));
      check_bounds(field, node, value.as_double());
      check_power_of_two(field, node, value);
      return value;
    }
    case FieldKind::real: {
      const double value = checked(parse_real(node.text, field.info.unit));
      check_bounds(field, node, value);
      return value;
    }
    case FieldKind::choice:
      if (std::find(field.choices.begin(), field.choices.end(), node.text) == field.choices.end())
        reject(field, node,
               "has no choice " + quoted_for_message(node.text) + base::suggestion(node.text, field.choices));
      return node.text;
    case FieldKind::text:
      break;
  }
  return node.text;
}

bool is_plain_word(const std::string& text) {
  return !text.empty() && text != "null" && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string value_text(const FieldRef& field, const FieldValue& value) {
  switch (field.kind) {
    case FieldKind::boolean:
      return std::get<bool>(value) ? "true" : "false";
    case FieldKind::integer:
      return format_integer(std::get<Integer>(value), field.info.unit);
    case FieldKind::real:
      return format_real(std::get<double>(value), field.info.unit);
    case FieldKind::choice:
      if (is_plain_word(std::get<std::string>(value))) return std::get<std::string>(value);
      break;
    case FieldKind::text:
      break;
  }
  return yaml_quoted(std::get<std::string>(value));
}

}  // namespace

void set_field(const FieldRef& field, const YamlNode& node) {
  if (!field.is_list) {
    field.set({read_scalar(field, node)});
    return;
  }
  if (node.kind != YamlNode::Kind::sequence)
    reject(field, node, fmt::format("expects {}, found {}", allowed_values(field), node.found()));
  std::vector<FieldValue> values;
  for (const YamlNode& item : node.items) values.push_back(read_scalar(field, item));
  field.set(values);
}

std::string field_text(const FieldRef& field) {
  const std::vector<FieldValue> values = field.get();
  if (!field.is_list) return value_text(field, values.front());
  std::string text = "[";
  for (const FieldValue& value : values) text += (text.size() > 1 ? ", " : "") + value_text(field, value);
  return text + "]";
}

std::string allowed_values(const FieldRef& field) {
  std::string text;
  switch (field.kind) {
    case FieldKind::boolean:
      text = "true or false";
      break;
    case FieldKind::integer:
      text = field.info.unit == base::Unit::none || field.info.unit == base::Unit::count
                 ? "a whole number"
                 : describe_unit(field.info.unit);
      break;
    case FieldKind::real:
      text = describe_unit(field.info.unit);
      break;
    case FieldKind::choice:
      text = fmt::format("one of {}", fmt::join(field.choices, ", "));
      break;
    case FieldKind::text:
      text = "a text";
      break;
  }
  if (field.is_list) text = "a list, each element " + text;
  if (std::isfinite(field.info.min)) text += ", at least " + bound_text(field, field.info.min);
  if (std::isfinite(field.info.max)) text += ", at most " + bound_text(field, field.info.max);
  if (field.info.is_power_of_two) text += ", a power of two";
  return text;
}

std::string yaml_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace syncline::platform
