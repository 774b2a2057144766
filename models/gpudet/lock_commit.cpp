#include "models/gpudet/lock_commit.h"

#include <algorithm>
#include <cstring>

namespace syncline::models {
namespace {

constexpr unsigned word = LockCommit::granule;
constexpr base::Cycle first_backoff = 64;
constexpr unsigned most_doublings = 7;

}  // namespace

void LockCommit::start(const CommitWrite& write) {
  const std::uint32_t number = writers_.take();
  writers_[number].write = write;
  writers_[number].failures = 0;
  try_lock(number);
}

Message& LockCommit::lock_message(const CommitWrite& write, std::uint32_t compare, std::uint32_t value) {
  const std::uint64_t address = memory_.locks + write.line.value() / line_ * word;
  const auto offset = static_cast<std::uint8_t>(address % line_);
  Message& message = port_.make(MessageClass::atomic_request, base::LineAddress(address - offset),
                                base::ByteMask::range(offset, word));
  message.atomic = isa::AtomicOp::cas;
  message.atomic_type = isa::Type::b32;
  message.returns_value = true;
  message.atomic_count = 1;
  message.atomics[0] = {0, offset, false, compare, value};
  return message;
}

void LockCommit::try_lock(std::uint32_t number) {
  Writer& writer = writers_[number];
  writer.step = Step::lock;
  attempts_.add();
  port_.send(lock_message(writer.write, 0, 1), *this, number);
}

void LockCommit::read_depths(std::uint32_t number) {
  Writer& writer = writers_[number];
  writer.step = Step::depths;
  Message& message = port_.make(MessageClass::load_request, depth_line(writer.write.line), base::ByteMask::all(line_));
  message.cache = isa::CacheOp::cg;  // another SM may have changed them
  port_.send(message, *this, number);
}

void LockCommit::decide(std::uint32_t number, const base::LineData& depths) {
  Writer& writer = writers_[number];
  CommitWrite& write = writer.write;
  const std::uint32_t mine = ~write.depth;
  base::ByteMask wins, words;
  for (unsigned at = 0; at < line_; at += word) {
    const base::ByteMask here = base::ByteMask::range(at, word);
    std::uint32_t stored = 0;
    std::memcpy(&stored, depths.data() + at, word);
    if (!write.mask.overlaps(here) || mine < stored) continue;
    wins |= write.mask & here;
    words |= here;
  }
  if (wins.empty()) return release_lock(number);
  written_.insert(write.line);
  base::LineData line{};
  for (unsigned at = 0; at < line_; at += word) std::memcpy(line.data() + at, &mine, word);
  writer.step = Step::writes;
  writer.outstanding = 2;
  store(number, write.line, wins, write.data);
  store(number, depth_line(write.line), words, line);
}

void LockCommit::store(std::uint32_t number, base::LineAddress line, const base::ByteMask& mask,
                       const base::LineData& data) {
  Message& message = port_.make(MessageClass::store_request, line, mask);
  message.data = data;
  port_.send(message, *this, number);
}

void LockCommit::release_lock(std::uint32_t number) {
  Writer& writer = writers_[number];
  writer.step = Step::unlock;
  port_.send(lock_message(writer.write, 1, 0), *this, number);
}

bool LockCommit::answered(std::uint32_t token, Message& reply, base::Cycle now) {
  if (token == clear_token) {
    if (--clearing_ == 0) listener_.committed(clear_token);
    return false;
  }
  Writer& writer = writers_[token];
  switch (writer.step) {
    case Step::lock:
      if (reply.atomics[0].operand == 0) {
        read_depths(token);
      } else {
        failures_.add();
        writer.step = Step::backoff;
        port_.remind(reply, *this, token, now + (first_backoff << std::min(writer.failures++, most_doublings)));
        return true;
      }
      break;
    case Step::backoff:
      try_lock(token);
      break;
    case Step::depths:
      decide(token, reply.data);
      break;
    case Step::writes:
      if (--writer.outstanding == 0) release_lock(token);
      break;
    case Step::unlock:
      writers_.release(token);
      listener_.committed(writer.write.token);
      break;
  }
  return false;
}

void LockCommit::clear() {
  clearing_ = written_.size();
  if (clearing_ == 0) return listener_.committed(clear_token);
  for (const base::LineAddress line : written_) {
    Message& message = port_.make(MessageClass::store_request, depth_line(line), base::ByteMask::all(line_));
    port_.send(message, *this, clear_token);
  }
  written_.clear();
}

}  // namespace syncline::models
