#include "workloads/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/error.h"
#include "tests/support/environment.h"
#include "tests/support/error_of.h"
#include "tests/workloads/fake_device.h"

namespace syncline::workloads {
namespace {

using syncline::test::Environment;
using testing::HasSubstr;

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

TEST(Sizes, HaveNamesAndAreFoundByThem) {
  std::set<std::string_view> names;
  for (const Size size : {Size::small, Size::medium, Size::large, Size::paper}) {
    EXPECT_TRUE(names.insert(name(size)).second) << name(size);
    EXPECT_EQ(find_size(name(size)), size);
  }
  const auto error = [](std::string_view wanted) -> std::string {
    try {
      find_size(wanted);
    } catch (const base::UserError& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_THAT(error("papr"), HasSubstr("unknown size `papr`; did you mean `paper`?"));
  EXPECT_THAT(error("huge"), HasSubstr("expected one of: small, medium, large, paper"));
}

TEST(Sizes, ThatAWorkloadDoesNotHaveAreRefusedWithThoseThatItHas) {
  std::size_t refused = 0;
  for (const Workload* workload : all_workloads()) {
    const std::vector<Size> sizes = workload->sizes();
    EXPECT_EQ((std::vector<Size>{sizes.begin(), sizes.begin() + 3}),
              (std::vector<Size>{Size::small, Size::medium, Size::large}))
        << workload->name();
    if (sizes.size() == 4) continue;
    ++refused;
    FakeDevice device;
    try {
      workload->run({device, Size::paper, 1, ptx_path(*workload)});
      FAIL() << workload->name() << " ran";
    } catch (const base::UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("workload `" + std::string(workload->name()) +
                                          "` has no size `paper`; it has: small, medium, large"));
    }
    EXPECT_TRUE(device.launches.empty());
  }
  EXPECT_GE(refused, 10U);
}

/// What the papers' tables name: 12 programs of Ren's table 3.4, HT-H, HT-M, HT-L, ATM, CLto, CC and AP of table 4.3,
/// and Jooybar's table 5.1, which adds AES, BFSr, BFSf, CFD, CP, LIB and CLopt.
TEST(Sizes, OfThePapersBelongToTheProgramsOfTheirTables) {
  const std::set<std::string_view> of_the_tables{
      "barnes_hut", "bfs",          "cloth",        "load_balance", "stencil", "place", "hotspot",   "kmeans",
      "lps",        "nw",           "srad",         "lud",          "aes",     "atm",   "bfs_plain", "bfs_racy",
      "hash_table", "hash_table_m", "hash_table_l", "cfd",          "cp",      "lib",   "cloth_opt", "hash_table_cas",
      "cloth_to",   "cuda_cuts",    "apriori"};
  for (const Workload* workload : all_workloads())
    EXPECT_EQ(workload->sizes().back() == Size::paper, of_the_tables.count(workload->name()) == 1) << workload->name();
}

/// Nothing but what a program is keeps a grid below the 768 warps of rcc16: a tile of an alignment is a warp; a record
/// of a mine of 4000 is a thread; CTAs that stay for the whole run are as many as SMs, or as fit. A cloth has fewer
/// particles than springs, whose grid is not reached here.
TEST(Sizes, OfThePapersFillTheMachine) {
  const std::map<std::string_view, std::uint64_t> less{
      {"nw", 64},           {"stencil", 4 * 20}, {"load_balance", 16 * 20}, {"cloth", 60 * 4}, {"cloth_opt", 60 * 4},
      {"cloth_to", 60 * 4}, {"apriori", 63 * 2}};
  for (const Workload* workload : all_workloads()) {
    if (workload->sizes().back() != Size::paper) continue;
    FakeDevice device;
    device.downloads = false;
    EXPECT_THROW(workload->run({device, Size::paper, 1, ptx_path(*workload)}), base::ProgramFault) << workload->name();
    std::uint64_t most = 0;
    for (const auto& launch : device.launches)
      most = std::max(most, launch.config.grid.count() * ((launch.config.block.count() + 31) / 32));
    const auto known = less.find(workload->name());
    if (known == less.end())
      EXPECT_GE(most, 768U) << workload->name();
    else
      EXPECT_EQ(most, known->second) << workload->name();
  }
}

/// One of the caller's, with PTX of its own.
struct Own : Workload {
  explicit Own(std::string path) : path_(std::move(path)) {}
  std::string_view name() const override { return "own"; }
  std::string_view description() const override { return "added by a test"; }
  std::string_view ptx() const override { return path_; }
  std::uint32_t min_warp_size() const override { return 1; }
  std::vector<Size> sizes() const override { return {Size::small}; }
  std::vector<Option> options() const override { return {}; }
  Verdict run_on_fitting(const Context&) const override { return {true, ""}; }
  std::string path_;
};

TEST(Registry, TakesAWorkloadOfTheCallers) {
  const std::string path = std::string(SYNCLINE_SOURCE_DIR) + "/workloads/saxpy/saxpy.ptx";
  static const Own own(path);
  const std::size_t before = all_workloads().size();
  add_workload(own);
  ASSERT_EQ(all_workloads().size(), before + 1);
  EXPECT_EQ(all_workloads().back(), &own);
  EXPECT_EQ(&find_workload("own"), &own);
  EXPECT_EQ(ptx_path(own), path);
  EXPECT_EQ(syncline::test::error_of<base::ModelError>([] { add_workload(own); }),
            "the workload `own` is there already");
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
