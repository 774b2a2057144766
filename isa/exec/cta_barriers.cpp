#include "isa/exec/cta_barriers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::isa {

void CtaBarriers::start(unsigned threads, unsigned warp_lanes, BarrierCounting counting) {
  for (Barrier& b : barriers_) {
    b.expected = b.arrived = b.popc = b.voters = 0;
    b.used = false;
    b.waiters.clear();
  }
  opened_.clear();
  passed_ = {};
  live_threads_ = threads;
  live_warps_ = (threads + warp_lanes - 1) / warp_lanes;
  warp_lanes_ = warp_lanes;
  counting_ = counting;
}

std::uint32_t CtaBarriers::target(const Barrier& barrier) const {
  if (barrier.expected != 0) return barrier.expected;
  return counting_ == BarrierCounting::per_thread ? live_threads_ : live_warps_ * warp_lanes_;
}

bool CtaBarriers::arrive(unsigned warp, const Step& step, const Program& program) {
  const BarrierRequest& request = step.barrier;
  if (request.id >= barriers_per_cta)
    throw base::ProgramFault(fmt::format("{}: barrier {} does not exist; a CTA has barriers 0 to {}",
                                         program.where(*step.op), request.id, barriers_per_cta - 1));
  const unsigned warp_sz = std::min(warp_lanes_, program.module().warp_sz);
  if (request.threads % warp_sz != 0)
    throw base::ProgramFault(
        fmt::format("{}: barrier {} is entered for {} threads, which is not a multiple of the warp "
                    "size {}",
                    program.where(*step.op), request.id, request.threads, warp_sz));
  if (step.op->barrier_mode == BarrierMode::arrive && request.threads == 0)
    throw base::ProgramFault(
        fmt::format("{}: barrier {} is entered for 0 threads; who arrives without waiting says for "
                    "how many it is",
                    program.where(*step.op), request.id));
  Barrier& barrier = barriers_[request.id];
  if (barrier.used && barrier.expected != request.threads)
    throw base::ProgramFault(
        fmt::format("{}: barrier {} is entered for {} threads while others entered it for {} "
                    "(0: all of the CTA)",
                    program.where(*step.op), request.id, request.threads, barrier.expected));
  barrier.used = true;
  barrier.expected = request.threads;
  const unsigned lanes = base::lane_count(step.lanes);
  barrier.arrived += counting_ == BarrierCounting::per_thread ? lanes : warp_lanes_;
  barrier.popc += base::lane_count(request.predicate);
  barrier.voters += lanes;
  const bool waits = request.mode != BarrierMode::arrive;
  if (waits) barrier.waiters.push_back({warp, step.lanes, step.op, 0, request.id, request.frame});
  open_if_complete(request.id);
  return waits;
}

void CtaBarriers::exit(base::LaneMask lanes, bool warp_ended) {
  live_threads_ -= base::lane_count(lanes);
  if (warp_ended) --live_warps_;
  for (unsigned id = 0; id < barriers_per_cta; ++id)
    if (barriers_[id].used && barriers_[id].expected == 0) open_if_complete(id);
}

void CtaBarriers::open_if_complete(unsigned id) {
  Barrier& barrier = barriers_[id];
  if (barrier.arrived < target(barrier)) return;
  const auto bit = static_cast<std::uint16_t>(1U << id);
  passed_.barriers |= bit;
  if (barrier.expected == 0) passed_.whole |= bit;
  for (BarrierWaiter& w : barrier.waiters) {
    switch (w.op->barrier_mode) {
      case BarrierMode::red_popc:
        w.result = barrier.popc;
        break;
      case BarrierMode::red_and:
        w.result = barrier.popc == barrier.voters;
        break;
      case BarrierMode::red_or:
        w.result = barrier.popc != 0;
        break;
      default:
        break;
    }
    opened_.push_back(w);
  }
  barrier.waiters.clear();
  barrier.expected = barrier.arrived = barrier.popc = barrier.voters = 0;
  barrier.used = false;
}

bool CtaBarriers::anyone_waits() const {
  for (const Barrier& b : barriers_)
    if (!b.waiters.empty()) return true;
  return false;
}

std::string CtaBarriers::progress(unsigned id) const {
  const Barrier& b = barriers_[id];
  return fmt::format("{} of {} threads", b.arrived, target(b));
}

}  // namespace syncline::isa
