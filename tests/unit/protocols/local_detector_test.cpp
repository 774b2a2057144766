// How banks of shared memory find conflicts: signatures and their aliases, owners, who has lost to whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "protocols/transactions/local/detector.h"

namespace syncline::tests {
namespace {

using namespace protocols::local;
using testing::ElementsAre;
using testing::IsEmpty;

/// Two wavefronts of four lanes on 64 words in 4 banks.
class LocalDetector : public testing::TestWithParam<Detection> {
 protected:
  static constexpr unsigned lanes = 4;
  explicit LocalDetector(Detection detection = GetParam()) : spec_(spec_of(detection)) {}

  static LocalTmSpec spec_of(Detection detection) {
    LocalTmSpec spec;
    spec.detection = detection;
    spec.banks = 4;
    return spec;
  }
  Detector::Answer load(WorkItem who, Word word) { return detector_.access(who, word, Access::load); }
  Detector::Answer store(WorkItem who, Word word) { return detector_.access(who, word, Access::store); }
  std::vector<Word> lost(WorkItem who, unsigned bank) {
    std::vector<Word> restored;
    detector_.broadcast(who, bank, [&](Word word) { restored.push_back(word); });
    return restored;
  }

  LocalTmSpec spec_;
  WordMachine machine_{spec_};
  Detector detector_{spec_, machine_, 2, lanes, 64};
};

TEST_P(LocalDetector, WhoComesSecondToAWrittenWordLoses) {
  const Detector::Answer first = store(1, 5);
  EXPECT_TRUE(first.accesses);
  EXPECT_TRUE(first.backs_up);
  for (const auto& second : {load(2, 5), store(2, 5)}) {
    EXPECT_FALSE(second.accesses);
    EXPECT_EQ(second.lost_to.own, base::lane_bit(1));
    EXPECT_FALSE(second.lost_to.elsewhere);
  }
  const Detector::Answer third = store(lanes + 1, 5);
  EXPECT_FALSE(third.accesses);
  EXPECT_EQ(third.lost_to.own, 0U);
  EXPECT_TRUE(third.lost_to.elsewhere);
}

TEST_P(LocalDetector, TheOldestValueIsKeptOnce) {
  EXPECT_TRUE(store(1, 5).backs_up);
  const Detector::Answer again = store(1, 5);
  EXPECT_TRUE(again.looks_up);
  EXPECT_FALSE(again.backs_up);
  EXPECT_TRUE(detector_.has_backup(5));
}

TEST_P(LocalDetector, ABankThatHearsOfALossRestoresItsOwnWordsOnly) {
  store(1, 5), store(1, 9), store(1, 6);
  EXPECT_THAT(lost(1, 1), testing::UnorderedElementsAre(5, 9));
  EXPECT_FALSE(detector_.knows(1, 1));
  EXPECT_TRUE(detector_.knows(1, 2));
  EXPECT_TRUE(store(2, 5).accesses);
  EXPECT_FALSE(store(2, 6).accesses);
  EXPECT_THAT(lost(1, 2), ElementsAre(6));
  EXPECT_TRUE(store(2, 6).accesses);
}

TEST_P(LocalDetector, WhatHasCommittedStaysAndIsFree) {
  store(1, 5);
  detector_.release(1, 1);
  detector_.ended(0, true);
  EXPECT_TRUE(store(lanes, 5).accesses);
  EXPECT_THAT(lost(1, 1), IsEmpty());
}

TEST_P(LocalDetector, OnlySignaturesTakeOneWordForAnother) {
  store(1, 1);
  EXPECT_TRUE(store(2, 5).accesses) << "the next bit of bank 1";
  EXPECT_EQ(store(2, 1 + 4 * 8).accesses, !spec_.has_signatures()) << "the same bit";
}

TEST_P(LocalDetector, ReadersShareWhereTheyAreToldFromWriters) {
  const bool share = spec_.detection == Detection::swo_sig || spec_.detection == Detection::smdcd;
  EXPECT_TRUE(load(1, 5).accesses);
  EXPECT_EQ(load(2, 5).accesses, share);
  EXPECT_FALSE(store(2, 5).accesses);
  EXPECT_EQ(store(1, 5).accesses, !share) << "another may have read it";
}

INSTANTIATE_TEST_SUITE_P(All, LocalDetector,
                         testing::Values(Detection::prw_sig, Detection::swo_sig, Detection::dcd, Detection::smdcd),
                         [](const auto& one) {
                           for (const auto& [name, detection] : detections()) {
                             if (detection == one.param) return std::string(name);
                           }
                           return std::string();
                         });

class LocalSharing : public LocalDetector {
 protected:
  LocalSharing() : LocalDetector(Detection::smdcd) {}
};

TEST_F(LocalSharing, LastsUntilNobodyCanHaveReadTheWord) {
  load(0, 5), load(lanes, 5);
  detector_.release(0, 1);
  detector_.ended(0, false);
  const Detector::Answer writer = store(1, 5);
  EXPECT_FALSE(writer.accesses);
  EXPECT_TRUE(writer.lost_to.unknown);
  detector_.ended(1, true);
  EXPECT_TRUE(store(1, 5).accesses);
}

class LocalHelpers : public LocalDetector {
 protected:
  LocalHelpers() : LocalDetector(Detection::swo_sig) {}
};

TEST_F(LocalHelpers, AreEmptyWhenTheirWavefrontHasEnded) {
  store(1, 2);
  load(2, 38), load(3, 38);
  EXPECT_TRUE(load(0, 38).accesses) << "nobody has written it, or what looks like it";
  store(lanes + 1, 12);  // the same bit of a helper, in another bank
  EXPECT_FALSE(load(lanes + 2, 38).accesses);
  detector_.release(lanes + 1, 0);
  detector_.ended(1, false);
  EXPECT_TRUE(load(lanes + 2, 38).accesses);
}

TEST_F(LocalHelpers, TellReadersFromWritersWhereSignaturesDoNot) {
  store(1, 1);
  EXPECT_TRUE(load(2, 33).accesses) << "the same bit of the bank's signatures, and another one of helpers";
  EXPECT_FALSE(load(1, 1).accesses) << "the other one could have read it, as far as the bank can tell";
  EXPECT_FALSE(store(1, 1).accesses);
}

TEST_F(LocalHelpers, ReadersDoNotAskWhoOwnsTheWord) {
  load(1, 5);
  EXPECT_TRUE(load(1, 5).looks_up) << "only its own signature has the word";
  load(2, 5);
  EXPECT_FALSE(load(1, 5).looks_up);
  EXPECT_FALSE(store(1, 5).looks_up);
}

}  // namespace
}  // namespace syncline::tests
