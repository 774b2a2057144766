// What holds for every kernel of the table: all builds give the same bits, and lanes outside the mask keep theirs.
#include <algorithm>

#include "base/error.h"
#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

using Bytes = Lanes<std::uint64_t>;  // the widest register

struct Call {
  Bytes dst, src[5];
  std::uint32_t dst2 = 0x0f0f3355, mask = 0, immediate = 0;

  void run(LaneKernel kernel) {
    LaneArgs args;
    args.dst = dst.v.data();
    args.dst2 = &dst2;
    for (unsigned k = 0; k < 5; ++k) args.src[k] = src[k].v.data();
    args.mask = mask;
    args.immediate = immediate;
    kernel(args);
  }
};

/// Registers full of values of one width, the same in all operands.
Call random_call(std::mt19937_64& random) {
  Call call;
  const unsigned width = 1u << random() % 4;
  for (Bytes& source : call.src) {
    auto* const out = reinterpret_cast<unsigned char*>(source.v.data());
    for (unsigned at = 0; at < sizeof source.v; at += width) {
      const std::uint64_t value = width == 1   ? any_value<std::uint8_t>(random)
                                  : width == 2 ? any_value<std::uint16_t>(random)
                                  : width == 4 ? any_value<std::uint32_t>(random)
                                               : any_value<std::uint64_t>(random);
      std::memcpy(out + at, &value, width);
    }
  }
  for (std::uint64_t& value : call.dst.v) value = random();
  call.mask = random() % 2 == 0 ? 0xffffffffu : static_cast<std::uint32_t>(random());
  call.immediate = static_cast<std::uint32_t>(random());
  return call;
}

TEST(LaneBuilds, HaveTheSameForms) {
  const auto portable = kernel_table(LaneIsa::portable)->entries();
  EXPECT_GT(portable.size(), 2000u);
  for (const LaneIsa isa : runnable_builds()) {
    const auto entries = kernel_table(isa)->entries();
    ASSERT_EQ(entries.size(), portable.size()) << build_name(isa);
    for (std::size_t n = 0; n < entries.size(); ++n) ASSERT_EQ(entries[n].first, portable[n].first) << build_name(isa);
  }
}

TEST(LaneBuilds, GiveTheSameBits) {
  const auto portable = kernel_table(LaneIsa::portable)->entries();
  for (const LaneIsa isa : runnable_builds()) {
    if (isa == LaneIsa::portable) continue;
    const auto entries = kernel_table(isa)->entries();
    std::mt19937_64 random(7);
    for (std::size_t n = 0; n < entries.size(); ++n) {
      for (unsigned round = 0; round < 20; ++round) {
        Call expected = random_call(random);
        Call found = expected;
        expected.run(portable[n].second);
        found.run(entries[n].second);
        ASSERT_EQ(found.dst.v, expected.dst.v) << build_name(isa) << " key " << std::hex << entries[n].first;
        ASSERT_EQ(found.dst2, expected.dst2) << build_name(isa) << " key " << std::hex << entries[n].first;
      }
    }
  }
}

/// Which bytes of two registers differ.
std::vector<bool> difference(const Bytes& a, const Bytes& b) {
  const auto* const x = reinterpret_cast<const unsigned char*>(a.v.data());
  const auto* const y = reinterpret_cast<const unsigned char*>(b.v.data());
  std::vector<bool> differs(sizeof a.v);
  for (std::size_t n = 0; n < differs.size(); ++n) differs[n] = x[n] != y[n];
  return differs;
}

TEST(LaneMask, LanesOutsideKeepTheirValues) {
  for (const LaneIsa isa : runnable_builds()) {
    std::mt19937_64 random(11);
    for (const auto& [key, kernel] : kernel_table(isa)->entries()) {
      Call full = random_call(random);
      full.mask = 0xffffffffu;
      Call empty = full, inverted = full;
      const Bytes before = full.dst;
      full.run(kernel);
      // What a run over an inverted destination changes too is what the kernel writes: its width per lane.
      for (std::uint64_t& value : inverted.dst.v) value = ~value;
      inverted.run(kernel);
      const std::vector<bool> kept = difference(full.dst, inverted.dst);
      const auto written = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), false));
      const bool predicate = written == 4;
      ASSERT_TRUE(predicate || written == 32 || written == 64 || written == 128 || written == 256)
          << std::hex << key << std::dec << " writes " << written;

      empty.mask = 0;
      const std::uint32_t flags = empty.dst2;
      empty.run(kernel);
      ASSERT_EQ(empty.dst.v, before.v) << std::hex << key;
      ASSERT_EQ(empty.dst2, flags) << std::hex << key;

      for (unsigned lane = 0; lane < kernel_lanes; lane += 7) {
        Call single = empty;
        single.mask = 1u << lane;
        single.run(kernel);
        if (predicate) {
          const auto changed = static_cast<std::uint32_t>(single.dst.v[0] ^ before.v[0]);
          ASSERT_EQ(changed & ~single.mask, 0u) << std::hex << key;
          continue;
        }
        const std::size_t width = written / kernel_lanes;
        const std::vector<bool> changed = difference(single.dst, before);
        for (std::size_t at = 0; at < changed.size(); ++at) {
          ASSERT_FALSE(changed[at] && at / width != lane) << std::hex << key << " byte " << at;
        }
        ASSERT_EQ(std::memcmp(reinterpret_cast<const char*>(single.dst.v.data()) + lane * width,
                              reinterpret_cast<const char*>(full.dst.v.data()) + lane * width, width),
                  0)
            << std::hex << key;
      }
    }
  }
}

TEST(LaneSelection, ForcesABuildAndReturnsToTheBest) {
  const LaneIsa best = selected_lane_isa();
  EXPECT_NE(best, LaneIsa::automatic);
  const Modifiers add = mods(Type::u32);
  for (const LaneIsa isa : runnable_builds()) {
    select_lane_isa(isa);
    EXPECT_EQ(selected_lane_isa(), isa);
    EXPECT_EQ(find_lane_kernel(Opcode::add, add), kernel_table(isa)->find(form_of(Opcode::add, add)));
  }
  select_lane_isa(LaneIsa::automatic);
  EXPECT_EQ(selected_lane_isa(), best);
}

TEST(LaneSelection, ABuildThatTheHostLacksIsAnError) {
  if (runnable_builds().size() == 3) GTEST_SKIP() << "this host runs every build";
  for (const LaneIsa isa : {LaneIsa::avx2, LaneIsa::avx512}) {
    if (lane_isa_available(isa)) continue;
    EXPECT_THROW(select_lane_isa(isa), base::UserError) << build_name(isa);
  }
}

TEST(LaneTable, TwoKernelsForOneFormAreAnError) {
  KernelTable table;
  const LaneKernel kernel = kernel_table(LaneIsa::portable)->entries().front().second;
  table.add(LaneForm(Opcode::add, Type::u32), kernel);
  EXPECT_EQ(table.find(LaneForm(Opcode::add, Type::u32)), kernel);
  EXPECT_EQ(table.find(LaneForm(Opcode::add, Type::u64)), nullptr);
  EXPECT_THROW(table.add(LaneForm(Opcode::add, Type::u32), kernel), base::ModelError);
}

}  // namespace
}  // namespace syncline::isa::test
