// Messages about PTX text: where, what was found, what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace syncline::isa {

/// A place in the text that is being read, counted from 1.
struct TextPlace {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Throws base::UserError "source:line:column: error: message".
[[noreturn]] void fail_at(const std::string& source, TextPlace place, const std::string& message);

/// `text` in back quotes, made printable and cut to a sensible length.
std::string quoted(std::string_view text);

}  // namespace syncline::isa
