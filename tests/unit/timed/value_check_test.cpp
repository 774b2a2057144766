// What `observe.consistency=check` says of bytes: it is told what caches do, by nobody who does it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "models/z_unit/depth_family.h"
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

const base::LineAddress line(0x1000);
const base::ByteMask low = base::ByteMask::range(0, 4), high = base::ByteMask::range(4, 4),
                     both = base::ByteMask::range(0, 8);
constexpr models::Index frame = 3;

base::LineData filled(std::uint8_t value) {
  base::LineData bytes;
  bytes.fill(value);
  return bytes;
}

/// With the check on, and of caches only their events. All accesses are those of a foreign initiator, 9.
class ValueCheckTest : public ::testing::Test {
 protected:
  explicit ValueCheckTest(const std::string& platform = "tiny", const std::string& policy = "gpu_vi")
      : simulation_(load_configuration<PlatformSpec>(
                        SYNCLINE_SOURCE_DIR "/configs/" + platform + ".yaml",
                        {"coherence.policy=" + policy, "observe.consistency=check", "observe.consistency_window=100"})
                        .spec,
                    1) {}
  Message& message(MessageClass message_class) {
    Message& m = simulation_.context().messages.get();
    m.message_class = message_class;
    m.line = line;
    m.requester = models::l1_node(base::SmId(9));
    m.pc = 7;
    return m;
  }
  Message& load() { return message(MessageClass::load_request); }
  Message& store() { return message(MessageClass::store_request); }

  /// The home says so.
  void home(LineEvent::Kind kind, const base::ByteMask& bytes, const base::LineData& data,
            const Message* about = nullptr, const base::LineData* before = nullptr) {
    simulation_.gpu().l2(0).line_events.write({kind, line, bytes, &data, about, nullptr, models::nowhere, {}, before});
  }
  /// The L1 says so of its frame.
  void l1(LineEvent::Kind kind, const base::ByteMask& bytes, const base::LineData& data, const Message& about) {
    simulation_.gpu().l1(0).line_events.write({kind, line, bytes, &data, &about, nullptr, frame});
  }
  void perform(const base::ByteMask& bytes, std::uint8_t value) {
    home(LineEvent::Kind::performed, bytes, filled(value), &store());
  }
  void depart(const Message& answer, std::uint8_t value) {
    home(LineEvent::Kind::departed, both, filled(value), &answer);
  }
  void bring(std::uint8_t value) {
    const Message& answer = load();
    depart(answer, value);
    l1(LineEvent::Kind::filled, both, filled(value), answer);
  }
  void hit(const base::ByteMask& bytes, std::uint8_t value) {
    l1(LineEvent::Kind::loaded, bytes, filled(value), load());
  }
  std::string summary() const { return simulation_.consistency()->summary(); }

  Simulation simulation_;
};

/// Of several modules, with a copy in the L2 slice 1, which is not the line's home.
class CopyCheckTest : public ValueCheckTest {
 protected:
  explicit CopyCheckTest(const std::string& policy = "nhcc") : ValueCheckTest("hmg_tiny", policy) {}
  void l2(LineEvent::Kind kind, const base::ByteMask& bytes, const base::LineData& data, const Message* about,
          const Message* source = nullptr, const base::LineData* before = nullptr) {
    models::L2Slice& slice = simulation_.gpu().l2(1);
    slice.line_events.write({kind, line, bytes, &data, about, source, frame, slice.node(), before});
  }
  void bring_to_l2(std::uint8_t value) {
    const Message& answer = load();
    depart(answer, value);
    l2(LineEvent::Kind::filled, both, filled(value), &answer);
  }
  /// A load is answered with the copy's bytes.
  void get(const base::ByteMask& bytes, std::uint8_t value) {
    const Message& answer = load();
    l2(LineEvent::Kind::copied, bytes, filled(value), &answer);
    const base::LineData data = filled(value);
    simulation_.gpu().l1(0).line_events.write({LineEvent::Kind::loaded, line, bytes, &data, &load(), &answer});
  }
};

