// An initiator of somebody else's in front of a GPU that works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/bridge/base_protocol_checker.h"
#include "platform/config/configuration.h"
#include "platform/gpu/foreign_port.h"
#include "platform/timed/simulation.h"
#include "tests/support/memory_tester.h"
#include "workloads/registry.h"

namespace syncline::tests {
namespace {

using namespace platform;

class InFrontOfAGpu : public testing::TestWithParam<std::string> {};

TEST_P(InFrontOfAGpu, ReadsAndWritesWhileAKernelRuns) {
  GpuOptions options;
  options.foreign_ports = 2;
  Simulation simulation(
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", {"coherence.policy=" + GetParam()})
          .spec,
      /*seed=*/1, options);
  ForeignPort first("first", simulation.gpu().memory_side(), 0), second("second", simulation.gpu().memory_side(), 1);
  models::BaseProtocolChecker checker("checker"), other_checker("other_checker");
  MemoryTester initiator("initiator"), other("other");
  initiator.socket.bind(checker.target);
  checker.initiator.bind(first.socket);
  other.socket.bind(other_checker.target);
  other_checker.initiator.bind(second.socket);
  other.ending = MemoryTester::Ending::by_call;
  other.annotated_ps = 12'345;

  constexpr unsigned words = 600;
  std::vector<std::uint32_t> held;
  std::vector<std::uint8_t> looked(words * 4);
  simulation.run([&](Device& device) {
    const DevicePointer buffer = device.upload(std::vector<std::uint32_t>(words, 0));
    const std::uint64_t base = address(buffer);
    for (unsigned i = 0; i < words; ++i) {
      MemoryTester& who = i % 2 == 0 ? initiator : other;  // neighbours in a line
      who.write(base + std::uint64_t{i} * 4, {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8), 0, 0});
    }
    const workloads::Workload& workload = workloads::find_workload("saxpy");
    EXPECT_TRUE(workload.run({device, workloads::Size::small, 1, workloads::ptx_path(workload)}).verified);
    while (!initiator.done() || !other.done()) sc_core::wait(1, sc_core::SC_US);
    sc_core::wait(1, sc_core::SC_US);
    held = device.download<std::uint32_t>(buffer, words);
    EXPECT_EQ(initiator.debug(tlm::TLM_READ_COMMAND, base, looked.data(), words * 4), words * 4);
  });
  for (unsigned i = 0; i < words; ++i) {
    EXPECT_EQ(held[i], i);
    EXPECT_EQ(looked[4 * i] + 256U * looked[4 * i + 1], i);
  }
  EXPECT_EQ(checker.transactions() + other_checker.transactions(), words);
  EXPECT_EQ(checker.open() + other_checker.open(), 0U);
}
INSTANTIATE_TEST_SUITE_P(Policies, InFrontOfAGpu, testing::Values("none", "mesi", "gpu_vi", "rcc", "tc_strong"),
                         [](const testing::TestParamInfo<std::string>& one) { return one.param; });

}  // namespace
}  // namespace syncline::tests
