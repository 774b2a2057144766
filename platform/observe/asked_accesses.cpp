#include "platform/observe/asked_accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "consistency/online/atomic_order.h"
#include "isa/lanes/atomic_value.h"

namespace syncline::platform {

using base::ByteMask;
using consistency::AtomicBits;
using isa::MemoryAccess;
using models::LineEvent;

namespace {

/// Calls `visit(lane, element, offset)` for each element of each lane that lies in the line.
template <class Visit>
void for_each_place(const MemoryAccess& access, base::LineAddress line, Visit&& visit) {
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    for (unsigned element = 0; element < access.elements; ++element) {
      if ((access.skipped >> element & 1U) != 0) continue;
      // More than a line's bytes where it lies elsewhere.
      const std::uint64_t offset = access.address[lane] + element * access.element_bytes - line.value();
      if (offset < base::max_line_bytes) visit(lane, element, static_cast<unsigned>(offset));
    }
  });
}

const std::uint8_t* operand(const MemoryAccess& access, unsigned lane, unsigned element) {
  return access.data.data() + lane * access.stride + element * access.element_bytes;
}

AtomicBits bits_at(const void* bytes, unsigned count) {
  AtomicBits bits{};
  std::memcpy(bits.data(), bytes, count);
  return bits;
}

std::string text_of(const AtomicBits& bits) {
  return bits[1] == 0 ? fmt::format("{:#x}", bits[0]) : fmt::format("{:#x}{:016x}", bits[1], bits[0]);
}

/// What the lane's atomic leaves where it finds `found`.
AtomicBits left_by(const MemoryAccess& access, unsigned lane, unsigned element, const AtomicBits& found) {
  AtomicBits place = found, old{}, b = bits_at(operand(access, lane, element), access.element_bytes), c{};
  if (access.atomic == isa::AtomicOp::cas)
    c = bits_at(access.compare.data() + lane * MemoryAccess::compare_bytes, access.element_bytes);
  isa::update_atomic(access.atomic, access.type, access.ftz, place.data(), b.data(), c.data(), old.data());
  return place;
}

/// All orders of the lanes leave the same.
bool commutes(const MemoryAccess& access) {
  switch (access.atomic) {
    case isa::AtomicOp::add:
      return !isa::is_float(access.type);
    case isa::AtomicOp::exch:
    case isa::AtomicOp::cas:
    case isa::AtomicOp::inc:
    case isa::AtomicOp::dec:
      return false;
    default:
      return true;
  }
}

}  // namespace

bool AskedAccesses::follows(const MemoryAccess& access) const {
  if (access.space != isa::Space::global || access.kind == isa::AccessKind::prefetch) return false;
  return all_ || access.atomic != isa::AtomicOp::none;
}

void AskedAccesses::started(base::SmId sm, const models::WarpMemory& memory) {
  const MemoryAccess& access = memory.access;
  if (!follows(access)) return;
  if (unused_.empty()) unused_.push_back(std::make_unique<Asked>());
  std::unique_ptr<Asked> asked = std::move(unused_.back());
  unused_.pop_back();
  asked->access = access;
  asked->done.fill(0);
  asked->loaded.clear();
  under_way_[{sm.value(), memory.order}] = std::move(asked);
}

AskedAccesses::Asked* AskedAccesses::find(const LineEvent& event) {
  const auto found = under_way_.find({event.message->requester.index, event.message->order});
  return found == under_way_.end() ? nullptr : found->second.get();
}

void AskedAccesses::performed(const LineEvent& event, const Complain& complain) {
  const bool is_atomic = event.message->message_class == models::MessageClass::atomic_request;
  if (event.message->order == 0 || (!all_ && !is_atomic)) return;
  Asked* const asked = find(event);
  if (asked == nullptr)
    return complain(
        {event.line, event.bytes, "it is performed where its warp has nothing under way that is not answered"});
  is_atomic ? check_atomic(*asked, event, complain) : check_store(*asked, event, true, complain);
}

void AskedAccesses::merged(const LineEvent& event, const Complain& complain) {
  if (event.message->order == 0 || !all_) return;
  Asked* const asked = find(event);
  if (asked != nullptr) check_store(*asked, event, false, complain);
}