/// The L2 slice 1 is the home of its GPU for the line.
class GpuHomeCheckTest : public CopyCheckTest {
 protected:
  GpuHomeCheckTest() : CopyCheckTest("hmg") {}
  /// Answers `own`, a store, and passes it on in the message that it gives back.
  Message& pass_on(const Message& own, const base::ByteMask& bytes, std::uint8_t value) {
    Message& passed = store();
    l2(LineEvent::Kind::passed_on, bytes, filled(value), &own, &passed);
    return passed;
  }
  void update(const Message& atomic, std::uint8_t before, std::uint8_t after) {
    const base::LineData found = filled(before);
    l2(LineEvent::Kind::merged, low, filled(after), &atomic, nullptr, &found);
  }
};

TEST_F(ValueCheckTest, OldBytesAreThoseOfTheirVersion) {
  perform(both, 1);
  bring(1);
  perform(high, 2);
  hit(both, 1);
  EXPECT_THAT(summary(), HasSubstr("values of 1 reads compared, of 0 not"));
  EXPECT_EQ(error_of<base::ModelError>([&] { hit(both, 2); }),
            "the run breaks the values of memory: foreign initiator 9: read of bytes 0 to 7 of line 0x1000, version 1 "
            "at pc 7: byte 0 holds 0x02 where the load gets it, not 0x01");
}

TEST_F(ValueCheckTest, WhatLeavesItsHomeIsNewest) {
  perform(both, 1);
  perform(high, 0xab);
  EXPECT_EQ(error_of<base::ModelError>([&] { bring(1); }),
            "the run breaks the values of memory: foreign initiator 9: read of bytes 0 to 7 of line 0x1000, version 2 "
            "at pc 7: byte 4 holds 0x01 where it leaves its home, not 0xab");
}

TEST_F(ValueCheckTest, WhatALoadIsAnsweredWithHasTheVersionOfTheMessage) {
  const Message& answer = load();
  perform(both, 1);
  depart(answer, 1);
  perform(both, 2);
  const auto get = [&](std::uint8_t value) {
    const base::LineData data = filled(value);
    simulation_.gpu().l1(0).line_events.write({LineEvent::Kind::loaded, line, low, &data, &load(), &answer});
  };
  get(1);
  EXPECT_THAT(error_of<base::ModelError>([&] { get(2); }),
              HasSubstr("bytes 0 to 3 of line 0x1000, version 1 at pc 7: byte 0 holds 0x02"));
}

TEST_F(ValueCheckTest, AnAtomicFindsTheNewestBytes) {
  perform(both, 1);
  const base::LineData before = filled(1);
  home(LineEvent::Kind::performed, low, filled(2), &message(MessageClass::atomic_request), &before);
  EXPECT_EQ(error_of<base::ModelError>([&] {
              home(LineEvent::Kind::performed, low, filled(2), &message(MessageClass::atomic_request), &before);
            }),
            "the run breaks the values of memory: foreign initiator 9: atomic of bytes 0 to 3 of line 0x1000, version "
            "2 at pc 7: byte 0 holds 0x01 where the atomic finds it, not 0x02");
}

TEST_F(ValueCheckTest, AStoreIsReadInItsSmBeforeItIsPerformed) {
  perform(both, 1);
  bring(1);
  const Message& own = store();
  l1(LineEvent::Kind::merged, high, filled(2), own);
  hit(low, 1);
  hit(high, 2);
  perform(both, 3);
  hit(high, 2);
  home(LineEvent::Kind::performed, high, filled(2), &own);
  hit(high, 2);
  hit(low, 1);
  EXPECT_THAT(summary(), HasSubstr("values of 5 reads compared, of 0 not"));
  EXPECT_THAT(error_of<base::ModelError>([&] { hit(high, 3); }), HasSubstr("version 3 at pc 7: byte 4 holds 0x03"));
}

