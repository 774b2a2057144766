// Opcodes of the PTX ISA that this front end knows by name and does not run.
#pragma once

#include <string>
#include <string_view>

namespace syncline::isa {

/// What is told about declarations of textures, samplers and surfaces.
inline constexpr std::string_view textures_missing = "textures and surfaces are not supported yet";

/// What to tell about a known but unsupported opcode: "textures are not supported yet; ..."; empty when the opcode is
/// not in the list.
std::string_view unsupported_reason(std::string_view opcode);

/// The message for an opcode that is not executed here: known and unsupported, or unknown with the nearest names.
std::string explain_unknown_opcode(std::string_view opcode);

}  // namespace syncline::isa