void AskedAccesses::check_store(Asked& asked, const LineEvent& event, bool is_performed, const Complain& complain) {
  /// What asks for the place that begins at this byte.
  struct Place {
    bool asked = false, agrees = false;
    std::int16_t lane = -1;  ///< of which it is not performed yet; rather one that agrees
    std::uint8_t element = 0;
    bool lane_agrees = false;
  };
  std::array<Place, base::max_line_bytes> places;
  const MemoryAccess& access = asked.access;
  const unsigned size = access.element_bytes;
  ByteMask rest = event.bytes;
  if (access.kind != isa::AccessKind::store)
    return complain({event.line, event.bytes, "a store is performed where its warp has asked for something else"});
  for_each_place(access, event.line, [&](unsigned lane, unsigned element, unsigned offset) {
    const ByteMask bytes = ByteMask::range(offset, size);
    if (!event.bytes.overlaps(bytes)) return;
    if (!event.bytes.contains(bytes))
      complain(
          {event.line, bytes, fmt::format("only a part of what lane {} stores at byte {} is there", lane, offset)});
    rest -= bytes;
    Place& place = places[offset];
    const bool agrees = std::memcmp(operand(access, lane, element), event.data->data() + offset, size) == 0;
    place.asked = true;
    place.agrees = place.agrees || agrees;
    if (base::has_lane(asked.done[element], lane) || (place.lane >= 0 && (place.lane_agrees || !agrees))) return;
    place.lane = static_cast<std::int16_t>(lane);
    place.element = static_cast<std::uint8_t>(element);
    place.lane_agrees = agrees;
  });
  if (!rest.empty()) complain({event.line, rest, "no lane stores there"});
  for (unsigned offset = 0; offset < base::max_line_bytes; offset += size) {
    const Place& place = places[offset];
    if (!place.asked) continue;
    const ByteMask bytes = ByteMask::range(offset, size);
    if (!place.agrees)
      complain({event.line, bytes,
                fmt::format("{} at byte {} is not what a lane stores there",
                            text_of(bits_at(event.data->data() + offset, size)), offset)});
    if (!is_performed) continue;
    if (place.lane < 0)
      complain({event.line, bytes, fmt::format("it is performed again at byte {}", offset)});
    else
      asked.done[place.element] |= base::lane_bit(static_cast<unsigned>(place.lane));
  }
}

void AskedAccesses::check_atomic(Asked& asked, const LineEvent& event, const Complain& complain) {
  const MemoryAccess& access = asked.access;
  const models::Message& message = *event.message;
  const unsigned size = access.element_bytes;
  if (access.atomic == isa::AtomicOp::none)
    return complain({event.line, event.bytes, "an atomic is performed where its warp has asked for something else"});
  std::vector<const models::AtomicLane*> lanes;
  ByteMask rest = event.bytes;
  for (unsigned i = 0; i < message.atomic_count; ++i) {
    const models::AtomicLane& lane = message.atomics[i];
    lanes.push_back(&lane);
    const ByteMask bytes = ByteMask::range(lane.offset, size);
    rest -= bytes;
    const std::uint64_t ahead = event.line.value() + lane.offset - access.address[lane.lane];
    if (!base::has_lane(access.lanes, lane.lane) || ahead >= access.stride || ahead % size != 0)
      return complain({event.line, bytes, fmt::format("lane {} asks nothing of byte {}", lane.lane, lane.offset)});
    const auto element = static_cast<unsigned>(ahead / size);
    if (base::has_lane(asked.done[element], lane.lane))
      return complain({event.line, bytes, fmt::format("it is performed again for lane {}", lane.lane)});
    asked.done[element] |= base::lane_bit(lane.lane);
    std::memcpy(asked.got.data() + (operand(access, lane.lane, element) - access.data.data()), lane.operand.data(),
                size);
  }
  if (!rest.empty()) return complain({event.line, rest, "no lane asks anything there"});
  std::stable_sort(lanes.begin(), lanes.end(), [](const auto* a, const auto* b) { return a->offset < b->offset; });
  for (auto first = lanes.begin(); first != lanes.end();) {
    const unsigned offset = (*first)->offset;
    const auto last = std::find_if(first, lanes.end(), [&](const auto* lane) { return lane->offset != offset; });
    check_lanes(asked, event, offset, {first, last}, complain);
    first = last;
  }
}

