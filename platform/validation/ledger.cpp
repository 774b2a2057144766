#include "platform/validation/ledger.h"

#include <charconv>

#include "base/nearest.h"
#include "platform/config/yaml_node.h"
#include "platform/validation/predictions.h"

namespace syncline::platform {
namespace {

[[noreturn]] void fail(const base::SourceLocation& where, const std::string& message) {
  throw base::UserError(where, message);
}

const std::vector<YamlEntry>& mapping(const YamlNode& node, const std::string& what) {
  if (node.kind != YamlNode::Kind::mapping) fail(node.where, what + " must be a mapping, found " + node.found());
  return node.entries;
}

const std::string& text_of(const YamlNode& node, const std::string& what) {
  if (node.kind != YamlNode::Kind::scalar) fail(node.where, what + " must be text, found " + node.found());
  return node.text;
}

template <class Number>
Number number(const std::string& text, const base::SourceLocation& where, const std::string& what) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail(where, what + " must be a number, found " + quoted_for_message(text));
  return value;
}

double real(const YamlNode& node, const std::string& what) {
  return number<double>(text_of(node, what), node.where, what);
}

void check_curve(const std::string& curve, const base::SourceLocation& where) {
  std::vector<std::string> names;
  for (const Prediction& prediction : predictions()) {
    if (prediction.curve == curve) return;
    names.emplace_back(prediction.curve);
  }
  fail(where, "unknown curve `" + curve + "`" + base::suggestion(curve, names));
}

[[noreturn]] void unknown_key(const YamlEntry& entry, const std::vector<std::string>& known) {
  fail(entry.key_where, "unknown key `" + entry.key + "`" + base::suggestion(entry.key, known));
}

CurveRemark read_remark(const YamlNode& node) {
  CurveRemark remark;
  for (const YamlEntry& entry : mapping(node, "a curve's remark")) {
    if (entry.key == "reason")
      remark.reason = text_of(entry.value, "`reason`");
    else if (entry.key == "hardware")
      remark.hardware = text_of(entry.value, "`hardware`");
    else if (entry.key == "tolerance")
      remark.tolerance = real(entry.value, "`tolerance`");
    else
      unknown_key(entry, {"reason", "hardware", "tolerance"});
  }
  if (remark.reason.empty()) fail(node.where, "a curve needs a `reason`");
  return remark;
}

CurveShape read_shape(const YamlNode& node) {
  CurveShape shape;
  for (const YamlEntry& entry : mapping(node, "a shape")) {
    if (entry.key == "curve" || entry.key == "against") {
      std::string& curve = entry.key == "curve" ? shape.curve : shape.against;
      curve = text_of(entry.value, "`" + entry.key + "`");
      check_curve(curve, entry.value.where);
    } else if (entry.key == "from" || entry.key == "to") {
      (entry.key == "from" ? shape.from : shape.to) =
          number<std::uint64_t>(text_of(entry.value, "a point"), entry.value.where, "`" + entry.key + "`");
    } else if (entry.key == "at_least") {
      shape.at_least = real(entry.value, "`at_least`");
    } else if (entry.key == "at_most") {
      shape.at_most = real(entry.value, "`at_most`");
    } else if (entry.key == "reason") {
      shape.reason = text_of(entry.value, "`reason`");
    } else if (entry.key == "platforms") {
      if (entry.value.kind != YamlNode::Kind::sequence)
        fail(entry.value.where, "`platforms` must be a list, found " + entry.value.found());
      for (const YamlNode& item : entry.value.items) shape.platforms.push_back(text_of(item, "a platform"));
    } else {
      unknown_key(entry, {"curve", "against", "from", "to", "at_least", "at_most", "reason", "platforms"});
    }
  }
  if (shape.curve.empty() || shape.reason.empty() || (shape.at_least == 0 && !shape.at_most))
    fail(node.where, "a shape needs `curve`, `reason` and one of `at_least`, `at_most`");
  if (shape.against.empty()) shape.against = shape.curve;
  return shape;
}

void read_deviations(const YamlNode& node, Ledger& ledger) {
  for (const YamlEntry& platform : mapping(node, "`deviations`")) {
    auto& points = ledger.deviations[platform.key];
    for (const YamlEntry& curve : mapping(platform.value, "a platform's deviations")) {
      check_curve(curve.key, curve.key_where);
      if (ledger.curves.count(curve.key) == 0)
        fail(curve.key_where, "`" + curve.key + "` has no reason under `curves`");
      for (const YamlEntry& point : mapping(curve.value, "a curve's deviations"))
        points[{curve.key, number<std::uint64_t>(point.key, point.key_where, "a point")}] =
            real(point.value, "a deviation");
    }
  }
}

Ledger read_ledger(const YamlNode& root) {
  Ledger ledger;
  const YamlEntry* deviations = nullptr;  // they need the reasons, whatever stands first
  for (const YamlEntry& entry : mapping(root, "a ledger")) {
    if (entry.key == "tolerance") {
      ledger.tolerance = real(entry.value, "`tolerance`");
    } else if (entry.key == "curves") {
      for (const YamlEntry& curve : mapping(entry.value, "`curves`")) {
        check_curve(curve.key, curve.key_where);
        ledger.curves[curve.key] = read_remark(curve.value);
      }
    } else if (entry.key == "shapes") {
      if (entry.value.kind != YamlNode::Kind::sequence)
        fail(entry.value.where, "`shapes` must be a list, found " + entry.value.found());
      for (const YamlNode& shape : entry.value.items) ledger.shapes.push_back(read_shape(shape));
    } else if (entry.key == "deviations") {
      deviations = &entry;
    } else {
      unknown_key(entry, {"tolerance", "curves", "shapes", "deviations"});
    }
  }
  if (deviations != nullptr) read_deviations(deviations->value, ledger);
  return ledger;
}

}  // namespace

Ledger parse_ledger(const std::string& text, const std::string& name) {
  return read_ledger(parse_yaml(text, name));
}

Ledger load_ledger(const std::filesystem::path& file) {
  return parse_ledger(read_file(file), file.string());
}

}  // namespace syncline::platform
