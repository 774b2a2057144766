#include "platform/script/workload_script.h"

#include <gtest/gtest.h>

#include "tests/support/error_of.h"
#include "tests/unit/config/scratch_folder.h"

namespace syncline::platform {
namespace {

using syncline::test::error_of;
using test::ScratchFolder;

// Scripts in a folder with a module and files of 8, 3 and 0 bytes.
class WorkloadScriptTest : public ::testing::Test {
 protected:
  WorkloadScriptTest() {
    folder_.write("kernel.ptx", ".version 3.2\n");
    folder_.write("eight.bin", "12345678");
    folder_.write("three.bin", "123");
    folder_.write("empty.bin", "");
  }
  WorkloadScript parse(const std::string& text) const { return parse_workload_script(text, folder_.path() / "s.yaml"); }
  // The message without the folder's path.
  std::string message(const std::string& text) const {
    std::string what = error_of([&] { parse(text); });
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = what.find(prefix)) != std::string::npos;) what.erase(at, prefix.size());
    return what;
  }
  ScratchFolder folder_;
};

constexpr const char* steps = "steps: [{dump: {buffer: b, to: out}}]\n";

TEST_F(WorkloadScriptTest, ReadsTheWholeSchema) {
  const WorkloadScript script = parse(R"(
module: kernel.ptx
buffers:
  cost:  {bytes: 8, from: eight.bin}
  flags: {type: u32, count: 1024, fill: 7}
  noise: {type: f32, count: 4096, random: {seed: 1, min: -1, max: 1}}
  whole: {from: three.bin}
  plain: {bytes: 4 KiB}
symbols:
  table: {from: eight.bin}
  link:  {ptr: cost, offset: 4}
  limit: {i32: -5}
steps:
  - launch: {kernel: bfs_level, grid: [4, 2], block: 512, shared: 1 KiB,
             args: [{ptr: cost}, {ptr: flags, offset: 16}, {i32: 2000}, {f32: 1.5}, {file: three.bin}]}
  - write: {buffer: flags, fill: 0}
  - write: {buffer: plain, from: three.bin}
  - repeat:
      while_nonzero: {buffer: flags, type: u64, index: 3}
      limit: 100
      steps:
        - launch: {kernel: k, grid: [1, 2, 3], block: [1]}
  - check: {buffer: cost, type: i32, equals: eight.bin, abs: 1, rel: 0.5}
  - dump: {buffer: cost, to: cost.out}
)");
  EXPECT_EQ(script.name, "s");
  EXPECT_EQ(script.module, folder_.path() / "kernel.ptx");
  ASSERT_EQ(script.buffers.size(), 5U);
  EXPECT_EQ(script.buffers[0].bytes(), 8U);
  EXPECT_EQ(std::get<FileContents>(script.buffers[0].contents).path, folder_.path() / "eight.bin");
  EXPECT_EQ(script.buffers[1].type, ScalarType::u32);
  EXPECT_EQ(std::get<FillContents>(script.buffers[1].contents).value.exact(), (std::vector<std::uint8_t>{7, 0, 0, 0}));
  const auto& noise = std::get<RandomContents>(script.buffers[2].contents);
  EXPECT_EQ(noise.seed, 1U);
  EXPECT_EQ(real_at(noise.min.bytes.data(), ScalarType::f32), -1.0);
  EXPECT_EQ(script.buffers[3].bytes(), 3U);
  EXPECT_EQ(script.buffers[4].bytes(), 4096U);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(script.buffers[4].contents));
  ASSERT_EQ(script.symbols.size(), 3U);
  EXPECT_EQ(std::get<PointerArgument>(script.symbols[1].value).offset, 4U);
  EXPECT_EQ(std::get<ScalarValue>(script.symbols[2].value).type, ScalarType::i32);

  ASSERT_EQ(script.steps.size(), 6U);
  const auto& launch = std::get<LaunchStep>(script.steps[0].action);
  EXPECT_EQ(launch.kernel, "bfs_level");
  EXPECT_EQ(launch.grid, (base::Dim3{4, 2, 1}));
  EXPECT_EQ(launch.block, (base::Dim3{512, 1, 1}));
  EXPECT_EQ(launch.shared_bytes, 1024U);
  ASSERT_EQ(launch.args.size(), 5U);
  EXPECT_EQ(std::get<PointerArgument>(launch.args[1]).buffer, 1U);
  EXPECT_EQ(std::get<PointerArgument>(launch.args[1]).offset, 16U);
  EXPECT_EQ(std::get<ScalarValue>(launch.args[3]).type, ScalarType::f32);
  EXPECT_EQ(std::get<WriteStep>(script.steps[2].action).buffer, 4U);
  const auto& repeat = std::get<RepeatStep>(script.steps[3].action);
  EXPECT_EQ(repeat.type, ScalarType::u64);
  EXPECT_EQ(repeat.index, 3U);
  EXPECT_EQ(repeat.limit, 100U);
  EXPECT_EQ(std::get<LaunchStep>(repeat.steps.at(0).action).grid, (base::Dim3{1, 2, 3}));
  const auto& check = std::get<CheckStep>(script.steps[4].action);
  EXPECT_EQ(check.absolute, 1.0);
  EXPECT_EQ(check.relative, 0.5);
  EXPECT_EQ(std::get<DumpStep>(script.steps[5].action).to, folder_.path() / "cost.out");
  EXPECT_EQ(script.steps[5].where.str(), (folder_.path() / "s.yaml").string() + ":24:5");
}

