// When the computer, and no mistake of a model, ends a run.
#pragma once

#include <exception>

namespace syncline::platform {

/// What a process ends with, as with a mistake of the user, where it had too little memory.
constexpr const char* lack_of_memory_text = "out of memory: what was asked for needs more than this computer gives";

/// Whether `error` tells that there is no memory: for an object, or for the stack of a SystemC thread.
bool is_lack_of_memory(const std::exception& error);

}  // namespace syncline::platform
