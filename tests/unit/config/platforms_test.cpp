// The reference machines in configs/ against the keys that the blocks really have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/spec/block_models.h"
#include "platform/spec/platform_spec.h"
#include "tests/support/error_of.h"

namespace syncline::platform {
namespace {

TEST(Platforms, EveryReferenceMachineLoadsAndItsDumpReloadsToTheSame) {
  unsigned machines = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SYNCLINE_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".yaml") continue;
    ++machines;
    const auto configuration = load_configuration<PlatformSpec>(entry.path());
    const std::string dump = configuration.settings.dump();
    const auto reloaded = parse_configuration<PlatformSpec>(dump, "dump");
    EXPECT_EQ(reloaded.settings.dump(), dump) << entry.path();
    for (const Setting& setting : configuration.settings)
      EXPECT_EQ(reloaded.settings.at(setting.path).value, setting.value) << entry.path() << " " << setting.path;
    EXPECT_EQ(configuration.spec.name, entry.path().stem().string());
  }
  EXPECT_GE(machines, 4U);
}

TEST(Platforms, EveryKeySaysWhatItMeans) {
  const auto configuration = parse_configuration<PlatformSpec>("{}");
  const std::string reference = configuration_reference<PlatformSpec>();
  EXPECT_GT(configuration.settings.size(), 50U);
  for (const Setting& setting : configuration.settings) {
    EXPECT_FALSE(setting.description.empty()) << setting.path;
    EXPECT_NE(reference.find("| `" + setting.path + "` |"), std::string::npos) << setting.path;
  }
}

TEST(BlockModels, InRtlNeedVerilator) {
  PlatformSpec spec;
  spec.z_unit.model = models::BlockModel::rtl;
  std::vector<std::string> told;
  const auto require = [&told](bool ok, std::string_view key, const std::string& message) {
    if (!ok) told.push_back(std::string(key) + " " + message);
  };
  check_block_models(spec, nullptr, require);
  EXPECT_THAT(told, testing::ElementsAre("z_unit.model = rtl needs a program that was built where Verilator is "
                                         "installed; this one has tlm alone"));
}

