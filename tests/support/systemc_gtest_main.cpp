// Runs GoogleTest from sc_main: the `main` of every test that elaborates SystemC modules.
//
// SystemC allows one elaboration in a process, and ctest starts one process for each test; when somebody starts the
// program by hand with several tests selected, those after the first elaboration fail with SystemC's own message.
// A SystemC warning or error that the test did not ask for fails the test (tests/support/systemc_reports.h).
#include <gtest/gtest.h>

#include <systemc>

#include "tests/support/systemc_reports.h"

int sc_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  syncline::tests::install_report_handler();
  return RUN_ALL_TESTS();
}
