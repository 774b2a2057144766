// The machine of tests of packages.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/spec/platform_spec.h"

namespace syncline::tests {

inline platform::PlatformSpec tiny_machine(std::vector<std::string> settings = {}) {
  return platform::load_configuration<platform::PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml",
                                                              std::move(settings))
      .spec;
}

}  // namespace syncline::tests
