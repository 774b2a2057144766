#include "workloads/micro/micro.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "tests/workloads/fake_device.h"
#include "workloads/registry.h"

namespace syncline::workloads::micro {
namespace {

using testing::HasSubstr;

TEST(Microbenchmarks, AreFoundByNameAndHaveTheirPtx) {
  std::set<std::string> folders;
  for (const auto& folder :
       std::filesystem::directory_iterator(std::filesystem::path(SYNCLINE_SOURCE_DIR) / "workloads/micro"))
    if (folder.is_directory()) folders.insert(folder.path().filename());
  for (const Microbenchmark& benchmark : all_microbenchmarks()) {
    EXPECT_EQ(&find_microbenchmark(benchmark.name), &benchmark);
    EXPECT_TRUE(std::filesystem::exists(ptx_path(benchmark.ptx))) << benchmark.name;
    EXPECT_EQ(folders.erase(std::string(benchmark.name)), 1U) << benchmark.name;
  }
  EXPECT_THAT(folders, testing::IsEmpty());
}

TEST(Microbenchmarks, NameTheNearestOne) {
  try {
    find_microbenchmark("pointer_chas");
    FAIL() << "found a microbenchmark that does not exist";
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown microbenchmark `pointer_chas`; did you mean `pointer_chase`?"));
  }
}

TEST(Microbenchmarks, NoticeThatNothingRan) {
  for (const Microbenchmark& benchmark : all_microbenchmarks()) {
    FakeDevice device;
    const Result result = benchmark.run({device, Size::small, 1, ptx_path(benchmark.ptx)});
    EXPECT_FALSE(result.verdict.verified) << benchmark.name;
    EXPECT_FALSE(result.measurements.empty()) << benchmark.name;
  }
}

TEST(Microbenchmarks, GiveEveryPointOfACurveOnce) {
  for (const Microbenchmark& benchmark : all_microbenchmarks()) {
    FakeDevice device;
    std::set<std::pair<std::string, std::uint64_t>> points;
    for (const Measurement& m : benchmark.run({device, Size::small, 1, ptx_path(benchmark.ptx)}).measurements) {
      EXPECT_TRUE(points.insert({m.name, m.at}).second) << benchmark.name << ": " << m.name << " at " << m.at;
      EXPECT_FALSE(m.unit.empty());
      EXPECT_FALSE(m.at_unit.empty());
    }
  }
}

}  // namespace
}  // namespace syncline::workloads::micro
