#include "workloads/common/option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/workloads/fake_device.h"
#include "workloads/registry.h"

namespace syncline::workloads {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::vector<Option> some_options{{"sync", "how", {"locks", "tx"}}, {"contention", "how much", {}, 5, 100, 25}};

Choices complete(const std::vector<std::string>& texts) {
  Choices chosen;
  for (const std::string& text : texts) choose(chosen, text);
  return completed("atm", some_options, chosen);
}
std::string refusal(const std::vector<std::string>& texts) {
  try {
    complete(texts);
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(Options, HaveDefaultsUntilTheyAreChosen) {
  EXPECT_THAT(complete({}), ElementsAre(Pair("contention", "25"), Pair("sync", "locks")));
  EXPECT_THAT(complete({"sync=tx"}), ElementsAre(Pair("contention", "25"), Pair("sync", "tx")));
  EXPECT_THAT(complete({"contention=0x10", "sync=locks"}),
              ElementsAre(Pair("contention", "16"), Pair("sync", "locks")));
  EXPECT_THAT(complete({"contention=100"}), testing::Contains(Pair("contention", "100")));
}

TEST(Options, AreListedWithWhatTheyTake) {
  EXPECT_EQ(shape(some_options[0]), "sync=locks|tx");
  EXPECT_EQ(shape(some_options[1]), "contention=5..100 (25)");
}

TEST(Options, ThatAProgramDoesNotHaveAreRefused) {
  EXPECT_THAT(refusal({"snyc=tx"}), HasSubstr("workload `atm` has no option `snyc`; did you mean `sync`?"));
  EXPECT_THAT(refusal({"sync=tx", "sync=tx"}), HasSubstr("option `sync` is given twice"));
  EXPECT_THAT(refusal({"sync"}), HasSubstr("expected NAME=VALUE for an option of the program, found `sync`"));
  EXPECT_THAT(refusal({"=tx"}), HasSubstr("has no option ``"));
}

TEST(Options, RefuseValuesThatTheyDoNotTake) {
  EXPECT_THAT(refusal({"sync=lock"}), HasSubstr("option `sync` has no value `lock`; did you mean `locks`?"));
  EXPECT_THAT(refusal({"sync="}), HasSubstr("expected one of: locks, tx"));
  for (const char* text :
       {"contention=4", "contention=101", "contention=-1", "contention=", "contention=many", "contention=4294967296"})
    EXPECT_THAT(refusal({text}), HasSubstr("option `contention` is a number from 5 to 100, not `")) << text;
}

TEST(Options, AreRefusedByProgramsWithoutAny) {
  const Workload& workload = find_workload("saxpy");
  FakeDevice device;
  try {
    workload.run({device, Size::small, 1, ptx_path(workload), {{"sync", "tx"}}});
    FAIL() << "ran";
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("workload `saxpy` has no option `sync`; it has none"));
  }
  EXPECT_TRUE(device.launches.empty());
}

}  // namespace
}  // namespace syncline::workloads
