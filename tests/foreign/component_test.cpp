// A GPU as a component: its registers by the letter, mistakes, faults, interrupts, and a memory of the user's.
#include "platform/component/gpu_component.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "models/bridge/base_protocol_checker.h"
#include "platform/component/component_waves.h"
#include "sc_main/examples/bus_cpu.h"
#include "tests/foreign/foreign_memories.h"
#include "tests/support/error_of.h"
#include "tests/support/file_text.h"

namespace syncline::tests {
namespace {

using namespace platform;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* component_ptx = R"(.version 7.0
.target sm_70
.address_size 64
.global .u32 bias = 5;
.visible .entry number(.param .u32 plus, .param .u64 to)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [plus];
  mov.u32 %r2, %tid.x;
  ld.global.u32 %r3, [bias];
  add.u32 %r4, %r1, %r2;
  add.u32 %r4, %r4, %r3;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r4;
  ret;
}
.visible .entry for_ever()
{
AGAIN:
  bra AGAIN;
}
.visible .entry astray(.param .u64 to, .param .u32 who)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .reg .pred %p<3>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [who];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r2, 64, %r3;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r5, 1;
  st.global.u32 [%rd3], %r5;
  setp.eq.u32 %p1, %r1, %r2;
  @%p1 bra BAD;
  setp.ge.u32 %p2, %r3, 32;
  @%p2 bra WAIT;
AGAIN:
  membar.gl;
  red.global.add.u32 [%rd3], 0;
  ld.global.u32 %r6, [%rd3];
  bra AGAIN;
WAIT:
  bar.sync 0;
  ret;
BAD:
  mov.u64 %rd2, 64;
  st.global.u32 [%rd2], %r5;
  ret;
}
)";

/// A CPU, a checker and a GPU. `program` runs in the CPU's thread.
struct Board {
  explicit Board(std::function<void(Board&)> program, const std::string& prefix = "",
                 std::vector<std::string> settings = {}, const ComponentOptions& options = {})
      : irq((prefix + "irq").c_str()),
        cpu((prefix + "cpu").c_str(), [this, program = std::move(program)](BusCpu&) { program(*this); }),
        checker((prefix + "checker").c_str()),
        gpu((prefix + "gpu").c_str(), SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings), options) {
    cpu.socket.bind(checker.target);
    checker.initiator.bind(gpu.target);
    gpu.irq(irq);
  }
  ComponentDriver driver() { return cpu.driver(0, irq); }
  std::uint32_t word(Register address) { return cpu.read(static_cast<std::uint32_t>(address)); }
  void set(Register address, std::uint32_t value) { cpu.write(static_cast<std::uint32_t>(address), value); }
  /// Writes a command to its slot, whose address it returns, without the doorbell.
  std::uint32_t put(std::uint32_t number, Command command, std::uint32_t fence) {
    const std::uint32_t at = component_area::queue + number % word(Register::slots) * 64;
    cpu.write(at, static_cast<std::uint32_t>(command) | slot_word::interrupt);
    cpu.write(at + 4, fence);
    return at;
  }

  sc_core::sc_signal<bool> irq;
  BusCpu cpu;
  models::BaseProtocolChecker checker;
  GpuComponent gpu;
};

/// What a launch of `number` with one CTA of 32 threads leaves behind.
std::vector<std::uint32_t> numbers(ComponentDriver& driver, std::uint32_t plus) {
  const std::uint64_t to = driver.allocate(128);
  driver.launch(driver.load_module(component_ptx), "number", {{1}, {32}}, arguments(plus, DevicePointer{to}));
  std::vector<std::uint32_t> values(32);
  driver.read(to, values.data(), 128);
  driver.free(to);
  return values;
}
std::vector<std::uint32_t> expected_numbers(std::uint32_t plus) {
  std::vector<std::uint32_t> values(32);
  for (std::uint32_t i = 0; i < 32; ++i) values[i] = plus + i + 5;
  return values;
}

TEST(ComponentPage, HasTheMapOfRegisters) {
  EXPECT_THAT(test::text_of("docs/how-to-component.md"), HasSubstr(component_reference()));
}

