#include "isa/ptx/errors.h"

#include <fmt/format.h>

namespace syncline::isa {

void fail_at(const std::string& source, TextPlace place, const std::string& message) {
  throw base::UserError(base::SourceLocation{source, place.line, place.column}, message);
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out = "`";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  if (text.size() > longest) out += "...";
  return out + "`";
}

}  // namespace syncline::isa
