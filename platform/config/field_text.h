// Values of parameters from and to YAML.
#pragma once

#include <string>

#include "platform/config/field_list.h"
#include "platform/config/yaml_node.h"

namespace syncline::platform {

/// Reads `node` into the parameter. Throws UserError at the node when kind, unit, range or spelling are wrong.
void set_field(const FieldRef& field, const YamlNode& node);

/// The present value as YAML that `set_field` reads back: `48 KiB`, `true`, `"a text"`, `[1, 2]`.
std::string field_text(const FieldRef& field);

/// What the parameter takes, for tables and messages: "a size in B, KiB, ..., at least 32 B, a power of two".
std::string allowed_values(const FieldRef& field);

/// `text` as a double-quoted YAML scalar.
std::string yaml_quoted(const std::string& text);

}  // namespace syncline::platform
