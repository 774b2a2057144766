#include "tests/unit/timed/random_kernel.h"

#include <fmt/format.h>

#include "base/random.h"

namespace syncline::tests {
namespace {

constexpr const char* head = R"(
.version 7.0
.target sm_70
.address_size 64

.extern .func (.param .b64 r) malloc(.param .b64 bytes);
.visible .entry k(.param .u64 data, .param .u64 far, .param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b16 %h<5>;
  .reg .b32 %r<20>;
  .reg .b32 %later<4>;
  .reg .b64 %rd<12>;
  .shared .align 16 .b8 mine[64];
  .local .align 4 .b8 own[16];
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [far];
  ld.param.u64 %rd3, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  shr.u32 %r3, %r1, 5;
  mad.lo.u32 %r4, %r2, 128, %r1;
  mul.lo.u32 %r5, %r4, 0x9E3779B1;
  shr.u32 %r6, %r4, 5;
  mul.wide.u32 %rd4, %r6, 256;
  add.u64 %rd4, %rd2, %rd4;
  mov.u32 %later0, 0;
  mov.u32 %later1, 0;
  mov.u32 %later2, 0;
  mov.u32 %later3, 0;
  mov.u32 %r7, 2;
again:
)";

constexpr const char* tail = R"(
  add.u32 %r7, %r7, -1;
  setp.ne.u32 %p1, %r7, 0;
  @%p1 bra again;
  mul.wide.u32 %rd5, %r4, 4;
  add.u64 %rd5, %rd3, %rd5;
  st.global.u32 [%rd5], %r5;
  ret;
}
)";

class Kernel {
 public:
  Kernel(std::uint64_t seed, Races races) : random_(seed, "random kernel"), races_(races) {
    if (races == Races::all_accesses) reach_ = 64U << below(6);
  }

