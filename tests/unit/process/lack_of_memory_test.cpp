// What is taken for a lack of memory.
#include "platform/process/lack_of_memory.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <systemc>

#include "sysc/kernel/sc_kernel_ids.h"
#include "tests/support/systemc_reports.h"

namespace syncline::platform {
namespace {

bool is_taken_for_it(const char* report) {
  tests::expect_report(report);
  try {
    SC_REPORT_ERROR(report, "in a test");
  } catch (const std::exception& error) {
    return is_lack_of_memory(error);
  }
  ADD_FAILURE() << "an error was not thrown";
  return false;
}

TEST(LackOfMemory, OfObjectsAndOfStacks) {
  EXPECT_TRUE(is_lack_of_memory(std::bad_alloc()));
  EXPECT_TRUE(is_lack_of_memory(std::bad_array_new_length()));
  EXPECT_TRUE(is_taken_for_it(sc_core::SC_ID_STACK_SETUP_FAILED_));
}

TEST(LackOfMemory, NotWhatElseEndsARun) {
  EXPECT_FALSE(is_lack_of_memory(std::runtime_error("memory")));
  EXPECT_FALSE(is_taken_for_it(sc_core::SC_ID_WAIT_NOT_ALLOWED_));
  EXPECT_FALSE(is_taken_for_it("another report"));
}

}  // namespace
}  // namespace syncline::platform
