// What the options of all commands have in common.
#include <fmt/format.h>

#include "base/error.h"
#include "platform/config/quantity.h"
#include "platform/config/yaml_node.h"
#include "sc_main/cli/command.h"

namespace syncline::cli {

CLI::Validator number(std::uint64_t least, std::uint64_t most, base::Unit unit) {
  const auto read = [least, most, unit](std::string& text) {
    const auto parsed = platform::parse_integer(text, unit, platform::IntegerRange::of<std::uint64_t>());
    if (!parsed.value) return parsed.problem;
    const std::uint64_t value = parsed.value->magnitude;
    const auto beyond = [&](const char* word, std::uint64_t bound) {
      return fmt::format("must be at {} {}, found {}", word,
                         platform::format_integer(platform::Integer::of(bound), unit),
                         platform::quoted_for_message(text));
    };
    if (value < least) return beyond("least", least);
    if (value > most) return beyond("most", most);
    text = std::to_string(value);
    return std::string();
  };
  return {read, ""};
}

CLI::Validator some_name() {
  return {[](std::string& text) { return text.empty() ? "expected a name, found nothing" : std::string(); }, ""};
}

void refuse_given(const CLI::App& command, const std::vector<std::string>& names, const std::string& what) {
  for (const std::string& name : names) {
    const CLI::Option* const option = command.get_option_no_throw(name);
    if (option != nullptr && option->count() != 0)
      throw base::UserError(fmt::format("{} does not apply to {}", name, what));
  }
}

}  // namespace syncline::cli
