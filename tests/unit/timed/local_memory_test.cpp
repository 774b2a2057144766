// The shared memory of a CTA in transactions: what banks have to do, what comes back, and the end of the memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "models/transactions/local/local_memory.h"

namespace syncline::models {
namespace {

using protocols::local::Access;
using protocols::local::Detection;
using protocols::local::LocalTmSpec;
using protocols::local::WordMachine;

constexpr unsigned lanes = 4;

LocalTmSpec spec_of(Detection detection) {
  LocalTmSpec spec;
  spec.detection = detection;
  spec.banks = 4;
  return spec;
}

class LocalMemoryOf : public testing::Test {
 protected:
  explicit LocalMemoryOf(Detection detection) : spec_(spec_of(detection)), words_(spec_) {
    std::iota(bytes_.begin(), bytes_.end(), 0);
    latency_.lookup = 10;
    latency_.backup = 100;
    latency_.restore = 1000;
  }
  bool access(protocols::local::WorkItem who, const std::vector<std::uint64_t>& words, Access access) {
    LaneWords all;
    for (const std::uint64_t word : words) all.push_back({word, 0, 0xf});
    return memory_.access(who, all, access);
  }
  /// As whoever asks does once banks let it.
  bool store(protocols::local::WorkItem who, const std::vector<std::uint64_t>& words) {
    if (!access(who, words, Access::store)) return false;
    for (const std::uint64_t word : words) {
      for (std::size_t at = 4 * word; at < std::min<std::size_t>(4 * word + 4, bytes_.size()); ++at) bytes_[at] = 0xff;
    }
    return true;
  }

  LocalTmSpec spec_;
  WordMachine words_;
  LocalLatencies latency_;
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(4 * 16 + 2);
  LocalMemory memory_{spec_, latency_, words_, 2, lanes, bytes_};
};

class LocalMemoryWithOwners : public LocalMemoryOf {
 protected:
  LocalMemoryWithOwners() : LocalMemoryOf(Detection::dcd) {}
};
class LocalMemoryWithSignatures : public LocalMemoryOf {
 protected:
  LocalMemoryWithSignatures() : LocalMemoryOf(Detection::prw_sig) {}
};

TEST_F(LocalMemoryWithOwners, BanksWorkAtATime) {
  ASSERT_TRUE(store(1, {0, 1, 2}));
  LocalMemory::Busy busy = memory_.take_busy();
  EXPECT_EQ(busy.cycles, 111U) << "a word, its owner and its copy, in three banks";
  EXPECT_EQ(busy.backups, 3U);
  EXPECT_TRUE(busy.looked_up);
  EXPECT_EQ(busy.second_looks, 0U) << "there is no other one";
  ASSERT_TRUE(store(1, {4, 8}));
  busy = memory_.take_busy();
  EXPECT_EQ(busy.cycles, 222U) << "two words of one bank";
  EXPECT_EQ(memory_.take_busy().cycles, 0U);
}

TEST_F(LocalMemoryWithOwners, WhatIsRestoredKeepsItsBankBusy) {
  const std::vector<std::uint8_t> before = bytes_;
  ASSERT_TRUE(store(1, {0, 4, 5}));
  memory_.take_busy();
  ASSERT_FALSE(store(2, {0}));
  EXPECT_EQ(memory_.lost_to().own, base::lane_bit(1));
  EXPECT_EQ(memory_.take_busy().cycles, 11U) << "a word and its owner";
  memory_.abort(1);
  EXPECT_EQ(bytes_, before);
  const LocalMemory::Busy busy = memory_.take_busy();
  EXPECT_EQ(busy.cycles, 2000U) << "two words of bank 0";
  EXPECT_EQ(busy.restored, 3U);
  EXPECT_TRUE(store(2, {0, 4, 5}));
}

TEST_F(LocalMemoryWithOwners, KeepsWhatHasCommitted) {
  ASSERT_TRUE(store(1, {0, 5}));
  const std::vector<std::uint8_t> after = bytes_;
  memory_.commit(1);
  memory_.ended(0, true);
  EXPECT_TRUE(access(lanes, {0, 5}, Access::load));
  memory_.abort(1);
  EXPECT_EQ(bytes_, after);
}

TEST_F(LocalMemoryWithOwners, EndsWithinAWord) {
  const std::vector<std::uint8_t> before = bytes_;
  ASSERT_TRUE(store(1, {16}));
  EXPECT_EQ(bytes_.back(), 0xff);
  memory_.abort(1);
  EXPECT_EQ(bytes_, before);
}

TEST_F(LocalMemoryWithSignatures, LookAtTheOwnerWhereOnlyOnesOwnHasTheWord) {
  ASSERT_TRUE(store(1, {0}));
  EXPECT_FALSE(memory_.take_busy().looked_up);
  ASSERT_TRUE(store(1, {0}));
  const LocalMemory::Busy busy = memory_.take_busy();
  EXPECT_EQ(busy.cycles, 11U);
  EXPECT_EQ(busy.second_looks, 1U);
}

}  // namespace
}  // namespace syncline::models
