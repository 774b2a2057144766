// What may be around components: waves of several of them, and memory of the user's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "platform/component/component_waves.h"
#include "tests/foreign/component_board.h"
#include "tests/foreign/foreign_memories.h"
#include "tests/support/error_of.h"

namespace syncline::tests {
namespace {

using namespace platform;
using testing::HasSubstr;

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
