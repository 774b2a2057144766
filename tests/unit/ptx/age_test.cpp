// Instructions that are newer than what the module declares.
#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

#include "isa/ptx/forms.h"
#include "tests/support/sanitized.h"
#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

std::string module_of(const std::string& version, const std::string& target, const std::string& line) {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n.visible .entry k()\n{\n" +
         ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %b<9>; .reg .f32 %f<9>; .reg .b64 %q<9>; .reg .f64 %d<9>;\n" +
         line + "\nret;\n}\n";
}

struct Young {
  const char *line, *opcode, *version, *target;  ///< the oldest ones that have it
};
const Young young[] = {
    {"shf.l.wrap.b32 %b1, %b2, %b3, %b4;", "shf.l.wrap.b32", "3.1", "sm_32"},
    {"lop3.b32 %b1, %b2, %b3, %b4, 1;", "lop3.b32", "4.3", "sm_50"},
    {"lop3.or.b32 %b1|%p1, %b2, %b3, %b4, 1, %p2;", "lop3.or.b32", "8.2", "sm_70"},
    {"dp4a.u32.u32 %b1, %b2, %b3, %b4;", "dp4a.u32.u32", "5.0", "sm_61"},
    {"min.NaN.f32 %f1, %f2, %f3;", "min.NaN.f32", "7.0", "sm_80"},
    {"max.xorsign.abs.f32 %f1, %f2, %f3;", "max.xorsign.abs.f32", "7.2", "sm_86"},
    {"min.f32 %f1, %f2, %f3, %f4;", "min.f32` of 4 operands", "8.8", "sm_100"},
    {"min.relu.s16x2 %b1, %b2, %b3;", "min.relu.s16x2", "8.0", "sm_90"},
    {"fma.rn.f16 %h1, %h2, %h3, %h4;", "fma.rn.f16", "4.2", "sm_53"},
    {"fma.rn.relu.bf16x2 %b1, %b2, %b3, %b4;", "fma.rn.relu.bf16x2", "7.0", "sm_80"},
    {"fma.rn.oob.f16x2 %b1, %b2, %b3, %b4;", "fma.rn.oob.f16x2", "8.1", "sm_90"},
    {"add.bf16 %h1, %h2, %h3;", "add.bf16", "7.8", "sm_90"},
    {"add.sat.u32 %b1, %b2, %b3;", "add.sat.u32", "9.2", "sm_107f"},
    {"sub.u8x4 %b1, %b2, %b3;", "sub.u8x4", "9.2", "sm_107f"},
    {"neg.s8x4 %b1, %b2;", "neg.s8x4", "9.2", "sm_107f"},
    {"clmad.hi.u64 %q1, %q2, %q3, %q4;", "clmad.hi.u64", "9.3", "sm_80"},
    {"set.lt.s8x4 %b1, %b2, %b3;", "set.lt.s8x4", "9.4", "sm_107f"},
    {"fma.rn.f32x2.bf16x2.f32x2.f32x2 %q1, %b2, %q3, %q4;", "fma.rn.f32x2.bf16x2.f32x2.f32x2", "9.4", "sm_107f"},
    {"mul.bf16x2.bf16x2.f16x2 %b1, %b2, %b3;", "mul.bf16x2.bf16x2.f16x2", "9.4", "sm_107f"},
    {"add.e5m2x4.ue8m0x4 %b1, %b2, %b3;", "add.e5m2x4.ue8m0x4", "9.4", "sm_100a"},
    {"add.f32x2 %q1, %q2, %q3;", "add.f32x2", "8.6", "sm_100"},
    {"fma.rn.f32.bf16 %f1, %h2, %h3, %f4;", "fma.rn.f32.bf16", "8.6", "sm_100"},
    {"tanh.approx.f32 %f1, %f2;", "tanh.approx.f32", "7.0", "sm_75"},
    {"cvt.rn.bf16.f32 %h1, %f2;", "cvt.rn.bf16.f32", "7.0", "sm_80"},
    {"cvt.f32.bf16 %f1, %h2;", "cvt.f32.bf16", "7.1", "sm_80"},
    {"cvt.rz.bf16.u64 %h1, %q2;", "cvt.rz.bf16.u64", "7.8", "sm_90"},
    {"cvt.rna.tf32.f32 %b1, %f2;", "cvt.rna.tf32.f32", "7.0", "sm_80"},
    {"cvt.rn.tf32.f32 %b1, %f2;", "cvt.rn.tf32.f32", "7.8", "sm_90"},
    {"cvt.rn.satfinite.tf32.f32 %b1, %f2;", "cvt.rn.satfinite.tf32.f32", "8.6", "sm_100"},
    {"cvt.rn.satfinite.f16x2.f32 %b1, %f2, %f3;", "cvt.rn.satfinite.f16x2.f32", "8.1", "sm_80"},
    {"cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f3;", "cvt.rn.satfinite.e4m3x2.f32", "7.8", "sm_89"},
    {"cvt.rn.f16x2.e5m2x2 %b1, %h2;", "cvt.rn.f16x2.e5m2x2", "7.8", "sm_89"},
    {"cvt.rn.satfinite.e2m3x2.f32 %h1, %f2, %f3;", "cvt.rn.satfinite.e2m3x2.f32", "8.6", "sm_100a"},
    {"cvt.rn.bf16x2.e4m3x2 %b1, %h2;", "cvt.rn.bf16x2.e4m3x2", "9.2", "sm_100f"},
    {"cvt.rs.f16x2.f32 %b1, %f2, %f3, %b4;", "cvt.rs.f16x2.f32", "8.7", "sm_100a"},
    {"cvt.rs.satfinite.e4m3x4.f32 %b1, {%f1,%f2,%f3,%f4}, %b2;", "cvt.rs.satfinite.e4m3x4.f32", "8.7", "sm_100a"},
    {"cvt.rp.ue8m0x2.f32 %h1, %f2, %f3;", "cvt.rp.ue8m0x2.f32", "8.6", "sm_100a"},
    {"cvt.rn.bf16x2.ue8m0x2 %b1, %h2;", "cvt.rn.bf16x2.ue8m0x2", "8.6", "sm_100a"},
    {"cvt.rn.satfinite.s2f6x2.bf16x2 %h1, %b2;", "cvt.rn.satfinite.s2f6x2.bf16x2", "9.1", "sm_100a"},
    {"cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2 %b1, %h2, %h3;", "cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2", "9.1",
     "sm_100a"},
    {"cvt.rz.satfinite.e2m1x2.f32 %h1, %f2, %f3;", "cvt.rz.satfinite.e2m1x2.f32", "9.4", "sm_107a"},
    {"cvt.rn.pzo.bf16.f32 %h1, %f2;", "cvt.rn.pzo.bf16.f32", "9.4", "sm_107f"},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e5m2x2.f16x2 %h1, %b2, 127;",
     "cvt.rn.satfinite.scaled::n1::ue8m0.e5m2x2.f16x2", "9.4", "sm_107a"},
    {"cvt.rp.ue5m3x2.f32 %h1, %f2, %f3;", "cvt.rp.ue5m3x2.f32", "9.4", "sm_107a"},
    {"cvt.rn.f16x2.ue5m3x2 %b1, %h2;", "cvt.rn.f16x2.ue5m3x2", "9.4", "sm_107a"},
    {"cvt.pack.sat.u16.s32 %b1, %b2, %b3;", "cvt.pack.sat.u16.s32", "6.5", "sm_72"},
    {"cvt.pack.sat.u4.s32.b32 %b1, %b2, %b3, %b4;", "cvt.pack.sat.u4.s32.b32", "6.5", "sm_75"},
    {"cvta.param.u64 %q1, %q2;", "cvta.param.u64", "7.7", "sm_70"},
    {"ld.relaxed.gpu.global.u32 %b1, [%q1];", "ld.relaxed.gpu.global.u32", "6.0", "sm_70"},
    {"ld.global.nc.u32 %b1, [%q1];", "ld.global.nc.u32", "3.1", "sm_32"},
    {"ld.global.v4.f64 {%d1,%d2,%d3,%d4}, [%q1];", "ld.global.v4.f64", "8.8", "sm_100"},
    {"set.lt.u32.f16x2 %b1, %b2, %b3;", "set.lt.u32.f16x2", "6.5", "sm_53"},
    {"membar.proxy.alias;", "membar.proxy.alias", "7.5", "sm_60"},
    {"ld.global.v8.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, [%q1];", "ld.global.v8.f32", "8.8", "sm_100"},
    {"atom.global.add.f64 %d1, [%q1], %d2;", "atom.global.add.f64", "5.0", "sm_60"},
    {"atom.global.and.b64 %q1, [%q1], %q2;", "atom.global.and.b64", "3.1", "sm_32"},
    {"red.gpu.global.add.u32 [%q1], %b1;", "red.gpu.global.add.u32", "5.0", "sm_60"},
    {"atom.acquire.global.exch.b32 %b1, [%q1], %b2;", "atom.acquire.global.exch.b32", "6.0", "sm_70"},
    {"red.global.add.noftz.f16x2 [%q1], %b1;", "red.global.add.noftz.f16x2", "6.2", "sm_60"},
    {"red.global.add.v2.f32 [%q1], {%f1,%f2};", "red.global.add.v2.f32", "8.1", "sm_90"},
    {"ld.global.u32.proxy::readonly %b1, [%q1];", "ld.global.nc.u32", "9.4", "sm_90"},
    {"ld.mmio.acquire.sys.global.u32 %b1, [%q1];", "ld.acquire.sys.global.u32", "9.3", "sm_75"},
    {"red.global.add.noftz.f32 [%q1], %f1;", "red.global.add.noftz.f32", "9.4", "sm_90"},
    {"prefetch.global.L1::32B.valid_addr [%q1];", "prefetch.global.L1", "9.4", "sm_90"},
    {"createpolicy.fractional.L2::evict_last.b64 %q1;", "createpolicy.fractional.L2::evict_last.b64", "7.4", "sm_80"},
    {"applypriority.L2::evict_normal [%q1], 128;", "applypriority.L2::evict_normal", "7.4", "sm_80"},
    {"fence.mbarrier_init.release.cluster;", "fence.release.cluster", "8.0", "sm_90"},
    {"fence.proxy.tensormap::generic.release.gpu;", "fence.proxy.tensormap::generic.release.gpu", "8.3", "sm_90"},
    {"fence.acq_rel.gpu;", "fence.acq_rel.gpu", "6.0", "sm_70"},
    {"barrier.sync 0;", "barrier.sync", "6.0", "sm_30"},
    {"bar.warp.sync -1;", "bar.warp.sync", "6.0", "sm_30"},
    {"shfl.down.b32 %b1, %b2, 1, 31;", "shfl.down.b32", "3.0", "sm_30"},
    {"shfl.sync.down.b32 %b1, %b2, 1, 31, -1;", "shfl.sync.down.b32", "6.0", "sm_30"},
    {"match.any.sync.b32 %b1, %b2, -1;", "match.any.sync.b32", "6.0", "sm_70"},
    {"activemask.b32 %b1;", "activemask.b32", "6.2", "sm_30"},
    {"redux.sync.add.u32 %b1, %b2, -1;", "redux.sync.add.u32", "7.0", "sm_80"},
    {"redux.sync.max.abs.NaN.f32 %f1, %f2, -1;", "redux.sync.max.abs.NaN.f32", "8.6", "sm_100a"},
    {"elect.sync %b1|%p1, -1;", "elect.sync", "8.0", "sm_90"},
    {"nanosleep.u32 5;", "nanosleep.u32", "6.3", "sm_70"},
    {"vadd4.u32.u32.u32 %b1, %b2, %b3, %b4;", "vadd4.u32.u32.u32", "3.0", "sm_30"},
};

