#include "platform/config/utf8.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::platform {
namespace {

unsigned char byte_at(std::string_view text, std::size_t index) {
  return index < text.size() ? static_cast<unsigned char>(text[index]) : 0;
}

// Length of the well-formed sequence at the start of `text`; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const unsigned char lead = byte_at(text, 0);
  const unsigned char second = byte_at(text, 1);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned char low = 0x80;  // the second byte's range is what excludes overlong forms and surrogates
  unsigned char high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (second < low || second > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((byte_at(text, i) & 0xC0U) != 0x80U) return 0;
  return length;
}

}  // namespace

void check_utf8(std::string_view text, const std::string& file) {
  std::uint32_t line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto column = static_cast<std::uint32_t>(i - line_start + 1);
    const unsigned char byte = byte_at(text, i);
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0)
      throw base::UserError({file, line, column}, fmt::format("byte 0x{:02x} is not valid UTF-8 text", byte));
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F)
      throw base::UserError({file, line, column},
                            fmt::format("control character 0x{:02x}; is this a text file?", byte));
    i += length;
    if (byte == '\n') {
      ++line;
      line_start = i;
    }
  }
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace syncline::platform
