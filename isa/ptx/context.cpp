#include "isa/ptx/context.h"

#include <fmt/format.h>

namespace syncline::isa {
namespace {

constexpr std::size_t most_made_names = 1u << 20;
constexpr std::uint64_t most_initial_bytes = std::uint64_t{256} << 20;

}  // namespace

std::string_view ParserContext::make_name(const Token& name, std::uint64_t n) {
  if (made_names.size() == most_made_names)
    lexer.fail(name, fmt::format("more than {} names made by `<n>` in one module", most_made_names));
  return made_names.emplace_back(fmt::format("{}{}", name.text, n));
}

void ParserContext::count_initial(const Token& name, const Variable& variable) {
  initial_bytes += variable.init.size();
  if (initial_bytes > most_initial_bytes)
    lexer.fail(name, fmt::format("the initial values of this module take more than {} bytes", most_initial_bytes));
}

}  // namespace syncline::isa