/// The next older one that a module could declare.
std::string older_version(const std::string& version) {
  const unsigned number = static_cast<unsigned>((version[0] - '0') * 10 + (version[2] - '0'));
  return std::to_string((number - 1) / 10) + "." + std::to_string((number - 1) % 10);
}

TEST(Age, TheOldestModuleThatHasAnInstructionLoads) {
  for (const Young& y : young) {
    SCOPED_TRACE(y.line);
    EXPECT_NO_THROW(test::parse(module_of(y.version, y.target, y.line)));
  }
}

TEST(Age, AnOlderVersionIsAnError) {
  for (const Young& y : young) {
    const std::string version = older_version(y.version);
    std::string named = y.opcode;
    if (named.find('`') == std::string::npos) named += "`";
    EXPECT_EQ(
        test::error_of(module_of(version, y.target, y.line)),
        "test.ptx:7:1: error: `" + named + " needs PTX ISA " + y.version + ", the module declares .version " + version);
  }
}

TEST(Age, AnOlderTargetIsAnError) {
  for (const Young& y : young) {
    const std::string digits = std::string(y.target).substr(3);
    const bool specific = digits.back() == 'a' || digits.back() == 'f';
    const std::string target = "sm_" + std::to_string(std::stoi(digits) - 1);
    std::string named = y.opcode;
    if (named.find('`') == std::string::npos) named += "`";
    EXPECT_EQ(test::error_of(module_of("9.4", target, y.line)),
              "test.ptx:7:1: error: `" + named + " needs sm_" + std::to_string(std::stoi(digits)) +
                  (specific ? "a, a target of its family" : "") + " or higher, the module declares .target " + target);
  }
}

