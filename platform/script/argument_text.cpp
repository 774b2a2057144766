#include "platform/script/argument_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/nearest.h"
#include "platform/config/utf8.h"
#include "platform/config/yaml_node.h"
#include "platform/script/contents.h"

namespace syncline::platform {
namespace {

using base::SourceLocation;
using base::UserError;

// One option's text with a position in it.
class OptionText {
 public:
  OptionText(const std::string& option, const std::string& text)
      : file_(option + " " + quoted_for_message(text)), text_(text) {
    check_utf8(text, file_);
  }
  SourceLocation here() const { return at(position_); }
  SourceLocation at(std::size_t position) const { return {file_, 1, static_cast<std::uint32_t>(position + 1)}; }
  std::size_t position() const { return position_; }
  bool done() const { return position_ >= text_.size(); }
  std::string rest() const { return text_.substr(position_); }
  void skip(std::size_t count) { position_ += count; }
  bool starts_with(std::string_view prefix) const { return text_.compare(position_, prefix.size(), prefix) == 0; }
  /// The text up to the first of `ends` or the end of the text; the position moves behind the text, before the end
  /// mark.
  std::string until(std::string_view ends) {
    const std::size_t end = std::min(text_.find_first_of(ends, position_), text_.size());
    std::string piece = text_.substr(position_, end - position_);
    position_ = end;
    return piece;
  }
  /// Skips one character; `expectation` completes "expected ...".
  void expect(char c, const std::string& expectation) {
    if (done() || text_[position_] != c)
      throw UserError(here(),
                      "expected " + expectation + ", found " + (done() ? "nothing" : quoted_for_message(rest())));
    ++position_;
  }

 private:
  std::string file_;
  const std::string& text_;
  std::size_t position_ = 0;
};

std::optional<ScalarType> find_type(const std::string& name) {
  for (const auto& row : scalar_types())
    if (row.first == name) return row.second;
  return std::nullopt;
}

[[noreturn]] void unknown_type(const SourceLocation& where, const std::string& found, bool or_buffer) {
  std::vector<std::string> names = scalar_type_names();
  if (or_buffer) names.insert(names.begin(), "buf");
  throw UserError(where, "unknown type " + quoted_for_message(found) + base::suggestion(found, names));
}

template <class T>
T checked(const SourceLocation& where, const std::string& what, Parsed<T> parsed) {
  if (!parsed.value) throw UserError(where, what + " " + parsed.problem);
  return std::move(*parsed.value);
}

RandomContents parse_random(OptionText& text, ScalarType type) {
  const SourceLocation where = text.here();
  text.skip(std::string_view("random").size());
  std::optional<std::uint64_t> seed;
  std::optional<ScalarValue> min;
  std::optional<ScalarValue> max;
  if (!text.done()) {
    text.expect('(', "`(` or the end");
    for (bool first = true; first || text.starts_with(","); first = false) {
      if (!first) text.skip(1);
      const SourceLocation key_where = text.here();
      const std::string key = text.until("=,)");
      const std::vector<std::string> keys{"seed", "min", "max"};
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        throw UserError(key_where,
                        "unknown key " + quoted_for_message(key) + " of random" + base::suggestion(key, keys));
      if (key == "seed" ? seed.has_value() : key == "min" ? min.has_value() : max.has_value())
        throw UserError(key_where, "`" + key + "` is given twice");
      text.expect('=', "`=` after `" + key + "`");
      const SourceLocation value_where = text.here();
      const std::string value = text.until(",)");
      if (key == "seed") {
        const auto range = IntegerRange::of<std::uint64_t>();
        seed = checked(value_where, "`seed`", parse_integer(value, base::Unit::count, range)).magnitude;
      } else {
        (key == "min" ? min : max) = checked(value_where, "`" + key + "`", parse_scalar(value, type));
      }
    }
    text.expect(')', "`,` or `)`");
  }
  return checked(where, "`random`", random_contents(type, seed, min, max));
}

Contents parse_contents(OptionText& text, ScalarType type) {
  Contents contents;
  if (text.starts_with("random")) {
    contents = parse_random(text, type);
  } else if (text.starts_with("fill(")) {
    text.skip(std::string_view("fill(").size());
    const SourceLocation where = text.here();
    contents = FillContents{checked(where, "`fill`", parse_scalar(text.until(")"), type))};
    text.expect(')', "`)`");
  } else if (text.starts_with("zero")) {
    text.skip(std::string_view("zero").size());
  } else {
    const SourceLocation where = text.here();
    const std::string found = text.until("(");
    throw UserError(where, "unknown contents " + quoted_for_message(found) +
                               base::suggestion(found, {"zero", "fill(VALUE)", "random(seed=1)"}));
  }
  if (!text.done()) throw UserError(text.here(), "expected the end, found " + quoted_for_message(text.rest()));
  return contents;
}

ScriptBuffer parse_buffer(OptionText& text) {
  ScriptBuffer buffer;
  buffer.where = text.here();
  const std::string first = OptionText(text).until(":");
  if (first == text.rest()) {
    if (first.empty()) throw UserError(text.here(), "expected TYPE:COUNT or the name of a file, found nothing");
    const std::uint64_t size = size_of_file(first, text.here());
    if (size == 0) throw UserError(text.here(), quoted_for_message(first) + " is empty");
    buffer.count = size;
    buffer.contents = FileContents{first};
    return buffer;
  }
  const auto type = find_type(first);
  if (!type) unknown_type(text.here(), first, false);
  buffer.type = *type;
  text.skip(first.size() + 1);
  const SourceLocation count_where = text.here();
  const IntegerRange range{0, max_buffer_bytes / bytes_of(*type)};
  buffer.count =
      checked(count_where, "the number of elements", parse_integer(text.until(":"), base::Unit::count, range))
          .magnitude;
  if (buffer.count == 0) throw UserError(count_where, "a buffer needs at least one element");
  if (text.done()) return buffer;
  text.skip(1);
  buffer.contents = parse_contents(text, buffer.type);
  return buffer;
}

std::size_t buffer_index(const WorkloadScript& script, const std::string& name, const SourceLocation& where) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < script.buffers.size(); ++i) {
    if (script.buffers[i].name == name) return i;
    names.push_back(script.buffers[i].name);
  }
  throw UserError(where, "no buffer is called " + quoted_for_message(name) +
                             (names.empty() ? "; no argument is a buffer" : base::suggestion(name, names)));
}

