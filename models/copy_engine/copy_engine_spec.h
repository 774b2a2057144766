// Parameters of a copy engine.
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace syncline::models {

struct CopyEngineSpec {
  std::uint32_t lines = 64;
  std::uint32_t latency = 700;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("lines", lines, param::count("lines of copies under way at once", "choice").between(1, 4096));
    v.field("latency", latency,
            param::latency("core", "from the beginning of a copy until the first line is read",
                           "choice: as the launch of a kernel"));
  }
};

}  // namespace syncline::models
