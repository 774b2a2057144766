// Instructions in which lanes see each other (PTX ISA: shfl, vote, match, activemask, redux, elect). Where WARP_SZ is
// 32 each half of a 64-wide warp is a PTX warp of its own; where it is 64, only votes without a mask of lanes are left.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "isa/exec/execute.h"
#include "isa/lanes/atomic_value.h"

namespace syncline::isa {
namespace {

template <class Value>
std::array<Value, kernel_lanes> load(const std::uint8_t* from) {
  std::array<Value, kernel_lanes> values;
  std::memcpy(values.data(), from, sizeof values);
  return values;
}

void store(std::uint8_t* to, std::uint32_t mask, const std::array<std::uint32_t, kernel_lanes>& values) {
  base::for_each_lane(mask, [&](unsigned lane) { std::memcpy(to + 4 * lane, &values[lane], 4); });
}

void store_predicate(std::uint8_t* to, std::uint32_t mask, std::uint32_t value) {
  std::uint32_t old = 0;
  std::memcpy(&old, to, sizeof old);
  old = (old & ~mask) | (value & mask);
  std::memcpy(to, &old, sizeof old);
}

/// The lane that `lane` reads from, and whether that is in range (PTX ISA, shfl: the pseudo code of its description).
std::pair<unsigned, bool> shuffle_source(ShuffleMode mode, unsigned lane, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t amount = b & 0x1F, clamp = c & 0x1F, segment = (c >> 8) & 0x1F;
  const std::uint32_t lowest = lane & segment, limit = lowest | (clamp & ~segment);
  int source = 0;
  bool in_range = false;
  switch (mode) {
    case ShuffleMode::up:
      source = static_cast<int>(lane) - static_cast<int>(amount);
      in_range = source >= static_cast<int>(limit);
      break;
    case ShuffleMode::down:
      source = static_cast<int>(lane + amount);
      in_range = source <= static_cast<int>(limit);
      break;
    case ShuffleMode::bfly:
      source = static_cast<int>(lane ^ amount);
      in_range = source <= static_cast<int>(limit);
      break;
    default:
      source = static_cast<int>(lowest | (amount & ~segment));
      in_range = source <= static_cast<int>(limit);
      break;
  }
  return {in_range ? static_cast<unsigned>(source) : lane, in_range};
}

/// The value that redux gives to all: of the lanes `who`, each with its 32 bits. Of floating-point numbers those that
/// are not NaN count, unless .NaN makes one NaN the result.
std::uint32_t reduce(const Op& op, std::uint32_t who, const std::array<std::uint32_t, kernel_lanes>& values) {
  const auto operation = static_cast<AtomicOp>(op.immediate);
  const auto type = static_cast<Type>(op.aux & redux_type);
  std::uint64_t sum = 0;
  bool first = true, nan = false;
  base::for_each_lane(who, [&](unsigned lane) {
    const std::uint32_t value = (op.aux & redux_absolute) != 0 ? values[lane] & 0x7fffffffu : values[lane];
    nan = nan || (value & 0x7fffffffu) > 0x7f800000u;
    // A floating-point number alone is reduced with itself: that makes a NaN the canonical one.
    if (first) sum = value;
    if (!first || is_float(type)) sum = apply_atomic(operation, type, false, sum, value);
    first = false;
  });
  return (op.aux & redux_nan) != 0 && nan ? 0x7fffffffu : static_cast<std::uint32_t>(sum);
}

/// Source of a `.sync` instruction that holds its member mask.
unsigned member_mask(OpKind kind) {
  switch (kind) {
    case OpKind::shuffle:
      return 3;
    case OpKind::vote:
    case OpKind::match:
    case OpKind::redux:
      return 1;
    default:
      return 0;
  }
}

/// "0xff wait at k.ptx:12: `...` in kernel `k`"
std::string waits(const Program& program, std::uint32_t pc, base::LaneMask lanes) {
  return fmt::format("{:#x} wait at {}", lanes, program.where(program.op(pc)));
}

}  // namespace

/// The lanes that come to a `.sync` instruction wait until all have come that their member masks name and that have not
/// ended. Lanes with different masks (tiles of a warp) do not wait for each other.
bool WarpExecutor::gather(Warp& w, const Op& op, Step& step) {
  std::array<Gathering, base::max_lanes> parts;
  std::size_t count = 0;
  for (unsigned half = 0; half < w.halves_; ++half) {
    const auto masks = load<std::uint32_t>(at(w, half, op.src[member_mask(op.kind)]));
    for (auto left = static_cast<std::uint32_t>(step.lanes >> (32 * half)); left != 0;) {
      const std::uint32_t members = masks[base::first_lane(left)];
      std::uint32_t same = 0;
      base::for_each_lane(left, [&](unsigned lane) { same |= std::uint32_t{masks[lane] == members} << lane; });
      parts[count++] = {base::LaneMask{same} << (32 * half), base::LaneMask{members} << (32 * half), false};
      left &= ~same;
    }
  }
  const bool goes_on = w.reconvergence_->gather(w.cursor_, parts.data(), count, op.kind == OpKind::warp_barrier);
  const base::LaneMask came = step.lanes;
  step.lanes = 0;
  if (goes_on) {
    step.active = w.cursor_.lanes;
    for (std::size_t n = 0; n < count; ++n) {
      if (!parts[n].complete) continue;
      step.lanes |= parts[n].lanes;
      if (op.kind != OpKind::warp_barrier) cross_lane(w, op, parts[n].lanes);
    }
    return true;
  }
  w.follow();
  if (!w.cursor_.blocked) return false;
  std::vector<WaitingPath> paths;
  w.reconvergence_->waiting(paths);
  for (const WaitingPath& path : paths)
    if (path.is_blocked) return false;
  std::string text;
  for (const WaitingPath& path : paths)
    if ((path.lanes & came) == 0) text += "; lanes " + waits(*w.program_, path.pc, path.lanes);
  throw base::ProgramFault(fmt::format(
      "lanes of a warp wait for each other for ever, in kernel `{}`, CTA ({}, {}, {}), "
      "warp {}: lanes {}{}",
      w.program_->kernel().name, w.cta_.x, w.cta_.y, w.cta_.z, w.index_, waits(*w.program_, step.pc, came), text));
}

/// All, any and uni of all lanes that execute.
void WarpExecutor::vote_of_all(Warp& w, const Op& op, base::LaneMask lanes) {
  base::LaneMask yes = 0;
  for (unsigned half = 0; half < w.halves_; ++half)
    yes |= base::LaneMask{mask_at(w, half, op.src[0]) ^ op.aux} << (32 * half);
  yes &= lanes;
  const auto mode = static_cast<VoteMode>(op.immediate);
  const bool holds = mode == VoteMode::any ? yes != 0 : yes == lanes || (mode == VoteMode::uni && yes == 0);
  for (unsigned half = 0; half < w.halves_; ++half)
    store_predicate(at(w, half, op.dst), static_cast<std::uint32_t>(lanes >> (32 * half)), holds ? ~0u : 0u);
}

void WarpExecutor::cross_lane(Warp& w, const Op& op, base::LaneMask lanes) {
  if (w.program_->module().warp_sz != kernel_lanes) return vote_of_all(w, op, lanes);
  for (unsigned half = 0; half < w.halves_; ++half) {
    const auto mask = static_cast<std::uint32_t>(lanes >> (32 * half));
    if (mask == 0) continue;
    std::uint8_t* const dst = at(w, half, op.dst);
    std::uint8_t* const dst2 = at(w, half, op.dst2);
    // .sync forms: the executing lanes that the member mask names take part.
    const auto members = [&](unsigned source) {
      return op.uniform ? mask & load<std::uint32_t>(at(w, half, op.src[source]))[base::first_lane(mask)] : mask;
    };
    std::array<std::uint32_t, kernel_lanes> result{};
    std::uint32_t predicate = 0;
    switch (op.kind) {
      case OpKind::shuffle: {
        const auto a = load<std::uint32_t>(at(w, half, op.src[0]));
        const auto b = load<std::uint32_t>(at(w, half, op.src[1]));
        const auto c = load<std::uint32_t>(at(w, half, op.src[2]));
        for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
          const auto [source, in_range] =
              shuffle_source(static_cast<ShuffleMode>(op.immediate), lane, b[lane], c[lane]);
          result[lane] = a[source];
          predicate |= std::uint32_t{in_range} << lane;
        }
        store(dst, mask, result);
        store_predicate(dst2, mask, predicate);
        break;
      }
      case OpKind::vote: {
        const std::uint32_t voters = members(1), yes = (mask_at(w, half, op.src[0]) ^ op.aux) & voters;
        switch (static_cast<VoteMode>(op.immediate)) {
          case VoteMode::all:
            store_predicate(dst, mask, yes == voters ? ~0u : 0u);
            break;
          case VoteMode::any:
            store_predicate(dst, mask, yes != 0 ? ~0u : 0u);
            break;
          case VoteMode::uni:
            store_predicate(dst, mask, yes == voters || yes == 0 ? ~0u : 0u);
            break;
          default:
            result.fill(yes);
            store(dst, mask, result);
            break;
        }
        break;
      }
      case OpKind::match: {
        std::array<std::uint64_t, kernel_lanes> value{};
        for (unsigned lane = 0; lane < kernel_lanes; ++lane)
          std::memcpy(&value[lane], at(w, half, op.src[0]) + lane * op.aux, op.aux);
        const std::uint32_t who = members(1);
        for (unsigned lane = 0; lane < kernel_lanes; ++lane)
          base::for_each_lane(who, [&](unsigned other) {
            if (value[other] == value[lane]) result[lane] |= 1u << other;
          });
        if (op.immediate != 0) {  // match.all
          const bool same = who != 0 && result[base::first_lane(who)] == who;
          predicate = same ? ~0u : 0u;
          result.fill(same ? who : 0);
        }
        store(dst, mask, result);
        store_predicate(dst2, mask, predicate);
        break;
      }
      case OpKind::activemask:
        result.fill(mask);
        store(dst, mask, result);
        break;
      case OpKind::redux: {
        result.fill(reduce(op, members(1), load<std::uint32_t>(at(w, half, op.src[0]))));
        store(dst, mask, result);
        break;
      }
      default: {  // elect: the lowest lane leads
        const std::uint32_t who = members(0);
        const unsigned leader = who == 0 ? 0 : base::first_lane(who);
        result.fill(leader);
        store(dst, mask, result);
        store_predicate(dst2, mask, 1u << leader);
        break;
      }
    }
  }
}

}  // namespace syncline::isa
