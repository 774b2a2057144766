// A program's profile for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platform/profile/kernel_profile.h"

namespace syncline::platform {

/// Tables, one for each aspect, with a row a kernel and one for their sum; no line is longer than 100 columns.
std::string profile_text(const ProgramProfile& profile);
/// Everything that was counted: {"machine": {...}, "kernels": [...], "total": {...}}.
nlohmann::ordered_json profile_json(const ProgramProfile& profile);

}  // namespace syncline::platform
