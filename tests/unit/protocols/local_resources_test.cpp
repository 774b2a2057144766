// What transactions in shared memory take of a compute unit: table 3 and section 5 of the paper on GPU-LocalTM.
#include <gtest/gtest.h>

#include "protocols/transactions/local/resources.h"

namespace syncline::tests {
namespace {

using namespace protocols::local;

LocalTmSpec spec_of(Detection detection, Selection selection = Selection::ascending_single) {
  LocalTmSpec spec;
  spec.detection = detection;
  spec.selection = selection;
  return spec;
}
Resources most(const LocalTmSpec& spec) {
  const ComputeUnit unit;
  return resources_of(spec, unit, most_words(unit));
}

TEST(LocalResources, AreThoseOfTable3) {
  const Resources all = most(spec_of(Detection::prw_sig));
  EXPECT_EQ(all.words, 7281U);
  EXPECT_EQ(all.shadow_bytes, 36405U);
  EXPECT_EQ(all.vector_registers(), 2048U);
  EXPECT_EQ(all.tcm, 8U);
  EXPECT_EQ(all.mcm, 0U);
}

TEST(LocalResources, GrowWithWhatIsAdded) {
  EXPECT_EQ(most(spec_of(Detection::prw_sig, Selection::descending_multiple)).mcm, 8U);
  EXPECT_EQ(most(spec_of(Detection::dcd)).vector_registers(), 0U);
  EXPECT_EQ(most(spec_of(Detection::smdcd)).vector_registers(), 456U);
  LocalTmSpec spec = spec_of(Detection::swo_sig);
  EXPECT_EQ(most(spec).vector_registers(), 2048U);
  EXPECT_EQ(most(spec).helpers, 4U);
  spec.helper_per = HelperPer::bank;
  EXPECT_EQ(most(spec).helpers, 128U);
}

TEST(LocalResources, OwnersOfMoreThan256WorkItemsTakeTwoBytes) {
  ComputeUnit unit;
  EXPECT_EQ(shadow_bytes_of_a_word(unit), 5U);
  unit.wavefronts = 5;
  EXPECT_EQ(shadow_bytes_of_a_word(unit), 6U);
  EXPECT_EQ(most_words(unit), 6553U);
}

TEST(LocalResources, SayWhatAProgramLacks) {
  const auto lack_of = [](const auto&... all) { return shortfall_of(all...).what; };
  const ComputeUnit unit;
  const LocalTmSpec signatures = spec_of(Detection::swo_sig, Selection::ascending_multiple),
                    directory = spec_of(Detection::dcd);
  EXPECT_EQ(lack_of(signatures, unit, ProgramNeeds{7281 * 4, 65536 - 2048, 2048 - 28, 7281 * 4}), Lack::none);
  EXPECT_EQ(lack_of(signatures, unit, ProgramNeeds{7281 * 4 + 1, 0, 0, 7281 * 4 + 1}), Lack::memory);
  EXPECT_EQ(lack_of(signatures, unit, ProgramNeeds{0, 65536 - 2047, 0, 0}), Lack::vector_registers);
  EXPECT_EQ(lack_of(signatures, unit, ProgramNeeds{0, 0, 2048 - 27, 0}), Lack::scalar_registers);
  EXPECT_EQ(lack_of(directory, unit, ProgramNeeds{7281 * 4, 65536, 2048 - 16, 7281 * 4}), Lack::none);
  // Three quarters of the memory fit where transactions write a twelfth of it.
  EXPECT_EQ(lack_of(directory, unit, ProgramNeeds{49152, 0, 0, 4096}), Lack::none);
  EXPECT_EQ(lack_of(directory, unit, ProgramNeeds{49152, 0, 0, 49152}), Lack::memory);
  const Shortfall registers = shortfall_of(signatures, unit, {0, 65536 - 2047, 0, 0});
  EXPECT_EQ(registers.needs, 65537U);
  EXPECT_EQ(registers.has, 65536U);
  EXPECT_EQ(name(registers.what), "vector registers");
}

}  // namespace
}  // namespace syncline::tests
