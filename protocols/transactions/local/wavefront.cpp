#include "protocols/transactions/local/wavefront.h"

#include "base/error.h"

namespace syncline::protocols::local {

using base::lane_bit;
using base::LaneMask;

void Wavefront::enter(LaneMask lanes, Mode mode) {
  if (exec_ != 0) throw base::ModelError("a wavefront enters a transaction while it is in one");
  exec_ = lanes;
  tcm_ = 0;
  tcm_old_.reset();
  mode_ = mode;
}

/// Who goes first of the lanes that have lost.
LaneMask Wavefront::selected() const {
  switch (spec_->selection) {
    case Selection::ascending_single:
      return lane_bit(base::first_lane(exec_));
    case Selection::descending_single:
      return lane_bit(base::last_lane(exec_));
    case Selection::ascending_multiple:
    case Selection::descending_multiple:
      break;
  }
  // Who has lost only to lanes that have committed since may leave nobody.
  return (exec_ & mcm_) == 0 ? exec_ : exec_ & mcm_;
}

LaneMask Wavefront::begin() {
  if (!waits()) throw base::ModelError("a wavefront begins a transaction that does not wait");
  tcm_ = mode_ == Mode::transactional ? 0 : exec_ & ~selected();
  if (!keeps_mcm_) mcm_ = ~LaneMask{0};
  running_ = true;
  ran_ = live();
  return ran_;
}

void Wavefront::conflict(unsigned lane, const Opponents& to) {
  const LaneMask self = lane_bit(lane);
  if ((live() & self) == 0) throw base::ModelError("a lane loses that does not run");
  const LaneMask lower = self - 1, before = is_ascending(spec_->selection) ? lower : ~(lower | self);
  // Where it is not known whom it has lost to, it may have been any lane that ran with it.
  const LaneMask lost_to = to.unknown ? ran_ : to.own;
  if ((lost_to & before) != 0) mcm_ &= ~self;
  tcm_ |= self;
}

LaneMask Wavefront::commit() {
  if (!running_) throw base::ModelError("a wavefront commits a transaction that does not run");
  const LaneMask committed = exec_ & ~tcm_;
  const bool same_again = tcm_old_ == tcm_;
  running_ = false;
  exec_ = tcm_;
  if (exec_ == 0) {
    mode_ = Mode::none;
    keeps_mcm_ = false;
    return committed;
  }
  switch (mode_) {
    case Mode::transactional:
      if (same_again) mode_ = Mode::wavefront_serial;
      break;
    case Mode::wavefront_serial:  // lanes of other wavefronts are in its way
      mode_ = same_again ? Mode::group_serial : Mode::transactional;
      break;
    case Mode::group_serial:
    case Mode::none:
      break;
  }
  keeps_mcm_ = mode_ == Mode::group_serial && committed == 0 && spec_->mcm_reset == McmReset::progress;
  tcm_old_ = tcm_;
  return committed;
}

LaneMask Wavefront::quiesce() {
  const LaneMask given_up = live();
  running_ = false;
  mode_ = exec_ == 0 ? Mode::none : Mode::transactional;
  tcm_old_.reset();
  return given_up;
}

void Wavefront::encode(Encoder& to) const {
  to.put(static_cast<unsigned>(mode_) * 4 + (running_ ? 2 : 0) + (keeps_mcm_ ? 1 : 0));
  to.put(exec_);
  to.put(tcm_);
  to.put(running_ ? ran_ : 0);
  to.put(mcm_ & exec_);
  to.put(tcm_old_ ? *tcm_old_ + 1 : 0);
}

}  // namespace syncline::protocols::local
