#include "platform/config/configuration.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "platform/config/field_text.h"
#include "tests/support/error_of.h"
#include "tests/unit/config/sample_spec.h"
#include "tests/unit/config/scratch_folder.h"

namespace syncline::platform {
namespace {

using syncline::test::error_of;
using test::Policy;
using test::SampleSpec;

SampleSpec parse(const std::string& text, std::vector<std::string> overrides = {}) {
  return parse_configuration<SampleSpec>(text, "f.yaml", std::move(overrides)).spec;
}

TEST(Configuration, ReadsEveryKindOfParameter) {
  const SampleSpec spec = parse(R"(
seed: 18446744073709551615
bias: -100
small: 255
clock: 1.5 GHz
dram_clock: 1848 MHz
share: 25 %
period: 100 ns
bandwidth: 64 B/cycle
width: 128 bits
name: any text
latencies: [1, 2 cycles, 0x10]
weights: [0.5, -1e-3]
names: [a, "b c"]
enabled: true
l1: {size: 48 KiB, ways: 6, line: 64 B}
coherence:
  policy: rcc
  rcc:
    lease: 20 cycles
    renew: false
)");
  SampleSpec expected;
  expected.seed = ~std::uint64_t{0};
  expected.bias = -100;
  expected.small = 255;
  expected.clock = 1.5e9;
  expected.dram_clock = 1848000000;
  expected.share = 0.25;
  expected.period = 100e-9;
  expected.bandwidth = 64;
  expected.width = 128;
  expected.name = "any text";
  expected.latencies = {1, 2, 16};
  expected.weights = {0.5, -1e-3};
  expected.names = {"a", "b c"};
  expected.enabled = true;
  expected.l1.size = 49152;
  expected.l1.ways = 6;
  expected.l1.line = 64;
  expected.coherence.policy = Policy::rcc;
  expected.coherence.rcc.lease = 20;
  expected.coherence.rcc.renew = false;
  EXPECT_TRUE(spec == expected);
}

TEST(Configuration, WhatIsNotSaidKeepsItsDefault) {
  EXPECT_TRUE(parse("{}") == SampleSpec{});
}

struct BadConfiguration {
  const char* text;
  const char* message;
};

TEST(Configuration, SaysWhereAndWhatIsWrong) {
  const BadConfiguration cases[] = {
      {"sed: 1\n", "f.yaml:1:1: error: unknown key `sed`; did you mean `seed`?"},
      {"coherence:\n  rcc:\n    leese: 1\n",
       "f.yaml:3:5: error: unknown key `leese` in `coherence.rcc`; did you mean `lease`?"},
      {"lease: 1\n", "f.yaml:1:1: error: unknown key `lease`; did you mean `coherence.rcc.lease`?"},
      {"l1:\n  zzzzzz: 1\n", "f.yaml:2:3: error: unknown key `zzzzzz` in `l1`; expected one of: size, ways, line"},
      {"l1.size: 1\n",
       "f.yaml:1:1: error: unknown key `l1.size`; in a file, a key within a group is written below it, not with a dot"},
      {"seed:\n", "f.yaml:1:1: error: `seed` has no value; give one or remove the key"},
      {"seed: null\n", "f.yaml:1:1: error: `seed` has no value; give one or remove the key"},
      {"seed: [1]\n", "f.yaml:1:7: error: `seed` expects a whole number, found a list"},
      {"seed: {a: 1}\n", "f.yaml:1:7: error: `seed` expects a whole number, found a mapping"},
      {"seed: \"1\"\n", "f.yaml:1:7: error: `seed` expects a whole number, found a quoted text; remove the quotes"},
      {"seed: 010\n",
       "f.yaml:1:7: error: `seed` has leading zeros: `010`; write 10 (or 0x... for a hexadecimal number)"},
      {"seed: -1\n", "f.yaml:1:7: error: `seed` must not be negative, found `-1`"},
      {"small: 256\n", "f.yaml:1:8: error: `small` is out of range: `256` is above 255"},
      {"bias: -101\n", "f.yaml:1:7: error: `bias` must be at least -100, found `-101`"},
      {"bias: 101\n", "f.yaml:1:7: error: `bias` must be at most 100, found `101`"},
      {"share: 101 %\n", "f.yaml:1:8: error: `share` must be at most 1, found `101 %`"},
      {"share: .nan\n", "f.yaml:1:8: error: `share` must be a finite number, found `.nan`"},
      {"clock: 0 Hz\n", "f.yaml:1:8: error: `clock` must be at least 1 MHz, found `0 Hz`"},
      {"clock: 1400\n",
       "f.yaml:1:8: error: `clock` needs a unit: found `1400`, expects a frequency in Hz, kHz, MHz or GHz"},
      {"enabled: yes\n", "f.yaml:1:10: error: `enabled` expects true or false, found `yes`; did you mean `true`?"},
      {"l1: {line: 96 B}\n",
       "f.yaml:1:12: error: `l1.line` must be a power of two, found `96 B`; the nearest: 64 B or 128 B"},
      {"l1: {size: 16 B}\n", "f.yaml:1:12: error: `l1.size` must be at least 32 B, found `16 B`"},
      {"l1: {size: 2 MiB}\n", "f.yaml:1:12: error: `l1.size` must be at most 1 MiB, found `2 MiB`"},
      {"l1: {size: 48 KB}\n",
       "f.yaml:1:12: error: `l1.size` has the unknown unit `KB` in `48 KB`; expects a size in B, KiB, MiB, GiB or "
       "TiB; did you mean `KiB`?"},
      {"l1: 5\n", "f.yaml:1:5: error: `l1` is a group of keys, found `5`; its keys: size, ways, line"},
      {"l1:\nseed: 1\n", "f.yaml:1:1: error: `l1` is a group of keys, found nothing; its keys: size, ways, line"},
      {"coherence: {policy: rc}\n", "f.yaml:1:21: error: `coherence.policy` has no choice `rc`; did you mean `rcc`?"},
      {"coherence: {policy: something}\n",
       "f.yaml:1:21: error: `coherence.policy` has no choice `something`; expected one of: none, rcc, mesi"},
      {"coherence: {policy: [rcc]}\n",
       "f.yaml:1:21: error: `coherence.policy` expects one of none, rcc, mesi, found a list"},
      {"name: {a: 1}\n", "f.yaml:1:7: error: `name` expects a text, found a mapping"},
      {"enabled: [true]\n", "f.yaml:1:10: error: `enabled` expects true or false, found a list"},
      {"latencies: 5\n",
       "f.yaml:1:12: error: `latencies` expects a list, each element a time in cycles or cycle, at most 1000 cycles, "
       "found `5`"},
      {"latencies: [1, 1001]\n", "f.yaml:1:16: error: `latencies` must be at most 1000 cycles, found `1001`"},
      {"latencies: [1, ]\n", "no error"},
      {"latencies: [1, [2]]\n",
       "f.yaml:1:16: error: `latencies` expects a list, each element a time in cycles or cycle, at most 1000 cycles, "
       "found a list"},
      {"- 1\n", "f.yaml:1:1: error: expected `key: value` lines, found a list"},
      {"just text\n", "f.yaml:1:1: error: expected `key: value` lines, found `just text`"},
      {"---\n", "f.yaml:1:1: error: the file is empty"},
      {"", "f.yaml:1:1: error: the file is empty"},
      {"seed: 1\nseed: 2\n", "f.yaml:2:1: error: duplicate key `seed`; it stands first in line 1"},
      {"l1:\n  ways: 3\n  size: 16 KiB\n",
       "f.yaml:3:3: error: `l1.size` must be a multiple of ways times line, found `16 KiB`"},
      {"l1:\n  ways: 3\n",
       "f.yaml: error: `l1.size` must be a multiple of ways times line, found `16 KiB` (its default)"},
      {"include: {}\n", "f.yaml:1:10: error: `include` expects the name of a file or a list of names, found a mapping"},
      {"include: [[a]]\n", "f.yaml:1:11: error: `include` expects the name of a file or a list of names, found a list"},
  };
  for (const BadConfiguration& bad : cases) EXPECT_EQ(error_of([&] { parse(bad.text); }), bad.message) << bad.text;
}

TEST(Configuration, OverridesWin) {
  EXPECT_EQ(parse("l1: {size: 48 KiB}", {"l1.size=16 KiB"}).l1.size, 16384U);
  EXPECT_EQ(parse("{}", {"seed=1", "seed=2"}).seed, 2U);
  EXPECT_EQ(parse("{}", {"name=a: b # c"}).name, "a: b # c");
  EXPECT_EQ(parse("{}", {"name=\"x=y\""}).name, "x=y");
  EXPECT_EQ(parse("{}", {"latencies=[7, 8]"}).latencies, (std::vector<std::uint32_t>{7, 8}));
  EXPECT_EQ(parse("{}", {"latencies=[]"}).latencies, std::vector<std::uint32_t>{});
}

TEST(Configuration, SaysWhatIsWrongWithAnOverride) {
  const BadConfiguration cases[] = {
      {"l1.size=17 KB",
       "--set l1.size: error: `l1.size` has the unknown unit `KB` in `17 KB`; expects a size in B, KiB, MiB, GiB or "
       "TiB; did you mean `KiB`?"},
      {"l1.sise=1", "--set l1.sise: error: unknown key `sise` in `l1`; did you mean `size`?"},
      {"l2.size=1", "--set l2.size: error: unknown key `l2`; did you mean `l1`?"},
      {"l1=1", "--set l1: error: `l1` is a group of keys; its keys: size, ways, line"},
      {"seed.x=1", "--set seed.x: error: `seed` is a single value and has no keys below it"},
      {".l1.size=1",
       "--set .l1.size: error: unknown key ``; expected one of: seed, bias, small, clock, dram_clock, share, period, "
       "bandwidth, width, name, latencies, weights, ... (16 in all)"},
      {"L1.SIZE=1", "--set L1.SIZE: error: unknown key `L1`; did you mean `l1`?"},
      {"l1.SIZE=1", "--set l1.SIZE: error: unknown key `SIZE` in `l1`; did you mean `size`?"},
      {"l1.=1", "--set l1.: error: unknown key `` in `l1`; expected one of: size, ways, line"},
      {"seed", "--set seed: error: expected key=value, for example --set sms=2"},
      {"=5", "--set =5: error: expected key=value, for example --set sms=2"},
      {"seed=", "--set seed: error: `seed` has no value; give one after the `=`"},
      {"seed=\xFF", "--set seed:1:1: error: byte 0xff is not valid UTF-8 text"},
      {"latencies=[1", "--set latencies:1:1: error: not valid YAML: end of sequence flow not found"},
      {"include=a.yaml",
       "--set include: error: unknown key `include`; expected one of: seed, bias, small, clock, dram_clock, share, "
       "period, bandwidth, width, name, latencies, weights, ... (16 in all)"},
      {"l1.ways=3", "f.yaml: error: `l1.size` must be a multiple of ways times line, found `16 KiB` (its default)"},
      {"l1.size=100 B", "--set l1.size: error: `l1.size` must be a multiple of ways times line, found `100 B`"},
  };
  for (const BadConfiguration& bad : cases)
    EXPECT_EQ(error_of([&] { parse("{}", {bad.text}); }), bad.message) << bad.text;
}

TEST(Configuration, IncludedFilesStandBelowTheFileItself) {
  const test::ScratchFolder folder;
  folder.write("base/gpu.yaml", "include: more.yaml\nseed: 2\nsmall: 2\nl1: {ways: 8}\n");
  folder.write("base/more.yaml", "seed: 1\nbias: 1\nsmall: 1\n");
  folder.write("extra.yaml", "small: 3\n");
  const auto file = folder.write("main.yaml", "include: [base/gpu.yaml, extra.yaml]\nl1: {line: 64}\nbias: 9\n");
  const auto configuration = load_configuration<SampleSpec>(file, {"enabled=true"});
  EXPECT_EQ(configuration.spec.seed, 2U);
  EXPECT_EQ(configuration.spec.small, 3U);
  EXPECT_EQ(configuration.spec.bias, 9);
  EXPECT_EQ(configuration.spec.l1.ways, 8U);
  EXPECT_EQ(configuration.spec.l1.line, 64U);
  const auto where = [&](const char* key) { return configuration.settings.at(key).where.str(); };
  EXPECT_EQ(where("seed"), (folder.path() / "base/gpu.yaml").string() + ":2:1");
  EXPECT_EQ(where("small"), (folder.path() / "extra.yaml").string() + ":1:1");
  EXPECT_EQ(where("bias"), (folder.path() / "main.yaml").string() + ":3:1");
  EXPECT_EQ(where("l1.ways"), (folder.path() / "base/gpu.yaml").string() + ":4:6");
  EXPECT_EQ(where("enabled"), "--set enabled");
  EXPECT_TRUE(configuration.settings.at("clock").is_default);
}

TEST(Configuration, AMistakeInAnIncludedFileIsLocatedThere) {
  const test::ScratchFolder folder;
  folder.write("gpu.yaml", "seed: 1\nsmall: 300\n");
  const auto file = folder.write("main.yaml", "include: gpu.yaml\nsmall: 3\n");
  EXPECT_EQ(error_of([&] { load_configuration<SampleSpec>(file); }),
            (folder.path() / "gpu.yaml").string() + ":2:8: error: `small` is out of range: `300` is above 255");
}

TEST(Configuration, IncludesThatFail) {
  const test::ScratchFolder folder;
  const std::string path = folder.path().string();
  const auto load = [&](const char* name) {
    return error_of([&] { load_configuration<SampleSpec>(folder.path() / name); });
  };
  folder.write("a.yaml", "include: b.yaml\n");
  folder.write("b.yaml", "seed: 1\ninclude: a.yaml\n");
  EXPECT_EQ(load("a.yaml"),
            path + "/b.yaml:2:10: error: files include each other in a circle: a.yaml -> b.yaml -> a.yaml");
  folder.write("self.yaml", "include: self.yaml\n");
  EXPECT_EQ(load("self.yaml"),
            path + "/self.yaml:1:10: error: files include each other in a circle: self.yaml -> self.yaml");
  folder.write("missing.yaml", "include: [none.yaml]\n");
  EXPECT_EQ(load("missing.yaml"),
            path + "/missing.yaml:1:11: error: cannot read `" + path + "/none.yaml`: no such file");
  EXPECT_EQ(load("none.yaml"), "cannot read `" + path + "/none.yaml`: no such file");
  // Each level names the next one twice: the number of files doubles.
  for (int level = 0; level < 10; ++level) {
    const std::string next = std::to_string(level + 1) + ".yaml";
    folder.write(std::to_string(level) + ".yaml", "include: [" + next + ", " + next + "]\n");
  }
  folder.write("10.yaml", "seed: 1\n");
  EXPECT_NE(load("0.yaml").find("error: more than 100 files are included"), std::string::npos) << load("0.yaml");
  // The same file twice is no circle.
  folder.write("twice.yaml", "include: [10.yaml, 10.yaml]\n");
  EXPECT_EQ(load("twice.yaml"), "no error");
}

TEST(Configuration, SettingsTellTheStoryOfEachKey) {
  const auto configuration = parse_configuration<SampleSpec>("l1:\n  size: 32 KiB\n", "f.yaml");
  const Setting& size = configuration.settings.at("l1.size");
  EXPECT_EQ(size.value, "32 KiB");
  EXPECT_EQ(size.unit, "bytes");
  EXPECT_EQ(size.allowed, "a size in B, KiB, MiB, GiB or TiB, at least 32 B, at most 1 MiB");
  EXPECT_EQ(size.description, "capacity");
  EXPECT_EQ(size.source, "Fermi white paper");
  EXPECT_FALSE(size.is_default);
  EXPECT_EQ(size.where.str(), "f.yaml:2:3");
  EXPECT_EQ(configuration.settings.at("coherence.rcc.lease").unit, "core cycles");
  EXPECT_EQ(configuration.settings.size(), 20U);
  EXPECT_EQ(configuration.settings.error("l1.size", "too large for an SM").what(),
            std::string("f.yaml:2:3: error: `l1.size` is 32 KiB: too large for an SM"));
  EXPECT_EQ(configuration.settings.error("l1.ways", "too many").what(),
            std::string("`l1.ways` is 4 (its default): too many"));
  EXPECT_THROW(configuration.settings.at("l1.none"), base::ModelError);
  EXPECT_NE(configuration.settings.list().find("32 KiB"), std::string::npos);
  EXPECT_NE(configuration.settings.list().find("f.yaml:2:3\n"), std::string::npos);
}

TEST(Configuration, DumpIsYamlInTheOrderOfTheSpec) {
  const std::string dump = parse_configuration<SampleSpec>("{}").settings.dump();
  EXPECT_EQ(dump, R"(seed: 1
bias: -3
small: 7
clock: 1.4 GHz
dram_clock: 924 MHz
share: 0.5
period: 1 us
bandwidth: 32 B/cycle
width: 64 bits
name: "sample"
latencies: [4 cycles, 8 cycles]
weights: []
names: []
enabled: false
l1:
  size: 16 KiB
  ways: 4
  line: 128 B
coherence:
  policy: none
  rcc:
    lease: 10 cycles
    renew: true
)");
}

TEST(Configuration, ReferenceListsEveryKey) {
  const std::string markdown = configuration_reference<SampleSpec>();
  EXPECT_NE(markdown.find("| `l1.size` | `16 KiB` | capacity | a size in B, KiB, MiB, GiB or TiB, at least 32 B, at "
                          "most 1 MiB | Fermi white paper |\n"),
            std::string::npos)
      << markdown;
  EXPECT_NE(markdown.find("## `coherence.rcc`\n\nRelativistic cache coherence.\n"), std::string::npos);
  EXPECT_NE(markdown.find("a share \\| of something"), std::string::npos);
  EXPECT_NE(markdown.find("(core clock)"), std::string::npos);
  for (const Setting& setting : parse_configuration<SampleSpec>("{}").settings)
    EXPECT_NE(markdown.find("| `" + setting.path + "` |"), std::string::npos) << setting.path;
}

rc::Gen<std::string> any_text() {
  // Valid UTF-8 with everything that YAML treats specially.
  return rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
}

RC_GTEST_PROP(Configuration, ADumpReloadsToTheIdenticalConfiguration, ()) {
  SampleSpec spec;
  spec.seed = *rc::gen::arbitrary<std::uint64_t>();
  spec.bias = *rc::gen::inRange(-100, 101);
  spec.small = *rc::gen::arbitrary<std::uint8_t>();
  spec.clock = static_cast<double>(*rc::gen::inRange<std::uint64_t>(1'000'000'000, 100'000'000'000'000)) / 1e3;
  spec.dram_clock =
      *rc::gen::inRange<std::uint64_t>(1'000'000, 2'000'000) * *rc::gen::element<std::uint64_t>(1, 1000, 50000);
  spec.share = *rc::gen::inRange(0, 1000001) / 1e6;
  spec.period = *rc::gen::inRange(0, 1000001) / 3e9;
  spec.bandwidth = *rc::gen::arbitrary<std::uint32_t>();
  spec.width = *rc::gen::arbitrary<std::uint32_t>();
  spec.name = *any_text();
  spec.latencies = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 1001U));
  spec.weights = *rc::gen::arbitrary<std::vector<double>>();
  spec.names = *rc::gen::container<std::vector<std::string>>(any_text());
  spec.enabled = *rc::gen::arbitrary<bool>();
  spec.l1.line = *rc::gen::element(32U, 64U, 128U);
  spec.l1.ways = *rc::gen::inRange(1U, 65U);
  spec.l1.size = spec.l1.line * spec.l1.ways * *rc::gen::inRange(1U, 128U);
  spec.coherence.policy = *rc::gen::element(Policy::none, Policy::rcc, Policy::mesi);
  spec.coherence.rcc.lease = *rc::gen::inRange<base::Cycle>(1, ~base::Cycle{0});
  spec.coherence.rcc.renew = *rc::gen::arbitrary<bool>();

  std::vector<Setting> settings;
  const FieldList fields = FieldList::of(spec);
  for (const FieldRef& field : fields.fields()) {
    Setting setting;
    setting.path = field.path;
    setting.value = field_text(field);
    settings.push_back(setting);
  }
  const std::string dump = Settings(settings).dump();
  const auto reloaded = parse_configuration<SampleSpec>(dump);
  RC_ASSERT(reloaded.spec == spec);
  RC_ASSERT(reloaded.settings.dump() == dump);
}

RC_GTEST_PROP(Configuration, AnyTextEndsInAConfigurationOrALocatedError, (const std::string& text)) {
  const std::string message = error_of([&] { parse(text); });
  RC_ASSERT(message == "no error" || message.rfind("f.yaml:", 0) == 0);
}

struct EmptySpec {
  template <class V>
  void fields(V&) {}
};
struct RegistrySpec {
  std::string policy = "none";
  EmptySpec none;
  template <class V>
  void fields(V& v) {
    v.choice("policy", policy, base::ChoiceTable<std::string>{{"none", "none"}, {"mesi", "mesi"}},
             base::param::text("by name"));
    v.group("none", none, "no parameters");
  }
};

TEST(Configuration, ARegistryOfNamesIsAChoice) {
  EXPECT_EQ(parse_configuration<RegistrySpec>("policy: mesi\nnone: {}\n").spec.policy, "mesi");
  EXPECT_EQ(error_of([] { parse_configuration<RegistrySpec>("policy: mesy\n", "f"); }),
            "f:1:9: error: `policy` has no choice `mesy`; did you mean `mesi`?");
  EXPECT_EQ(error_of([] { parse_configuration<RegistrySpec>("none: {x: 1}\n", "f"); }),
            "f:1:8: error: unknown key `x` in `none`; this group has no keys");
}

}  // namespace
}  // namespace syncline::platform
