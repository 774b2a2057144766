#include "platform/litmus/litmus_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "platform/litmus/litmus_barriers.h"

namespace syncline::platform {
namespace {

using consistency::AtomicOp;
using consistency::Instruction;
using consistency::InstructionKind;
using consistency::Operand;
using consistency::Program;
using consistency::Semantics;

std::string_view word(AtomicOp op) {
  return name_in(consistency::atomic_names(), op);
}

/// ".acquire.gpu"; nothing for a weak access.
std::string qualifiers(const Instruction& i) {
  if (i.is_volatile) return ".volatile";
  if (i.semantics == Semantics::weak) return "";
  return fmt::format(".{}.{}", name_in(consistency::semantics_names(), i.semantics),
                     name_in(consistency::scope_names(), i.scope));
}

/// Until so many nanoseconds before or behind the start of the round.
std::string sleep_until(const char* add_or_subtract, const char* distance) {
  return fmt::format(R"(	mul.wide.u32 %wide, %round, %period;
	add.u64 %at, %zero_hour, %wide;
	cvt.u64.u32 %wide, {1};
	{0}.u64 %at, %at, %wide;
	mov.u64 %now, %globaltimer;
	setp.lt.and.u64 %some, %now, %at, %lead;
	sub.u64 %at, %at, %now;
	cvt.u32.u64 %wait, %at;
	@%some nanosleep.u32 %wait;
)",
                     add_or_subtract, distance);
}

constexpr const char* all_take = "vote.sync.any.pred %taken, %taken, 0xffffffff;";

/// The instructions of the threads, as PTX.
class Bodies {
 public:
  explicit Bodies(const Program& program) : program_(program), barriers_(plan_barriers(program)) {}

  std::string declarations() const {
    std::string text;
    for (unsigned t = 0; t < program_.threads.size(); ++t) {
      for (const consistency::Register& r : program_.threads[t].registers)
        text += fmt::format("\t.reg .s32 %t{}_{};\n", t, r.name);
    }
    return text;
  }

  std::string body(unsigned t) {
    thread_ = t;
    const consistency::Thread& thread = program_.threads[t];
    std::set<unsigned> targets;
    for (const Instruction& i : thread.instructions) {
      if (i.kind == InstructionKind::branch) targets.insert(i.target);
    }
    std::string text = fmt::format("BODY{}:\n", t);
    for (unsigned r = 0; r < thread.registers.size(); ++r)
      text += fmt::format("\tmov.s32 {}, {};\n", reg(r), thread.registers[r].initial);
    if (program_.has_loop()) text += "\tmov.u32 %tries, 0;\n";
    text += sleep_until("add", "%delay");  // in front of each body: all threads have as far to go from it
    for (unsigned n = 0; n <= thread.instructions.size(); ++n) {
      if (targets.count(n) != 0) text += fmt::format("TARGET{}_{}:\n", t, n);
      if (n < thread.instructions.size()) text += "\t" + line(n) + "\n";
    }
    for (unsigned r = 0; r < thread.registers.size(); ++r)
      text += fmt::format("\t@%lead st.global.s32 [%result+{}], {};\n", 4 * r, reg(r));
    if (program_.has_loop())
      text += fmt::format("\t@%lead st.global.u32 [%result+{}], %tries;\n", 4 * litmus_sizes(program_).tries());
    if (!barriers_.together.empty() && barriers_.together[t] != 0)
      text += fmt::format("\tbar.sync {}, {};\n", barrier_of_rounds, 32 * barriers_.together[t]);
    return text + "\tbra.uni NEXT;\n";
  }

 private:
  std::string reg(unsigned r) const {
    return fmt::format("%t{}_{}", thread_, program_.threads[thread_].registers[r].name);
  }
  std::string operand(const Operand& o) const { return o.reg ? reg(*o.reg) : std::to_string(o.value); }

