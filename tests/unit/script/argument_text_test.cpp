#include "platform/script/argument_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/error_of.h"
#include "tests/unit/config/scratch_folder.h"

namespace syncline::platform {
namespace {

using syncline::test::error_of;

TEST(Argument, ReadsScalars) {
  const CommandLineArgument plain = parse_argument("i32:-5");
  EXPECT_EQ(plain.name, "");
  EXPECT_EQ(std::get<ScalarValue>(plain.value).type, ScalarType::i32);
  EXPECT_EQ(text_at(std::get<ScalarValue>(plain.value).bytes.data(), ScalarType::i32), "-5");
  const CommandLineArgument named = parse_argument("alpha=f32:1.5");
  EXPECT_EQ(named.name, "alpha");
  EXPECT_EQ(text_at(std::get<ScalarValue>(named.value).bytes.data(), ScalarType::f32), "1.5");
}

TEST(Argument, ReadsBuffers) {
  const auto buffer = [](const std::string& text) { return std::get<ScriptBuffer>(parse_argument(text).value); };
  const ScriptBuffer random = buffer("x=buf:f32:1048576:random(seed=1)");
  EXPECT_EQ(random.type, ScalarType::f32);
  EXPECT_EQ(random.bytes(), 4194304U);
  EXPECT_EQ(std::get<RandomContents>(random.contents).seed, 1U);
  const auto limits = std::get<RandomContents>(buffer("buf:i8:4:random(max=5,min=-5)").contents);
  EXPECT_FALSE(limits.seed);
  EXPECT_EQ(text_at(limits.min.bytes.data(), ScalarType::i8), "-5");
  EXPECT_EQ(text_at(limits.max.bytes.data(), ScalarType::i8), "5");
  EXPECT_TRUE(std::holds_alternative<RandomContents>(buffer("buf:u32:4:random").contents));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(buffer("buf:u32:1024:zero").contents));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(buffer("buf:u32:1024").contents));
  EXPECT_EQ(std::get<FillContents>(buffer("buf:u16:4:fill(7)").contents).value.exact(),
            (std::vector<std::uint8_t>{7, 0}));
  const test::ScratchFolder folder;
  const auto file = folder.write("in=put.bin", "12345");
  const ScriptBuffer from_file = buffer("buf:" + file.string());
  EXPECT_EQ(from_file.bytes(), 5U);
  EXPECT_EQ(std::get<FileContents>(from_file.contents).path, file);
}

struct BadArgument {
  const char* text;
  const char* message;
};

TEST(Argument, SaysWhereAndWhatIsWrong) {
  const BadArgument cases[] = {
      {"", ":1:1: error: unknown type ``; expected one of: buf, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64"},
      {"i31:5", ":1:1: error: unknown type `i31`; did you mean `i32`?"},
      {"n=i33:5", ":1:3: error: unknown type `i33`; did you mean `i32`?"},
      {"i32", ":1:4: error: expected `:` and a value, found nothing"},
      {"i32:", ":1:5: error: the value expects a number, found ``"},
      {"n=i32:5x", ":1:7: error: the value takes no unit: found `5x`"},
      {"u8:256", ":1:4: error: the value is out of range: `256` is above 255"},
      {"u8:010", ":1:4: error: the value has leading zeros: `010`; write 10 (or 0x... for a hexadecimal number)"},
      {"1n=i32:5", ":1:1: error: `1n` is not a name: letters, digits and _, no digit first"},
      {"=i32:5", ":1:1: error: `` is not a name: letters, digits and _, no digit first"},
      {"buf", ":1:4: error: expected `:` and a value, found nothing"},
      {"buf:", ":1:5: error: expected TYPE:COUNT or the name of a file, found nothing"},
      {"buf:none.bin", ":1:5: error: cannot read `none.bin`: no such file"},
      {"buf:f31:4:zero", ":1:5: error: unknown type `f31`; did you mean `f32`?"},
      {"buf:f32:-4:zero", ":1:9: error: the number of elements must not be negative, found `-4`"},
      {"buf:f32:0:zero", ":1:9: error: a buffer needs at least one element"},
      {"buf:f32:1e12:zero", ":1:9: error: the number of elements is out of range: `1e12` is above 274877906944"},
      {"buf:f32:x", ":1:9: error: the number of elements expects a number, found `x`"},
      {"buf:f32:4:", ":1:11: error: unknown contents ``; expected one of: zero, fill(VALUE), random(seed=1)"},
      {"buf:f32:4:zeros", ":1:15: error: expected the end, found `s`"},
      {"buf:f32:4:zreo", ":1:11: error: unknown contents `zreo`; did you mean `zero`?"},
      {"buf:f32:4:fill(", ":1:16: error: `fill` expects a number, found ``"},
      {"buf:f32:4:fill(1", ":1:17: error: expected `)`, found nothing"},
      {"buf:u8:4:fill(-1)", ":1:15: error: `fill` must not be negative, found `-1`"},
      {"buf:f32:4:random(", ":1:18: error: unknown key `` of random; expected one of: seed, min, max"},
      {"buf:f32:4:random(sed=1)", ":1:18: error: unknown key `sed` of random; did you mean `seed`?"},
      {"buf:f32:4:random(seed)", ":1:22: error: expected `=` after `seed`, found `)`"},
      {"buf:f32:4:random(seed=x)", ":1:23: error: `seed` expects a number, found `x`"},
      {"buf:f32:4:random(seed=1,seed=2)", ":1:25: error: `seed` is given twice"},
      {"buf:f32:4:random(seed=1", ":1:24: error: expected `,` or `)`, found nothing"},
      {"buf:f32:4:random(seed=1)x", ":1:25: error: expected the end, found `x`"},
      {"buf:f32:4:random[1]", ":1:17: error: expected `(` or the end, found `[1]`"},
      {"buf:f32:4:random(min=2,max=1)", ":1:11: error: `random` has min 2 above max 1"},
      {"buf:f32:4:random(min=-inf)", ":1:11: error: `random` needs finite limits"},
  };
  for (const BadArgument& bad : cases)
    EXPECT_EQ(error_of([&] { parse_argument(bad.text); }), "--arg `" + std::string(bad.text) + "`" + bad.message);
  EXPECT_EQ(error_of([] { parse_argument("i32:\xFF"); }).substr(0, 5), "--arg");
  const test::ScratchFolder folder;
  const std::string empty = folder.write("e.bin", "").string();
  EXPECT_NE(error_of([&] { parse_argument("buf:" + empty); }).find("is empty"), std::string::npos);
}

