#include "isa/ptx/context.h"

#include <fmt/format.h>

namespace syncline::isa {
namespace {

constexpr std::size_t most_made_names = 1u << 20;

}  // namespace

std::string_view ParserContext::make_name(const Token& name, std::uint64_t n) {
  if (made_names.size() == most_made_names)
    lexer.fail(name, fmt::format("more than {} names made by `<n>` in one module", most_made_names));
  return made_names.emplace_back(fmt::format("{}{}", name.text, n));
}

}  // namespace syncline::isa
