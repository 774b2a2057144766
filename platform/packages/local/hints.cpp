#include "platform/packages/local/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/nearest.h"

namespace syncline::platform::local {
namespace {

constexpr std::string_view ours = "local_tm", of_variables = "variables=";

/// The part of `text` before `separator`, which goes with it.
std::string_view next_part(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

class Reader {
 public:
  explicit Reader(const isa::Program& program) : program_(program) {}

  Hints read() {
    const isa::Function& kernel = program_.module().functions[program_.entry().function];
    for (const isa::Pragma& pragma : kernel.pragmas) {
      std::string_view text = pragma.text;
      if (next_part(text, ' ') == ours) read(pragma, text);
    }
    return std::move(hints_);
  }

 private:
  void read(const isa::Pragma& pragma, std::string_view text) {
    while (!text.empty()) {
      const std::string_view word = next_part(text, ' ');
      if (word == "read_only")
        hints_.read_only = true;
      else if (word == "large")
        hints_.large = true;
      else if (word.substr(0, of_variables.size()) == of_variables)
        add_variables(pragma, word.substr(of_variables.size()));
      else if (!word.empty())
        fail(pragma, fmt::format("`{}` is no hint{}", word,
                                 base::suggestion(word.substr(0, std::min(word.find('='), word.size() - 1) + 1),
                                                  {"read_only", "large", std::string(of_variables)})));
    }
  }
  void add_variables(const isa::Pragma& pragma, std::string_view names) {
    for (bool more = true; more;) {
      more = names.find(',') != std::string_view::npos;
      const std::string_view name = next_part(names, ',');
      if (name.empty()) fail(pragma, fmt::format("`{}` lacks the name of a .shared variable", of_variables));
      const auto& all = program_.kernel().shared_variables;
      const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
      if (found != all.end()) {
        hints_.variables.push_back(*found);
        continue;
      }
      std::vector<std::string> known;
      known.reserve(all.size());
      for (const isa::SharedVariable& one : all) known.push_back(one.name);
      fail(pragma, fmt::format("kernel `{}` uses no .shared variable `{}`{}", program_.kernel().name, name,
                               base::suggestion(name, known)));
    }
  }
  [[noreturn]] void fail(const isa::Pragma& pragma, const std::string& what) const {
    throw base::UserError({program_.kernel().transaction.file, pragma.line, pragma.column}, what);
  }

  const isa::Program& program_;
  Hints hints_;
};

}  // namespace

Hints hints_of(const isa::Program& program) {
  return Reader(program).read();
}

}  // namespace syncline::platform::local
