// What `observe.consistency=check` makes of barriers: it is told what SMs and caches do, by nobody who does it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/error_of.h"

namespace syncline::platform {
namespace {

using models::LineEvent;
using models::Message;
using models::MessageClass;
using syncline::test::error_of;
using ::testing::HasSubstr;

/// One SM with a CTA in its slot 1, whose warps run in warp slots 0 and up. What memory holds is always 0.
class BarrierCheckTest : public ::testing::Test {
 protected:
  static inline const base::LineAddress line{0x1000};
  static inline const base::ByteMask word = base::ByteMask::range(0, 4);
  static inline const base::LineData zeroes{};
  static constexpr const char* none = "no error";

  /// A memory instruction that was issued.
  struct Issued {
    unsigned warp;
    std::uint64_t order;
    /// What the line was when the bytes of a load left its home.
    Message* answer = nullptr;
  };

  BarrierCheckTest() { monitor_.attach(simulation_.gpu(), statistics_, "consistency", {}); }
  static PlatformSpec spec() {
    return load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", {"coherence.policy=rcc_wo"}).spec;
  }
  static models::WarpIdentity warp(unsigned index) {
    return {base::SmId(0), index, base::CtaSlot(1), base::GridId(0), {0, 0, 0}, index};
  }
  void launch(unsigned warps) {
    monitor_.cta_launched(base::SmId(0), base::CtaSlot(1), base::GridId(0), {0, 0, 0}, warps);
    for (unsigned i = 0; i < warps; ++i) monitor_.warp_started(warp(i));
    live_.clear();
    for (unsigned i = 0; i < warps; ++i) live_.push_back(i);
  }
  void end_cta() { monitor_.cta_ended(base::SmId(0), base::CtaSlot(1), base::GridId(0), {0, 0, 0}); }
  /// Those that wait at a barrier, and those that only arrive there.
  void meet(const std::vector<unsigned>& waiting, const std::vector<unsigned>& arriving = {}) {
    for (const unsigned index : arriving) monitor_.at_barrier(warp(index), 3, false);
    for (const unsigned index : waiting) monitor_.at_barrier(warp(index), 3, true);
    for (const unsigned index : waiting) monitor_.barrier_opened(warp(index), 3);
  }
  void meet() { meet(live_); }
  void end(unsigned index) { live_.erase(std::find(live_.begin(), live_.end(), index)); }

  Issued issue(unsigned index, isa::AccessKind kind = isa::AccessKind::load) {
    isa::MemoryAccess access;  // of its first lane, to the word
    access.kind = kind;
    access.space = isa::Space::global;
    access.lanes = 1;
    access.address[0] = line.value();
    monitor_.memory_started(warp(index), {access, 0, 1, ++orders_});
    return {index, orders_};
  }
  Issued issue_store(unsigned index) { return issue(index, isa::AccessKind::store); }
  /// A load is issued and looks at the line.
  Issued look(unsigned index) {
    Issued load = issue(index);
    load.answer = &message(load, MessageClass::load_request);
    home(LineEvent::Kind::departed, *load.answer);
    return load;
  }
  void perform(const Issued& store) { home(LineEvent::Kind::performed, message(store, MessageClass::store_request)); }
  void store(unsigned index) { perform(issue_store(index)); }
  /// The load gets what it saw then.
  void get(const Issued& load) {
    LineEvent event{LineEvent::Kind::loaded, line, word, &zeroes, &message(load, MessageClass::load_request)};
    event.source = load.answer;
    simulation_.gpu().l1(0).line_events.write(event);
  }
  std::string complaint(const Issued& load) {
    return error_of<base::ModelError>([&] { get(load); });
  }

  Message& message(const Issued& issued, MessageClass message_class) {
    Message& m = simulation_.context().messages.get();
    m.message_class = message_class;
    m.line = line;
    m.requester = models::l1_node(base::SmId(0));
    m.warp = base::WarpSlot(static_cast<std::uint16_t>(issued.warp));
    m.order = issued.order;
    m.semantics = isa::Semantics::weak;
    return m;
  }
  void home(LineEvent::Kind kind, const Message& about) {
    simulation_.gpu().l2(0).line_events.write({kind, line, word, &zeroes, &about});
  }

