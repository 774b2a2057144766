// What the packages of a specification are together.
#pragma once

#include <string_view>
#include <vector>

#include "platform/packages/package.h"

namespace syncline::platform {

struct ChosenPackage {
  std::string_view family;
  const Package* package;
};
/// Of the families beside coherence, one each, in the order of policy_families().
std::vector<ChosenPackage> chosen_packages(const PlatformSpec& spec);

/// The rules of all packages.
void check_composition(const Composition& composition, const Require& require);
/// That memory has room for it.
void check_memory(const MemoryLayout& layout, const Require& require);
Conduct conduct_of(const PlatformSpec& spec);

/// Package::prepare of all; what the user is to hear.
std::vector<std::string> prepare_grid(const PlatformSpec& spec, models::GridLaunch& grid);

/// Those of the packages, each once.
std::vector<UnitRequest> requested_units(const PlatformSpec& spec);
/// What is taken twice is asked for once.
void add_unit(std::vector<UnitRequest>& units, UnitRequest unit);

/// How data may lie in the partitions.
enum class Dealt {
  evenly,   ///< interleaved: to each its share; pages of a device of several modules may lie anywhere all the same
  anywhere  ///< by a home map of the user's, which may put all of them into one
};
/// Of programs and threads, of the packages, and of `units`.
MemoryLayout memory_layout(const PlatformSpec& spec, const std::vector<UnitRequest>& units,
                           Dealt dealt = Dealt::evenly);
/// Names of the regions that each GPU has.
constexpr std::string_view program_memory = "programs", local_memory = "local memory";

}  // namespace syncline::platform
