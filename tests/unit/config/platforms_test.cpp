// The reference machines in configs/ against the keys that the blocks really have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/spec/block_models.h"
#include "platform/spec/platform_spec.h"

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

}  // namespace
}  // namespace syncline::platform
