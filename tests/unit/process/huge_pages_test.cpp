// Where memory comes from once the process prefers huge pages.
#include "platform/process/huge_pages.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "tests/support/sanitized.h"

namespace {

/// Whether the kernel has been told of the mapping around `address` that it is to have huge pages: `hg` of VmFlags.
bool is_advised(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool around = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-') around = begin <= at && at < end;
    if (around && line.rfind("VmFlags:", 0) == 0) return (line + " ").find(" hg ") != std::string::npos;
  }
  return false;
}

class HugePages : public testing::Test {
 protected:
  void SetUp() override {
    if (syncline::tests::sanitized) GTEST_SKIP() << "sanitizers have an allocator of their own";
    if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
      GTEST_SKIP() << "this kernel has no huge pages";
  }
};

TEST_F(HugePages, HoldWhatIsAllocatedFromThenOn) {
  syncline::platform::prefer_huge_pages();
  const auto small = std::make_unique<char[]>(1000);
  const auto large = std::make_unique<char[]>(20 << 20);
  EXPECT_TRUE(is_advised(large.get() + (10 << 20)));
  EXPECT_FALSE(is_advised(&large)) << "the stack is another matter";
  small[0] = large[0] = 1;
}

TEST_F(HugePages, AreNotReservedWhereAddressSpaceIsLimited) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &limit), 0);
  limit.rlim_cur = std::uint64_t{1} << 40;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  syncline::platform::prefer_huge_pages();
  const auto large = std::make_unique<char[]>(20 << 20);
  EXPECT_FALSE(is_advised(large.get() + (10 << 20)));
}

}  // namespace
