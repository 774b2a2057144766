#include "platform/script/run_script.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "platform/config/yaml_node.h"
#include "platform/script/contents.h"
#include "tests/support/error_of.h"
#include "tests/unit/config/scratch_folder.h"
#include "tests/unit/script/fake_device.h"

namespace syncline::platform {
namespace {

using syncline::test::error_of;
using test::FakeDevice;
using test::ScratchFolder;

class RunScriptTest : public ::testing::Test {
 protected:
  RunScriptTest() {
    folder_.write("kernel.ptx", ".version 3.2\n");
    // Takes one from the element and counts its passes in the next one.
    device_.kernels["count_down"] = [](FakeDevice& device, const LaunchConfig&, const std::vector<Argument>& args) {
      const auto element = device.value<std::uint64_t>(args.at(0));
      --*device.at(element);
      ++*device.at(element + 1);
    };
    device_.kernels["record"] = [this](FakeDevice&, const LaunchConfig& config, const std::vector<Argument>& args) {
      config_ = config;
      args_ = args;
    };
    device_.variables["table"] = 8;
  }
  ScriptOutcome run(const std::string& text, std::uint64_t seed = 1) {
    const auto script = parse_workload_script("module: kernel.ptx\n" + text, folder_.path() / "s.yaml");
    Outputs outputs;
    ScriptOutcome outcome = run_script(device_, script, seed, outputs);
    outputs.commit();
    return outcome;
  }
  std::string message(const std::string& text) {
    std::string what = error_of([&] { run(text); });
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = what.find(prefix)) != std::string::npos;) what.erase(at, prefix.size());
    return what;
  }
  std::string written(const std::string& name) const { return read_file(folder_.path() / name); }

  ScratchFolder folder_;
  FakeDevice device_;
  LaunchConfig config_;
  std::vector<Argument> args_;
};

