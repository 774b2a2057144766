#include "sc_main/cli/main.h"

int sc_main(int argc, char** argv) {
  return syncline::cli::main(argc, argv);
}
