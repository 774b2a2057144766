// The SM keeps what the model checker takes for granted of it (protocols/coherence/explore/sm_rules.h): the same small
// programs on both, and which access reaches the L1 before an earlier one is answered.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "models/sm/seams/issue_gate.h"
#include "protocols/coherence/explore/steps.h"
#include "protocols/coherence/registry.h"
#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

using namespace protocols::explore;

/// One operation as PTX, whose addresses are in %rd1 (x) and %rd2 (y).
std::string ptx_of(const Op& op, unsigned reg) {
  static constexpr const char* orderings[] = {"relaxed", "acquire", "release", "acq_rel"};
  const std::string ordering = orderings[static_cast<unsigned>(op.ordering)];
  const std::string scope = op.scope == protocols::Scope::cta   ? "cta"
                            : op.scope == protocols::Scope::sys ? "sys"
                                                                : "gpu";
  const std::string place = op.line == 0 ? "[%rd1]" : "[%rd2]";
  switch (op.kind) {
    case OpKind::load:
      return fmt::format("ld.{}.{}.global.u32 %r{}, {};", ordering, scope, reg, place);
    case OpKind::store:
      return fmt::format("st.{}.{}.global.u32 {}, {};", ordering, scope, place, op.value);
    case OpKind::fence:
      return fmt::format("fence.{}.{};", op.ordering == Ordering::relaxed ? "sc" : ordering, scope);
    default:
      break;
  }
  if (op.atomic == AtomicKind::cas)
    return fmt::format("atom.{}.{}.global.cas.b32 %r{}, {}, {}, {};", ordering, scope, reg, place, op.compare,
                       op.value);
  return fmt::format("atom.{}.{}.global.{} %r{}, {}, {};", ordering, scope,
                     op.atomic == AtomicKind::exch ? "exch.b32" : "add.u32", reg, place, op.value);
}

enum class Kind { weak, early, sc };

struct Case {
  Kind kind;
  std::string program;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  static constexpr const char* names[] = {"weak", "early", "sc"};
  return out << names[static_cast<unsigned>(c.kind)] << ": " << c.program;
}

class MemoryOrder : public SmMachine, public testing::WithParamInterface<Case> {
 protected:
  static constexpr unsigned delay_ns = 500;

  /// Whether the world holds the last operation back while the first one, which has been presented, is under way.
  static bool world_holds(const Program& program) {
    protocols::CoherenceSpec spec;
    spec.policy = GetParam().kind == Kind::early ? "tc_weak" : GetParam().kind == Kind::weak ? "rcc_wo" : "gpu_vi";
    const protocols::CoherenceContext context;
    const protocols::CoherencePolicy policy = protocols::make_coherence_policy(spec, context);
    World world(policy, program, context, {});
    State state = Steps(world, true, true).first_state();
    EXPECT_EQ(world.issue(state, 0), World::Verdict::done);
    const unsigned last = static_cast<unsigned>(program.threads.size()) - 1;
    if (!world.may_issue(state, last)) return true;
    world.issue(state, last);  // a fence may find only now whom it waits for
    return state.threads[last].next != (last == 0 ? 2 : 1);
  }

  static models::SmSeams seams_of_kind(unsigned) {
    models::SmSeams policies;
    if (GetParam().kind == Kind::sc) {
      policies.gate = std::make_shared<models::SequentialGate>();
      policies.fences = std::make_shared<models::NoFence>();
    } else {
      policies.fences = std::make_shared<models::DrainingFence>(GetParam().kind == Kind::early);
    }
    return policies;
  }

  /// The same of the SM: two operations of a warp, or one of each of two warps, the second somewhat later.
  bool sm_holds(const Program& program) {
    sm_count = 1;
    l1 = {delay_ns, delay_ns, 0};
    seams = seams_of_kind;
    build();
    const auto x = allocate(128), y = allocate(128);
    const bool two = program.threads.size() == 2;
    std::string body;
    if (two) {
      body = fmt::format(
          "@%p1 bra SECOND;\n{}\nret;\nSECOND:\nmov.u64 %rd3, %clock64; add.u64 %rd3, %rd3, 100;\n"
          "WAIT: mov.u64 %rd4, %clock64; setp.lt.u64 %p2, %rd4, %rd3; @%p2 bra WAIT;\n{}\n",
          ptx_of(program.threads[0].ops[0], 2), ptx_of(program.threads[1].ops[0], 3));
    } else {
      for (unsigned i = 0; i < program.threads[0].ops.size(); ++i)
        body += ptx_of(program.threads[0].ops[i], 2 + i) + "\n";
    }
    // Both values are wanted in the end, so that they have registers of their own.
    execute(
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u64 y) {\n"
        ".reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<6>;\nld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];\n"
        "mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 31; mov.u32 %r2, 0; mov.u32 %r3, 0;\n" +
            body + "add.u32 %r4, %r2, %r3;\nret;\n}",
        {"k", {1}, {two ? 64U : 32U}, {x, y}});
    std::vector<std::uint64_t> at;
    for (const auto& seen : l1s[0]->seen) {
      if (seen.kind == models::L1Kind::global || seen.kind == models::L1Kind::fence) at.push_back(seen.at_ps);
    }
    if (at.size() != 2) {
      ADD_FAILURE() << at.size() << " requests have reached the L1";
      return false;
    }
    return at[1] >= at[0] + delay_ns * 1000U;
  }
};

TEST_P(MemoryOrder, IsThatOfTheModelChecker) {
  const Program program = parse_program(GetParam().program);
  EXPECT_EQ(sm_holds(program), world_holds(program));
}

std::vector<std::string> with_orderings(const char* name, const std::vector<std::string>& orderings, const char* rest) {
  std::vector<std::string> all;
  for (const std::string& ordering : orderings) {
    for (const char* scope : {"", ".cta"}) all.push_back(name + ordering + scope + rest);
  }
  return all;
}

/// Every pair of an access and an access or a fence behind it, of one warp, and of stores and fences of two warps.
std::vector<Case> cases() {
  const std::vector<std::vector<std::string>> first{
      with_orderings("ld", {"", ".acquire"}, " x"),
      with_orderings("st", {"", ".release"}, " x 1"),
      with_orderings("add", {"", ".acquire", ".release", ".acq_rel"}, " x 1"),
      {"exch x 1", "cas x 0 1", "cas.acquire x 0 1"}};
  const std::vector<std::string> second{
      "ld y", "st y 1", "st.release y 1", "st.release.cta y 1", "add.acquire.sys y 1", "cas.acq_rel y 0 1"};
  const std::vector<std::string> fences{"fence", "fence.cta", "fence.acq_rel.sys"};
  std::vector<Case> all;
  for (const auto& kind : first) {
    for (const std::string& a : kind) {
      for (const std::string& b : second) {
        for (const Kind k : {Kind::weak, Kind::sc}) all.push_back({k, a + "; " + b});
      }
      for (const std::string& b : fences) all.push_back({Kind::weak, a + "; " + b});
    }
  }
  for (const char* a : {"ld x", "st x 1", "add x 1", "exch x 1"}) {
    for (const char* b : {"fence", "fence.cta", "fence.acq_rel.sys", "st.release y 1", "st.release.cta y 1",
                          "add.acq_rel.sys y 1", "st y 1"}) {
      for (const Kind k : {Kind::weak, Kind::early}) all.push_back({k, fmt::format("{} @0 | {} @0", a, b)});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Pairs, MemoryOrder, testing::ValuesIn(cases()));

}  // namespace
}  // namespace syncline::tests
