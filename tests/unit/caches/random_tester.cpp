#include "tests/unit/caches/random_tester.h"

#include <cstring>
#include <utility>

namespace syncline::tests {

using models::L1Kind;
using models::Message;
using models::MessageClass;

RandomTester::RandomTester(const sc_core::sc_module_name& name, models::PlatformContext& context, MemorySystem& system,
                           const TesterSpec& spec, std::uint64_t seed)
    : sc_core::sc_module(name), system_(system), spec_(spec), random_(seed, "tester") {
  for (unsigned i = 0; i < system.l1s.size(); ++i) {
    cores_.push_back(std::make_unique<TestCore>(("core_" + std::to_string(i)).c_str(), context.messages,
                                                base::SmId(static_cast<std::uint16_t>(i))));
    cores_[i]->to_l1.socket.bind(system.l1s[i]->from_sm.socket);
    system.l1s[i]->to_sm.socket.bind(cores_[i]->from_l1.socket);
    for (unsigned slot = 0; slot < spec.warps; ++slot) warps_.push_back({cores_[i].get(), slot, 0, 0});
  }
  words_.resize((spec.lines + warps_.size() * spec.private_lines) * words_per_line);
  SC_HAS_PROCESS(RandomTester);
  SC_METHOD(issue);
  sensitive << issue_event_;
  dont_initialize();
}

bool RandomTester::run() {
  const auto lines = static_cast<unsigned>(words_.size() / words_per_line);
  for (unsigned line = 0; line < lines; ++line) {
    for (unsigned i = 0; i < words_per_line; ++i) {
      word(line, i).value = static_cast<std::uint32_t>(random_.next());
      system_.debug_word(address(line) + i * 4, word(line, i).value);
    }
  }
  for (unsigned episode = 0; episode < spec_.episodes; ++episode) {
    deal_words();
    begin_grid();
    if (!wait_until_idle()) return false;
    for (Warp& warp : warps_) warp.left = spec_.accesses;
    issue_event_.notify(sc_core::SC_ZERO_TIME);
    if (!wait_until_idle()) return false;
    final_check();
  }
  return true;
}

void RandomTester::deal_words() {
  for (unsigned i = 0; i < words_.size(); ++i) {
    const unsigned line = i / words_per_line;
    Word& w = words_[i];
    w.atomic_sum = 0;
    if (is_private(line)) {
      w.use = Use::owned;
      w.owner = (line - spec_.lines) / spec_.private_lines;
      continue;
    }
    const std::uint32_t dice = random_.below(10);
    w.use = dice < 6 ? Use::owned : dice < 8 ? Use::read_only : Use::atomic;
    w.owner = random_.below(static_cast<std::uint32_t>(warps_.size()));
  }
}

void RandomTester::begin_grid() {
  for (auto& core : cores_) begin_grid(*core);
}

void RandomTester::begin_grid(TestCore& core) {
  core.send(core.request(MessageClass::control, L1Kind::grid_begin, 0), [](Message&) {});
}

bool RandomTester::wait_until_idle() {
  for (int milliseconds = 0; milliseconds < 200; ++milliseconds) {
    sc_core::sc_start(1, sc_core::SC_MS);
    bool idle = true;
    for (const Warp& warp : warps_) idle = idle && warp.left == 0 && warp.in_flight == 0;
    for (const auto& core : cores_) idle = idle && core->idle();
    if (idle) return true;
  }
  return false;
}

void RandomTester::issue() {
  bool more = false;
  for (unsigned i = 0; i < warps_.size(); ++i) {
    if (warps_[i].left > 0 && warps_[i].in_flight < spec_.in_flight && random_.below(3) != 0) issue_one(i);
    more = more || warps_[i].left > 0;
  }
  if (more)
    issue_event_.notify(
        sc_core::sc_time::from_value(1 + random_.below(static_cast<std::uint32_t>(spec_.max_pause_ps))));
}

unsigned RandomTester::pick_line(unsigned warp) {
  if (random_.below(4) == 0) return spec_.lines + warp * spec_.private_lines + random_.below(spec_.private_lines);
  return random_.below(spec_.lines);
}

void RandomTester::issue_one(unsigned warp) {
  --warps_[warp].left;
  if (spec_.flushes != 0 && random_.below(spec_.flushes) == 0) begin_grid(*warps_[warp].core);
  const unsigned line = pick_line(warp);
  switch (random_.below(8)) {
    case 0:
    case 1:
    case 2:
      store(warp, line);
      break;
    case 3:
      if (!is_private(line)) {
        atomic(warp, line);
        break;
      }
      [[fallthrough]];
    default:
      load(warp, line);
      break;
  }
}

void RandomTester::load(unsigned warp, unsigned line) {
  std::vector<std::pair<unsigned, std::uint32_t>> expected;
  Message& m = warps_[warp].core->request(MessageClass::load_request, kind(line), address(line), warps_[warp].slot);
  const unsigned only_sector = random_.below(3) == 0 ? random_.below(4) : 4;  // 4: all sectors
  for (unsigned i = 0; i < words_per_line; ++i) {
    const Word& w = word(line, i);
    if (only_sector < 4 && i / 8 != only_sector) continue;
    if (w.use == Use::atomic || (w.use == Use::owned && w.owner != warp) || random_.below(3) == 0) continue;
    m.mask.set(i * 4, 4);
    expected.emplace_back(i, w.value);
  }
  if (expected.empty()) {
    m.payload()->release();
    return;
  }
  switch (random_.below(8)) {
    case 0:
      m.cache = isa::CacheOp::cg;
      break;
    case 1:
      m.semantics = isa::Semantics::volatile_;
      m.cache = isa::CacheOp::cv;
      break;
    case 2:
      m.semantics = isa::Semantics::acquire;
      m.scope = isa::Scope::gpu;
      break;
    default:
      m.semantics = isa::Semantics::weak;
      break;
  }
  if (spec_.read_only_loads != 0) m.read_only = random_.below(spec_.read_only_loads) == 0;
  ++loads;
  ++warps_[warp].in_flight;
  warps_[warp].core->send(m, [this, warp, line, expected](Message& reply) {
    --warps_[warp].in_flight;
    EXPECT_EQ(reply.message_class, MessageClass::data_reply);
    for (const auto& [index, value] : expected) {
      std::uint32_t got = 0;
      std::memcpy(&got, reply.data.data() + index * 4, 4);
      EXPECT_TRUE(reply.mask.test(index * 4));
      EXPECT_EQ(got, value) << "warp " << warp << " reads word " << index << " of line " << line << " at "
                            << sc_core::sc_time_stamp();
    }
  });
}

void RandomTester::store(unsigned warp, unsigned line) {
  Message& m = warps_[warp].core->request(MessageClass::store_request, kind(line), address(line), warps_[warp].slot);
  const bool whole = random_.below(3) == 0;
  const unsigned only_sector = random_.below(3) == 0 ? random_.below(4) : 4;  // 4: all sectors
  for (unsigned i = 0; i < words_per_line; ++i) {
    Word& w = word(line, i);
    if (only_sector < 4 && i / 8 != only_sector) continue;
    if (w.use != Use::owned || w.owner != warp || (!whole && random_.below(2) == 0)) continue;
    const bool one_byte = !whole && random_.below(8) == 0;
    const auto value = static_cast<std::uint32_t>(random_.next());
    const unsigned bytes = one_byte ? 1 : 4;
    std::memcpy(m.data.data() + i * 4, &value, bytes);
    std::memcpy(&w.value, &value, bytes);
    m.mask.set(i * 4, bytes);
  }
  if (m.mask.empty()) {
    m.payload()->release();
    return;
  }
  ++stores;
  ++warps_[warp].in_flight;
  warps_[warp].core->send(m, [this, warp](Message& reply) {
    --warps_[warp].in_flight;
    EXPECT_EQ(reply.message_class, MessageClass::store_ack);
  });
}

void RandomTester::atomic(unsigned warp, unsigned line) {
  Message& m = warps_[warp].core->request(MessageClass::atomic_request, kind(line), address(line), warps_[warp].slot);
  m.atomic = isa::AtomicOp::add;
  m.atomic_type = isa::Type::u32;
  m.returns_value = random_.below(2) == 0;
  std::vector<std::pair<unsigned, std::uint32_t>> expected;
  const unsigned lanes = random_.below(2) == 0 ? 4 : words_per_line;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned index = random_.below(words_per_line);  // several lanes may hit one word
    Word& w = word(line, index);
    if (w.use == Use::read_only || (w.use == Use::owned && w.owner != warp) || random_.below(2) == 0) continue;
    const std::uint32_t operand = random_.below(1000);
    models::AtomicLane& entry = m.atomics[m.atomic_count];
    entry = {};
    entry.lane = static_cast<std::uint8_t>(lane);
    entry.offset = static_cast<std::uint8_t>(index * 4);
    entry.operand = operand;
    m.mask.set(index * 4, 4);
    if (w.use == Use::owned) {
      if (m.returns_value) expected.emplace_back(m.atomic_count, w.value);
      w.value += operand;
    } else {
      w.atomic_sum += operand;
    }
    ++m.atomic_count;
  }
  if (m.atomic_count == 0) {
    m.payload()->release();
    return;
  }
  ++atomics;
  ++warps_[warp].in_flight;
  warps_[warp].core->send(m, [this, warp, expected](Message& reply) {
    --warps_[warp].in_flight;
    EXPECT_EQ(reply.message_class, MessageClass::atomic_reply);
    for (const auto& [entry, value] : expected) EXPECT_EQ(reply.atomics[entry].operand, value) << "warp " << warp;
  });
}

void RandomTester::final_check() {
  const auto lines = static_cast<unsigned>(words_.size() / words_per_line);
  for (unsigned line = 0; line < lines; ++line) {
    for (unsigned i = 0; i < words_per_line; ++i) {
      Word& w = word(line, i);
      w.value += w.atomic_sum;
      EXPECT_EQ(system_.debug_word(address(line) + i * 4), w.value)
          << "memory at the end, word " << i << " of line " << line;
    }
  }
}

}  // namespace syncline::tests