  std::string text() {
    const unsigned steps = 14 + below(10);
    for (unsigned i = 0; i < steps; ++i) step();
    return head + body_ + tail;
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_.below(bound)); }
  void line(const std::string& text) { body_ += "  " + text + "\n"; }
  unsigned label() { return labels_++; }

  /// %rd5: a place in `data`, aligned to so many bytes.
  void place(unsigned align) {
    line("mad.lo.u32 %r5, %r5, 1664525, 1013904223;");
    line(fmt::format("shr.u32 %r8, %r5, {};", 10 + below(12)));
    line(fmt::format("and.b32 %r8, %r8, {};", reach_ - align));
    line("cvt.u64.u32 %rd5, %r8;");
    line("add.u64 %rd5, %rd1, %rd5;");
  }
  /// The warps of `mask` go round what is added until `to`.
  std::string round(unsigned mask) {
    const std::string to = fmt::format("past{}", label());
    line(fmt::format("shl.b32 %r9, 1, %r3; and.b32 %r9, %r9, {};", mask));
    line("setp.ne.u32 %p2, %r9, 0;");
    line(fmt::format("@%p2 bra {};", to));
    return to;
  }
  void step() {
    if (races_ == Races::all_accesses) return any_access();
    switch (below(races_ == Races::words_and_shared ? 16 : 14)) {
      case 0:
      case 1:
        return load();
      case 2:
        return line(fmt::format("xor.b32 %r5, %r5, %later{};", below(4)));
      case 3:
      case 4:
        return store();
      case 5:
        return atomic();
      case 6:
      case 7:
        return delay();
      case 8:
        return line("bar.sync 0;");
      case 9:
      case 10:
        return pairs();
      case 11:
        line("membar.gl;");
        return load();
      case 12:
        return lanes();
      case 13:
        return below(3) == 0 ? heap() : local();
      default:
        return exchange();
    }
  }
  void load() {
    place(4);
    const char* const kinds[] = {"global", "volatile.global", "relaxed.gpu.global"};
    line(fmt::format("ld.{}.u32 %later{}, [%rd5];", kinds[below(3)], below(4)));
    if (below(3) == 0) line(fmt::format("add.u32 %r5, %r5, %later{};", below(4)));
    if (below(3) == 0) line("bar.sync 0;");
  }
  void store() {
    switch (below(4)) {
      case 0:
        place(1);
        return line("cvt.u16.u32 %h1, %r5; st.global.u8 [%rd5], %h1;");
      case 1:
        place(16);
        return line("st.global.v4.u32 [%rd5], {%r5, %later0, %r4, %later1};");
      default:
        place(4);
        return line("st.global.u32 [%rd5], %r5;");
    }
  }
  void atomic() {
    place(4);
    if (below(3) == 0) return line("red.global.add.u32 [%rd5], %r5;");
    line(fmt::format("atom.global.exch.b32 %later{}, [%rd5], %r5;", below(4)));
  }
  /// Some warps wait for memory, or sleep.
  void delay() {
    const std::string past = round(1 + below(14));
    if (below(4) == 0) {
      line(fmt::format("nanosleep.u32 {};", 50 + below(2000)));
    } else {
      for (unsigned i = 0; i < 1 + below(4); ++i) {
        line("ld.volatile.global.u32 %r10, [%rd4];");
        line("add.u32 %r5, %r5, %r10;");
        line("add.u64 %rd4, %rd4, 4096;");
      }
    }
    body_ += past + ":\n";
  }
  /// Two by two, whoever comes; or some only arrive.
  void pairs() {
    const unsigned barrier = 1 + below(3);
    switch (below(4)) {
      case 0: {
        const unsigned mask = 1 + below(14);
        line(fmt::format("shl.b32 %r9, 1, %r3; and.b32 %r9, %r9, {};", mask));
        line("setp.ne.u32 %p2, %r9, 0;");
        line(fmt::format("@%p2 bar.arrive {}, 64;", barrier));
        return line(fmt::format("@!%p2 bar.sync {}, 64;", barrier));
      }
      case 1:
        line("and.b32 %r9, %r5, 1; setp.eq.u32 %p2, %r9, 0;");
        line(fmt::format("barrier.red.popc.u32 %r10, {}, 64, %p2;", barrier));
        return line("add.u32 %r5, %r5, %r10;");
      default:
        return line(fmt::format("barrier.sync {}, 64;", barrier));
    }
  }
  /// The lanes go different ways.
  void lanes() {
    const unsigned number = label();
    line(fmt::format("and.b32 %r9, %r5, {}; setp.ne.u32 %p3, %r9, 0;", 1U << below(3)));
    line(fmt::format("@%p3 bra other{};", number));
    below(2) == 0 ? load_alone() : store();
    line(fmt::format("bra meet{};", number));
    body_ += fmt::format("other{}:\n", number);
    below(2) == 0 ? load_alone() : store();
    body_ += fmt::format("meet{}:\n", number);
  }
  void load_alone() {
    place(4);
    line(fmt::format("ld.global.u32 %later{}, [%rd5];", below(4)));
  }
  void local() {
    const unsigned offset = below(4) * 4;
    line(fmt::format("ld.local.u32 %r10, [own+{}];", offset));
    line("add.u32 %r5, %r5, %r10;");
    line(fmt::format("st.local.u32 [own+{}], %r5;", offset));
  }
  void heap() {
    line("setp.eq.u32 %p2, %r7, 2;");
    const std::string past = fmt::format("past{}", label());
    line(fmt::format("@!%p2 bra {};", past));
    line("{ .param .b64 r; .param .b64 bytes; mov.u64 %rd6, 16; st.param.b64 [bytes], %rd6;");
    line("  call (r), malloc, (bytes); ld.param.b64 %rd7, [r]; }");
    line("cvt.u32.u64 %r10, %rd7; xor.b32 %r5, %r5, %r10;");
    body_ += past + ":\n";
  }
  void exchange() {
    line("shr.u32 %r8, %r5, 7; and.b32 %r8, %r8, 12;");
    line("mov.u32 %r9, mine; add.u32 %r8, %r8, %r9;");
    line("atom.shared.exch.b32 %r10, [%r8], %r5;");
    line("xor.b32 %r5, %r5, %r10;");
  }

  void any_access() {
    switch (below(22)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return access(true);
      case 4:
      case 5:
      case 6:
      case 7:
        return access(false);
      case 8:
      case 9:
      case 10:
        return any_atomic();
      case 11:
        return line(fmt::format("xor.b32 %r5, %r5, %later{};", below(4)));
      case 12:
      case 13:
        return any_fence();
      case 14:
        return delay();
      case 15:
        return line("bar.sync 0;");
      case 16:
        return pairs_alone();
      case 17:
      case 18:
        return tell();
      case 19:
      case 20:
        return cross();
      default:
        return below(4) == 0 ? local() : lanes();
    }
  }
  /// Some CTAs write, and say so; the others look, wait for no word, and look again.
  void tell() {
    const unsigned number = label(), datum = below(reach_ / 4) * 4, flag = below(reach_ / 4) * 4;
    line("shl.b32 %r8, %r1, 2;");
    line(fmt::format("add.u32 %r8, %r8, {}; and.b32 %r8, %r8, {};", datum, reach_ - 4));
    line("cvt.u64.u32 %rd5, %r8; add.u64 %rd5, %rd1, %rd5;");
    line(fmt::format("shr.u32 %r9, %r2, {}; and.b32 %r9, %r9, 1; setp.ne.u32 %p3, %r9, 0;", below(2)));
    line(fmt::format("@%p3 bra other{};", number));
    line("st.global.u32 [%rd5], %r5;");
    const bool by_fence = below(2) == 0;
    if (by_fence) any_fence();
    line(fmt::format("st.{}.gpu.global.u32 [%rd1+{}], %r5;", by_fence ? "relaxed" : "release", flag));
    line(fmt::format("bra meet{};", number));
    body_ += fmt::format("other{}:\n", number);
    line("ld.global.u32 %r10, [%rd5];");
    line(fmt::format("nanosleep.u32 {};", 100 + below(2000)));
    switch (below(3)) {
      case 0:
        line(fmt::format("ld.relaxed.gpu.global.u32 %r9, [%rd1+{}];", flag));
        any_fence();
        break;
      case 1:
        line(fmt::format("atom.acquire.gpu.global.or.b32 %r9, [%rd1+{}], 0;", flag));
        break;
      default:
        line(fmt::format("ld.acquire.gpu.global.u32 %r9, [%rd1+{}];", flag));
    }
    line("ld.global.u32 %r10, [%rd5]; add.u32 %r5, %r5, %r10; add.u32 %r5, %r5, %r9;");
    body_ += fmt::format("meet{}:\n", number);
  }
  /// Each writes one of two places and looks, behind a fence, at the other one.
  void cross() {
    const unsigned one = below(reach_ / 4) * 4, other = below(reach_ / 4) * 4;
    line(fmt::format("shr.u32 %r9, %r2, {}; and.b32 %r9, %r9, 1; setp.ne.u32 %p3, %r9, 0;", below(2)));
    line(fmt::format("selp.b32 %r8, {}, {}, %p3; selp.b32 %r9, {}, {}, %p3;", one, other, other, one));
    line("cvt.u64.u32 %rd5, %r8; add.u64 %rd5, %rd1, %rd5; cvt.u64.u32 %rd6, %r9; add.u64 %rd6, %rd1, %rd6;");
    switch (below(3)) {
      case 0:
        line("st.relaxed.gpu.global.u32 [%rd5], %r5;");
        break;
      case 1:
        line("red.relaxed.gpu.global.add.u32 [%rd5], %r5;");
        break;
      default:
        line("atom.relaxed.gpu.global.exch.b32 %later1, [%rd5], %r5;");
    }
    below(3) == 0 ? any_fence() : line(below(2) == 0 ? "fence.sc.gpu;" : "membar.gl;");
    line(fmt::format("ld{}.global.u32 %r10, [%rd6]; add.u32 %r5, %r5, %r10;", below(2) == 0 ? "" : ".relaxed.gpu"));
  }
  /// No warp comes to meet another one again before all have met: the last would wait for itself.
  void pairs_alone() {
    line("bar.sync 0;");
    for (unsigned i = 0; i < 1 + below(3); ++i) access(below(2) == 0);
    pairs();
  }
  /// As place(), or in one row with the neighbours' in the warp.
  void place_or_row(unsigned align) {
    if (below(3) != 0) return place(align);
    line(fmt::format("mad.lo.u32 %r8, %r1, {}, {};", align, below(64) * align));
    line(fmt::format("and.b32 %r8, %r8, {};", reach_ - align));
    line("cvt.u64.u32 %rd5, %r8;");
    line("add.u64 %rd5, %rd1, %rd5;");
  }
  const char* scope() {
    static constexpr const char* scopes[] = {"cta", "gpu", "sys"};
    return scopes[below(3)];
  }
  std::string manner(bool load) {
    static constexpr const char* cached[] = {"", ".ca", ".cg", ".cv"};
    switch (below(8)) {
      case 0:
        return ".volatile.global";
      case 1:
      case 2:
        return fmt::format(".relaxed.{}.global", scope());
      case 3:
      case 4:
        return fmt::format(".{}.{}.global", load ? "acquire" : "release", scope());
      case 5:
        return load ? fmt::format(".global{}", cached[below(4)]) : ".global";
      default:
        return ".global";
    }
  }
  void access(bool load) {
    struct Shape {
      const char* type;
      unsigned bytes;
      const char* registers;
      const char* after;  ///< of a load
    };
    static constexpr const char* of_half = "cvt.u32.u16 %r10, %h1; add.u32 %r5, %r5, %r10;";
    static constexpr const char* of_long = "cvt.u32.u64 %r10, %rd6; xor.b32 %r5, %r5, %r10;";
    static constexpr Shape shapes[] = {{"u8", 1, "%h1", of_half},
                                       {"u16", 2, "%h1", of_half},
                                       {"u32", 4, "%later0", ""},
                                       {"u32", 4, "%later1", "add.u32 %r5, %r5, %later1;"},
                                       {"u64", 8, "%rd6", of_long},
                                       {"v2.u8", 2, "{%h1, %h2}", of_half},
                                       {"v4.u16", 8, "{%h1, %h2, %h3, %h4}", ""},
                                       {"v2.u32", 8, "{%later2, %later3}", ""},
                                       {"v4.u32", 16, "{%later0, %later1, %later2, %later3}", ""},
                                       {"v2.u64", 16, "{%rd6, %rd7}", of_long}};
    const Shape& shape = shapes[below(10)];
    place_or_row(shape.bytes);
    if (load) {
      line(fmt::format("ld{}.{} {}, [%rd5];", manner(true), shape.type, shape.registers));
      if (below(2) == 0) line(shape.after);
      return;
    }
    line("cvt.u16.u32 %h1, %r5; cvt.u64.u32 %rd6, %r5; mad.lo.u32 %later0, %r5, 31, %r4;");
    line(fmt::format("st{}.{} [%rd5], {};", manner(false), shape.type, shape.registers));
  }
  void any_atomic() {
    static constexpr const char* operations[] = {"add", "exch", "min", "max", "and", "or", "xor", "cas", "inc"};
    const std::string operation = operations[below(9)];
    const bool bits =
        operation == "exch" || operation == "and" || operation == "or" || operation == "xor" || operation == "cas";
    const bool is_long = operation != "inc" && below(3) == 0;
    const std::string type = (bits ? "b" : "u") + std::string(is_long ? "64" : "32");
    place_or_row(is_long ? 8 : 4);
    const std::string b = is_long ? "%rd6" : "%r5", c = operation == "cas" ? (is_long ? ", %rd7" : ", %r4") : "";
    line("cvt.u64.u32 %rd6, %r5; cvt.u64.u32 %rd7, %r4;");
    if (c.empty() && operation != "exch" && below(3) == 0)
      return line(fmt::format("red.{}.{}.global.{}.{} [%rd5], {};", below(2) == 0 ? "relaxed" : "release", scope(),
                              operation, type, b));
    static constexpr const char* manners[] = {"relaxed", "acquire", "release", "acq_rel"};
    line(fmt::format("atom.{}.{}.global.{}.{} {}, [%rd5], {}{};", manners[below(4)], scope(), operation, type,
                     is_long ? "%rd6" : fmt::format("%later{}", below(4)), b, c));
    if (is_long && below(2) == 0) line("cvt.u32.u64 %r10, %rd6; add.u32 %r5, %r5, %r10;");
  }
  void any_fence() {
    static constexpr const char* fences[] = {"membar.cta",        "membar.gl",         "membar.sys",
                                             "fence.sc.cta",      "fence.sc.gpu",      "fence.sc.sys",
                                             "fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.acq_rel.sys"};
    line(fmt::format("{};", fences[below(9)]));
  }

  base::Random random_;
  Races races_;
  unsigned reach_ = 256;  ///< of the data, bytes
  unsigned labels_ = 0;
  std::string body_;
};

}  // namespace

std::string random_kernel(std::uint64_t seed, Races races) {
  return Kernel(seed, races).text();
}

}  // namespace syncline::tests
