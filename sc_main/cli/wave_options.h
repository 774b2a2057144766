// The options of waves, for all commands that run with time.
#pragma once

#include "platform/observe/wave_spec.h"
#include "sc_main/cli/command.h"

namespace syncline::cli {

/// `wave` outlives `command`.
void add_wave_options(CLI::App& command, platform::WaveSpec& wave);

}  // namespace syncline::cli
