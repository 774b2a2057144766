#include "workloads/common/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/fake_device.h"

namespace syncline::workloads {
namespace {

using testing::HasSubstr;

TEST(Program, CountsCtasThatCoverTheThreads) {
  EXPECT_EQ(cta_count(0, 32), 0U);
  EXPECT_EQ(cta_count(1, 32), 1U);
  EXPECT_EQ(cta_count(32, 32), 1U);
  EXPECT_EQ(cta_count(33, 32), 2U);
  EXPECT_EQ(covering(1000, 256).grid, (Dim3{4, 1, 1}));
  EXPECT_EQ(covering(1000, 256).block, (Dim3{256, 1, 1}));
}

TEST(Program, ChoosesBySize) {
  EXPECT_EQ(by_size(Size::small, 1, 2, 3), 1);
  EXPECT_EQ(by_size(Size::medium, 1, 2, 3), 2);
  EXPECT_EQ(by_size(Size::large, 1, 2, 3), 3);
  for (const Size size : {Size::small, Size::medium, Size::large, Size::paper})
    EXPECT_EQ(by_size(size, 0, 1, 2, 3), static_cast<int>(size));
}

TEST(Program, HasNoValueForASizeThatItDoesNotHave) {
  EXPECT_THROW(by_size(Size::paper, 1, 2, 3), base::ModelError);
}

TEST(Program, PassesExtentsAndArgumentsOn) {
  FakeDevice device;
  Program program({device, Size::small, 1, "any.ptx"});
  const DevicePointer buffer = program.upload(std::vector<float>{1, 2});
  program.launch("kernel", {{2, 3, 4}, {32, 2, 1}, 128}, buffer, 5U, 1.5F);
  ASSERT_EQ(device.launches.size(), 1U);
  const auto& launch = device.launches.front();
  EXPECT_EQ(launch.kernel, "kernel");
  EXPECT_EQ(launch.config.grid, (Dim3{2, 3, 4}));
  EXPECT_EQ(launch.config.block, (Dim3{32, 2, 1}));
  EXPECT_EQ(launch.config.shared_bytes, 128U);
  ASSERT_EQ(launch.arguments.size(), 3U);
  EXPECT_EQ(launch.arguments[0].kind, platform::Argument::Kind::pointer);
  EXPECT_EQ(launch.arguments[1].kind, platform::Argument::Kind::integer);
  EXPECT_EQ(launch.arguments[2].kind, platform::Argument::Kind::floating);
}

TEST(Program, ReadsWhatItWrote) {
  FakeDevice device;
  Program program({device, Size::small, 1, "any.ptx"});
  const DevicePointer buffer = program.allocate<std::uint32_t>(4);
  program.write(buffer + 4, 17U);
  EXPECT_EQ(program.read<std::uint32_t>(buffer + 4), 17U);
  EXPECT_EQ(program.download<std::uint32_t>(buffer, 4), (std::vector<std::uint32_t>{0, 17, 0, 0}));
}

TEST(Program, RefusesMoreThanAVariableHolds) {
  FakeDevice device;
  device.symbol_bytes = 8;
  Program program({device, Size::small, 1, "any.ptx"});
  program.set_symbol("table", std::vector<float>{1, 2});
  try {
    program.set_symbol("table", std::vector<float>{1, 2, 3});
    FAIL() << "twelve bytes went into eight";
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("module variable `table` holds 8 bytes, not 12"));
  }
}

}  // namespace
}  // namespace syncline::workloads