TEST(Component, AnswersByTheLetter) {
  Board board([](Board& self) {
    std::uint8_t data[8] = {};
    std::uint8_t enables[4] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED, TLM_BYTE_ENABLED};
    const auto access = [&](tlm::tlm_command command, std::uint64_t address, unsigned bytes, bool enable = false) {
      tlm::tlm_generic_payload payload;
      payload.set_command(command);
      payload.set_address(address);
      payload.set_data_ptr(data);
      payload.set_data_length(bytes);
      payload.set_streaming_width(bytes);
      payload.set_byte_enable_ptr(enable ? enables : nullptr);
      payload.set_byte_enable_length(enable ? 4 : 0);
      sc_core::sc_time delay(10, sc_core::SC_NS);
      const sc_core::sc_time begin = sc_core::sc_time_stamp();
      self.cpu.socket->b_transport(payload, delay);
      EXPECT_EQ(sc_core::sc_time_stamp() - begin, sc_core::sc_time(10, sc_core::SC_NS)) << "it is at its time";
      EXPECT_EQ(delay, sc_core::sc_time(100, sc_core::SC_NS));
      return payload.get_response_status();
    };
    constexpr auto read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND;
    const std::uint64_t window = component_area::window;
    EXPECT_EQ(access(read, 0, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(std::string(data, data + 4), "CNYS") << "in the order of this host";
    EXPECT_EQ(access(read, 0x18, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(access(write, 0x18, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(access(read, window + 64 * 1024, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(access(read, 0, 2), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(access(read, 0, 8), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(access(read, 2, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(access(read, 0, 4, true), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(access(write, 0, 4), tlm::TLM_COMMAND_ERROR_RESPONSE) << "ID is read only";
    EXPECT_EQ(access(write, component_area::error_text, 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
    data[0] = data[1] = 7;
    EXPECT_EQ(access(write, window + 1, 4, true), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(access(read, window, 8), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(data[1], 7);
    EXPECT_EQ(data[2], 0) << "a byte that is not enabled";

    const auto debug = [&](tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
      tlm::tlm_generic_payload payload;
      payload.set_command(command);
      payload.set_address(address);
      payload.set_data_ptr(data);
      payload.set_data_length(bytes);
      payload.set_streaming_width(bytes);
      return self.cpu.socket->transport_dbg(payload);
    };
    data[0] = 3;
    EXPECT_EQ(debug(write, window + 5, 1), 1U);
    EXPECT_EQ(debug(write, component_area::queue + 4, 4), 4U);
    EXPECT_EQ(debug(write, 0x28, 4), 0U) << "a doorbell has an effect";
    EXPECT_EQ(debug(read, 0x28, 4), 4U);
    EXPECT_EQ(data[0], 0);
    EXPECT_EQ(debug(read, window + 5, 1), 1U);
    EXPECT_EQ(data[0], 3);
    EXPECT_EQ(debug(read, 0x18, 4), 0U);
  });
  sc_core::sc_start();
  EXPECT_GT(board.checker.transactions(), 10U);
  EXPECT_THAT(test::error_of([&] { board.gpu.memory(1); }),
              HasSubstr("`gpu` has no socket for the memory of partition 1: GpuOptions::own_memory does not name it"));
}

TEST(Component, TellsMistakesAndGoesOn) {
  Board board([](Board& self) {
    ComponentDriver driver = self.driver();
    const std::uint32_t module = driver.load_module(component_ptx);
    const std::uint64_t memory = driver.allocate(256);
    const auto refused = [&](CommandError error, Command command, const std::vector<std::uint32_t>& words) {
      // As ComponentDriver::run, but the error stays to be looked at.
      const std::uint32_t number = self.word(Register::doorbell), slot = self.put(number, command, 0);
      for (std::uint32_t i = 0; i < words.size(); ++i) self.cpu.write(slot + 4 * (slot_word::operands + i), words[i]);
      self.set(Register::doorbell, number + 1);
      while (!self.irq) wait(self.irq.posedge_event());
      self.set(Register::irq_status, irq_bit::error);
      EXPECT_EQ(self.word(Register::error_code), static_cast<std::uint32_t>(error));
      EXPECT_EQ(self.word(Register::error_command), number);
      EXPECT_EQ(self.cpu.read(slot + 4 * slot_word::outcome), slot_word::failed);
      const std::string text = driver.error_text();
      self.set(Register::control, control_bit::run | control_bit::resume);
      return text;
    };
    const auto low = static_cast<std::uint32_t>(memory);
    EXPECT_THAT(test::error_of([&] { driver.load_module(".version 7.0\n.target sm_70\n.visible .entri k() {}\n"); }),
                HasSubstr("module:3:"));
    EXPECT_THAT(test::error_of([&] {
                  driver.launch(module, "numbre", {{1}, {1}}, {});
                }),
                HasSubstr("no kernel `numbre`; did you mean `number`?"));
    EXPECT_THAT(test::error_of([&] {
                  driver.launch(module + 9, "number", {{1}, {1}}, {});
                }),
                HasSubstr("module handle 9 is not one of the 1 modules"));
    EXPECT_THAT(test::error_of([&] { driver.find_variable(module, "biased"); }), HasSubstr("did you mean `bias`?"));
    EXPECT_THAT(test::error_of([&] {
                  driver.launch(module, "number", {{1}, {2048}}, arguments(1U, memory));
                }),
                HasSubstr("has 2048 threads"));
    EXPECT_THAT(test::error_of([&] {
                  driver.launch(module, "number", {{1}, {1}}, arguments(1U));
                }),
                HasSubstr("the arguments have 4 bytes, its parameters 16"));
    EXPECT_THAT(refused(CommandError::bad_memory, Command::write, {low, 0, 0, 260}),
                HasSubstr("runs 4 bytes past the end of allocation 0"));
    EXPECT_THAT(refused(CommandError::bad_memory, Command::refresh, {low + 4096, 0, 8, 0}),
                HasSubstr("nothing is allocated there"));
    EXPECT_THAT(refused(CommandError::bad_memory, Command::allocate, {0, 1 << 20}), HasSubstr("out of device memory"));
    EXPECT_THAT(refused(CommandError::bad_window, Command::write, {low, 0, 64 * 1024 - 4, 8}),
                HasSubstr("8 bytes at place 0xfffc do not lie in the window of 65536 bytes"));
    EXPECT_THAT(refused(CommandError::bad_window, Command::find_variable, {module, 64 * 1024}),
                HasSubstr("do not lie in the window"));
    driver.to_window(64 * 1024 - 4, "abcd", 4);
    EXPECT_THAT(refused(CommandError::bad_window, Command::find_variable, {module, 64 * 1024 - 4}),
                HasSubstr("has no 0 at its end"));
    EXPECT_THAT(refused(CommandError::bad_command, static_cast<Command>(77), {}),
                HasSubstr("no command has the number 77"));
    EXPECT_THAT(test::error_of([&] { driver.load_module(std::string(65537, ' ')); }),
                HasSubstr("a module of 65537 bytes does not go through a window of 65536"));
    EXPECT_EQ(numbers(driver, 10), expected_numbers(10));
    EXPECT_NE(driver.find_variable(module, "bias"), 0U);
  });
  sc_core::sc_start();
  EXPECT_EQ(board.gpu.simulation().leftovers(), "");
  std::ostringstream statistics;
  board.gpu.write_statistics(statistics);
  EXPECT_THAT(statistics.str(), HasSubstr("\"gpu.gpu.sm0_l1."));
}

TEST(Component, QueuesCommandsAndCountsThem) {
  ComponentOptions options;
  options.slots = 4;
  bool checked = false;
  Board board(
      [&checked](Board& self) {
        EXPECT_EQ(self.word(Register::status), status_bit::empty);
        self.set(Register::control, 0);  // do not run
        for (std::uint32_t n = 0; n < 4; ++n) self.put(n, Command::none, 100 + n);
        self.set(Register::doorbell, 4);
        EXPECT_EQ(self.word(Register::status), status_bit::full);
        self.set(Register::doorbell, 5);
        EXPECT_EQ(self.word(Register::status), status_bit::full | status_bit::error);
        EXPECT_EQ(self.word(Register::error_code), static_cast<std::uint32_t>(CommandError::queue_overflow));
        EXPECT_EQ(self.word(Register::error_command), 4U);
        EXPECT_EQ(self.word(Register::doorbell), 4U) << "nothing was queued";
        EXPECT_FALSE(self.irq) << "masked";
        self.set(Register::irq_mask, irq_bit::error);
        wait(1, sc_core::SC_NS);
        EXPECT_TRUE(self.irq);
        EXPECT_EQ(self.driver().error_text(), "the doorbell says 5, where it was 4; 0 of 4 slots are free");
        self.set(Register::irq_status, irq_bit::error);
        wait(1, sc_core::SC_NS);
        EXPECT_FALSE(self.irq) << "acknowledged";
        self.set(Register::control, control_bit::run | control_bit::resume);
        wait(1, sc_core::SC_US);
        EXPECT_EQ(self.word(Register::status), status_bit::empty);
        EXPECT_EQ(self.word(Register::head), 4U);
        EXPECT_EQ(self.word(Register::fence), 103U);
        EXPECT_EQ(self.word(Register::irq_status), irq_bit::done);

        // The second of three fails: the third waits, and is dropped.
        self.put(4, Command::none, 104);
        self.put(5, static_cast<Command>(99), 105);
        self.put(6, Command::none, 106);
        self.set(Register::doorbell, 7);
        wait(1, sc_core::SC_US);
        EXPECT_EQ(self.word(Register::head), 6U);
        EXPECT_EQ(self.word(Register::fence), 104U);
        EXPECT_EQ(self.word(Register::error_code), static_cast<std::uint32_t>(CommandError::bad_command));
        self.set(Register::control, control_bit::run | control_bit::resume | control_bit::drop);
        wait(1, sc_core::SC_US);
        EXPECT_EQ(self.word(Register::doorbell), 6U);
        EXPECT_EQ(self.word(Register::fence), 104U);
        EXPECT_EQ(self.word(Register::status), status_bit::empty);
        EXPECT_EQ(self.cpu.read(component_area::error_text), 0U);
        checked = true;
      },
      "", {}, options);
  sc_core::sc_start();
  EXPECT_TRUE(checked);
  EXPECT_THAT(test::error_of([&] {
                RegisterFile({2, 32, 33, 64}, [] {});
              }),
              HasSubstr("a command queue has 1 to 32 slots, not 33"));
  EXPECT_THAT(test::error_of([&] {
                RegisterFile({2, 32, 4, 6}, [] {});
              }),
              HasSubstr("the window is of words of 4 bytes, not of 6 bytes"));
}

TEST(Component, AFaultHaltsOneGpuOfTwo) {
  bool told = false, later = false, again = false;
  Board faulty(
      [&](Board& self) {
        ComponentDriver driver = self.driver();
        wait(100, sc_core::SC_US);  // longer than the limit of a launch
        EXPECT_EQ(numbers(driver, 1), expected_numbers(1));
        const std::uint32_t module = driver.load_module(component_ptx);
        EXPECT_THAT(test::error_of([&] {
                      driver.launch(module, "for_ever", {{1}, {32}}, {});
                    }),
                    HasSubstr("the run reached its limit of 20000 cycles"));
        EXPECT_EQ(self.word(Register::status), status_bit::empty | status_bit::halted);
        EXPECT_EQ(test::error_of([&] { driver.allocate(4); }),
                  "the GPU has halted: no command is possible before a reset");
        EXPECT_EQ(self.word(Register::status), status_bit::empty | status_bit::halted);
        told = true;
        driver.reset();
        EXPECT_EQ(self.word(Register::status), status_bit::empty);
        EXPECT_EQ(numbers(driver, 7), expected_numbers(7));
        again = true;
      },
      "faulty_", {"limits.cycles=20000"});
  Board sound(
      [&](Board& self) {
        ComponentDriver driver = self.driver();
        EXPECT_EQ(numbers(driver, 2), expected_numbers(2));
        wait(2, sc_core::SC_MS);
        EXPECT_TRUE(told);
        EXPECT_EQ(numbers(driver, 3), expected_numbers(3));
        later = true;
      },
      "sound_", {"sms=1"});
  sc_core::sc_start();
  EXPECT_TRUE(later);
  EXPECT_TRUE(again);
}

TEST(ComponentWavesTest, HoldTheSignalsOfAllInOneFile) {
  const std::string path = testing::TempDir() + "component_waves.vcd";
  Board first(
      [](Board& self) {
        ComponentDriver driver = self.driver();
        EXPECT_EQ(numbers(driver, 1), expected_numbers(1));
      },
      "first_");
  Board second(
      [](Board& self) {
        ComponentDriver driver = self.driver();
        EXPECT_EQ(numbers(driver, 2), expected_numbers(2));
        EXPECT_EQ(numbers(driver, 3), expected_numbers(3));
      },
      "second_", {"sms=1"});
  EXPECT_EQ(test::error_of([&] { ComponentWaves(path, {}); }),
            "waves of no component: there is nothing to write to `" + path + "`");
  EXPECT_THAT(test::error_of([&] { ComponentWaves("/nowhere/a.vcd", {&first.gpu}); }), HasSubstr("cannot write"));
  EXPECT_THAT(test::error_of([&] {
                WaveSpec wrong;
                wrong.path = path;
                wrong.groups = {"kernles"};
                ComponentWaves(wrong, {&first.gpu});
              }),
              HasSubstr("did you mean `kernels`?"));
  WaveSpec spec;
  spec.path = path;
  spec.groups = {"kernels"};
  ComponentWaves waves(spec, {&first.gpu, &second.gpu});
  sc_core::sc_start();
  EXPECT_THAT(waves.finish(), testing::IsEmpty());

  // By name of scope: the changes of its kernel's number.
  std::ifstream file(path);
  std::map<std::string, std::string> kernels;  // by identifier: the component
  std::map<std::string, unsigned> changes;
  std::vector<std::string> scopes;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<std::string> word(std::istream_iterator<std::string>(words), {});
    if (word.empty()) continue;
    if (word[0] == "$scope") scopes.push_back(word[2]);
    if (word[0] == "$upscope") scopes.pop_back();
    if (word[0] == "$var" && word[4] == "kernel" && scopes.back() == "distributor") kernels[word[3]] = scopes.at(1);
    if (word.size() == 2 && kernels.count(word[1]) != 0) ++changes[kernels[word[1]]];
  }
  // At first 0, and a number and 0 again for each launch.
  EXPECT_THAT(changes, testing::UnorderedElementsAre(testing::Pair("first_gpu", 3), testing::Pair("second_gpu", 5)));
}

class ResetComponent : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Policies, ResetComponent,
                         testing::Values("none", "mesi", "gpu_vi", "tc_strong", "tc_weak", "rcc", "rcc_wo"),
                         [](const auto& policy) { return std::string(policy.param); });

TEST_P(ResetComponent, RunsAgainAfterFaultsOfKernelsAndKeepsItsMemory) {
  unsigned faults = 0;
  Board board(
      [&](Board& self) {
        ComponentDriver driver = self.driver();
        constexpr std::uint32_t ctas = 64, threads = ctas * 64;
        const std::uint64_t to = driver.allocate(4 * threads), kept = driver.allocate(4 * threads);
        driver.fill(kept, 4 * threads, 0x5a);
        const std::uint32_t module = driver.load_module(component_ptx);
        std::vector<std::uint32_t> values(threads);
        for (const std::uint32_t who : {0U, 3U}) {
          driver.fill(to, 4 * threads, 0);
          // CTA `who` stores to nobody's memory, while others loop over loads, atomics and fences, wait at barriers, or
          // have not begun.
          EXPECT_THAT(test::error_of([&] {
                        driver.launch(module, "astray", {{ctas}, {64}}, arguments(DevicePointer{to}, who));
                      }),
                      AllOf(HasSubstr("out-of-bounds global store"), HasSubstr("kernel `astray`")));
          EXPECT_THAT(self.gpu.simulation().leftovers(), Not(HasSubstr("grids have not completed")));
          EXPECT_EQ(self.word(Register::status), status_bit::empty | status_bit::halted);
          // What waits, or comes now, does not run; the reset forgets it.
          EXPECT_THAT(test::error_of([&] { driver.read(to, values.data(), 4); }), HasSubstr("before a reset"));
          self.put(self.word(Register::doorbell), Command::none, 0);
          self.set(Register::control, 0);
          self.set(Register::doorbell, self.word(Register::doorbell) + 1);
          driver.reset();
          EXPECT_EQ(self.word(Register::status), status_bit::empty);
          EXPECT_EQ(self.word(Register::error_code), 0U);
          EXPECT_FALSE(self.irq);
          driver.read(to, values.data(), 4 * threads);
          EXPECT_EQ(values[who * 64], 1U) << "what was stored before the fault is there";
          EXPECT_EQ(values.back(), 0U) << "what had not begun has stored nothing";
          driver.read(kept, values.data(), 4 * threads);
          EXPECT_THAT(values, testing::Each(0x5a5a5a5aU));
          EXPECT_EQ(numbers(driver, who), expected_numbers(who));
          ++faults;
        }
      },
      "", {std::string("coherence.policy=") + GetParam()});
  sc_core::sc_start();
  EXPECT_EQ(faults, 2U);
  EXPECT_EQ(board.gpu.simulation().leftovers(), "");
}

TEST(ResetOfAComponent, DoesNothingForAPolicyThatFollowsWarpsToTheirEnd) {
  bool told = false;
  Board board(
      [&](Board& self) {
        ComponentDriver driver = self.driver();
        const std::uint32_t module = driver.load_module(component_ptx);
        const std::uint64_t to = driver.allocate(4 * 64);
        EXPECT_THAT(test::error_of([&] {
                      driver.launch(module, "astray", {{1}, {64}}, arguments(DevicePointer{to}, 0U));
                    }),
                    HasSubstr("out-of-bounds global store"));
        EXPECT_EQ(
            test::error_of([&] { driver.reset(); }),
            "the GPU stays halted after a reset: a model is broken, or a policy of it follows warps that cannot be "
            "ended");
        EXPECT_EQ(test::error_of([&] { driver.free(to); }), "the GPU has halted: no command is possible any more");
        told = true;
      },
      "", {"determinism.policy=gpudet"});
  sc_core::sc_start();
  EXPECT_TRUE(told);
}

TEST(ResetOfAComponent, DoesNothingForABrokenModel) {
  RegisterFile registers({2, 32, 4, 64}, [] {});
  const auto status = [&registers] {
    std::uint32_t word = 0;
    registers.read(static_cast<std::uint32_t>(Register::status), word);
    return word;
  };
  const auto reset = [&registers] {
    registers.write(static_cast<std::uint32_t>(Register::control), control_bit::run | control_bit::reset);
  };
  registers.halt({CommandError::program_fault, "a kernel's"});
  EXPECT_EQ(status(), status_bit::empty | status_bit::error | status_bit::halted);
  reset();
  EXPECT_EQ(status(), status_bit::empty);
  registers.halt({CommandError::model_error, "a model's", 0, true});
  reset();
  EXPECT_EQ(status(), status_bit::empty | status_bit::halted);
  EXPECT_TRUE(registers.halted());
}

TEST(Component, ItsMemoryMayBeTheUsers) {
  ComponentOptions options;
  options.gpu.own_memory = {0};
  bool correct = false;
  Board board(
      [&](Board& self) {
        ComponentDriver driver = self.driver();
        correct = numbers(driver, 4) == expected_numbers(4);
        std::vector<std::uint8_t> values(4096);
        const std::uint64_t at = driver.allocate(4096);
        driver.fill(at, 4096, 9);
        driver.read(at, values.data(), 4096);
        EXPECT_EQ(values, std::vector<std::uint8_t>(4096, 9));
      },
      "", {"host.memory=64 MiB"}, options);
  BurstMemorySpec bursts;
  bursts.capacity = board.gpu.gpu().channel_bytes();
  MemoryOfBursts memory("memory", board.gpu.simulation().context(), bursts);
  board.gpu.memory(0).bind(memory.checker.target);
  sc_core::sc_start();
  EXPECT_TRUE(correct);
  EXPECT_GT(memory.checker.transactions(), 0U);
  EXPECT_EQ(memory.checker.open() + board.checker.open(), 0U);
}

}  // namespace
}  // namespace syncline::tests
