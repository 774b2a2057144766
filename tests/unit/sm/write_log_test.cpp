// A lane stage of one's own, as docs/how-to-block.md builds it: the write log of a transaction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "tests/unit/sm/lane_machine.h"

namespace syncline::tests {
namespace {

/// Stores of words go to a log of their warp, and only there; loads of the same thread find them in it: what a
/// transaction does until it commits. An entry of the log is a line, the word of each lane. What finds an entry is
/// ideal.
class WriteLog final : public models::LaneStage {
 public:
  explicit WriteLog(std::uint64_t memory) : memory_(memory) {}
  std::string_view name() const override { return "write_log"; }
  void attach(models::LaneChain& chain, models::LaneControl&) override { chain_ = &chain; }

  void offer(models::LaneOffer& offer, base::Cycle now) override {
    const isa::MemoryAccess& access = offer.access();
    const unsigned slot = offer.warp().slot;
    if (access.space == isa::Space::global && access.stride == word) {
      if (access.kind == isa::AccessKind::store) {
        const std::uint32_t entry = entries_++;
        write(entry, access);
        base::for_each_lane(access.lanes, [&](unsigned lane) { found_[{slot, lane, access.address[lane]}] = entry; });
        return offer.answer(access.lanes, nullptr, now);
      }
      if (access.kind == isa::AccessKind::load) {
        std::map<std::uint32_t, base::LaneMask> logged;  // lanes, by entry
        base::for_each_lane(access.lanes, [&](unsigned lane) {
          const auto entry = found_.find({slot, lane, access.address[lane]});
          if (entry != found_.end()) logged[entry->second] |= base::lane_bit(lane);
        });
        for (const auto& [entry, lanes] : logged) {
          offer.keep(lanes);
          read(entry, {offer.ticket(), lanes});
        }
      }
    }
    offer.pass(access.lanes);  // what is not in the log
  }

  void replied(std::uint32_t token, const models::Message& reply, base::Cycle now) override {
    const Waiting waiting = waiting_.at(token);
    chain_->answer(*this, waiting.ticket, waiting.lanes, reply.data.data(), now);
  }

 private:
  static constexpr unsigned word = 4, line = 128;
  struct Waiting {
    models::LaneTicket ticket;
    base::LaneMask lanes;
  };
  models::Message& request(models::MessageClass message_class, std::uint32_t entry) {
    models::Message& message = chain_->make_request(message_class, models::L1Kind::local);
    message.line = base::LineAddress(memory_ + std::uint64_t{entry} * line);
    return message;
  }
  void write(std::uint32_t entry, const isa::MemoryAccess& access) {
    models::Message& message = request(models::MessageClass::store_request, entry);
    base::for_each_lane(access.lanes, [&](unsigned lane) { message.mask.set(lane * word, word); });
    std::copy_n(access.data.begin(), line, message.data.begin());
    message.posted = true;  // nobody waits for it: the L1 keeps the order of what it is sent
    chain_->send(*this, message, 0);
  }
  void read(std::uint32_t entry, const Waiting& waiting) {
    models::Message& message = request(models::MessageClass::load_request, entry);
    message.mask = base::ByteMask::all(line);
    waiting_.push_back(waiting);
    chain_->send(*this, message, static_cast<std::uint32_t>(waiting_.size() - 1));
  }

  const std::uint64_t memory_;
  models::LaneChain* chain_ = nullptr;
  std::uint32_t entries_ = 0;
  std::map<std::tuple<unsigned, unsigned, std::uint64_t>, std::uint32_t> found_;  ///< by warp, lane and address
  std::vector<Waiting> waiting_;                                                  ///< by token
};

class WriteLogTest : public LaneMachine {};

TEST_F(WriteLogTest, StoresStayInTheLogAndLoadsFindThemThere) {
  static constexpr std::uint64_t logs = 0x60000000;  // in device memory, kept for them
  sm_count = 1;
  seams = [](unsigned) {
    models::SmSeams policies;
    policies.lane_stages.push_back(std::make_shared<WriteLog>(logs));
    return policies;
  };
  build();
  const auto data = allocate(512);
  for (unsigned i = 0; i < 64; ++i) at<std::uint32_t>(data)[i] = 7;
  // Even threads store 17, then 27; every thread adds what it reads then to a sum of its own, past the log.
  execute(kernel("and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 10;\n"
                 "@%p1 st.global.u32 [%rd3], %r6; ld.global.u32 %r7, [%rd3]; add.u32 %r7, %r7, 10;\n"
                 "@%p1 st.global.u32 [%rd3], %r7; ld.global.u32 %r8, [%rd3]; red.global.add.u32 [%rd3+256], %r8;"),
          {"k", {1}, {64}, {data}});
  EXPECT_THAT(words(data, 64), testing::Each(7U)) << "no store has come to memory";
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(at<std::uint32_t>(data + 256)[i], i % 2 == 0 ? 27U : 7U) << i;
  unsigned reads = 0, writes = 0;
  for (const FakeL1::Seen& one : l1s[0]->seen) {
    if (one.kind == models::L1Kind::local) ++(one.message_class == models::MessageClass::load_request ? reads : writes);
  }
  EXPECT_EQ(writes, 4U) << "an entry for each store of a warp";
  EXPECT_EQ(reads, 4U) << "and one read for each load behind it";
}

}  // namespace
}  // namespace syncline::tests
