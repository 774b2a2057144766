// What `observe.transactions=check` makes of transactions: it is told what they do, by nobody who does it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/observe/transaction_monitor.h"
#include "tests/support/error_of.h"
#include "tests/support/platform_fixture.h"

namespace syncline::platform {
namespace {

using syncline::test::error_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Attempt = models::TransactionListener::Attempt;

constexpr std::uint64_t x = 0x100, y = 0x101;  // words
constexpr const char* none = "no error";

/// Lanes of two warps of SM 3, in slots 0 and 1.
class TransactionCheckTest : public ::testing::Test {
 protected:
  static models::WarpIdentity warp(unsigned index) {
    return {base::SmId(3), index, base::CtaSlot(0), base::GridId(0), {5, 0, 0}, index};
  }
  Attempt begin(unsigned warp_index, unsigned lane = 0) { return monitor_.begun(warp(warp_index), lane); }
  void read(Attempt attempt, std::uint64_t word, std::uint32_t value) {
    monitor_.read(attempt, word);
    monitor_.value(attempt, word, value, 0xf);
  }
  void write(Attempt attempt, std::uint64_t word, std::uint32_t value) { monitor_.wrote(attempt, word, value, 0xf); }
  void commit(Attempt attempt) {
    monitor_.committed(attempt);
    monitor_.ended(attempt);
  }
  template <class F>
  static std::string complaint(F&& f) {
    return error_of<base::ModelError>(std::forward<F>(f));
  }
  /// A warp stores to a word in one of its lanes.
  void store(unsigned warp_index, unsigned lane, std::uint64_t word) {
    isa::MemoryAccess access;
    access.kind = isa::AccessKind::store;
    access.space = isa::Space::global;
    access.lanes = base::lane_bit(lane);
    access.address[lane] = word * 4;
    monitor_.memory_started(warp(warp_index), {access, 0, 1, ++orders_});
  }
  void launch() { monitor_.cta_launched(base::SmId(3), base::CtaSlot(0), base::GridId(0), {5, 0, 0}, 2); }
  void end_cta() { monitor_.cta_ended(base::SmId(3), base::CtaSlot(0), base::GridId(0), {5, 0, 0}); }

