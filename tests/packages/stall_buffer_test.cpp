// The stall buffer of GETM is a block behind a socket: what the library's answers, and that others stand in its place.
#include "models/transactions/getm/stall_buffer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <map>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "models/transactions/getm/stall_port.h"
#include "platform/packages/getm/units.h"
#include "platform/timed/simulation.h"
#include "tests/packages/tiny_machine.h"
#include "tests/support/file_text.h"
#include "tests/support/foreign_stall_buffers.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using namespace platform;
using models::StallCommand;
using models::StallWork;
using protocols::getm::Access;
using protocols::getm::Metadata;
using protocols::getm::Request;

/// The other end of the socket.
struct Asker : sc_core::sc_module, private models::StallPort::Listener {
  explicit Asker(const sc_core::sc_module_name& name) : sc_core::sc_module(name), port("stalls", *this) {}
  models::StallPort port;

 private:
  void stall_buffer_ready(const sc_core::sc_time&) override { ADD_FAILURE() << "an answer behind the call"; }
};

class StallBufferTest : public PlatformFixture {
 protected:
  void make() {
    buffer = std::make_unique<models::GetmStallBuffer>("buffer", context, spec);
    port.socket.bind(buffer->socket);
    run_ns(1);
  }
  StallWork send(const StallWork& work) {
    EXPECT_TRUE(port.send([&](StallWork& sent) { sent = work; })) << "it answers in the call";
    EXPECT_EQ(port.answered_at(), sc_core::sc_time_stamp());
    return port.take();
  }
  StallWork park(protocols::getm::Granule granule, protocols::getm::Requester who, protocols::getm::Timestamp at) {
    StallWork work;
    work.request = {Access::load, granule, who, at, 1, who};
    return send(work);
  }
  StallWork changed(protocols::getm::Granule granule, bool reserved, protocols::getm::Requester owner,
                    protocols::getm::Timestamp wts) {
    StallWork work;
    work.command = StallCommand::changed;
    work.metadata.granule = granule;
    work.metadata.reserved = reserved;
    work.metadata.owner = owner;
    work.metadata.wts = wts;
    return send(work);
  }
  StallWork command(StallCommand command) {
    StallWork work;
    work.command = command;
    return send(work);
  }

  protocols::getm::GetmSpec spec;
  Asker asker{"asker"};
  models::StallPort& port = asker.port;
  std::unique_ptr<models::GetmStallBuffer> buffer;
};

TEST_F(StallBufferTest, KeepsTheContract) {
  spec.stall_addresses = spec.stall_requests = 2;
  make();
  EXPECT_FALSE(command(StallCommand::take).taken);
  EXPECT_TRUE(park(5, 1, 9).taken);
  StallWork answer = park(5, 2, 4);
  EXPECT_TRUE(answer.taken);
  EXPECT_EQ(answer.waiting, 2U);
  EXPECT_EQ(answer.addresses, 1U);
  EXPECT_FALSE(park(5, 3, 4).taken) << "two of one granule";
  EXPECT_TRUE(park(6, 4, 2).taken);
  answer = park(7, 5, 2);
  EXPECT_FALSE(answer.taken) << "two granules";
  EXPECT_FALSE(answer.may_one_go);

  EXPECT_FALSE(changed(5, true, 9, 4).may_one_go) << "nobody is too early";
  EXPECT_TRUE(changed(5, true, 2, 4).may_one_go) << "it is reserved by one that waits";
  EXPECT_FALSE(changed(5, true, 9, 4).may_one_go) << "and was so for a moment";
  EXPECT_TRUE(changed(5, true, 9, 5).may_one_go) << "one can only be refused";
  answer = command(StallCommand::take);
  EXPECT_TRUE(answer.taken);
  EXPECT_EQ(answer.request.who, 2U);
  EXPECT_FALSE(answer.may_one_go);
  EXPECT_FALSE(command(StallCommand::take).taken);

  EXPECT_TRUE(command(StallCommand::release).may_one_go);
  EXPECT_EQ(command(StallCommand::take).request.who, 4U) << "the earliest";
  EXPECT_FALSE(buffer->check_end_of_run().empty());
  answer = command(StallCommand::take);
  EXPECT_EQ(answer.request.who, 1U);
  EXPECT_EQ(answer.request.label, 1U);
  EXPECT_EQ(answer.addresses, 0U);
  EXPECT_EQ(statistic("buffer.parked"), 3);
  EXPECT_EQ(statistic("buffer.no_room"), 2);
  EXPECT_EQ(statistic("buffer.most_addresses"), 2);
  EXPECT_EQ(statistic("buffer.most_requests"), 2);
  expect_clean();
}

TEST_F(StallBufferTest, WantsACommand) {
  make();
  tlm::tlm_generic_payload payload;
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  EXPECT_THROW(port.socket->b_transport(payload, none), base::ModelError);
}