struct BadScript {
  const char* text;
  const char* message;
};

TEST_F(WorkloadScriptTest, ReadsDevices) {
  const WorkloadScript script = parse(R"(
module: kernel.ptx
peers: [[0, 1], [1, 0]]
buffers:
  a: {bytes: 8, device: 1}
  b: {bytes: 16}
steps:
  - launch: {kernel: k, grid: 1, block: 1, device: 2}
  - copy: {from: a, to: b}
  - copy: {from: a, to: b, bytes: 4}
  - wait: {device: 1, for: 2}
  - wait: {}
)");
  ASSERT_EQ(script.peers.size(), 2U);
  EXPECT_EQ(script.peers[1].device, 1U);
  EXPECT_EQ(script.peers[1].peer, 0U);
  EXPECT_EQ(script.buffers[0].device, 1U);
  EXPECT_FALSE(script.buffers[1].device);
  EXPECT_EQ(std::get<LaunchStep>(script.steps[0].action).device, 2U);
  EXPECT_EQ(std::get<CopyStep>(script.steps[1].action).bytes, 8U) << "all of the source";
  EXPECT_EQ(std::get<CopyStep>(script.steps[2].action).bytes, 4U);
  EXPECT_EQ(std::get<WaitStep>(script.steps[3].action).device, 1U);
  EXPECT_EQ(std::get<WaitStep>(script.steps[3].action).awaited, 2U);
  EXPECT_FALSE(std::get<WaitStep>(script.steps[4].action).device);
}

TEST_F(WorkloadScriptTest, SaysWhatIsWrongWithDevices) {
  const auto with = [&](const std::string& peers, const std::string& step) {
    return message("module: kernel.ptx\n" + peers + "buffers: {b: {bytes: 4}, c: {bytes: 8}}\nsteps: [" + step + "]\n");
  };
  const std::string dump = "{dump: {buffer: b, to: out}}";
  EXPECT_EQ(with("peers: 1\n", dump), "s.yaml:2:8: error: `peers` expects a list of pairs of devices, found `1`");
  EXPECT_EQ(with("peers: [[0, 1, 2]]\n", dump),
            "s.yaml:2:9: error: a pair of `peers` expects a device and its peer, found 3 numbers");
  EXPECT_EQ(with("", "{wait: {device: 1}}"), "s.yaml:3:16: error: `wait` lacks the key `for`");
  EXPECT_EQ(with("", "{copy: {from: c, to: b}}"),
            "s.yaml:3:16: error: a copy of 8 bytes from buffer `c` to buffer `b`, and `b` has 4");
  EXPECT_EQ(with("", "{copy: {from: b, to: c, bytes: 6}}"),
            "s.yaml:3:40: error: a copy of 6 bytes from buffer `b` to buffer `c`, and `b` has 4");
}