/// What lanes of one line access make of one place.
void AskedAccesses::check_lanes(const Asked& asked, const LineEvent& event, unsigned offset,
                                const std::vector<const models::AtomicLane*>& lanes, const Complain& complain) {
  const MemoryAccess& access = asked.access;
  const unsigned size = access.element_bytes;
  const AtomicBits before = bits_at(event.before->data() + offset, size);
  const AtomicBits after = bits_at(event.data->data() + offset, size);
  const auto apply = [&](unsigned step, const AtomicBits& found) {
    const unsigned lane = lanes[step]->lane;
    const std::uint64_t ahead = event.line.value() + offset - access.address[lane];
    return left_by(access, lane, static_cast<unsigned>(ahead / size), found);
  };
  const auto count = static_cast<unsigned>(lanes.size());
  bool exists = true;
  std::vector<consistency::AtomicStep> steps;
  if (event.message->returns_value) {
    for (unsigned i = 0; i < count; ++i) {
      const AtomicBits found = bits_at(lanes[i]->operand.data(), size);
      steps.push_back({found, apply(i, found)});
    }
    exists = consistency::follow_each_other(steps, before, after);
  } else if (access.atomic == isa::AtomicOp::exch) {  // the last one's is left
    exists = false;
    for (unsigned i = 0; i < count; ++i) exists = exists || apply(i, before) == after;
  } else {
    const auto verdict = consistency::can_leave(count, apply, commutes(access), before, after);
    exists = verdict != consistency::OrderVerdict::none;
    if (verdict == consistency::OrderVerdict::unknown) ++not_judged_;
  }
  if (exists) return;
  std::string what = fmt::format("at byte {} it finds {}, leaves {}", offset, text_of(before), text_of(after));
  if (event.message->returns_value && count == 1) what += fmt::format(" and returns {}", text_of(steps[0].found));
  const std::string lane = fmt::format("lane {}", lanes[0]->lane);
  what += count == 1 ? fmt::format(", where {} makes {} of that", lane, text_of(apply(0, before)))
                     : fmt::format(", which {} lanes do not in any order{}", count,
                                   event.message->returns_value ? " with what they return" : "");
  complain({event.line, ByteMask::range(offset, size), what});
}

void AskedAccesses::loaded(const LineEvent& event) {
  if (event.message->order == 0 || !all_) return;
  Asked* const asked = find(event);
  if (asked != nullptr) asked->loaded.push_back({event.line.value(), {event.bytes, *event.data}});
}

void AskedAccesses::answered(base::SmId sm, const models::WarpMemory& memory, const Complain& complain) {
  const auto found = under_way_.find({sm.value(), memory.order});
  if (found == under_way_.end()) return;
  const Asked& asked = *found->second;
  const MemoryAccess& access = asked.access;
  const unsigned size = access.element_bytes;
  const auto at = [&](unsigned lane, unsigned element, const std::string& what) {
    const std::uint64_t address = access.address[lane] + element * size;
    const std::uint64_t offset = address % line_bytes_;
    complain({base::LineAddress(address - offset), ByteMask::range(static_cast<unsigned>(offset), size), what});
  };
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    for (unsigned element = 0; element < access.elements; ++element) {
      if ((access.skipped >> element & 1U) != 0) continue;
      const std::uint8_t* const gets = operand(memory.access, lane, element);
      if (access.kind == isa::AccessKind::load) {
        const std::uint64_t address = access.address[lane] + element * size;
        const bool is_answer = std::any_of(asked.loaded.begin(), asked.loaded.end(), [&](const auto& answer) {
          const std::uint64_t offset = address - answer.first;
          if (offset >= base::max_line_bytes) return false;
          const auto first = static_cast<unsigned>(offset);
          return answer.second.first.contains(ByteMask::range(first, size)) &&
                 std::memcmp(gets, answer.second.second.data() + first, size) == 0;
        });
        if (!is_answer)
          at(lane, element,
             fmt::format("lane {} gets {}, with which no L1 has answered it", lane, text_of(bits_at(gets, size))));
        continue;
      }
      if (base::has_lane(asked.done[element], lane)) {
        const std::uint8_t* const got = asked.got.data() + (operand(access, lane, element) - access.data.data());
        if (access.kind == isa::AccessKind::atomic && std::memcmp(gets, got, size) != 0)
          at(lane, element,
             fmt::format("lane {} gets {}, and its atomic found {}", lane, text_of(bits_at(gets, size)),
                         text_of(bits_at(got, size))));
        continue;
      }
      bool by_another = false;  // one store for all lanes that store there
      if (access.kind == isa::AccessKind::store) {
        const std::uint64_t address = access.address[lane];
        base::for_each_lane(asked.done[element] & access.lanes,
                            [&](unsigned other) { by_another = by_another || access.address[other] == address; });
      }
      if (!by_another)
        at(lane, element, fmt::format("it was answered, and no home has performed it for lane {}", lane));
    }
  });
  unused_.push_back(std::move(found->second));
  under_way_.erase(found);
}

}  // namespace syncline::platform
