// Seams of the SM that a determinism policy uses: places of warps, and faults that a gate keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class SeamsTest : public SmMachine {
 protected:
  static std::string kernel(const std::string& body) {
    return ".version 7.0\n.target sm_70\n.address_size 64\n"
           ".visible .entry k(.param .u64 p) {\n"
           ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .local .align 4 .b8 mine[16];\n"
           "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
           "mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n" +
           body + "\nret;\n}\n";
  }
};

/// The last slot has the first place.
class FromTheEnd final : public models::WarpPlaces {
 public:
  explicit FromTheEnd(unsigned warps) : last_(warps - 1) {}
  unsigned place(unsigned slot) const override { return last_ - slot; }

 private:
  unsigned last_;
};

TEST_F(SeamsTest, LocalMemoryAndWarpidFollowThePlaceOfAWarp) {
  sm_count = 1;
  seams = [this](unsigned) {
    models::SmSeams policies;
    policies.places = std::make_shared<FromTheEnd>(spec.max_warps);
    return policies;
  };
  build();
  const auto out = allocate(64 * 4);
  execute(kernel("st.local.u32 [mine], %r1; ld.local.u32 %r5, [mine]; mov.u32 %r6, %warpid; shl.b32 %r6, %r6, 16;\n"
                 "add.u32 %r5, %r5, %r6; st.global.u32 [%rd3], %r5;"),
          {"k", {1}, {64}, {out}});
  std::set<std::uint64_t> lines;
  for (const FakeL1::Seen& seen : l1s[0]->seen) {
    if (seen.kind == models::L1Kind::local) lines.insert(seen.line);
  }
  const auto of_place = [this](unsigned place) { return local + std::uint64_t{place} * spec.warp_size * 4; };
  EXPECT_THAT(lines, ElementsAre(of_place(spec.max_warps - 2), of_place(spec.max_warps - 1)));
  for (unsigned thread = 0; thread < 64; ++thread)
    EXPECT_EQ(at<std::uint32_t>(out)[thread], ((spec.max_warps - 1 - thread / 32) << 16) + thread);
}

/// Keeps faults of warps, which then issue nothing.
class Keeper final : public models::IssueGate {
 public:
  std::vector<std::string_view> reasons() const override { return {"fault"}; }
  Verdict check(const models::IssueQuery& query) override {
    return std::count(at_fault.begin(), at_fault.end(), query.slot) != 0 ? 0 : open;
  }
  bool keep_fault(unsigned slot, const isa::Op& op, std::exception_ptr fault) override {
    at_fault.push_back(slot);
    kinds.push_back(op.kind);
    try {
      std::rethrow_exception(fault);
    } catch (const base::ProgramFault& error) {
      said.emplace_back(error.what());
    }
    return true;
  }
  std::vector<unsigned> at_fault;
  std::vector<isa::OpKind> kinds;
  std::vector<std::string> said;
};

TEST_F(SeamsTest, OthersGoOnWhereAGateKeepsAFault) {
  sm_count = 1;
  const auto keeper = std::make_shared<Keeper>();
  seams = [&](unsigned) {
    models::SmSeams policies;
    policies.gate = keeper;
    return policies;
  };
  build();
  const auto out = allocate(96 * 4);
  // Warp 1 has a load under way when it reads from nowhere; warp 2 traps.
  const std::string ptx = kernel(R"(
  setp.eq.u32 %p1, %r1, 32; ld.global.u32 %r7, [%rd3]; mov.u64 %rd4, 64;
  @%p1 ld.global.u32 %r5, [%rd4];
  setp.ge.u32 %p2, %r1, 64;
  @%p2 trap;
  st.global.u32 [%rd3], 5;)");
  start(ptx, {"k", {1}, {96}, {out}});
  run();
  EXPECT_THAT(keeper->kinds, testing::UnorderedElementsAre(isa::OpKind::load, isa::OpKind::trap));
  EXPECT_THAT(keeper->said, testing::UnorderedElementsAre(HasSubstr("out-of-bounds"), HasSubstr("trap: the program")));
  const auto* const words = at<std::uint32_t>(out);
  EXPECT_THAT(std::vector(words, words + 32), Each(5U));
  EXPECT_THAT(std::vector(words + 32, words + 96), Each(0U)) << "a warp went on behind its fault";
  EXPECT_EQ(sms[0]->resident_ctas(), 1U) << "its CTA does not end";
}

}  // namespace
}  // namespace syncline::tests