TEST(Age, FormsEnd) {
  for (const char* line : {"shfl.down.b32 %b1, %b2, 1, 31;", "shfl.up.b32 %b1|%p1, %b2, %b3, 0;",
                           "shfl.idx.b32 %b1, %b2, 1, 31;", "shfl.bfly.b32 %b1, %b2, 1, 31;", "vote.all.pred %p1, %p2;",
                           "vote.any.pred %p1, !%p2;", "vote.uni.pred %p1, %p2;", "vote.ballot.b32 %b1, %p2;"}) {
    EXPECT_NO_THROW(test::parse(module_of("6.3", "sm_70", line))) << line;
    EXPECT_NO_THROW(test::parse(module_of("8.0", "sm_62", line))) << line;
    EXPECT_THAT(test::error_of(module_of("6.4", "sm_70", line)),
                testing::HasSubstr("PTX ISA 6.4 and later ask for `.sync` here, for sm_70 and higher"))
        << line;
  }
}

TEST(Age, UnifiedAddressesAreYoung) {
  const char* const line = "ld.global.b32 %b1, [%q1].unified;";
  EXPECT_NO_THROW(test::parse(module_of("8.0", "sm_90", line)));
  for (const auto& [version, target] : {std::pair("7.8", "sm_90"), std::pair("8.0", "sm_89")})
    EXPECT_THAT(
        test::error_of(module_of(version, target, line)),
        testing::HasSubstr("test.ptx:7:20: error: operand 2 of `ld.global.b32`: `.unified` needs PTX ISA 8.0 and "
                           "sm_90 or higher"));
}

