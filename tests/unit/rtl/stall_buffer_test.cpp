// GETM's stall buffer in RTL in lock step with that in C++: every answer to every command is the same.
#include <gmock/gmock.h>

#include <memory>

#include "base/random.h"
#include "models/rtl/rtl_blocks.h"
#include "models/transactions/getm/stall_port.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using models::StallCommand;
using models::StallWork;

struct StallAsker : sc_core::sc_module, private models::StallPort::Listener {
  StallAsker(const sc_core::sc_module_name& name, models::Made<models::StallBufferPorts> made)
      : sc_core::sc_module(name), buffer(std::move(made)), port("stalls", *this) {
    port.socket.bind(*buffer.ports.socket);
  }
  models::Made<models::StallBufferPorts> buffer;
  models::StallPort port;

 private:
  void stall_buffer_ready(const sc_core::sc_time&) override {}
};

class StallLockStep : public PlatformFixture {
 protected:
  void build() {
    const models::StallBufferSite site{context, clock, spec, base::PartitionId(0)};
    tlm = std::make_unique<StallAsker>("tlm_asker", models::make_stall_buffer("tlm", site));
    rtl = std::make_unique<StallAsker>("rtl_asker", rtl::rtl_blocks()->stall_buffer("rtl", site));
    run_ns(10);
  }
  StallWork answer_of(StallAsker& asker, const StallWork& command) {
    asker.port.send([&](StallWork& work) { work = command; });
    for (int i = 0; i < 3 && !asker.port.answered(); ++i) run_ns(1);
    EXPECT_TRUE(asker.port.answered());
    return asker.port.take();
  }
  StallWork draw() {
    StallWork work;
    const std::uint32_t kind = random.below(20);
    work.command = kind < 8    ? StallCommand::park
                   : kind < 14 ? StallCommand::changed
                   : kind < 19 ? StallCommand::take
                               : StallCommand::release;
    const std::uint64_t far = random.below(2) == 0 ? 0 : std::uint64_t{1} << 40;
    const auto granule = far + random.below(6);
    work.request.access = random.below(2) == 0 ? protocols::getm::Access::load : protocols::getm::Access::store;
    work.request.granule = granule;
    work.request.who = random.below(8);
    work.request.at = random.below(6);
    work.request.count = static_cast<std::uint16_t>(1 + random.below(32));
    work.request.label = ++label;
    work.metadata.granule = granule;
    work.metadata.wts = random.below(6);
    work.metadata.rts = random.below(6);
    work.metadata.owner = random.below(8);
    work.metadata.reserved = random.below(4) != 0;
    return work;
  }
  void lock_step(int commands) {
    build();
    unsigned parked = 0, refused = 0, taken = 0;
    for (int n = 0; n < commands && !HasFailure(); ++n) {
      const StallWork command = draw();
      const StallWork a = answer_of(*tlm, command), b = answer_of(*rtl, command);
      EXPECT_EQ(a.taken, b.taken) << "command " << n;
      EXPECT_EQ(a.may_one_go, b.may_one_go) << "command " << n;
      EXPECT_EQ(a.addresses, b.addresses) << "command " << n;
      EXPECT_EQ(a.waiting, b.waiting) << "command " << n;
      if (command.command == StallCommand::park) (a.taken ? parked : refused) += 1;
      if (command.command != StallCommand::take || !a.taken) continue;
      ++taken;
      EXPECT_EQ(a.request.label, b.request.label) << "command " << n;
      EXPECT_EQ(a.request.granule, b.request.granule);
      EXPECT_EQ(a.request.access, b.request.access);
      EXPECT_EQ(a.request.who, b.request.who);
      EXPECT_EQ(a.request.at, b.request.at);
      EXPECT_EQ(a.request.count, b.request.count);
    }
    EXPECT_GT(parked, 0U);
    EXPECT_GT(refused, 0U);
    EXPECT_GT(taken, 0U);
    EXPECT_EQ(statistic("rtl.requests"), commands);
  }

  models::ClockDomain& clock = scheduler.add_domain("validation", 1'000'000'000);
  protocols::getm::GetmSpec spec;
  base::Random random{20, "stall_lock_step"};
  std::uint32_t label = 0;
  std::unique_ptr<StallAsker> tlm, rtl;
};

TEST_F(StallLockStep, OfTheThesis) {
  lock_step(20'000);
}

TEST_F(StallLockStep, OfOneRequest) {
  spec.stall_addresses = spec.stall_requests = 1;
  lock_step(5'000);
}

TEST_F(StallLockStep, AsLargeAsItIs) {
  spec.stall_addresses = rtl::StallBufferSizes::addresses;
  spec.stall_requests = rtl::StallBufferSizes::requests;
  lock_step(20'000);
}

}  // namespace
}  // namespace syncline::tests
