// What users give in place of PTX text: object files, fat binaries, listings of tools, text in another encoding.
#pragma once

#include <string>
#include <string_view>

namespace syncline::isa {

/// Throws base::UserError that names what `text` is when its beginning shows that it is something else than PTX text.
void refuse_foreign_text(std::string_view text, const std::string& source);

}  // namespace syncline::isa