/// By name, without those that only the library's stall buffer has.
using Statistics = std::map<std::string, std::string>;

class ForeignStallBuffer : public testing::Test {
 protected:
  template <class Buffer, class... Arguments>
  void use(Arguments... arguments) {
    make = [arguments...](const sc_core::sc_module_name& name, const models::StallBufferSite& site) {
      auto buffer = std::make_unique<Buffer>(name, site.spec, arguments...);
      const models::StallBufferPorts ports{&buffer->socket};
      return models::Made<models::StallBufferPorts>{std::move(buffer), ports};
    };
  }
  /// Every thread adds one to a counter. In a process of its own, for a process has one simulation.
  Statistics run() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      const std::string text = simulate();
      const ssize_t written = write(ends[1], text.data(), text.size());
      _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> piece{};
    for (ssize_t n = 0; (n = read(ends[0], piece.data(), piece.size())) > 0;)
      text.append(piece.data(), static_cast<std::size_t>(n));
    close(ends[0]);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    Statistics all;
    std::istringstream lines(text);
    for (std::string name, value; lines >> name && std::getline(lines, value);) {
      if (name.find("_stall_buffer.") == std::string::npos) all[name] = value;
    }
    EXPECT_GT(all.size(), 100U) << text;
    return all;
  }
  /// The statistics, a line each, or what went wrong.
  std::string simulate() {
    try {
      const PlatformSpec spec = tiny_machine({"transactions.policy=getm", "observe.transactions=check"});
      GpuOptions options;
      if (make) options.unit_factories["validation_unit"] = getm::validation_units(make);
      Simulation simulation(spec, 1, options);
      std::uint32_t counted = 0;
      simulation.run([&](Device& gpu) {
        const DevicePointer counter = gpu.upload(std::vector<std::uint32_t>{0});
        const auto module =
            gpu.module_load_text(test::text_of("tests/transactions/programs/counter.ptx"), "counter.ptx");
        gpu.launch_kernel(gpu.module_get_function(module, "count"), {{3}, {96}}, arguments(counter));
        counted = gpu.download<std::uint32_t>(counter, 1).front();
      });
      if (counted != 3 * 96) return fmt::format("{} were counted", counted);
      std::string text;
      for (const base::Statistic* s : simulation.context().statistics.sorted()) {
        const base::Distribution* const d = s->distribution;
        text += s->full_name() + ' ';
        if (s->counter != nullptr)
          text += std::to_string(s->counter->value());
        else if (d != nullptr)
          text += fmt::format("{} {} {} {} {}", d->count(), d->sum(), d->min(), d->max(), fmt::join(d->buckets(), " "));
        else
          text += std::to_string(s->gauge());
        text += '\n';
      }
      return text;
    } catch (const std::exception& error) {
      return error.what();
    }
  }
  static double sum(const Statistics& statistics, const std::string& ending) {
    double sum = 0;
    bool found = false;
    for (const auto& [name, value] : statistics) {
      if (name.size() < ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
        continue;
      sum += std::stod(value);
      found = true;
    }
    EXPECT_TRUE(found) << ending;
    return sum;
  }
  models::MakeStallBuffer make;
};

TEST_F(ForeignStallBuffer, ThatBehavesAlikeMakesNoDifference) {
  const Statistics library = run();
  EXPECT_GT(sum(library, "validation_unit.queued"), 0);
  EXPECT_EQ(sum(library, "getm_stalls.most_addresses"), 1) << "all count in one word";
  use<SortedStallBuffer>();
  EXPECT_EQ(run(), library);
}

TEST_F(ForeignStallBuffer, ThatAnswersLaterTakesTime) {
  const Statistics library = run();
  use<SortedStallBuffer>(sc_core::sc_time(20, sc_core::SC_NS));
  const Statistics slow = run();
  EXPECT_GT(sum(slow, "validation_unit.queued"), 0);
  EXPECT_NE(slow, library);
}

TEST_F(ForeignStallBuffer, ThatHasNoRoomAborts) {
  use<FullStallBuffer>();
  const Statistics full = run();
  EXPECT_EQ(sum(full, "validation_unit.queued"), 0);
  EXPECT_EQ(sum(full, "getm_stalls.most_addresses"), 0);
  EXPECT_GT(sum(full, "_getm.aborted_no_room"), 0);
}

TEST_F(ForeignStallBuffer, HasASocket) {
  make = [](const sc_core::sc_module_name& name, const models::StallBufferSite& site) {
    return models::Made<models::StallBufferPorts>{std::make_unique<FullStallBuffer>(name, site.spec), {}};
  };
  EXPECT_THAT(simulate(), testing::HasSubstr("part0_validation_unit` has no port `socket`"));
}

}  // namespace
}  // namespace syncline::tests