TEST_F(WorkloadScriptTest, SaysWhatIsWrongWithTheScript) {
  const BadScript cases[] = {
      {"", "s.yaml:1:1: error: the file is empty"},
      {"- 1\n",
       "s.yaml:1:1: error: the script expects a mapping with the keys module, peers, buffers, symbols, steps, found a "
       "list"},
      {"modul: kernel.ptx\n", "s.yaml:1:1: error: unknown key `modul` in the script; did you mean `module`?"},
      {"steps: []\n", "s.yaml:1:1: error: the script lacks the key `module`"},
      {"module: none.ptx\n", "s.yaml:1:9: error: cannot read `none.ptx`: no such file"},
      {"module: \"\"\n", "s.yaml:1:9: error: `module` expects the name of a file, found nothing"},
      {"module: .\n", "s.yaml:1:9: error: cannot read `.`: it is a folder"},
      {"module: [a]\n", "s.yaml:1:9: error: `module` expects a text, found a list"},
      {"module: kernel.ptx\n", "s.yaml:1:1: error: the script lacks the key `steps`"},
      {"module: kernel.ptx\nsteps: []\n", "s.yaml:2:8: error: `steps` expects a list of steps, found an empty list"},
      {"module: kernel.ptx\nsteps: {}\n", "s.yaml:2:8: error: `steps` expects a list of steps, found a mapping"},
      {"module: kernel.ptx\nbuffers: []\n", "s.yaml:2:10: error: `buffers` expects a mapping of names, found a list"},
      {"module: kernel.ptx\nsymbols: 5\n", "s.yaml:2:10: error: `symbols` expects a mapping of names, found `5`"},
  };
  for (const BadScript& bad : cases) EXPECT_EQ(message(bad.text), bad.message) << bad.text;
}

TEST_F(WorkloadScriptTest, SaysWhatIsWrongWithABuffer) {
  const BadScript cases[] = {
      {"{}", "error: buffer `b` needs a size: `bytes`, or `type` and `count`, or a file"},
      {"5",
       "error: buffer `b` expects a mapping with the keys bytes, type, count, from, fill, random, device, found `5`"},
      {"{byte: 4}", "error: unknown key `byte` in buffer `b`; did you mean `bytes`?"},
      {"{bytes: -4}", "error: `bytes` must not be negative, found `-4`"},
      {"{bytes: 0}", "error: `bytes` must be at least 1 B, found `0`"},
      {"{bytes: 2 TiB}", "error: `bytes` must be at most 1 TiB, found `2 TiB`"},
      {"{count: 4}", "error: buffer `b` needs a `type` for its `count`"},
      {"{type: u32, count: 0}", "error: `count` must be at least 1, found `0`"},
      {"{type: u32, count: -1}", "error: `count` must not be negative, found `-1`"},
      {"{type: u64, count: 1e12}", "error: `count` must be at most 137438953472, found `1e12`"},
      {"{type: u32, count: 1, bytes: 4}", "error: buffer `b` takes only one of `count` and `bytes`"},
      {"{type: u31, count: 1}", "error: `type` has no choice `u31`; did you mean `u32`?"},
      {"{type: u32, bytes: 6}", "error: buffer `b` has 6 bytes, not a multiple of the 4 of u32"},
      {"{bytes: 4, from: eight.bin}", "error: buffer `b` has 4 bytes, but `eight.bin` has 8"},
      {"{bytes: 16, from: eight.bin}", "error: buffer `b` has 16 bytes, but `eight.bin` has 8"},
      {"{from: none.bin}", "error: cannot read `none.bin`: no such file"},
      {"{from: empty.bin}", "error: buffer `b` is as large as its file, which is empty"},
      {"{type: u16, from: three.bin}", "error: buffer `b` has 3 bytes, not a multiple of the 2 of u16"},
      {"{bytes: 8, from: eight.bin, fill: 0}", "error: buffer `b` takes only one of `from` and `fill`"},
      {"{bytes: 4, fill: 256}", "error: `fill` is out of range: `256` is above 255"},
      {"{type: f32, count: 1, fill: \"0\"}", "error: `fill` expects a number of type f32, found a quoted text"},
      {"{type: f32, count: 1, fill: [0]}", "error: `fill` expects a number of type f32, found a list"},
      {"{bytes: 4, random: {seed: 1}}", "error: buffer `b` needs a `type` for random contents"},
      {"{type: u8, count: 4, random: {sed: 1}}", "error: unknown key `sed` in `random`; did you mean `seed`?"},
      {"{type: u8, count: 4, random: 1}", "error: `random` expects a mapping with the keys seed, min, max, found `1`"},
      {"{type: i8, count: 4, random: {seed: 1, min: 5, max: -5}}", "error: `random` has min 5 above max -5"},
      {"{type: u8, count: 4, random: {seed: -1}}", "error: `seed` must not be negative, found `-1`"},
      {"{type: f32, count: 4, random: {seed: 1, max: -1}}", "error: `random` has min 0 above max -1"},
      {"{type: f32, count: 4, random: {seed: 1, max: inf}}", "error: `random` needs finite limits"},
  };
  for (const BadScript& bad : cases) {
    const std::string text = std::string("module: kernel.ptx\nbuffers:\n  b: ") + bad.text + "\n" + steps;
    const std::string found = message(text);
    EXPECT_EQ(found.substr(0, 9), "s.yaml:3:") << found;
    EXPECT_EQ(found.substr(std::min(found.find("error"), found.size())), bad.message) << bad.text;
  }
}

