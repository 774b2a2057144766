#include "workloads/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "tests/workloads/fake_device.h"

namespace syncline::workloads {
namespace {

using testing::HasSubstr;

/// Sets a variable of the environment for one test.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

TEST(Registry, FindsEveryWorkloadByItsName) {
  std::set<std::string_view> names;
  for (const Workload* workload : all_workloads()) {
    EXPECT_TRUE(names.insert(workload->name()).second) << workload->name() << " is listed twice";
    EXPECT_EQ(&find_workload(workload->name()), workload);
    EXPECT_FALSE(workload->description().empty()) << workload->name();
  }
}

TEST(Registry, ListsEveryKernelFile) {
  std::set<std::string> listed;
  for (const Workload* workload : all_workloads()) listed.insert(std::string(workload->ptx()));
  const std::filesystem::path root = std::filesystem::path(SYNCLINE_SOURCE_DIR) / "workloads";
  std::size_t found = 0;
  for (const auto& folder : std::filesystem::directory_iterator(root)) {
    const std::string name = folder.path().filename();
    if (!std::filesystem::exists(folder.path() / (name + ".cu"))) continue;
    ++found;
    EXPECT_EQ(listed.count(std::filesystem::path(name) / (name + ".ptx")), 1U) << name << " is not in the registry";
  }
  EXPECT_EQ(found, listed.size());
  EXPECT_GE(found, 24U);
}

TEST(Registry, NamesTheNearestWorkload) {
  try {
    find_workload("mtmul");
    FAIL() << "found a workload that does not exist";
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown workload `mtmul`; did you mean `matmul`?"));
  }
}

TEST(Registry, RefusesWarpsThatAreTooSmallForTheProgram) {
  for (const char* name : {"reduction", "spmv"}) {
    const Workload& workload = find_workload(name);
    for (const std::uint32_t lanes : {8U, 16U}) {
      FakeDevice device;
      device.lanes = lanes;
      try {
        workload.run({device, Size::small, 1, ptx_path(workload)});
        FAIL() << name << " ran with " << lanes << " lanes";
      } catch (const base::UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("workload `" + std::string(name) + "` needs warps of at least 32 threads"));
        EXPECT_THAT(error.what(), HasSubstr("; sm.warp_size is " + std::to_string(lanes)));
      }
      EXPECT_TRUE(device.launches.empty());
    }
  }
}

TEST(Registry, FindsThePtxBesideTheSources) {
  for (const Workload* workload : all_workloads())
    EXPECT_TRUE(std::filesystem::exists(ptx_path(*workload))) << workload->name();
}

TEST(Registry, TakesThePtxFromTheFolderOfTheEnvironment) {
  const std::filesystem::path folder = std::filesystem::path(SYNCLINE_SOURCE_DIR) / "workloads";
  const Environment chosen("SYNCLINE_WORKLOADS", folder.string());
  EXPECT_EQ(ptx_path(find_workload("bfs")), (folder / "bfs/bfs.ptx").string());
}

TEST(Registry, SaysWhereItSearchedForThePtx) {
  const Environment chosen("SYNCLINE_WORKLOADS", "/nonexistent/folder");
  try {
    ptx_path(find_workload("bfs"));
    FAIL() << "found a file that does not exist";
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bfs/bfs.ptx is not in /nonexistent/folder; SYNCLINE_WORKLOADS"));
  }
}

}  // namespace
}  // namespace syncline::workloads
