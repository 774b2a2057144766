// Platforms by name: in configs/, in the folder of the environment, in none.
#include "platform/config/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config/configuration.h"
#include "platform/spec/platform_spec.h"
#include "tests/support/environment.h"
#include "tests/support/error_of.h"
#include "tests/unit/config/scratch_folder.h"

namespace syncline::platform {
namespace {

using syncline::test::Environment;
using syncline::test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Places, AProgramOfTheBuildFolderReadsTheSources) {
  EXPECT_THAT(platform_names(), ElementsAre("dgx4", "fermi56", "gtx480", "hmg16", "hmg_scaled", "hmg_tiny", "rcc16",
                                            "southern_islands", "tiny"));
  EXPECT_EQ(find_platform("tiny"), SYNCLINE_SOURCE_DIR "/configs/tiny.yaml");
}

TEST(Places, AConfigurationIsLoadedByName) {
  EXPECT_EQ(load_configuration<PlatformSpec>("tiny").spec.name, "tiny");
  EXPECT_EQ(load_configuration<PlatformSpec>("tiny", {"sms=1"}).settings.at("sms").value, "1");
  EXPECT_EQ(error_of([] { load_configuration<PlatformSpec>("tinny"); }),
            "unknown platform `tinny`; did you mean `tiny`? (a name in configs/, or the path of a YAML file)");
}

TEST(Places, AFileIncludesAPlatformByName) {
  const test::ScratchFolder folder;
  const auto load = [&](const std::string& text) {
    return load_configuration<PlatformSpec>(folder.write("own.yaml", text));
  };
  EXPECT_EQ(load("include: tiny\nname: own\n").spec.sms, load_configuration<PlatformSpec>("tiny").spec.sms);
  folder.write("more.yaml", "sms: 3\n");
  const auto both = load("include: [tiny, more.yaml]\n");
  EXPECT_EQ(both.spec.sms, 3U);
  EXPECT_EQ(both.spec.name, "tiny");
  EXPECT_EQ(error_of([&] { load("name: own\ninclude: [tiny, gtx40]\n"); }),
            folder.path().string() +
                "/own.yaml:2:17: error: unknown platform `gtx40`; did you mean `gtx480`? (a name in "
                "configs/, or the path of a YAML file)");
}

TEST(Places, AFileWithoutAnEndingIsFoundWhereNoPlatformHasItsName) {
  const test::ScratchFolder folder;
  folder.write("base", "include: tiny\nsms: 5\n");
  folder.write("tiny", "sms: 7\n");
  EXPECT_EQ(load_configuration<PlatformSpec>(folder.write("a.yaml", "include: base\n")).spec.sms, 5U);
  EXPECT_EQ(load_configuration<PlatformSpec>(folder.write("b.yaml", "include: tiny\n")).spec.sms, 2U);
  EXPECT_EQ(load_configuration<PlatformSpec>(folder.write("c.yaml", "include: ./tiny\n")).spec.sms, 7U);
  std::filesystem::create_directory(folder.path() / "folder");
  EXPECT_EQ(error_of([&] { load_configuration<PlatformSpec>(folder.write("d.yaml", "include: folder\n")); }),
            folder.path().string() + "/d.yaml:1:10: error: cannot read the platform `folder`: it is a folder");
}

TEST(Places, TheEnvironmentNamesAnotherFolder) {
  const test::ScratchFolder folder;
  folder.write("mine.yaml", "name: mine\n");
  const Environment configs("SYNCLINE_CONFIGS", folder.path().string());
  EXPECT_THAT(platform_names(), ElementsAre("mine"));
  EXPECT_EQ(load_configuration<PlatformSpec>("mine").spec.name, "mine");
  EXPECT_THAT(error_of([] { find_platform("tiny"); }), HasSubstr("unknown platform `tiny`; expected one of: mine"));
}

TEST(Places, AnEmptyVariableIsAsGoodAsNone) {
  const auto without = base::data_folders("configs", "SYNCLINE_CONFIGS");
  const Environment configs("SYNCLINE_CONFIGS", "");
  EXPECT_EQ(base::data_folders("configs", "SYNCLINE_CONFIGS"), without);
}

TEST(Places, NoPlatformsAtAllIsAMistake) {
  const test::ScratchFolder folder;
  for (const std::string& named : {folder.path().string(), folder.path().string() + "/nothing"}) {
    const Environment configs("SYNCLINE_CONFIGS", named);
    const std::string expected = "no platform has a name: there is no YAML file in " + named +
                                 "; SYNCLINE_CONFIGS names the folder that holds them";
    EXPECT_EQ(error_of([] { platform_names(); }), expected);
    EXPECT_EQ(error_of([] { find_platform("tiny"); }), expected);
    EXPECT_EQ(load_configuration<PlatformSpec>(folder.write("own/own.yaml", "name: own\n")).spec.name, "own");
  }
}

TEST(Places, WhatIsNamedIsLookedInBeforeTheSources) {
  const test::ScratchFolder folder;
  folder.write("configs/named.yaml", "name: named\n");
  const std::size_t before = base::data_folders("configs", "SYNCLINE_CONFIGS").size();
  base::add_data_folder(folder.path().string());
  base::add_data_folder(folder.path().string());
  const auto folders = base::data_folders("configs", "SYNCLINE_CONFIGS");
  ASSERT_EQ(folders.size(), before + 1);
  EXPECT_EQ(folders[before - 1], folder.path() / "configs");
  EXPECT_EQ(folders[before], SYNCLINE_SOURCE_DIR "/configs");
  EXPECT_THAT(platform_names(), ElementsAre("named"));
}

}  // namespace
}  // namespace syncline::platform
