// An SM leaves the memory of the emulator behind, whatever machine it is and whenever it is answered.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

/// Every machine gives the same memory: warp sizes, segments, modes, widths, a starved memory path, several seeds.
struct Machine {
  const char* name;
  void (*change)(models::SmSpec&);
};

void PrintTo(const Machine& machine, std::ostream* out) {
  *out << machine.name;
}

class MachineTest : public SmMachine, public testing::WithParamInterface<Machine> {};

TEST_P(MachineTest, GivesTheMemoryOfTheEmulator) {
  GetParam().change(spec);
  build();
  const auto in = allocate(128 * 24 * 4, true), out = allocate(128 * 24 * 4), vectors = allocate(16 * 192);
  const auto bins = allocate(64), most = allocate(4);
  compare(reverse, {"reverse", {24}, {128}, {in, out}});
  compare(spaces, {"spaces", {3}, {64}, {in, vectors}});
  compare(histogram, {"histogram", {24}, {128}, {in, bins, most}});
}

INSTANTIATE_TEST_SUITE_P(
    Variants, MachineTest,
    testing::Values(Machine{"fermi", [](models::SmSpec&) {}},
                    Machine{"wide_warps",
                            [](models::SmSpec& s) {
                              s.warp_size = 64;
                              s.max_warps = 24;
                            }},
                    Machine{"narrow_warps",
                            [](models::SmSpec& s) {
                              s.warp_size = 8;
                              s.max_threads = 384;
                            }},
                    Machine{"small_segments", [](models::SmSpec& s) { s.coalescer.segment_bytes = 32; }},
                    Machine{"half_warps",
                            [](models::SmSpec& s) { s.coalescer.mode = models::CoalesceMode::half_warp; }},
                    Machine{"no_coalescing", [](models::SmSpec& s) { s.coalescer.mode = models::CoalesceMode::lane; }},
                    Machine{"starved_path",
                            [](models::SmSpec& s) {
                              s.memory.instructions = 1;
                              s.memory.queue = 1;
                            }},
                    Machine{"four_schedulers_wide_issue",
                            [](models::SmSpec& s) {
                              s.schedulers = 4;
                              s.issue_width = 2;
                              s.units.sp = {4, 32};
                              s.scheduler.policy = models::SchedulerPolicy::gto;
                            }}),
    [](const auto& variant) { return variant.param.name; });

/// Other delays and another order of replies change when things happen, never what comes out.
class SeedTest : public SmMachine, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(SeedTest, RepliesInAnyOrderGiveTheSameMemory) {
  seed = GetParam();
  l1 = {1, static_cast<std::uint32_t>(20 + 100 * (seed % 5)), static_cast<std::uint32_t>(seed % 4)};
  if (l1.refuse_one_in == 1) l1.refuse_one_in = 2;
  build();
  const auto in = allocate(128 * 24 * 4, true), out = allocate(128 * 24 * 4), vectors = allocate(16 * 192);
  const auto bins = allocate(64), most = allocate(4), lock = allocate(4), counter = allocate(4);
  compare(reverse, {"reverse", {24}, {128}, {in, out}});
  compare(spaces, {"spaces", {3}, {64}, {in, vectors}});
  compare(histogram, {"histogram", {24}, {128}, {in, bins, most}});
  compare(spin, {"spin", {3}, {64}, {lock, counter, 2}});
}

INSTANTIATE_TEST_SUITE_P(Seeds, SeedTest, testing::Range<std::uint64_t>(1, 13));

}  // namespace
}  // namespace syncline::tests
