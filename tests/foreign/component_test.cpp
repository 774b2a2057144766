// A GPU as a component: its registers by the letter, mistakes, faults and interrupts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/foreign/component_board.h"
#include "tests/support/error_of.h"
#include "tests/support/file_text.h"

namespace syncline::tests {
namespace {

using namespace platform;
using testing::HasSubstr;

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

}  // namespace
}  // namespace syncline::tests
