// A small machine with short, constant network and memory times, driven access by access.
#pragma once

#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "platform/stress/core.h"
#include "platform/stress/memory_system.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {

using stress::Core;
using stress::MemorySystem;
using stress::MemorySystemSpec;

class HierarchyFixture : public PlatformFixture {
 protected:
  HierarchyFixture() {
    spec.l1s = 2;
    spec.slices = 1;
    spec.max_network_delay_ps = 1;
    spec.max_memory_delay_ps = 1000;
    spec.network_capacity = 64;
  }
  void build() {
    system = std::make_unique<MemorySystem>(context, spec);
    for (unsigned i = 0; i < spec.l1s; ++i) {
      cores.push_back(std::make_unique<Core>(("core" + std::to_string(i)).c_str(), pool));
      cores[i]->to_l1.socket.bind(system->l1s[i]->from_sm.socket);
      system->l1s[i]->to_sm.socket.bind(cores[i]->from_l1.socket);
    }
  }

  /// A load of `bytes` at `address`, on its way.
  models::Message& load_message(unsigned core, std::uint64_t address, unsigned bytes = 4,
                                models::L1Kind kind = models::L1Kind::global) {
    models::Message& m = cores[core]->request(models::MessageClass::load_request, kind, address / 128 * 128);
    m.semantics = isa::Semantics::weak;
    m.mask.set(static_cast<unsigned>(address % 128), bytes);
    return m;
  }
  /// A store of a word, on its way.
  models::Message& store_message(unsigned core, std::uint64_t address, std::uint32_t value = 0,
                                 models::L1Kind kind = models::L1Kind::global) {
    models::Message& m = cores[core]->request(models::MessageClass::store_request, kind, address / 128 * 128);
    m.mask.set(static_cast<unsigned>(address % 128), 4);
    std::memcpy(m.data.data() + address % 128, &value, 4);
    return m;
  }
  /// The word at `address` as `core` reads it.
  std::uint32_t load(unsigned core, std::uint64_t address, isa::Semantics semantics = isa::Semantics::weak,
                     isa::Scope scope = isa::Scope::none, models::L1Kind kind = models::L1Kind::global) {
    models::Message& m = load_message(core, address, 4, kind);
    m.semantics = semantics;
    m.scope = scope;
    std::optional<std::uint32_t> got;
    cores[core]->send(m, [&got, address, this](models::Message& reply) {
      std::uint32_t value = 0;
      std::memcpy(&value, reply.data.data() + address % 128, 4);
      reply_bytes = reply.bytes;
      reply_mask = reply.mask;
      got = value;
    });
    return wait_for(got);
  }
  void store(unsigned core, std::uint64_t address, std::uint32_t value, models::L1Kind kind = models::L1Kind::global) {
    std::optional<std::uint32_t> done;
    cores[core]->send(store_message(core, address, value, kind), [&done](models::Message&) { done = 0; });
    wait_for(done);
  }
  /// Adds 1 to one word with `lanes` lanes, or to as many different words; returns the core cycles that it took.
  double atomic(unsigned core, std::uint64_t address, unsigned lanes, bool spread) {
    models::Message& m = cores[core]->request(models::MessageClass::atomic_request, models::L1Kind::global, address);
    m.atomic = isa::AtomicOp::add;
    m.atomic_type = isa::Type::u32;
    m.atomic_count = static_cast<std::uint8_t>(lanes);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      m.atomics[lane] = {};
      m.atomics[lane].lane = static_cast<std::uint8_t>(lane);
      m.atomics[lane].offset = static_cast<std::uint8_t>(spread ? lane * 4 : 0);
      m.atomics[lane].operand = 1;
      m.mask.set(m.atomics[lane].offset, 4);
    }
    std::optional<std::uint32_t> done;
    const std::uint64_t start = sc_core::sc_time_stamp().value();
    cores[core]->send(m, [&done](models::Message&) { done = 0; });
    wait_for(done);
    return static_cast<double>(cores[core]->last_reply_ps - start) * 1.4e9 / 1e12;
  }
  void control(unsigned core, models::L1Kind kind, isa::Scope scope = isa::Scope::none) {
    models::Message& m = cores[core]->request(models::MessageClass::control, kind, 0);
    m.semantics = isa::Semantics::sc;
    m.scope = scope;
    std::optional<std::uint32_t> done;
    cores[core]->send(m, [&done](models::Message&) { done = 0; });
    wait_for(done);
  }
  /// Runs on until the scheduler has a failure, which must be a ModelError that says `text`.
  void expect_model_error(const std::string& text) {
    for (int i = 0; i < 100 && !scheduler.failure(); ++i) run_ns(100);
    try {
      if (scheduler.failure()) std::rethrow_exception(scheduler.failure());
      ADD_FAILURE() << "nothing failed";
    } catch (const base::ModelError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }
  /// A statistic of a block, by the end of its name: "l1_0.load_hits".
  double stat(const std::string& name) const { return statistic(name); }

  MemorySystemSpec spec;
  std::unique_ptr<MemorySystem> system;
  std::vector<std::unique_ptr<Core>> cores;
  unsigned reply_bytes = 0;
  base::ByteMask reply_mask;

 private:
  static std::uint32_t wait_for(std::optional<std::uint32_t>& value) {
    for (int i = 0; i < 10'000 && !value; ++i) run_ns(10);
    if (!value) ADD_FAILURE() << "no answer";
    return value.value_or(0xdeadbeef);
  }
};

}  // namespace syncline::tests