/// Its message is another access by then.
TEST_F(ValueCheckTest, AStoreThatIsAnsweredHasBeenPerformed) {
  bring(0);
  Message& own = store();
  l1(LineEvent::Kind::merged, high, filled(2), own);
  home(LineEvent::Kind::performed, high, filled(2), &own);
  own.pc = 8;
  l1(LineEvent::Kind::merged, high, filled(3), own);
  own.pc = 9;
  const std::string expected =
      "the run breaks the values of memory: foreign initiator 9: write of bytes 4 to 7 of line 0x1000 at pc 8: it was "
      "answered, and no home has performed it";
  EXPECT_EQ(error_of<base::ModelError>([&] { l1(LineEvent::Kind::merged, low, filled(4), own); }), expected);
  EXPECT_EQ(error_of<base::ModelError>([&] { home(LineEvent::Kind::performed, low, filled(4), &own); }), expected);
}

TEST_F(ValueCheckTest, AStoreIsReadInItsSmAsItIs) {
  bring(0);
  l1(LineEvent::Kind::merged, high, filled(2), store());
  EXPECT_EQ(error_of<base::ModelError>([&] { hit(both, 0); }),
            "the run breaks the values of memory: foreign initiator 9: read of bytes 4 to 7 of line 0x1000 at pc 7: "
            "byte 4 holds 0x00 where the load gets a store that is on its way, not 0x02");
}

TEST_F(ValueCheckTest, AFrameHoldsWhatWasBroughtThere) {
  EXPECT_EQ(error_of<base::ModelError>([&] { hit(low, 0); }),
            "the run breaks the values of memory: foreign initiator 9: read of bytes 0 to 3 of line 0x1000 at pc 7: "
            "its L1 has never been brought the line");
}

TEST_F(ValueCheckTest, TheHostReadsWhatItWroteAndWhatOthersDid) {
  home(LineEvent::Kind::host_wrote, both, filled(1));
  perform(low, 2);
  home(LineEvent::Kind::host_read, low, filled(2));
  EXPECT_EQ(error_of<base::ModelError>([&] { home(LineEvent::Kind::host_read, both, filled(2)); }),
            "the run breaks the values of memory: the host: read of bytes 0 to 7 of line 0x1000, version 2: byte 4 "
            "holds 0x02 where it is read, not 0x01");
}

TEST_F(ValueCheckTest, OfWhatNobodyWritesOnlyTheValuesAreJudged) {
  perform(both, 1);
  bring(1);
  const auto get = [&](std::uint8_t value) {
    Message& constant = load();
    constant.read_only = true;
    l1(LineEvent::Kind::loaded, both, filled(value), constant);
  };
  get(1);
  EXPECT_THAT(summary(), HasSubstr("sc: 1 accesses judged, 0 not; "));
  EXPECT_THAT(summary(), HasSubstr("values of 1 reads compared, of 0 not"));
  EXPECT_THAT(error_of<base::ModelError>([&] { get(2); }),
              HasSubstr("byte 0 holds 0x02 where the load gets it, not 0x01"));
}

TEST_F(CopyCheckTest, WhatLeavesACopyHasItsVersion) {
  perform(both, 1);
  bring_to_l2(1);
  perform(high, 2);
  get(both, 1);
  EXPECT_THAT(summary(), HasSubstr("values of 1 reads compared, of 0 not"));
  EXPECT_THAT(error_of<base::ModelError>([&] { get(high, 2); }),
              HasSubstr("version 1 at pc 7: byte 4 holds 0x02 where the load gets it, not 0x01"));
}

