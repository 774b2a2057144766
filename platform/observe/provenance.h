// Where results come from: what must be given again to get them again.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/spec/platform_spec.h"

namespace syncline::platform {

/// What a run does not know of itself: its platform is a specification, its program a function.
struct Provenance {
  std::string version;  ///< of the program that runs
  std::string program;
  std::optional<std::string> size;           ///< of a program of the suite
  std::optional<std::uint64_t> input_seed;   ///< of a program that has inputs
  std::vector<std::string> program_options;  ///< NAME=VALUE, as chosen
  std::vector<std::string> settings;         ///< key=value, given beside the platform's file
};

/// The chosen policy of each family, and the consistency model that this of coherence gives.
nlohmann::ordered_json policies_json(const PlatformSpec& spec);

/// {"version", "platform", "program", "size", "program_options", "policies", "seed", "input_seed", "settings"}, without
/// what is not known. Equal for runs that are equal.
nlohmann::ordered_json provenance_json(const Provenance& provenance, const PlatformSpec& spec, std::uint64_t seed);

}  // namespace syncline::platform