  TransactionMonitor monitor_{ObserveSpec{}};
  std::uint64_t orders_ = 0;
};

TEST_F(TransactionCheckTest, NamesThoseOfACycle) {
  const Attempt a = begin(0), b = begin(1, 7);
  read(a, x, 0);
  read(b, y, 0);
  write(a, y, 1);
  write(b, x, 1);
  commit(a);
  monitor_.committed(b);
  EXPECT_EQ(complaint([&] { monitor_.ended(b); }),
            "the run breaks transactions: not serializable: T1 reads 0x404, T2 overwrites it; T2 reads 0x400, T1 "
            "overwrites it\n"
            "  T1: SM 3, slot 1 (grid 0, CTA (5, 0, 0), warp 1), lane 7\n"
            "  T2: SM 3, slot 0 (grid 0, CTA (5, 0, 0), warp 0), lane 0");
}

TEST_F(TransactionCheckTest, TransactionsInAnOrderAreRight) {
  const Attempt a = begin(0), b = begin(1);
  read(a, x, 4);
  write(a, x, 5);
  write(a, y, 6);
  commit(a);
  read(b, y, 6);
  read(b, x, 5);
  EXPECT_EQ(complaint([&] { commit(b); }), none);
  EXPECT_EQ(monitor_.summary(), "2 committed, 0 aborted; at most 2 remembered; values of 2 reads compared, of 1 not");
  EXPECT_TRUE(monitor_.left_over().empty());
}

TEST_F(TransactionCheckTest, MemoryHoldsNothingOfWhoAborts) {
  const Attempt a = begin(0);
  write(a, x, 5);
  EXPECT_THAT(complaint([&] { monitor_.aborted(a); }),
              HasSubstr("T1 aborts, and 0x400 holds what it has written\n  T1: SM 3, slot 0"));
}

TEST_F(TransactionCheckTest, WhoAbortsMayHaveReadWhatItLikes) {
  const Attempt a = begin(0), b = begin(1);
  read(a, x, 0);
  write(b, x, 1);
  write(b, y, 1);
  read(a, y, 1);
  commit(b);
  EXPECT_EQ(complaint([&] { monitor_.aborted(a); }), none);
  const Attempt again = begin(0);
  EXPECT_NE(again, a);
  read(again, x, 1);
  EXPECT_EQ(complaint([&] { commit(again); }), none);
}

TEST_F(TransactionCheckTest, WhatIsAskedForIsReadWhenItIsPerformed) {
  const Attempt a = begin(0), b = begin(1);
  monitor_.asked(77, b, x);
  write(a, x, 5);
  commit(a);
  monitor_.performed(77);
  EXPECT_THAT(
      complaint([&] { monitor_.value(b, x, 4, 0xf); }),
      AllOf(HasSubstr("SM 3, slot 1 (grid 0, CTA (5, 0, 0), warp 1), lane 0 gets 0x4 for the word at 0x400, which "
                      "held 0x5 when it was read, written by SM 3, slot 0")));
  EXPECT_EQ(complaint([&] { monitor_.performed(78); }), none) << "nobody asked";
}

TEST_F(TransactionCheckTest, WhatIsDroppedIsNotRead) {
  const Attempt a = begin(0);
  monitor_.asked(77, a, x);
  monitor_.dropped(77);
  monitor_.performed(77);
  EXPECT_THAT(complaint([&] { monitor_.value(a, x, 4, 0xf); }), HasSubstr("gets a value of 0x400, which was not read"));
}

TEST_F(TransactionCheckTest, WhoHasAbortedReadsNothingUnderItsTicket) {
  const Attempt a = begin(0);
  monitor_.asked(77, a, x);
  monitor_.aborted(a);
  const Attempt again = begin(0);
  monitor_.performed(77);
  EXPECT_THAT(complaint([&] { monitor_.value(again, x, 4, 0xf); }), HasSubstr("was not read for it"));
}

TEST_F(TransactionCheckTest, AValueIsThatOfItsRead) {
  const Attempt writer = begin(1), reader = begin(0);
  write(writer, x, 5);
  monitor_.read(reader, x);
  write(writer, x, 6);
  monitor_.read(reader, x);
  monitor_.value(reader, x, 6, 0xf);  // the later one is answered first
  EXPECT_EQ(complaint([&] { monitor_.value(reader, x, 5, 0xf); }), none);
}

TEST_F(TransactionCheckTest, OnlyBytesThatAreKnownAreCompared) {
  const Attempt a = begin(0), b = begin(1);
  monitor_.wrote(a, x, 0x1200, 0x2);
  commit(a);
  read(b, x, 0x34001256);  // what nobody has told is learned
  EXPECT_THAT(complaint([&] { read(b, x, 0x35001256); }), HasSubstr("gets 0x35001256"));
  monitor_.read(b, x);
  EXPECT_EQ(complaint([&] { monitor_.value(b, x, 0x99009956, 0x1); }), none) << "its lane took byte 0 only";
}

TEST_F(TransactionCheckTest, WhatAnAtomicMakesIsNotKnown) {
  const Attempt a = begin(0), b = begin(1), c = begin(0, 1);
  read(a, x, 5);
  monitor_.changed(a, x);
  commit(a);
  read(b, x, 77);
  EXPECT_THAT(complaint([&] { read(c, x, 5); }), HasSubstr("held 0x4d when it was read"));
}

TEST_F(TransactionCheckTest, StoresOfOthersMakeVersionsOfNobody) {
  launch();
  const Attempt a = begin(0), b = begin(1);
  write(a, x, 5);
  store(0, 0, x);  // in its transaction
  EXPECT_THAT(complaint([&] { read(b, x, 6); }), HasSubstr("held 0x5"));
  monitor_.aborted(b);

  const Attempt c = begin(1);
  store(1, 9, x);  // of a lane that is in none
  EXPECT_EQ(complaint([&] { read(c, x, 6); }), none);
  write(c, y, 1);
  read(a, y, 1);
  EXPECT_EQ(complaint([&] { commit(c); }), none) << "what it read is not of a, which reads of it";
  commit(a);
  end_cta();
  launch();
  const Attempt d = begin(0), e = begin(1);
  write(d, x, 8);
  EXPECT_THAT(complaint([&] { read(e, x, 9); }), HasSubstr("held 0x8")) << "the machine has been empty";
}

TEST_F(TransactionCheckTest, AValueThatIsToldLateIsNotThatOfTheNextVersion) {
  const Attempt a = begin(0), b = begin(1), c = begin(0, 1);
  monitor_.read(b, x);
  monitor_.changed(a, x);  // nobody tells to what
  monitor_.value(b, x, 5, 0xf);
  EXPECT_EQ(complaint([&] { read(c, x, 6); }), none);
  EXPECT_THAT(complaint([&] { read(c, x, 5); }), HasSubstr("held 0x6")) << "this was the version's own";
}

TEST_F(TransactionCheckTest, TheHostMayWriteWhenTheMachineIsEmpty) {
  launch();
  const Attempt a = begin(0);
  write(a, x, 5);
  commit(a);
  end_cta();
  launch();
  const Attempt b = begin(0);
  EXPECT_EQ(complaint([&] { read(b, x, 6); }), none);
}

TEST_F(TransactionCheckTest, WhatDoesNotFitIsTold) {
  const Attempt a = begin(0);
  EXPECT_THAT(complaint([&] { begin(0); }),
              HasSubstr("SM 3, slot 0 (grid 0, CTA (5, 0, 0), warp 0), lane 0 begins again"));
  EXPECT_THAT(complaint([&] { monitor_.ended(a); }), HasSubstr("ends and has not committed"));
  monitor_.committed(a);
  EXPECT_THAT(complaint([&] { monitor_.read(a, x); }), HasSubstr("reads and has committed"));
  EXPECT_THAT(complaint([&] { monitor_.asked(1, a, x); }), HasSubstr("asks for a word and has committed"));
  EXPECT_THAT(complaint([&] { monitor_.aborted(a); }), HasSubstr("aborts and has committed"));
  EXPECT_EQ(monitor_.left_over(), std::vector<std::string>{"SM 3, slot 0 (grid 0, CTA (5, 0, 0), warp 0), lane 0 has "
                                                           "committed, and its writes are not over"});
  const Attempt next = begin(0);  // the lane goes on meanwhile
  write(a, x, 1);
  monitor_.ended(a);
  EXPECT_THAT(complaint([&] { write(a, x, 2); }), HasSubstr("writes and does not run"));
  EXPECT_THAT(monitor_.left_over(), ::testing::ElementsAre(HasSubstr("has neither committed nor aborted")));
  monitor_.aborted(next);
  EXPECT_TRUE(monitor_.left_over().empty());
}

TEST_F(TransactionCheckTest, RemembersNoMoreThanItsWindow) {
  ObserveSpec spec;
  spec.transactions_window = 100;
  TransactionMonitor monitor(spec);
  monitor.begun(warp(1), 0);  // while it runs, nobody is forgotten without loss
  for (unsigned i = 0; i < 1000; ++i) {
    const Attempt a = monitor.begun(warp(0), 0);
    monitor.read(a, x);
    monitor.wrote(a, x, i, 0xf);
    monitor.committed(a);
    monitor.ended(a);
  }
  EXPECT_THAT(monitor.summary(), HasSubstr("1000 committed, 0 aborted; at most 101 remembered"));
}

class TransactionCheckOfAGpu : public tests::PlatformFixture {};

TEST_F(TransactionCheckOfAGpu, TakesWhatTheHostWritesForAVersionOfNobody) {
  Gpu gpu("gpu", context, load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml").spec, {});
  TransactionMonitor monitor{ObserveSpec{}};
  monitor.attach(gpu, statistics, "transactions", {});
  const auto begin = [&](unsigned slot) {
    return monitor.begun({base::SmId(0), slot, base::CtaSlot(0), base::GridId(0), {}, slot}, 0);
  };
  const auto read = [&](Attempt attempt, std::uint64_t word) {
    return error_of<base::ModelError>([&] {
      monitor.read(attempt, word);
      monitor.value(attempt, word, 6, 0xf);
    });
  };
  const Attempt writer = begin(0), reader = begin(1);
  monitor.wrote(writer, x, 5, 0xf);
  monitor.wrote(writer, y, 5, 0xf);
  models::LineEvent event{};
  event.kind = models::LineEvent::Kind::host_read;
  event.line = base::LineAddress(x * 4);
  event.bytes = base::ByteMask::range(0, 4);
  gpu.l2(0).line_events.write(event);
  EXPECT_THAT(read(reader, x), HasSubstr("held 0x5"));
  event.kind = models::LineEvent::Kind::host_wrote;
  gpu.l2(0).line_events.write(event);
  EXPECT_EQ(read(reader, x), none);
  EXPECT_THAT(read(reader, y), HasSubstr("held 0x5")) << "its bytes were not written";
}

}  // namespace
}  // namespace syncline::platform
