#include <cstdlib>
#include <systemc>

#include "sc_main/cli/command.h"

namespace {
// SystemC's main() prints a banner before sc_main begins, unless it is told not to. A user's own setting wins.
const int quiet = setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
}  // namespace

int sc_main(int argc, char** argv) {
  if (quiet != 0) return EXIT_FAILURE;
  // Notes such as "simulation stopped by user" are not results.
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  return syncline::cli::main(argc, argv);
}
