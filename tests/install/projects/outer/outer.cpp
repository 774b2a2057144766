#include <cstdio>
#include <systemc>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"

int sc_main(int, char**) {
  const auto configuration = syncline::platform::load_configuration<syncline::platform::PlatformSpec>("tiny");
  std::printf("%s\n", configuration.spec.name.c_str());
  return configuration.spec.name == "tiny" ? 0 : 1;
}