TEST_F(CopyCheckTest, AStoreIsReadInItsModuleBeforeItIsPerformed) {
  perform(both, 1);
  bring_to_l2(1);
  const Message& own = store();
  l2(LineEvent::Kind::merged, high, filled(2), &own);
  get(low, 1);
  get(high, 2);
  const Message& answer = load();  // an L1 keeps both
  l2(LineEvent::Kind::copied, both, filled(2), &answer);
  l1(LineEvent::Kind::filled, both, filled(2), answer);
  perform(both, 3);
  home(LineEvent::Kind::performed, high, filled(2), &own);
  hit(high, 2);
  hit(low, 1);
  get(high, 2);
  EXPECT_THAT(summary(), HasSubstr("values of 5 reads compared, of 0 not"));
  EXPECT_THAT(error_of<base::ModelError>([&] { hit(high, 3); }), HasSubstr("version 3 at pc 7: byte 4 holds 0x03"));
}

TEST_F(CopyCheckTest, ACopyHasWhatTheHostWrites) {
  bring_to_l2(0);
  home(LineEvent::Kind::host_wrote, high, filled(9));
  l2(LineEvent::Kind::host_merged, high, filled(9), nullptr);
  get(low, 0);
  get(high, 9);
  EXPECT_THAT(error_of<base::ModelError>([&] { get(high, 0); }),
              HasSubstr("version 1 at pc 7: byte 4 holds 0x00 where the load gets it, not 0x09"));
}

TEST_F(CopyCheckTest, OfALineThatMeetsTheHostOnItsWayTheRestIsKnown) {
  const Message& answer = load();
  depart(answer, 0);
  home(LineEvent::Kind::host_wrote, high, filled(9));
  l2(LineEvent::Kind::host_merged, high, filled(9), &answer);
  l2(LineEvent::Kind::filled, both, filled(0), &answer);
  get(high, 9);
  EXPECT_THAT(summary(), HasSubstr("values of 0 reads compared, of 1 not"));
  get(low, 0);
  EXPECT_THAT(summary(), HasSubstr("values of 1 reads compared, of 1 not"));
}

TEST_F(CopyCheckTest, AFrameHoldsWhatWasBroughtThere) {
  EXPECT_EQ(error_of<base::ModelError>([&] { get(low, 0); }),
            "the run breaks the values of memory: foreign initiator 9: read of bytes 0 to 3 of line 0x1000 at pc 7: "
            "the L2 of its module has never been brought the line");
}

TEST_F(CopyCheckTest, AnL2AsksForItsModule) {
  perform(both, 1);
  Message& question = load();
  question.requester = simulation_.gpu().l2(1).node();
  EXPECT_EQ(error_of<base::ModelError>([&] { depart(question, 2); }),
            "the run breaks the values of memory: the L2 of another module: read of bytes 0 to 7 of line 0x1000, "
            "version 1: byte 0 holds 0x02 where it leaves its home, not 0x01");
}

/// Its own message has become another store by the time that the line's home performs the first.
TEST_F(GpuHomeCheckTest, AStoreThatIsPassedOnIsAnsweredAndPerformedLater) {
  perform(both, 1);
  bring_to_l2(1);
  Message& own = store();
  l2(LineEvent::Kind::merged, high, filled(2), &own);
  Message& first = pass_on(own, high, 2);
  get(high, 2);
  own.pc = 8;
  l2(LineEvent::Kind::merged, low, filled(3), &own);
  Message& second = pass_on(own, low, 3);
  get(low, 3);
  perform(high, 7);
  home(LineEvent::Kind::performed, high, filled(2), &first);
  home(LineEvent::Kind::performed, low, filled(3), &second);
  get(high, 2);
  get(low, 3);
  EXPECT_THAT(summary(), HasSubstr("wo: 8 accesses judged, 0 not; at most"));
  EXPECT_THAT(summary(), HasSubstr("values of 4 reads compared, of 0 not"));
  EXPECT_THAT(error_of<base::ModelError>([&] { get(high, 7); }), HasSubstr("version 3 at pc 7: byte 4 holds 0x07"));
}

