// A small machine for tests: SMs with fake L1s over one flat memory, a work distributor, and the functional emulator on
// a memory of its own, which is what the timed run must agree with.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/exec/emulator/emulator.h"
#include "isa/ptx/parser.h"
#include "models/sm/sm.h"
#include "models/work_distributor/work_distributor.h"
#include "tests/support/platform_fixture.h"
#include "tests/unit/sm/fake_l1.h"

namespace syncline::tests {

struct Launch {
  std::string kernel;
  base::Dim3 grid, block;
  std::vector<std::uint64_t> arguments;  ///< one per parameter; cut to the parameter's size
  std::uint32_t dynamic_shared = 0;
};

/// Collects what programs print; has no heap.
class TestHost : public models::SmHost {
 public:
  explicit TestHost(isa::FlatMemory& memory) : memory_(memory) {}
  void print(std::string_view text) override { printed += text; }
  std::uint64_t heap_allocate(std::uint64_t) override { return 0; }
  bool heap_free(std::uint64_t) override { return false; }
  void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) override {
    std::memcpy(to, memory_.host(address), bytes);
  }
  std::string printed;

 private:
  isa::FlatMemory& memory_;
};

class SmMachine : public PlatformFixture {
 protected:
  static constexpr std::uint64_t heap = 0x10000000, local = 0x40000000;

  models::SmSpec spec;
  models::WorkDistributorSpec distributor_spec;
  models::PerturbationSpec perturbation;
  FakeL1Config l1;
  unsigned sm_count = 2;
  std::uint64_t seed = 1;
  std::shared_ptr<models::WarpEvents> listener;  ///< to all SMs; null: nobody
  /// Seams of each SM; null gives the defaults.
  std::function<models::SmSeams(unsigned)> seams;

  isa::FlatMemory memory{std::uint64_t{1} << 34}, emulated_memory{std::uint64_t{1} << 34};
  isa::MemoryMap map;
  TestHost host{memory}, emulated_host{emulated_memory};
  std::vector<std::unique_ptr<models::Sm>> sms;
  std::vector<std::unique_ptr<FakeL1>> l1s;
  std::unique_ptr<models::WorkDistributor> distributor;
  models::ClockDomain* core = nullptr;

  /// Makes the machine; before the first launch.
  void build();
  /// `bytes` of device memory in both worlds, filled with a pattern of the seed, or zero.
  std::uint64_t allocate(std::uint64_t bytes, bool random = false);
  template <class T>
  T* at(std::uint64_t address) {
    return reinterpret_cast<T*>(memory.host(address));
  }

  std::shared_ptr<const isa::Program> load(std::string_view ptx, std::string_view kernel);
  isa::GridContext context_of(std::string_view ptx, const Launch& launch);
  /// Launches on the timed machine; `run` lets time pass.
  base::GridId start(std::string_view ptx, const Launch& launch);
  /// Runs until nothing happens any more. Rethrows what a block threw.
  void run();
  /// start and run; expects that the grid completes and nothing is left over.
  void execute(std::string_view ptx, const Launch& launch);
  /// The message of the ProgramFault that the launch ends with; empty when it does not.
  std::string fault_of(std::string_view ptx, const Launch& launch);
  void emulate(std::string_view ptx, const Launch& launch);
  /// execute and emulate; all allocations must hold the same bytes.
  void compare(std::string_view ptx, const Launch& launch);
  void expect_same_memory();

  std::vector<base::GridId> completed;

 private:
  std::uint64_t next_ = heap;
  std::uint32_t grids_ = 0;
  std::map<std::string, std::shared_ptr<const isa::Program>> programs_;  ///< by kernel and text
};

}  // namespace syncline::tests
