// The reference of all configuration keys, from the same descriptions that the reader uses.
#include <fmt/format.h>

#include "platform/config/configuration.h"
#include "platform/config/field_text.h"

namespace syncline::platform {
namespace {

// Table cells must not contain a bare bar or a line break.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string table(const FieldList& fields, const std::string& group) {
  std::string rows;
  for (const FieldRef& field : fields.fields()) {
    const std::size_t dot = field.path.rfind('.');
    if ((dot == std::string::npos ? "" : field.path.substr(0, dot)) != group) continue;
    std::string allowed = allowed_values(field);
    if (!field.info.cycle_of.empty()) allowed += fmt::format(" ({} clock)", field.info.cycle_of);
    rows += fmt::format("| `{}` | `{}` | {} | {} | {} |\n", field.path, cell(field_text(field)),
                        cell(field.info.description), cell(allowed), cell(field.info.source));
  }
  if (rows.empty()) return "";
  return "| Key | Default | Meaning | Takes | Source of the default |\n|---|---|---|---|---|\n" + rows + "\n";
}

}  // namespace

std::string reference_markdown(const FieldList& fields) {
  std::string text = table(fields, "");
  for (const FieldGroup& group : fields.groups()) {
    text += fmt::format("## `{}`\n\n", group.path);
    if (!group.description.empty()) text += group.description + "\n\n";
    text += table(fields, group.path);
  }
  return text;
}

}  // namespace syncline::platform