TEST_F(GpuHomeCheckTest, WhatIsPassedOnArrivesAsItIs) {
  const Message& passed = pass_on(store(), high, 2);
  EXPECT_EQ(error_of<base::ModelError>([&] { home(LineEvent::Kind::performed, high, filled(3), &passed); }),
            "the run breaks the values of memory: foreign initiator 9: write of bytes 4 to 7 of line 0x1000 at pc 7: "
            "byte 4 holds 0x03 where the home performs what a GPU's home has passed on, not 0x02");
}

TEST_F(GpuHomeCheckTest, WhatIsPassedOnIsPerformedBeforeItsMessageIsAnother) {
  Message& passed = pass_on(store(), high, 2);
  Message& next = store();
  next.pc = 8;
  const std::string expected =
      "the run breaks the values of memory: foreign initiator 9: write of bytes 4 to 7 of line 0x1000 at pc 7: it was "
      "answered, and no home has performed it";
  EXPECT_EQ(error_of<base::ModelError>([&] { l2(LineEvent::Kind::passed_on, low, filled(3), &next, &passed); }),
            expected);
  const base::LineData data = filled(2);
  const LineEvent elsewhere{LineEvent::Kind::performed, base::LineAddress(0x2000), high, &data, &passed};
  EXPECT_EQ(error_of<base::ModelError>([&] { simulation_.gpu().l2(0).line_events.write(elsewhere); }), expected);
}

/// What another GPU has written meanwhile is lost, which is not judged.
TEST_F(GpuHomeCheckTest, AnAtomicFindsWhatTheCopyHasAndIsAStoreLater) {
  perform(both, 1);
  bring_to_l2(1);
  Message& first = message(MessageClass::atomic_request);
  update(first, 1, 2);
  const Message& passed = pass_on(first, low, 2);
  perform(low, 5);
  home(LineEvent::Kind::performed, low, filled(2), &passed);
  Message& second = message(MessageClass::atomic_request);
  update(second, 2, 3);
  get(low, 3);
  EXPECT_THAT(summary(), HasSubstr("; 2 atomics of a GPU's home judged as a load and a later store, for other GPUs may "
                                   "write between; at most"));
  EXPECT_THAT(summary(), HasSubstr("values of 3 reads compared, of 0 not"));
  EXPECT_EQ(error_of<base::ModelError>([&] { update(message(MessageClass::atomic_request), 2, 4); }),
            "the run breaks the values of memory: foreign initiator 9: atomic of bytes 0 to 3 of line 0x1000 at pc 7: "
            "byte 0 holds 0x02 where the atomic finds it, not 0x03");
}

TEST_F(ValueCheckTest, ForgetsBytesThatAreOld) {
  perform(both, 1);
  bring(1);
  for (unsigned i = 0; i < 100; ++i) perform(both, 2);
  hit(both, 1);
  EXPECT_THAT(summary(), HasSubstr("values of 1 reads compared, of 0 not"));
  perform(both, 3);
  hit(both, 1);
  EXPECT_THAT(summary(), HasSubstr("values of 1 reads compared, of 1 not"));
}

TEST_F(ValueCheckTest, CountsWhatItCannotCompare) {
  bring(0);
  Message& write = store();
  models::order_by_depth(write, models::DepthKind::write);  // decided elsewhere, and some of its bytes may lose
  l1(LineEvent::Kind::merged, high, filled(2), write);
  hit(both, 0);
  EXPECT_THAT(summary(), HasSubstr("values of 0 reads compared, of 1 not"));
  const Message& of_nobody = load();
  const base::LineData data = filled(5);
  simulation_.gpu().l1(0).line_events.write({LineEvent::Kind::loaded, line, both, &data, &load(), &of_nobody});
  EXPECT_THAT(summary(), HasSubstr("values of 0 reads compared, of 2 not"));
}

}  // namespace
}  // namespace syncline::platform