  std::string line(unsigned n) const {
    const Instruction& i = program_.threads[thread_].instructions[n];
    switch (i.kind) {
      case InstructionKind::load:
        return fmt::format("@%lead ld{}.global.s32 {}, [%a{}];", qualifiers(i), reg(i.destination), i.location);
      case InstructionKind::store:
        return fmt::format("@%lead st{}.global.s32 [%a{}], {};", qualifiers(i), i.location, operand(i.a));
      case InstructionKind::atomic:
        return fmt::format("{}@%lead atom{}.global.{} {}, {};", negated(i), qualifiers(i), operation(i),
                           reg(i.destination), operands(i));
      case InstructionKind::reduction:
        return fmt::format("{}@%lead red{}.global.{} {};", negated(i), qualifiers(i), operation(i), operands(i));
      case InstructionKind::fence:
        if (i.is_membar) {
          const bool is_gpu = i.scope == consistency::Scope::gpu;
          return fmt::format("membar.{};", is_gpu ? "gl" : name_in(consistency::scope_names(), i.scope));
        }
        return fmt::format("fence{};", qualifiers(i));
      case InstructionKind::proxy_fence:  // such a test does not run
        break;
      case InstructionKind::barrier:
        return barrier(n);
      case InstructionKind::move:
        return fmt::format("mov.s32 {}, {};", reg(i.destination), operand(i.a));
      case InstructionKind::alu:
        return fmt::format("{} {}, {}, {};", alu(i.alu), reg(i.destination), operand(i.a), operand(i.b));
      case InstructionKind::branch:
        return branch(n);
    }
    return "";
  }

  /// A barrier of the CTA that waits for exactly those threads that meet. Where its number comes from a register, the
  /// first lane knows it.
  std::string barrier(unsigned n) const {
    const Instruction& i = program_.threads[thread_].instructions[n];
    const auto found = barriers_.uses.find({thread_, n});
    if (found == barriers_.uses.end()) return "";  // nobody comes here
    const auto& uses = found->second;
    const std::string operation = i.arrives_only ? "bar.arrive" : "bar.sync";
    if (uses.size() == 1) return fmt::format("{} {}, {};", operation, uses[0].barrier, 32 * uses[0].threads);
    std::string text =
        fmt::format("mov.u32 %barrier, {};\n\tmov.u32 %meet, {};\n", uses[0].barrier, 32 * uses[0].threads);
    for (std::size_t u = 1; u < uses.size(); ++u) {
      text +=
          fmt::format("\tsetp.eq.and.s32 %taken, {}, {}, %lead;\n\t{}\n", operand(i.barrier), uses[u].number, all_take);
      text += fmt::format("\t@%taken mov.u32 %barrier, {};\n\t@%taken mov.u32 %meet, {};\n", uses[u].barrier,
                          32 * uses[u].threads);
    }
    return text + fmt::format("\t{} %barrier, %meet;", operation);
  }

  /// PTX has no atomic subtraction: the negative is added.
  static std::string operation(const Instruction& i) {
    switch (i.atomic) {
      case AtomicOp::add:
      case AtomicOp::sub:
        return "add.s32";
      case AtomicOp::min:
      case AtomicOp::max:
        return fmt::format("{}.s32", word(i.atomic));
      case AtomicOp::inc:
      case AtomicOp::dec:
        return fmt::format("{}.u32", word(i.atomic));
      default:
        return fmt::format("{}.b32", word(i.atomic));
    }
  }

  std::string negated(const Instruction& i) const {
    if (i.atomic != AtomicOp::sub || !i.a.reg) return "";
    return fmt::format("neg.s32 %left, {};\n\t", operand(i.a));
  }

  std::string operands(const Instruction& i) const {
    if (i.atomic == AtomicOp::sub) {
      if (i.a.reg) return fmt::format("[%a{}], %left", i.location);
      return fmt::format("[%a{}], {}", i.location, consistency::applied(AtomicOp::sub, 0, i.a.value, 0));
    }
    const std::string text = fmt::format("[%a{}], {}", i.location, operand(i.a));
    return i.atomic == AtomicOp::cas ? text + ", " + operand(i.b) : text;
  }

  static std::string alu(consistency::AluOp op) {
    switch (op) {
      case consistency::AluOp::add:
        return "add.s32";
      case consistency::AluOp::sub:
        return "sub.s32";
      case consistency::AluOp::mul:
        return "mul.lo.s32";
      default:
        return fmt::format("{}.b32", name_in(consistency::alu_names(), op));
    }
  }