TEST(Age, ArchitectureSpecificFormsNeedASpecificTarget) {
  const char* const line = "cvt.rn.satfinite.e2m1x2.f32 %h1, %f2, %f3;";
  EXPECT_NO_THROW(test::parse(module_of("8.8", "sm_120a", line)));
  EXPECT_NO_THROW(test::parse(module_of("8.8", "compute_100f, debug", line)));
  EXPECT_THAT(
      test::error_of(module_of("8.8", "sm_120", line)),
      testing::HasSubstr("needs sm_100a, a target of its family or higher, the module declares .target sm_120"));
}

/// The words of a form: of `first` and `second` the ones that are given, of all others the first choice.
std::vector<std::string> words_of(const Form& form, std::size_t first, const ModifierWord& one, std::size_t second,
                                  const ModifierWord& other) {
  std::vector<std::string> texts;
  for (std::size_t n = 0; n < form.elements.size(); ++n) {
    const FormElement& element = form.elements[n];
    const ModifierWord& word = n == second ? other : n == first ? one : element.words.front();
    texts.push_back((element.is_type ? "." : "") + std::string(word.text));
  }
  return texts;
}

bool speaks_of(const FormNote& note, Opcode opcode, const Form& form) {
  if (note.operands != 0 && note.operands != form.operands.size()) return false;
  for (std::size_t first = 0; first < form.elements.size(); ++first)
    for (const ModifierWord& one : form.elements[first].words)
      for (std::size_t second = 0; second < form.elements.size(); ++second)
        for (const ModifierWord& other : form.elements[second].words) {
          const auto texts = words_of(form, first, one, second, other);
          const auto notes = notes_of(opcode, {texts.begin(), texts.end()});
          if (std::find(notes.begin(), notes.end(), &note) != notes.end()) return true;
        }
  return false;
}

/// A note that speaks of no form would never be read.
TEST(Age, EveryNoteIsAboutForms) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  for (const FormNote& note : form_notes()) {
    std::string left = "/" + std::string(note.opcodes) + "/";
    for (unsigned n = 0; n < static_cast<unsigned>(Opcode::count_); ++n) {
      const auto opcode = static_cast<Opcode>(n);
      const std::string name = "/" + std::string(isa::name(opcode)) + "/";
      const std::size_t at = left.find(name);
      if (at == std::string::npos) continue;
      bool used = note.words.empty();
      for (const Form& form : forms_of(opcode)) used = used || speaks_of(note, opcode, form);
      EXPECT_TRUE(used) << isa::name(opcode) << " " << note.words;
      left.erase(at, name.size() - 1);
    }
    EXPECT_EQ(left, "/") << "no opcode";
  }
}

}  // namespace
}  // namespace syncline::isa