TEST_F(RunScriptTest, LaunchesWithTheArgumentsAsTheyStand) {
  folder_.write("struct.bin", "abcde");
  run("buffers: {a: {bytes: 4}, b: {bytes: 64}}\n"
      "steps: [{launch: {kernel: record, grid: [4, 2], block: 64, shared: 1 KiB,\n"
      "  args: [{ptr: b, offset: 16}, {i16: -2}, {f64: 1.5}, {file: struct.bin}, {ptr: a}]}}]\n");
  EXPECT_EQ(device_.loaded, (folder_.path() / "kernel.ptx").string());
  EXPECT_EQ(config_.grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(config_.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(config_.shared_bytes, 1024U);
  ASSERT_EQ(args_.size(), 5U);
  EXPECT_EQ(args_[0].kind, Argument::Kind::pointer);
  EXPECT_GT(device_.value<std::uint64_t>(args_[0]), device_.value<std::uint64_t>(args_[4]) + 16);
  EXPECT_EQ(args_[1].kind, Argument::Kind::integer);
  EXPECT_EQ(device_.value<std::int16_t>(args_[1]), -2);
  EXPECT_EQ(args_[2].kind, Argument::Kind::floating);
  EXPECT_EQ(device_.value<double>(args_[2]), 1.5);
  EXPECT_EQ(args_[3].kind, Argument::Kind::bytes);
  EXPECT_EQ(args_[3].data, (std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e'}));
}

TEST_F(RunScriptTest, CopiesBetweenBuffersAndKnowsWhichDevicesThereAre) {
  folder_.write("in.bin", "1234");
  run("peers: []\nbuffers: {a: {from: in.bin, device: 0}, b: {bytes: 4}}\n"
      "steps: [{copy: {from: a, to: b, bytes: 3}}, {wait: {device: 0, for: 0}}, {dump: {buffer: b, to: out}}]\n");
  EXPECT_EQ(written("out"), std::string("123\0", 4));
  const std::string buffers = "buffers: {a: {bytes: 4}}\n", dump = "steps: [{dump: {buffer: a, to: out}}]\n";
  EXPECT_EQ(message("peers: [[1, 0]]\n" + buffers + dump),
            "s.yaml:2:9: error: device(1): the machine has 1 device, numbered from 0 (`modules.gpus`)");
  EXPECT_EQ(message("peers: [[0, 0]]\n" + buffers + dump),
            "s.yaml:2:9: error: enable_peer_access(0): this machine has one device, and no peers");
  EXPECT_EQ(message("buffers: {a: {bytes: 4, device: 3}}\n" + dump),
            "s.yaml:2:11: error: device(3): the machine has 1 device, numbered from 0 (`modules.gpus`)");
  EXPECT_EQ(message(buffers + "steps: [{launch: {kernel: record, grid: 1, block: 1, device: 2}}]\n"),
            "s.yaml:3:10: error: device(2): the machine has 1 device, numbered from 0 (`modules.gpus`)");
  EXPECT_EQ(message(buffers + "steps: [{wait: {device: 0, for: 5}}]\n"),
            "s.yaml:3:10: error: device(5): the machine has 1 device, numbered from 0 (`modules.gpus`)");
}

TEST_F(RunScriptTest, FillsWritesAndDumpsBuffers) {
  folder_.write("in.bin", "12");
  run("buffers: {a: {type: u16, count: 2, fill: 0x3130}, z: {bytes: 2}}\n"
      "steps: [{dump: {buffer: a, to: first}}, {write: {buffer: a, from: in.bin}}, {dump: {buffer: a, to: second}},\n"
      "  {write: {buffer: a, fill: 0x3939}}, {dump: {buffer: a, to: third}}, {dump: {buffer: z, to: zero}}]\n");
  EXPECT_EQ(written("first"), "0101");
  EXPECT_EQ(written("second"), "1201");
  EXPECT_EQ(written("third"), "9999");
  EXPECT_EQ(written("zero"), std::string(2, '\0'));
}

TEST_F(RunScriptTest, SetsVariablesOfTheModule) {
  folder_.write("in.bin", "12345678");
  const std::string rest =
      "buffers: {a: {bytes: 4}}\nsteps: [{launch: {kernel: record, grid: 1, block: 1, args: [{ptr: a}]}}]\n";
  const auto table = [&] {
    return std::string(reinterpret_cast<const char*>(device_.at(address(device_.symbol("table").address))), 8);
  };
  run("symbols: {table: {from: in.bin}}\n" + rest);
  EXPECT_EQ(table(), "12345678");
  run("symbols: {table: {ptr: a, offset: 2}}\n" + rest);
  std::uint64_t stored = 0;
  std::memcpy(&stored, table().data(), 8);
  EXPECT_EQ(stored, device_.value<std::uint64_t>(args_.at(0)) + 2);
  run("symbols: {table: {u8: 65}}\n" + rest);
  EXPECT_EQ(table()[0], 'A');
}

TEST_F(RunScriptTest, RepeatsUntilTheElementIsZero) {
  const std::string text =
      "buffers: {n: {type: u8, count: 2, fill: 0}}\n"
      "steps:\n"
      "  - write: {buffer: n, from: start.bin}\n"
      "  - repeat: {while_nonzero: {buffer: n}, limit: 3, steps: [{launch: {kernel: count_down, grid: 1, block: 1, "
      "args: [{ptr: n}]}}]}\n"
      "  - dump: {buffer: n, to: out}\n";
  folder_.write("start.bin", std::string("\3\0", 2));
  run(text);
  EXPECT_EQ(written("out"), std::string("\0\3", 2));
  // One pass is made before the element is looked at.
  folder_.write("start.bin", std::string("\1\0", 2));
  run(text);
  EXPECT_EQ(written("out"), std::string("\0\1", 2));
}

TEST_F(RunScriptTest, ARepeatBeyondItsLimitIsAFaultAndLeavesNoDump) {
  folder_.write("start.bin", std::string("\4\0", 2));
  try {
    run("buffers: {n: {bytes: 2, from: start.bin}}\n"
        "steps:\n"
        "  - dump: {buffer: n, to: out}\n"
        "  - repeat: {while_nonzero: {buffer: n}, limit: 3, steps: [{launch: {kernel: count_down, grid: 1, block: 1, "
        "args: [{ptr: n}]}}]}\n");
    FAIL() << "no fault";
  } catch (const base::ProgramFault& fault) {
    EXPECT_EQ(std::string(fault.what()).substr(folder_.path().string().size()),
              "/s.yaml:5:5: error: after 3 passes, the limit, element 0 of buffer `n` is still 1");
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_TRUE(entry.path().filename() == "start.bin" || entry.path().filename() == "kernel.ptx") << entry.path();
}

TEST_F(RunScriptTest, MakesAndReportsEveryCheck) {
  folder_.write("good.bin", std::string("\7\7", 2));
  folder_.write("bad.bin", std::string("\7\5", 2));
  const std::string buffers = "buffers: {a: {type: u8, count: 4, fill: 7}}\n";
  const ScriptOutcome outcome = run(buffers +
                                    "steps:\n"
                                    "  - check: {buffer: a, equals: bad.bin}\n"
                                    "  - check: {buffer: a, equals: good.bin}\n"
                                    "  - check: {buffer: a, equals: bad.bin, abs: 2}\n");
  ASSERT_EQ(outcome.checks.size(), 3U);
  EXPECT_EQ(outcome.verified(), false);
  EXPECT_FALSE(outcome.checks[0].passed);
  EXPECT_EQ(outcome.checks[0].detail, "1 of 2 elements differ; first at index 1: found 7, expected 5");
  EXPECT_TRUE(outcome.checks[1].passed);
  EXPECT_TRUE(outcome.checks[2].passed);
  const std::string script = (folder_.path() / "s.yaml").string();
  EXPECT_EQ(outcome.detail(), script + ":4:5: a: 1 of 2 elements differ; first at index 1: found 7, expected 5\n" +
                                  script + ":5:5: a: 2 elements as expected\n" + script +
                                  ":6:5: a: 2 elements as expected");
  EXPECT_EQ(run(buffers + "steps: [{check: {buffer: a, equals: good.bin}}]\n").verified(), true);
  EXPECT_EQ(run(buffers + "steps: [{write: {buffer: a, fill: 1}}]\n").verified(), std::nullopt);
}

TEST_F(RunScriptTest, MistakesAreLocatedInTheScript) {
  folder_.write("nine.bin", "123456789");
  EXPECT_EQ(message("steps:\n  - launch: {kernel: none, grid: 1, block: 1}\n"), "s.yaml:3:5: error: no kernel `none`");
  EXPECT_EQ(message("symbols:\n  none: {u8: 1}\nsteps: [{launch: {kernel: record, grid: 1, block: 1}}]\n"),
            "s.yaml:3:3: error: no variable `none`");
  EXPECT_EQ(message("symbols:\n  table: {from: nine.bin}\nsteps: [{launch: {kernel: record, grid: 1, block: 1}}]\n"),
            "s.yaml:3:3: error: variable `table` of the module has 8 bytes, fewer than the 9 given");
  EXPECT_EQ(message("buffers:\n  big: {bytes: 1 GiB}\nsteps: [{write: {buffer: big, fill: 0}}]\n"),
            "s.yaml:3:3: error: out of memory");
  EXPECT_EQ(message("buffers: {a: {bytes: 1}}\nsteps:\n  - dump: {buffer: a, to: none/out}\n"),
            "s.yaml:4:5: error: cannot write `none/out`: No such file or directory");
  EXPECT_EQ(
      message("buffers: {a: {bytes: 1}}\nsteps:\n  - dump: {buffer: a, to: out}\n  - dump: {buffer: a, to: out}\n"),
      "s.yaml:5:5: error: s.yaml:4:5 and s.yaml:5:5 both write `out`");
}

TEST_F(RunScriptTest, NamesOfLaterStepsAreLookedUpBeforeTheFirstOne) {
  const auto told = [&](const std::string& step) {
    const std::string text =
        "steps:\n  - launch: {kernel: record, grid: 1, block: 1}\n"
        "  - repeat: {while_nonzero: {buffer: a}, limit: 2, steps: [" +
        step + "]}\n";
    const std::string what = message("buffers: {a: {bytes: 8}}\n" + text);
    EXPECT_EQ(device_.totals().launches, 0U) << step;
    return what;
  };
  const std::string launch = "{launch: {kernel: recrod, grid: 1, block: 1}}", nowhere = "the machine has 1 device";
  EXPECT_EQ(told(launch), "s.yaml:5:61: error: no kernel `recrod`");
  for (const char* const wait : {"{wait: {device: 7, for: 0}}", "{wait: {device: 0, for: 7}}"})
    EXPECT_EQ(told(wait), "s.yaml:5:61: error: device(7): " + nowhere + ", numbered from 0 (`modules.gpus`)");
}

TEST_F(RunScriptTest, AFileThatGrowsAfterTheScriptWasReadIsAnError) {
  const auto grown = [&](const std::string& step) {
    folder_.write("in.bin", "1234");
    const auto script = parse_workload_script("module: kernel.ptx\nbuffers: {a: {bytes: 4}}\nsteps: [" + step + "]\n",
                                              folder_.path() / "s.yaml");
    folder_.write("in.bin", "12345");
    return error_of([&] {
             Outputs outputs;
             run_script(device_, script, 1, outputs);
           })
        .substr(folder_.path().string().size());
  };
  EXPECT_EQ(grown("{write: {buffer: a, from: in.bin}}"),
            "/s.yaml:2:11: error: a file has grown beyond buffer `a` since the script was read");
  EXPECT_EQ(grown("{check: {buffer: a, equals: in.bin}}"),
            "/s.yaml:3:10: error: a file has grown beyond buffer `a` since the script was read");
}

TEST_F(RunScriptTest, RandomContentsFollowFromTheSeedAlone) {
  const auto dump = [&](const std::string& random, std::uint64_t seed) {
    run("buffers: {a: {type: u32, count: 64, random: " + random + "}}\nsteps: [{dump: {buffer: a, to: out}}]\n", seed);
    return written("out");
  };
  EXPECT_EQ(dump("{seed: 5}", 1), dump("{seed: 5}", 2));
  EXPECT_NE(dump("{seed: 5}", 1), dump("{seed: 6}", 1));
  EXPECT_EQ(dump("{}", 1), dump("{}", 1));
  EXPECT_NE(dump("{}", 1), dump("{}", 2));
}

TEST(Contents, RandomNumbersAreTheSameOnEveryHost) {
  const RandomContents limits = random_contents(ScalarType::u8, 1, std::nullopt, std::nullopt).value.value();
  EXPECT_EQ(make_contents(limits, 8, 0, "any"), make_contents(limits, 8, 9, "other"));
}

RC_GTEST_PROP(Contents, RandomElementsStayWithinTheirLimits, (std::int16_t a, std::int16_t b, std::uint64_t seed)) {
  for (const auto& row : scalar_types()) {
    const ScalarType type = row.second;
    std::optional<ScalarValue> min;
    std::optional<ScalarValue> max;
    const int low = is_signed(type) || is_floating(type) ? std::min(a, b) % 100 : std::abs(std::min(a, b) % 100);
    const int high = low + std::abs(std::max(a, b) % 20);
    min = parse_scalar(std::to_string(low), type).value.value();
    max = parse_scalar(std::to_string(high), type).value.value();
    const RandomContents limits = random_contents(type, seed, min, max).value.value();
    const auto bytes = make_contents(limits, 64 * bytes_of(type), 0, "x");
    RC_ASSERT(bytes.size() == 64 * bytes_of(type));
    for (std::size_t i = 0; i < bytes.size(); i += bytes_of(type)) {
      const double value = is_floating(type) ? real_at(&bytes[i], type) : integer_at(&bytes[i], type).as_double();
      RC_ASSERT(value >= low);
      RC_ASSERT(value <= high);
      RC_ASSERT(!is_floating(type) || low == high || value < high);
    }
  }
}

TEST(Contents, IntegersReachBothLimits) {
  const RandomContents limits = random_contents(ScalarType::i8, 3, parse_scalar("-1", ScalarType::i8).value,
                                                parse_scalar("1", ScalarType::i8).value)
                                    .value.value();
  const auto bytes = make_contents(limits, 100, 0, "x");
  for (const std::uint8_t wanted : {0xFF, 0, 1}) EXPECT_NE(std::count(bytes.begin(), bytes.end(), wanted), 0);
}

}  // namespace
}  // namespace syncline::platform
