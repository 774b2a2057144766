// Is a byte string text?
#pragma once

#include <string>
#include <string_view>

namespace syncline::platform {

/// Throws UserError at the first byte that is not part of well-formed UTF-8 (Unicode 15, table 3-7) or is a control
/// character other than tab, line feed and carriage return. Columns count bytes.
void check_utf8(std::string_view text, const std::string& file);
bool is_utf8(std::string_view text);

}  // namespace syncline::platform
