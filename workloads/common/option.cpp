#include "workloads/common/option.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "platform/config/quantity.h"

namespace syncline::workloads {
namespace {

std::string value_of(const Option& option, const std::string& text) {
  if (option.words.empty()) {
    const auto number = platform::parse_integer(text, base::Unit::count, {0, option.most});
    if (number.value && number.value->magnitude >= option.least) return std::to_string(number.value->magnitude);
    throw base::UserError(
        fmt::format("option `{}` is a number from {} to {}, not `{}`", option.name, option.least, option.most, text));
  }
  if (std::find(option.words.begin(), option.words.end(), text) != option.words.end()) return text;
  throw base::UserError(fmt::format("option `{}` has no value `{}`{}", option.name, text,
                                    base::suggestion(text, {option.words.begin(), option.words.end()})));
}

}  // namespace

std::string shape(const Option& option) {
  if (option.words.empty()) return fmt::format("{}={}..{} ({})", option.name, option.least, option.most, option.usual);
  return fmt::format("{}={}", option.name, fmt::join(option.words, "|"));
}

void choose(Choices& choices, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw base::UserError(fmt::format("expected NAME=VALUE for an option of the program, found `{}`", text));
  const std::string name(text.substr(0, equals));
  if (!choices.emplace(name, text.substr(equals + 1)).second)
    throw base::UserError(fmt::format("option `{}` is given twice", name));
}

Choices completed(std::string_view program, const std::vector<Option>& options, const Choices& chosen) {
  std::vector<std::string> names;
  Choices all;
  for (const Option& option : options) {
    names.emplace_back(option.name);
    const auto given = chosen.find(option.name);
    all[names.back()] = given != chosen.end()  ? value_of(option, given->second)
                        : option.words.empty() ? std::to_string(option.usual)
                                               : std::string(option.words.front());
  }
  for (const auto& [name, value] : chosen) {
    if (all.find(name) != all.end()) continue;
    throw base::UserError(fmt::format("workload `{}` has no option `{}`{}", program, name,
                                      names.empty() ? "; it has none" : base::suggestion(name, names)));
  }
  return all;
}

}  // namespace syncline::workloads
