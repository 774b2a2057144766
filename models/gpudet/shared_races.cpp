#include "models/gpudet/shared_races.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/lane_mask.h"
#include "protocols/determinism/gpudet/join.h"

namespace syncline::models {

using protocols::gpudet::join;

namespace {

/// The lanes give the same operand, which is returned.
bool one_operand(const isa::MemoryAccess& access, std::uint32_t& operand) {
  const auto of = [&](unsigned lane) {
    std::uint32_t value = 0;
    std::memcpy(&value, access.data.data() + std::size_t{lane} * access.stride, sizeof value);
    return value;
  };
  operand = of(base::first_lane(access.lanes));
  bool same = true;
  base::for_each_lane(access.lanes, [&](unsigned lane) { same = same && of(lane) == operand; });
  return same;
}

}  // namespace

void SharedRaces::start(unsigned warps, unsigned granule, bool parts) {
  granule_ = granule;
  shift_ = granule == 1 ? 0 : 2;
  parts_ = parts;
  words_.clear();
  interval_ = 1;
  heard_.assign(warps, Clocks(warps, 0));
  for (unsigned warp = 0; warp < warps; ++warp) heard_[warp][warp] = 1;
  for (Clocks& told : told_) told.clear();
  many_.clear();
  free_.clear();
}

void SharedRaces::arrived(unsigned warp, unsigned barrier) {
  join(told_[barrier], heard_[warp]);
  ++heard_[warp][warp];
}

void SharedRaces::passed(unsigned barrier, bool whole) {
  std::swap(passed_[barrier], told_[barrier]);
  told_[barrier].clear();
  if (whole) ++interval_;
}

void SharedRaces::opened(unsigned warp, unsigned barrier) {
  join(heard_[warp], passed_[barrier]);
}

/// Reductions of whole numbers commute with those that do the same; of floating numbers the order is rounded into the
/// sum. Counting up or down to a bound does the same where the bound is one.
SharedRaces::Doing SharedRaces::doing(const isa::MemoryAccess& access) {
  if (access.kind == isa::AccessKind::load) return {Kind::read};
  if (access.kind != isa::AccessKind::reduction || isa::is_float(access.type)) return {};
  Doing what{Kind::reduction, static_cast<std::uint32_t>(access.atomic) << 8 | access.element_bytes};
  switch (access.atomic) {
    case isa::AtomicOp::and_:
    case isa::AtomicOp::or_:
    case isa::AtomicOp::xor_:
    case isa::AtomicOp::add:
      return what;
    case isa::AtomicOp::min:
    case isa::AtomicOp::max:
      what.operation |= static_cast<std::uint32_t>(access.type) << 16;
      return what;
    case isa::AtomicOp::inc:
    case isa::AtomicOp::dec:
      return one_operand(access, what.operand) ? what : Doing{};
    default:
      return {};
  }
}

bool SharedRaces::access(unsigned warp, const isa::MemoryAccess& access) {
  const Doing what = doing(access);
  const Clock now = heard_[warp][warp];
  // Most accesses read again what warps read.
  const auto is_read_again = [&](const Word& word) {
    return what.kind == Kind::read && word.interval == interval_ && word.written.warp == nobody &&
           word.reduced.warp == nobody &&
           (word.read.warp == several ? !parts_ : word.read.warp == warp && word.read.at == now);
  };
  bool races = false;
  std::uint64_t before = ~std::uint64_t{0};
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    if (std::exchange(before, access.address[lane]) == access.address[lane]) return;  // lanes that share a word
    for (unsigned byte = 0; byte < access.stride; byte += granule_) {
      if (access.skipped != 0 && (access.skipped >> byte / access.element_bytes & 1U) != 0) continue;
      const std::uint64_t word = (access.address[lane] + byte) >> shift_;
      if (word >= words_.size()) words_.resize(word + 1);
      if (!is_read_again(words_[word])) races = touch(words_[word], warp, what) || races;
    }
  });
  return races;
}

bool SharedRaces::touch(Word& word, unsigned warp, const Doing& what) {
  if (word.interval != interval_) {
    for (Set* const set : {&word.written, &word.read, &word.reduced}) clear(*set);
    word.interval = interval_;
  }
  const Clock now = heard_[warp][warp];
  const bool same = what.operation == word.operation && what.operand == word.operand;
  const bool races = !knows(warp, word.written) || (what.kind != Kind::read && !knows(warp, word.read)) ||
                     ((what.kind != Kind::reduction || !same) && !knows(warp, word.reduced));
  switch (what.kind) {
    case Kind::read:
      add(word.read, warp, now);
      break;
    case Kind::write:
      for (Set* const set : {&word.written, &word.read, &word.reduced}) clear(*set);
      add(word.written, warp, now);
      break;
    case Kind::reduction:
      if (!same) {
        add(word.read, word.reduced);
        clear(word.reduced);
        word.operation = what.operation;
        word.operand = what.operand;
      }
      add(word.reduced, warp, now);
      break;
  }
  return races;
}

bool SharedRaces::knows(unsigned warp, const Set& set) const {
  if (set.warp == nobody) return true;
  if (set.warp != several) return knows(warp, set.warp, set.at);
  if (!parts_) return false;
  const Clocks& clocks = many_[set.at];
  for (unsigned other = 0; other < clocks.size(); ++other) {
    if (!knows(warp, other, clocks[other])) return false;
  }
  return true;
}

void SharedRaces::add(Set& set, unsigned warp, Clock at) {
  // What the warp has heard since its clock was `at` does not count; it moves on before it hears.
  const bool newest = at == heard_[warp][warp];
  if (set.warp == several) {
    if (parts_) many_[set.at][warp] = std::max(many_[set.at][warp], at);
  } else if (set.warp == nobody || (newest && knows(warp, set.warp, set.at))) {
    set = {static_cast<std::uint16_t>(warp), at};
  } else if (!parts_) {
    set = {several, 0};
  } else {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(many_.size()));
      many_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    many_[number].assign(heard_.size(), 0);
    many_[number][set.warp] = set.at;
    many_[number][warp] = at;
    set = {several, number};
  }
}

void SharedRaces::add(Set& set, const Set& more) {
  if (more.warp == nobody) return;
  if (more.warp != several) return add(set, more.warp, more.at);
  if (!parts_) {
    set = more;
    return;
  }
  for (unsigned warp = 0; warp < heard_.size(); ++warp) {
    if (const Clock at = many_[more.at][warp]; at != 0) add(set, warp, at);
  }
}

void SharedRaces::clear(Set& set) {
  if (set.warp == several && parts_) free_.push_back(set.at);
  set = {};
}

}  // namespace syncline::models