std::string complaint(const std::string& yaml) {
  try {
    parse_configuration<PlatformSpec>(yaml, "machine.yaml");
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(Platforms, CachesOfDifferentLinesAreRefused) {
  const std::string both = "l2: {line: 64 B}\n";
  EXPECT_THAT(complaint(both), testing::HasSubstr("`l1.line` must equal `l2.line`, found `128 B`"));
  EXPECT_THAT(complaint("l1: {line: 32 B}\n"), testing::HasSubstr("`l1.line` must equal `l2.line`, found `32 B`"));
  EXPECT_EQ(complaint(both + "l1: {line: 64 B}\n"), "none");
}

TEST(Platforms, ALineThatTwoPartitionsWouldShareIsRefused) {
  const std::string chunk = "memory: {chunk: 64 B}\n";
  EXPECT_THAT(complaint(chunk),
              testing::HasSubstr("`memory.chunk` must hold at least one line of the L2, found `64 B`"));
  EXPECT_EQ(complaint(chunk + "l1: {line: 64 B}\nl2: {line: 64 B}\n"), "none");
}

TEST(Platforms, AnAllocationPeriodIsAPartOfTheLatency) {
  const std::string period = "crossbar: {allocation_period: 4, latency: ";
  EXPECT_EQ(complaint(period + "5}\n"), "none");
  EXPECT_THAT(complaint(period + "4}\n"),
              testing::HasSubstr("`crossbar.allocation_period` must be less than `crossbar.latency`, of which it is a "
                                 "part, here 4 cycles, found `4 cycles`"));
  EXPECT_THAT(complaint("work_distributor: {allocation_period: 0}\n"), testing::HasSubstr("at least 1"));
}

TEST(Platforms, AZUnitOfImpossibleSizesIsRefused) {
  EXPECT_THAT(complaint("z_unit: {cache_size: 1000}\n"),
              testing::HasSubstr("`z_unit.cache_size` must be a whole number of sets of `z_unit.ways` lines of "
                                 "`l2.line`, found `1000 B`"));
  EXPECT_THAT(complaint("z_unit: {ways: 3}\n"), testing::HasSubstr("`z_unit.cache_size` must be a whole number"));
  EXPECT_EQ(complaint("z_unit: {ways: 8, granule: 1}\n"), "none");
  EXPECT_THAT(complaint("z_unit: {granule: 3}\n"), testing::HasSubstr("power of two"));
  EXPECT_THAT(complaint("z_unit: {granule: 8}\n"), testing::HasSubstr("at most 4"));
  EXPECT_THAT(complaint("z_unit: {comparators: 0}\n"), testing::HasSubstr("at least 1"));
  EXPECT_THAT(complaint("z_unit: {request: 4}\n"), testing::HasSubstr("requests"));
}

// The default that the rule finds wrong was written by nobody.
TEST(Platforms, ARuleOfAValueIsToldWhereThatValueStands) {
  EXPECT_THAT(complaint("sms: 2\nl2:\n  atomic_unit: {model: rtl}\n"),
              testing::StartsWith("machine.yaml:3:17: error: "));
}

TEST(Platforms, ModulesHaveTheSameManyOfEach) {
  const std::string four = "modules: {gpus: 2, gpms: 2}\n";
  EXPECT_EQ(complaint(four + "sms: 8\nmemory: {partitions: 4}\n"), "none");
  EXPECT_THAT(complaint(four + "sms: 6\nmemory: {partitions: 4}\n"),
              testing::HasSubstr("`sms` has 6 SMs, which cannot be dealt to 4 modules (`modules.gpus` times "
                                 "`modules.gpms`), found `6`"));
  EXPECT_THAT(complaint(four + "sms: 8\nmemory: {partitions: 6}\n"),
              testing::HasSubstr("`memory.partitions` has 6 partitions, which cannot be dealt to 4 modules"));
  EXPECT_THAT(complaint(four + "sms: 8\nmemory: {partitions: 4}\ntransactions: {policy: getm}\n"),
              testing::HasSubstr("`transactions.policy` has to be `none` on a device of several modules"));
  EXPECT_THAT(complaint("modules: {gpus: 0}\n"), testing::HasSubstr("at least 1"));
  EXPECT_THAT(complaint("modules: {gpus_of_switch: 0}\n"), testing::HasSubstr("at least 1"));
  EXPECT_THAT(complaint("modules: {link: {bandwidth: 0 GB/s}}\n"), testing::HasSubstr("at least 1 MB/s"));
  EXPECT_THAT(complaint("modules: {link: {credits: 0}}\n"), testing::HasSubstr("at least 1"));
  EXPECT_THAT(complaint(four + "sms: 8\nmemory: {partitions: 2}\n"),
              testing::HasSubstr("`memory.partitions` has 2 partitions, which cannot be dealt to 4 modules"))
      << "two modules would have no memory";
  EXPECT_THAT(complaint("modules: {topology: rign}\n"), testing::HasSubstr("did you mean `ring`?"));
  EXPECT_THAT(complaint("modules: {topology: star}\n"), testing::HasSubstr("all_to_all"));
}

TEST(Platforms, PoliciesBetweenModulesHaveThem) {
  EXPECT_THAT(complaint("coherence: {policy: hmg}\n"),
              testing::HasSubstr("`coherence.policy` keeps L2s of several modules coherent, and there is one"));
  const std::string two = "modules: {gpus: 2}\nmemory: {partitions: 2, chunk: 512}\ncoherence: {policy: nhcc}\n";
  EXPECT_THAT(complaint("modules: {gpus: 2}\nmemory: {partitions: 2, chunk: 256}\nsms: 2\ncoherence: {policy: nhcc}\n"),
              testing::HasSubstr("`memory.chunk` must hold the 512 bytes of an entry of the directory"));
  EXPECT_EQ(complaint(two + "sms: 2\n"), "none");
  const std::string two_slices = "sms: 2\nmodules: {gpus: 2}\nmemory: {partitions: 4, chunk: 512}\n";
  EXPECT_THAT(complaint(two_slices + "coherence: {policy: hmg, nhcc: {directory_sets: 3}}\n"),
              testing::HasSubstr("`coherence.nhcc.directory_sets` has 3 sets, which cannot be dealt to the 2 L2 slices "
                                 "of a module, found `3`"));
  EXPECT_EQ(complaint(two_slices + "coherence: {policy: hmg, nhcc: {directory_sets: 6, directory_ways: 3}}\n"), "none");
  EXPECT_EQ(complaint(two_slices + "coherence: {policy: sw, nhcc: {directory_sets: 3}}\n"), "none")
      << "it has no directory";
  EXPECT_THAT(complaint(two_slices + "coherence: {nhcc: {directory_lines: 3}}\n"),
              testing::HasSubstr("`coherence.nhcc.directory_lines` must be a power of two, found `3`"));
  EXPECT_THAT(complaint(two_slices + "coherence: {nhcc: {directory_sets: 0}}\n"), testing::HasSubstr("at least 1"));
  EXPECT_THAT(complaint(two_slices + "coherence: {nhcc: {directory_ways: 0}}\n"), testing::HasSubstr("at least 1"));
  EXPECT_THAT(complaint(two + "sms: 130\n"), testing::HasSubstr("`sms` may be 63 a module at most under `nhcc`"));
  EXPECT_THAT(
      complaint(
          "modules: {gpus: 33, gpms: 2}\nmemory: {partitions: 66, chunk: 512}\nsms: 66\ncoherence: {policy: nhcc}\n"),
      testing::HasSubstr("`modules.gpus` times `modules.gpms` may be 64 at most under `nhcc`"));
  EXPECT_THAT(complaint(two + "sms: 2\nl2: {ways: 2, size: 1 KiB}\n"),
              testing::HasSubstr("`l2.ways` must be 3 or more"));
  EXPECT_THAT(complaint(two + "sms: 2\nl2: {mshr_entries: 2}\n"),
              testing::HasSubstr("`l2.mshr_entries` must be 3 or more"));
  EXPECT_EQ(complaint(two + "sms: 2\nobserve: {consistency: check}\n"), "none");
}

TEST(Platforms, ARuleThatADefaultBreaksIsToldWhereTheOtherKeyWasSet) {
  const std::string two = "sms: 2\nmodules: {gpus: 2}\nmemory: {partitions: 2}\n";
  EXPECT_EQ(complaint(two + "coherence: {policy: hmg, nhcc: {directory_lines: 64}}\n"),
            "machine.yaml:4:33: error: `memory.chunk` must hold the 8192 bytes of an entry of the directory "
            "(`coherence.nhcc.directory_lines`), found `256 B` (its default)");
}

TEST(Platforms, DirectoriesFitIntoTheComputersMemory) {
  EXPECT_EQ(complaint("coherence: {nhcc: {directory_sets: 1048576, directory_ways: 1024}}\n"),
            "machine.yaml:1:20: error: `coherence.nhcc.directory_sets` times `coherence.nhcc.directory_ways` times "
            "`coherence.nhcc.directory_lines` may be 16777216 at most, found `1048576`");
  EXPECT_EQ(complaint("coherence: {nhcc: {directory_ways: 1024, directory_lines: 64}}\n"),
            "machine.yaml:1:20: error: `coherence.nhcc.directory_sets` times `coherence.nhcc.directory_ways` times "
            "`coherence.nhcc.directory_lines` may be 16777216 at most, found `768` (its default)");
  EXPECT_EQ(complaint("coherence: {nhcc: {directory_sets: 1048576, directory_ways: 16, directory_lines: 1}}\n"),
            "none");
  EXPECT_EQ(complaint("coherence: {gpu_vi_ni: {directory_sets: 1048576, directory_ways: 17}}\n"),
            "machine.yaml:1:25: error: `coherence.gpu_vi_ni.directory_sets` times `coherence.gpu_vi_ni.directory_ways` "
            "may be 16777216 at most, found `1048576`");
  EXPECT_EQ(complaint("coherence: {gpu_vi_ni: {directory_sets: 1048576, directory_ways: 16}}\n"), "none");
}

TEST(Platforms, NetworksThatRunKeepTheOrderOfPairs) {
  EXPECT_EQ(complaint("coherence: {nhcc: {order: pair}}\n"), "none");
  for (const char* const order : {"line", "none"}) {
    EXPECT_EQ(
        complaint(std::string("coherence: {nhcc: {order: ") + order + "}}\n"),
        std::string("machine.yaml:1:20: error: `coherence.nhcc.order` must be `pair` on a machine that runs, whose "
                    "networks keep that order; others are for `syncline check`, found `") +
            order + "`");
  }
}

TEST(Platforms, PoliciesThatSendFromGpuToGpuHaveLinks) {
  const std::string apart = "sms: 2\nmemory: {partitions: 2, chunk: 512}\nmodules: {gpus: 2, topology: none}\n";
  EXPECT_EQ(complaint(apart), "none");
  for (const char* const policy : {"no_remote_caching", "sw", "sw_hierarchical", "nhcc", "hmg", "ideal_remote"}) {
    EXPECT_THAT(complaint(apart + "coherence: {policy: " + policy + "}\n"),
                testing::HasSubstr("`coherence.policy` keeps L2s of GPUs coherent over links, and there are none "
                                   "(`modules.topology` is `none`), found `" +
                                   std::string(policy) + "`"));
  }
  for (const char* const policy : {"rcc", "rcc_wo"}) {
    EXPECT_THAT(complaint(apart + "coherence: {policy: " + policy + "}\n"),
                testing::HasSubstr("`coherence.policy` begins its logical time anew on all GPUs together, over links"));
  }
  EXPECT_EQ(complaint("sms: 2\nmemory: {partitions: 2, chunk: 512}\nmodules: {gpms: 2, topology: none}\n"
                      "coherence: {policy: nhcc}\n"),
            "none")
      << "modules of one GPU need no links";
}

TEST(Platforms, PagesFitChunksAndModules) {
  EXPECT_THAT(complaint("sms: 2\nmemory: {partitions: 2, chunk: 8 KiB}\nmodules: {gpms: 2, pages: {bytes: 4 KiB}}\n"),
              testing::HasSubstr("`modules.pages.bytes` must hold a `memory.chunk`, found `4 KiB`"));
  EXPECT_THAT(complaint("sms: 2\nmemory: {partitions: 2}\nmodules: {gpms: 2, pages: {module: 2}}\n"),
              testing::HasSubstr("`modules.pages.module` must be the number of a module"));
  EXPECT_THAT(complaint("modules: {pages: {bytes: 5000}}\n"), testing::HasSubstr("power of two"));
  EXPECT_THAT(complaint("modules: {pages: {bytes: 64 B}}\n"), testing::HasSubstr("at least 4 KiB"))
      << "less than a line";
  EXPECT_EQ(complaint("modules:\n  memory: 16 KiB\n  pages: {bytes: 1 TiB}\n"),
            "machine.yaml:3:11: error: `modules.pages.bytes` must fit into a module (`modules.memory`, 16384 bytes), "
            "found `1 TiB`");
  EXPECT_EQ(complaint("modules: {pages: {bytes: 1 TiB}}\n"), "none") << "a module has room for all of the memory";
  EXPECT_THAT(complaint("modules: {memory: 3 MiB}\n"),
              testing::HasSubstr("`modules.memory` must be a whole number of pages (`modules.pages.bytes`), found"));
}

TEST(SmGroups, OverlayTheirSpecification) {
  const auto configuration = parse_configuration<PlatformSpec>(R"(
sms:
  count: 8
  0-3: {l1.size: 64 KiB, sm: {scheduler: {policy: gto}}}
  5: {l1.mshr_entries: 7}
l1: {mshr_entries: 9}
)",
                                                               "machine.yaml", {"l1.mshr_merges=3"});
  const PlatformSpec& spec = configuration.spec;
  EXPECT_EQ(spec.sms, 8U);
  EXPECT_EQ(spec.l1_of(3).size, 64U * 1024);
  EXPECT_EQ(spec.l1_of(3).mshr_entries, 9U);
  EXPECT_EQ(spec.l1_of(3).mshr_merges, 3U);
  EXPECT_EQ(spec.l1_of(4).size, spec.l1.size);
  EXPECT_EQ(spec.l1_of(5).mshr_entries, 7U);
  EXPECT_NE(spec.sm_of(0).scheduler.policy, spec.sm_of(4).scheduler.policy);
  const std::string dump = configuration.settings.dump();
  EXPECT_THAT(dump, testing::HasSubstr("sms:\n  count: 8\n  0-3:\n    l1.size: 64 KiB\n    sm.scheduler.policy: gto\n"
                                       "  5-5:\n    l1.mshr_entries: 7\n"));
  const auto again = parse_configuration<PlatformSpec>(dump, "dump");
  EXPECT_EQ(again.settings.dump(), dump);
  EXPECT_EQ(again.spec.l1_of(5).mshr_entries, 7U);
}

TEST(SmGroups, StayWhereOnlyTheCountIsGiven) {
  const auto configuration = parse_configuration<PlatformSpec>("sms: {0: {l1.ways: 8}}\n", "machine.yaml", {"sms=3"});
  EXPECT_EQ(configuration.spec.sms, 3U);
  EXPECT_EQ(configuration.spec.sm_groups.size(), 1U) << "a number is the count, and no more";
}

PlatformSpec with_overrides(const std::string& text, std::vector<std::string> overrides) {
  return parse_configuration<PlatformSpec>(text, "machine.yaml", std::move(overrides)).spec;
}

TEST(SmGroups, AreSetByOverridesToo) {
  const std::string text = "sms: {count: 8, 2-5: {l1.size: 64 KiB, l1.mshr_entries: 9}}\n";
  const PlatformSpec spec = with_overrides(
      text, {"sms.0-3.l1.size=32KiB", "sms.7.sm.scheduler.policy=gto", "sms.3.l1.mshr_entries=5", "sms=9"});
  EXPECT_EQ(spec.sms, 9U);
  std::vector<std::uint64_t> sizes, entries;
  for (unsigned sm = 0; sm < 9; ++sm) {
    sizes.push_back(spec.l1_of(sm).size / 1024);
    entries.push_back(spec.l1_of(sm).mshr_entries);
  }
  const std::uint64_t size = spec.l1.size / 1024, entry = spec.l1.mshr_entries;
  EXPECT_THAT(sizes, testing::ElementsAre(32U, 32U, 32U, 32U, 64U, 64U, size, size, size));
  EXPECT_THAT(entries, testing::ElementsAre(entry, entry, 9U, 5U, 9U, 9U, entry, entry, entry));
  EXPECT_EQ(spec.sm_of(7).scheduler.policy, models::SchedulerPolicy::gto);
  EXPECT_NE(spec.sm_of(6).scheduler.policy, models::SchedulerPolicy::gto);
  // They are written as ranges, and read again.
  const auto configuration = parse_configuration<PlatformSpec>(text, "machine.yaml", {"sms.4-6.l1.size=32KiB"});
  const std::string dump = configuration.settings.dump();
  EXPECT_EQ(parse_configuration<PlatformSpec>(dump, "dump").settings.dump(), dump);
  EXPECT_EQ(parse_configuration<PlatformSpec>(dump, "dump").spec.l1_of(6).size, 32U * 1024);
  // A later one is stronger.
  EXPECT_EQ(with_overrides("sms: 4\n", {"sms.1.l1.ways=8", "sms.0-3.l1.ways=2"}).l1_of(1).ways, 2U);
}

TEST(SmGroups, TellOverridesThatAreWrong) {
  const auto told = [](const std::string& override_text) {
    return syncline::test::error_of([&] { with_overrides("sms: 4\n", {override_text}); });
  };
  EXPECT_EQ(told("sms.2-4.l1.ways=8"),
            "--set sms.2-4.l1.ways: error: `2-4` of `sms` goes beyond what there is: 0 to 3");
  EXPECT_EQ(told("sms.2.l1.wasy=8"),
            "--set sms.2.l1.wasy: error: unknown key `l1.wasy` in `sms`; did you mean `l1.ways`?");
  EXPECT_EQ(told("sms.2.l1.line=64B"),
            "--set sms.2.l1.line: error: `l1.line` cannot differ within `sms`: lines travel between the caches");
  EXPECT_EQ(told("sms.3-2.l1.ways=8"),
            "--set sms.3-2.l1.ways: error: `3-2` is no part of `sms`; expected `count`, a number, or a range such as "
            "`0-3`");
  EXPECT_EQ(told("sms.count=8"), "--set sms.count: error: `sms` itself takes the number: `sms=8`");
  EXPECT_EQ(
      told("sms.2.l1=8"),
      "--set sms.2.l1: error: `l1` is a group of keys, found `8`; its keys: size, ways, line, sector, replacement, "
      "hit_latency, send_latency, ports, mshr_entries, mshr_merges, handles, input_queue, reply_queue, output_queue");
  EXPECT_EQ(told("sms.2=8"), "--set sms.2: error: `sms.2` expects keys with their values, found `8`");
  EXPECT_EQ(told("sms.2.l1.ways="), "--set sms.2.l1.ways: error: `sms.2.l1.ways` has no value; give one after the `=`");
  EXPECT_THAT(told("sms.2.l1.ways=many"), testing::StartsWith("--set sms.2.l1.ways: error: `l1.ways`"));
  EXPECT_EQ(told("sms.2.l1.size=1000B"),
            "--set sms.2.l1.size: error: `l1.size` must be a whole number of sets of `ways` lines");
  EXPECT_THAT(told("sms.l1.size=1KiB"), testing::HasSubstr("`l1` is no part of `sms`"));
}

TEST(SmGroups, TellWhereTheyAreWrong) {
  const auto told = [](const std::string& groups) { return complaint("sms:\n  count: 4\n" + groups); };
  EXPECT_EQ(told("  0-2: {l1.ways: 8}\n  2-3: {l1.ways: 8}\n"),
            "machine.yaml:4:3: error: `2-3` of `sms` overlaps `0-2` in line 3");
  EXPECT_EQ(told("  2-4: {l1.ways: 8}\n"), "machine.yaml:3:3: error: `2-4` of `sms` goes beyond what there is: 0 to 3");
  EXPECT_EQ(told("  2: {l1.wasy: 8}\n"),
            "machine.yaml:3:7: error: unknown key `l1.wasy` in `sms`; did you mean `l1.ways`?");
  EXPECT_EQ(told("  2: {l1.line: 64 B}\n"),
            "machine.yaml:3:7: error: `l1.line` cannot differ within `sms`: lines travel between the caches");
  EXPECT_EQ(told("  2: {sm.max_warps: 8}\n"),
            "machine.yaml:3:7: error: `sm.max_warps` cannot differ within `sms`: "
            "programs and policies count on the same in all SMs");
  EXPECT_EQ(told("  2: {dram.banks: 8}\n"),
            "machine.yaml:3:7: error: `dram.banks` cannot differ within `sms`: only keys of `l1` and `sm` can");
  EXPECT_EQ(told("  3-2: {l1.ways: 8}\n"),
            "machine.yaml:3:3: error: `3-2` is no part of `sms`; expected `count`, a "
            "number, or a range such as `0-3`");
  EXPECT_EQ(told("  2: 8\n"), "machine.yaml:3:6: error: `sms.2` expects keys with their values, found `8`");
  EXPECT_EQ(told("  2: {l1.ways: 8, l1: {ways: 4}}\n"), "machine.yaml:3:24: error: `l1.ways` is given twice");
  EXPECT_THAT(told("  2: {l1.ways: many}\n"), testing::StartsWith("machine.yaml:3:16: error: `l1.ways`"));
  EXPECT_EQ(told("  2: {l1.size: 1000 B}\n"),
            "machine.yaml:3:7: error: `l1.size` must be a whole number of sets of `ways` lines");
}

}  // namespace
}  // namespace syncline::platform