  /// All lanes go where the first one does: it alone has what was loaded. Who goes back too often goes on instead.
  std::string branch(unsigned n) const {
    const Instruction& i = program_.threads[thread_].instructions[n];
    const bool back = i.branches_back(n);
    const std::string target = fmt::format("TARGET{}_{}", thread_, i.target);
    const std::string try_again = fmt::format(
        "add.u32 %tries, %tries, 1;\n\tsetp.le.u32 %some, %tries, {};\n\t@%some bra.uni {};", litmus_max_tries, target);
    if (i.comparison == consistency::Comparison::always) return back ? try_again : fmt::format("bra.uni {};", target);
    constexpr const char* names[] = {"", "eq", "ne", "lt", "le", "gt", "ge"};
    // Both sides in registers: `setp` of two numbers is no PTX.
    const std::string decision =
        fmt::format("mov.s32 %left, {};\n\tsetp.{}.and.s32 %taken, %left, {}, %lead;\n\t{}\n", operand(i.a),
                    names[static_cast<unsigned>(i.comparison)], operand(i.b), all_take);
    if (!back) return decision + fmt::format("\t@%taken bra.uni {};", target);
    return decision + fmt::format("\t@!%taken bra.uni ON{0}_{1};\n\t{2}\nON{0}_{1}:", thread_, n, try_again);
  }

  const Program& program_;
  unsigned thread_ = 0;
  LitmusBarriers barriers_;
};

constexpr const char* head = R"(.version 8.6
.target sm_90
.address_size 64

.visible .entry litmus(.param .u64 roles, .param .u64 plans, .param .u64 results, .param .u64 places,
                       .param .u64 scratch, .param .u64 start, .param .u32 rounds, .param .u32 period_ns,
                       .param .u32 touch_stride)
{
	.reg .pred %lead, %taken, %some;
	.reg .u32 %lane, %warp, %warps, %cta, %role, %thread, %roles_of_round, %index, %sm, %delay, %warm, %touches, %before, %mask;
	.reg .u32 %round, %rounds, %period, %offset, %stride, %wait;
	.reg .u32 %tries, %barrier, %meet;
	.reg .s32 %left;
	.reg .u64 %plan, %result, %place, %scratch, %start, %now, %zero_hour, %other, %at, %wide;
)";

/// Up to the first round: who this warp is, and when the rounds begin. The warp that comes first says when.
constexpr const char* prologue = R"(
	mov.u32 %lane, %tid.x;
	and.b32 %lane, %lane, 31;
	setp.eq.u32 %lead, %lane, 0;
	mov.u32 %warp, %tid.x;
	shr.u32 %warp, %warp, 5;
	mov.u32 %warps, %ntid.x;
	shr.u32 %warps, %warps, 5;
	mov.u32 %cta, %ctaid.x;
	mad.lo.u32 %index, %cta, %warps, %warp;
	mul.wide.u32 %wide, %index, 8;
	ld.param.u64 %at, [roles];
	add.u64 %at, %at, %wide;
	ld.global.cg.u32 %role, [%at];
	ld.global.cg.u32 %thread, [%at+4];
	setp.eq.u32 %taken, %role, 0xffffffff;
	@%taken ret;
	ld.param.u64 %place, [places];
	mul.wide.u32 %wide, %role, 4;
	add.u64 %place, %place, %wide;
	mov.u32 %sm, %smid;
	@%lead st.global.u32 [%place], %sm;
	ld.param.u32 %rounds, [rounds];
	ld.param.u32 %period, [period_ns];
	ld.param.u32 %stride, [touch_stride];
	ld.param.u64 %scratch, [scratch];
	ld.param.u64 %start, [start];
	mov.u64 %zero_hour, %globaltimer;
	cvt.u64.u32 %wide, %period;
	add.u64 %zero_hour, %zero_hour, %wide;
	mov.u64 %other, 0;
	@%lead atom.relaxed.gpu.global.cas.b64 %other, [%start], 0, %zero_hour;
	setp.ne.u64 %taken, %other, 0;
	@%taken mov.u64 %zero_hour, %other;
	mov.u32 %round, 0;
)";

