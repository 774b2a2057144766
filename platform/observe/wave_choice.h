// Which of the signals of a platform a file of waves holds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/block/traced_signal.h"

namespace syncline::platform {

struct WaveGroup {
  std::string name;
  std::size_t signals = 0;
  bool when_asked = false;  ///< some of its signals are written only where it is named
};

/// All groups, sorted by name.
std::vector<WaveGroup> wave_groups(const std::vector<models::TracedSignal>& signals);

/// The signals of `groups` (names, `default` for all that are not only written when asked for, `all`; empty: default)
/// whose block, or whose full name, one of `blocks` is, or matches with `*` and `?` (empty: all). Sorted by block and
/// name. UserError, with the nearest name, for a group that does not exist and for a glob that matches nothing.
std::vector<const models::TracedSignal*> choose_waves(const std::vector<models::TracedSignal>& signals,
                                                      const std::vector<std::string>& groups,
                                                      const std::vector<std::string>& blocks);

/// Whether `name` is `glob`, in which `*` stands for any characters and `?` for one.
bool matches_glob(const std::string& glob, const std::string& name);

}  // namespace syncline::platform