TEST_F(WorkloadScriptTest, SaysWhatIsWrongWithAStep) {
  const BadScript cases[] = {
      {"{}", "error: a step needs one of: launch, copy, wait, write, repeat, check, dump"},
      {"launch",
       "error: a step expects a mapping with the keys launch, copy, wait, write, repeat, check, dump, found `launch`"},
      {"{lunch: {}}", "error: unknown key `lunch` in a step; did you mean `launch`?"},
      {"{dump: {}, check: {}}", "error: a step takes only one of `dump` and `check`"},
      {"{launch: {}}", "error: `launch` lacks the key `kernel`"},
      {"{launch: {kernel: k}}", "error: `launch` lacks the key `grid`"},
      {"{launch: {kernel: k, grid: 1}}", "error: `launch` lacks the key `block`"},
      {"{launch: {kernel: k, grid: 0, block: 1}}", "error: `grid` must be at least 1, found `0`"},
      {"{launch: {kernel: k, grid: [1, 0], block: 1}}", "error: `grid` must be at least 1, found `0`"},
      {"{launch: {kernel: k, grid: [-1], block: 1}}", "error: `grid` must not be negative, found `-1`"},
      {"{launch: {kernel: k, grid: [], block: 1}}", "error: `grid` expects one to three numbers, found 0"},
      {"{launch: {kernel: k, grid: [1, 1, 1, 1], block: 1}}", "error: `grid` expects one to three numbers, found 4"},
      {"{launch: {kernel: k, grid: 1, block: 1, args: 5}}", "error: `args` expects a list of arguments, found `5`"},
      {"{launch: {kernel: k, grid: 1, block: 1, args: [{}]}}",
       "error: an argument needs one of: u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64, ptr, file"},
      {"{launch: {kernel: k, grid: 1, block: 1, args: [{i31: 5}]}}",
       "error: unknown key `i31` in an argument; did you mean `i32`?"},
      {"{launch: {kernel: k, grid: 1, block: 1, args: [{ptr: c}]}}",
       "error: no buffer is called `c`; did you mean `b`?"},
      {"{launch: {kernel: k, grid: 1, block: 1, args: [{ptr: b, offset: 16}]}}",
       "error: offset 16 is outside buffer `b` of 16 bytes"},
      {"{launch: {kernel: k, grid: 1, block: 1, args: [{i32: 1, offset: 16}]}}",
       "error: `offset` belongs to a `ptr`, not to `i32`"},
      {"{launch: {kernel: k, grid: 1, block: 1, args: [{i32: 1, u32: 16}]}}",
       "error: an argument takes only one of `i32` and `u32`"},
      {"{launch: {kernel: k, grid: 1, block: 1, args: [{i8: 200}]}}",
       "error: `i8` is out of range: `200` is above 127"},
      {"{launch: {kernel: k, grid: 1, block: 1, args: [{file: none.bin}]}}",
       "error: cannot read `none.bin`: no such file"},
      {"{launch: {kernel: k, grid: 1, block: 1, shared: -1}}", "error: `shared` must not be negative, found `-1`"},
      {"{write: {buffer: b}}", "error: `write` needs one of: from, fill, random"},
      {"{write: {buffer: other, fill: 0}}", "error: no buffer is called `other`; expected one of: b, w"},
      {"{write: {buffer: b, from: three.bin, fill: 0}}", "error: `write` takes only one of `from` and `fill`"},
      {"{write: {buffer: w, from: eight.bin}}", "error: `eight.bin` has 8 bytes, more than the 4 of buffer `w`"},
      {"{write: {buffer: b, from: empty.bin}}", "error: `empty.bin` is empty"},
      {"{repeat: {}}", "error: `repeat` lacks the key `while_nonzero`"},
      {"{repeat: {while_nonzero: {}, limit: 1, steps: []}}", "error: `while_nonzero` lacks the key `buffer`"},
      {"{repeat: {while_nonzero: {buffer: b, index: 4}, limit: 1, steps: []}}",
       "error: index 4 is outside buffer `b`, which has 4 elements of u32"},
      {"{repeat: {while_nonzero: {buffer: b, type: u8, index: 16}, limit: 1, steps: []}}",
       "error: index 16 is outside buffer `b`, which has 16 elements of u8"},
      {"{repeat: {while_nonzero: {buffer: w, type: u64}, limit: 1, steps: []}}",
       "error: index 0 is outside buffer `w`, which has 0 elements of u64"},
      {"{repeat: {while_nonzero: {buffer: b}, steps: []}}", "error: `repeat` lacks the key `limit`"},
      {"{repeat: {while_nonzero: {buffer: b}, limit: 0, steps: []}}", "error: `limit` must be at least 1, found `0`"},
      {"{repeat: {while_nonzero: {buffer: b}, limit: 1, steps: []}}",
       "error: `steps` expects a list of steps, found an empty list"},
      {"{check: {buffer: b}}", "error: `check` lacks the key `equals`"},
      {"{check: {buffer: w, equals: eight.bin}}", "error: `eight.bin` has 8 bytes, more than the 4 of buffer `w`"},
      {"{check: {buffer: b, equals: three.bin}}", "error: `three.bin` has 3 bytes, not a multiple of the 4 of u32"},
      {"{check: {buffer: b, equals: eight.bin, abs: -1}}", "error: `abs` must be at least 0, found `-1`"},
      {"{check: {buffer: b, equals: eight.bin, rel: .nan}}", "error: `rel` must be a finite number, found `.nan`"},
      {"{dump: {buffer: b}}", "error: `dump` lacks the key `to`"},
      {"{dump: {to: x}}", "error: `dump` lacks the key `buffer`"},
      {"{dump: {buffer: b, to: }}", "error: `to` has no value; give one or remove the key"},
  };
  for (const BadScript& bad : cases) {
    const std::string text = std::string("module: kernel.ptx\nbuffers: {b: {type: u32, count: 4}, w: {bytes: 4}}\n") +
                             "steps:\n  - " + bad.text + "\n";
    const std::string found = message(text);
    EXPECT_EQ(found.substr(0, 9), "s.yaml:4:") << found;
    EXPECT_EQ(found.substr(std::min(found.find("error"), found.size())), bad.message) << bad.text;
  }
  EXPECT_EQ(message("module: kernel.ptx\nsteps: [{dump: {buffer: b, to: x}}]\n"),
            "s.yaml:2:25: error: no buffer is called `b`; the script has none");
  EXPECT_EQ(message("module: kernel.ptx\nbuffers: {b: {bytes: 4}}\nsymbols: {t: {ptr: a}}\n" + std::string(steps)),
            "s.yaml:3:20: error: no buffer is called `a`; did you mean `b`?");
}

TEST_F(WorkloadScriptTest, LoadsFromAFile) {
  const auto file =
      folder_.write("sub/run.yaml", "module: ../kernel.ptx\nbuffers: {b: {bytes: 4}}\n" + std::string(steps));
  EXPECT_EQ(load_workload_script(file).buffers.size(), 1U);
}

}  // namespace
}  // namespace syncline::platform