std::string round_head(const LitmusSizes& sizes) {
  // Plans and results lie round by round, in each by copy and thread.
  std::string text = "ROUND:\n";
  text += "\tld.param.u64 %plan, [plans];\n\tld.param.u64 %result, [results];\n";
  text += "\tmad.lo.u32 %index, %round, %roles_of_round, %role;\n";
  text += fmt::format("\tmul.wide.u32 %wide, %index, {};\n\tadd.u64 %plan, %plan, %wide;\n", sizes.plan_bytes());
  text += fmt::format("\tmul.wide.u32 %wide, %index, {};\n\tadd.u64 %result, %result, %wide;\n", sizes.result_bytes());
  const char* const members[] = {"delay", "warm", "touches", "offset", "before"};
  for (unsigned i = 0; i < std::size(members); ++i)
    text += fmt::format("\tld.global.cg.u32 %{}, [%plan+{}];\n", members[i], 4 * i);
  for (unsigned l = 0; l < sizes.locations; ++l)
    text += fmt::format("\tld.global.cg.u64 %a{}, [%plan+{}];\n", l, sizeof(LitmusPlan) + 8 * l);
  return text + sleep_until("sub", "%before");
}

std::string preparation(const LitmusSizes& sizes) {
  std::string text;
  for (unsigned l = 0; l < sizes.locations; ++l) {
    text += fmt::format("\tand.b32 %mask, %warm, {};\n\tsetp.ne.and.u32 %some, %mask, 0, %lead;\n", 1U << l);
    text += fmt::format("\t@%some ld.global.u32 %warm{}, [%a{}];\n", l, l);
  }
  text += "\tcvt.u64.u32 %wide, %offset;\n\tadd.u64 %at, %scratch, %wide;\n\tcvt.u64.u32 %wide, %stride;\n";
  for (unsigned n = 0; n < litmus_max_touches; ++n) {
    text += fmt::format("\tsetp.gt.and.u32 %some, %touches, {}, %lead;\n", n);
    text += fmt::format("\t@%some ld.global.u32 %touched{}, [%at];\n\tadd.u64 %at, %at, %wide;\n", n);
  }
  return text;
}

}  // namespace

LitmusSizes litmus_sizes(const Program& program) {
  LitmusSizes sizes{static_cast<unsigned>(program.threads.size()), static_cast<unsigned>(program.locations.size()), 0};
  for (const consistency::Thread& thread : program.threads)
    sizes.registers = std::max(sizes.registers, static_cast<unsigned>(thread.registers.size()));
  if (program.has_loop()) ++sizes.registers;
  return sizes;
}

std::string why_not_run(const Program& program, unsigned gpus) {
  if (program.gpus() > gpus)
    return fmt::format("its threads are on {} GPUs; the platform has {}", program.gpus(), gpus);
  if (program.has_proxies()) return "it is about proxies; the platform's kernels have the generic proxy only";
  if (program.locations.size() > litmus_max_locations)
    return fmt::format("it has more than {} locations", litmus_max_locations);
  return plan_barriers(program).obstacle;
}

std::string litmus_kernel(const Program& program) {
  const LitmusSizes sizes = litmus_sizes(program);
  const std::string obstacle = why_not_run(program, program.gpus());
  if (!obstacle.empty()) throw base::UserError(program.file + ": error: the test cannot run: " + obstacle);
  Bodies bodies(program);
  std::string text = head;
  text += bodies.declarations();
  for (unsigned l = 0; l < sizes.locations; ++l) text += fmt::format("\t.reg .u64 %a{0};\n\t.reg .u32 %warm{0};\n", l);
  for (unsigned n = 0; n < litmus_max_touches; ++n) text += fmt::format("\t.reg .u32 %touched{};\n", n);
  text += prologue;
  // The rows of the tables are as wide as there are roles: what the host says, behind the start word.
  text += "\tld.global.cg.u32 %roles_of_round, [%start+8];\n";
  text += round_head(sizes);
  text += preparation(sizes);
  for (unsigned t = 0; t < sizes.threads; ++t)
    text += fmt::format("\tsetp.eq.u32 %taken, %thread, {};\n\t@%taken bra.uni BODY{};\n", t, t);
  for (unsigned t = 0; t < sizes.threads; ++t) text += bodies.body(t);
  text += "NEXT:\n\tadd.u32 %round, %round, 1;\n\tsetp.lt.u32 %taken, %round, %rounds;\n\t@%taken bra.uni ROUND;\n";
  return text + "\tret;\n}\n";
}

}  // namespace syncline::platform