DumpStep parse_dump(const std::string& dump, const WorkloadScript& script) {
  OptionText text("--dump", dump);
  const std::string name = text.until("=");
  text.expect('=', "BUFFER=FILE");
  if (text.done()) throw UserError(text.here(), "expected the name of a file, found nothing");
  return {buffer_index(script, name, text.at(0)), text.rest()};
}

bool is_identifier(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

CommandLineArgument parse_argument(const std::string& argument) {
  OptionText text("--arg", argument);
  CommandLineArgument result;
  // A `=` before the first colon ends a name; later ones belong to random(...) or to a file's name.
  const std::string head = OptionText(text).until(":=");
  if (argument.size() > head.size() && argument[head.size()] == '=') {
    if (!is_identifier(head))
      throw UserError(text.here(), quoted_for_message(head) + " is not a name: letters, digits and _, no digit first");
    result.name = head;
    text.skip(head.size() + 1);
  }
  const SourceLocation kind_where = text.here();
  const std::string kind = text.until(":");
  const auto type = find_type(kind);
  if (!type && kind != "buf") unknown_type(kind_where, kind, true);
  text.expect(':', "`:` and a value");
  if (kind == "buf") {
    result.value = parse_buffer(text);
    return result;
  }
  const SourceLocation where = text.here();
  result.value = checked(where, "the value", parse_scalar(text.rest(), *type));
  return result;
}

base::Dim3 parse_extents(const std::string& extents, const std::string& option) {
  OptionText text(option, extents);
  std::vector<std::uint32_t> values;
  for (;;) {
    const SourceLocation where = text.here();
    if (values.size() == 3) throw UserError(where, "expected at most three numbers: X,Y,Z");
    const auto range = IntegerRange::of<std::uint32_t>();
    const Integer value = checked(where, "the extent", parse_integer(text.until(","), base::Unit::count, range));
    if (value.magnitude == 0) throw UserError(where, "an extent must be at least 1");
    values.push_back(value.as<std::uint32_t>());
    if (text.done()) break;
    text.skip(1);
  }
  values.resize(3, 1);
  return {values[0], values[1], values[2]};
}

WorkloadScript script_of(const KernelRun& run) {
  WorkloadScript script;
  script.name = run.module.stem().string();
  script.module = run.module;
  script.module_where = {run.module.string(), 0, 0};
  LaunchStep launch{run.kernel, run.grid, run.block, run.shared_bytes, {}, {}};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < run.args.size(); ++i) {
    CommandLineArgument argument = parse_argument(run.args[i]);
    if (argument.name.empty()) argument.name = fmt::format("arg{}", i);
    if (std::find(names.begin(), names.end(), argument.name) != names.end())
      throw UserError(OptionText("--arg", run.args[i]).at(0), "a second argument is called `" + argument.name + "`");
    names.push_back(argument.name);
    if (auto* buffer = std::get_if<ScriptBuffer>(&argument.value)) {
      launch.args.emplace_back(PointerArgument{script.buffers.size(), 0});
      buffer->name = argument.name;
      script.buffers.push_back(std::move(*buffer));
    } else {
      launch.args.emplace_back(std::get<ScalarValue>(argument.value));
    }
  }
  const auto add_step = [&script](const std::string& option, auto action) {
    Step& step = script.steps.emplace_back();
    step.where.file = option;
    step.action = std::move(action);
  };
  add_step("--kernel " + run.kernel, std::move(launch));
  for (const std::string& dump : run.dumps) add_step("--dump " + dump, parse_dump(dump, script));
  return script;
}

}  // namespace syncline::platform