  Simulation simulation_{spec(), 1};
  base::StatisticsRegistry statistics_;
  ConsistencyMonitor monitor_{protocols::make_coherence_policy(spec().coherence), {}};
  std::uint64_t orders_ = 0;
  std::vector<unsigned> live_;
};

TEST_F(BarrierCheckTest, AWarpSeesBehindABarrierWhatAnotherWrote) {
  launch(2);
  const Issued before = look(1), own = look(0);
  store(0);
  EXPECT_EQ(complaint(before), none);
  meet();
  Issued behind = issue(1);
  behind.answer = own.answer;  // an old copy
  EXPECT_EQ(complaint(behind),
            "the run breaks weak ordering; each of these 2 accesses comes before the next, and the last before the "
            "first:\n"
            "  SM 0, slot 0 (grid 0, CTA (0, 0, 0), warp 0): write of bytes 0 to 3 of line 0x1000, version 1 at pc 0\n"
            "    before, by synchronization,\n"
            "  SM 0, slot 1 (grid 0, CTA (0, 0, 0), warp 1): read of bytes 0 to 3 of line 0x1000, version 0 at pc 0\n"
            "    before, by from-reads the first");
}

TEST_F(BarrierCheckTest, AnAccessIsOfThePhaseInWhichItWasIssued) {
  launch(2);
  const Issued early = look(1);
  store(0);
  meet();
  issue(1);
  EXPECT_EQ(complaint(early), none);

  const Issued late_store = issue_store(0);
  meet();
  get(look(1));
  EXPECT_THAT(error_of<base::ModelError>([&] { perform(late_store); }), HasSubstr("before, by synchronization"));
}

/// Its store may be performed later than what comes behind the barrier.
TEST_F(BarrierCheckTest, WhoHasEndedWasNotAtTheBarrier) {
  launch(3);
  const Issued last = issue_store(2);
  end(2);
  meet();
  get(look(1));
  perform(last);
  const Issued old = look(1);
  store(0);
  meet();
  EXPECT_THAT(complaint({1, issue(1).order, old.answer}), HasSubstr("before, by synchronization")) << "the others were";
}

TEST_F(BarrierCheckTest, CtasThatFollowEachOtherMeetNot) {
  launch(2);
  const Issued old = look(1);
  store(0);
  monitor_.cta_launched(base::SmId(1), base::CtaSlot(0), base::GridId(0), {1, 0, 0}, 2);  // the machine is not empty
  end_cta();
  launch(2);
  meet();
  EXPECT_EQ(complaint({1, issue(1).order, old.answer}), none);
}

TEST_F(BarrierCheckTest, WhatWasIssuedTooManyPhasesAgoIsLeftOut) {
  launch(2);
  const Issued old = look(1);
  store(0);
  for (unsigned i = 0; i < 100; ++i) {
    meet();
    issue(1);
  }
  EXPECT_EQ(complaint(old), none);
}

TEST_F(BarrierCheckTest, ABarrierOfSomeWarpsIsOneForThem) {
  launch(3);
  const Issued old = look(1), third = look(2);
  store(0);
  meet({0, 1});
  EXPECT_EQ(complaint({2, issue(2).order, third.answer}), none);
  EXPECT_THAT(complaint({1, issue(1).order, old.answer}), HasSubstr("before, by synchronization"));
}

TEST_F(BarrierCheckTest, WhoOnlyArrivesIsKnownAndKnowsNobody) {
  launch(2);
  const Issued old = look(1), own = look(0);
  store(1);
  meet({1}, {0});
  EXPECT_EQ(complaint({0, issue(0).order, own.answer}), none);

  store(0);
  meet({1}, {0});
  EXPECT_THAT(complaint({1, issue(1).order, old.answer}), HasSubstr("by "));
}

}  // namespace
}  // namespace syncline::platform