TEST(Argument, ReadsExtents) {
  EXPECT_EQ(parse_extents("4", "--grid"), (base::Dim3{4, 1, 1}));
  EXPECT_EQ(parse_extents("4,2,1", "--grid"), (base::Dim3{4, 2, 1}));
  const BadArgument cases[] = {
      {"", "--grid ``:1:1: error: the extent expects a number, found ``"},
      {"4,", "--grid `4,`:1:3: error: the extent expects a number, found ``"},
      {"4,0", "--grid `4,0`:1:3: error: an extent must be at least 1"},
      {"-4", "--grid `-4`:1:1: error: the extent must not be negative, found `-4`"},
      {"1,2,3,4", "--grid `1,2,3,4`:1:7: error: expected at most three numbers: X,Y,Z"},
      {"4x4", "--grid `4x4`:1:1: error: the extent takes no unit: found `4x4`"},
  };
  for (const BadArgument& bad : cases) EXPECT_EQ(error_of([&] { parse_extents(bad.text, "--grid"); }), bad.message);
}

KernelRun kernel_run(std::vector<std::string> args, std::vector<std::string> dumps = {}) {
  KernelRun run;
  run.module = "path/saxpy.ptx";
  run.kernel = "saxpy";
  run.args = std::move(args);
  run.dumps = std::move(dumps);
  return run;
}

TEST(Argument, ArgumentsBecomeAScript) {
  const WorkloadScript script =
      script_of(kernel_run({"f32:2", "buf:f32:8:zero", "y=buf:u8:3"}, {"y=out.bin", "arg1=x.bin"}));
  EXPECT_EQ(script.name, "saxpy");
  ASSERT_EQ(script.buffers.size(), 2U);
  EXPECT_EQ(script.buffers[0].name, "arg1");
  EXPECT_EQ(script.buffers[1].name, "y");
  ASSERT_EQ(script.steps.size(), 3U);
  const auto& launch = std::get<LaunchStep>(script.steps[0].action);
  ASSERT_EQ(launch.args.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<ScalarValue>(launch.args[0]));
  EXPECT_EQ(std::get<PointerArgument>(launch.args[2]).buffer, 1U);
  EXPECT_EQ(std::get<DumpStep>(script.steps[1].action).buffer, 1U);
  EXPECT_EQ(std::get<DumpStep>(script.steps[2].action).to, "x.bin");
}

TEST(Argument, SaysWhatIsWrongWithADump) {
  const auto message = [](const std::string& dump) {
    return error_of([&] { script_of(kernel_run({"out=buf:u8:3"}, {dump})); });
  };
  EXPECT_EQ(message("out"), "--dump `out`:1:4: error: expected BUFFER=FILE, found nothing");
  EXPECT_EQ(message("out="), "--dump `out=`:1:5: error: expected the name of a file, found nothing");
  EXPECT_EQ(message("ou=x"), "--dump `ou=x`:1:1: error: no buffer is called `ou`; did you mean `out`?");
  EXPECT_EQ(error_of([] { script_of(kernel_run({"a=u8:1"}, {"a=x"})); }),
            "--dump `a=x`:1:1: error: no buffer is called `a`; no argument is a buffer");
  EXPECT_EQ(error_of([] {
              script_of(kernel_run({"a=u8:1", "a=u8:2"}));
            }),
            "--arg `a=u8:2`:1:1: error: a second argument is called `a`");
}

RC_GTEST_PROP(Argument, AnyTextEndsInAnArgumentOrALocatedError, (const std::string& tail)) {
  for (const char* head : {"", "i32:", "buf:f32:", "buf:u8:4:", "buf:u8:4:random(", "n="}) {
    const std::string message = error_of([&] { parse_argument(head + tail); });
    RC_ASSERT(message == "no error" || message.rfind("--arg ", 0) == 0);
  }
}

}  // namespace
}  // namespace syncline::platform
