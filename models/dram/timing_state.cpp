#include "models/dram/timing_state.h"

#include <algorithm>

#include "base/less_or_zero.h"

namespace syncline::models {
namespace {
void raise(base::Cycle& earliest, base::Cycle to) {
  earliest = std::max(earliest, to);
}
}  // namespace

DramTimingState::DramTimingState(const DramSpec& spec)
    : timing_(spec.timing),
      burst_(spec.burst_cycles()),
      banks_(spec.banks),
      groups_(spec.bank_groups),
      group_mask_(spec.bank_groups - 1) {}

void DramTimingState::issue(DramCommandKind kind, unsigned bank, std::uint32_t row, base::Cycle at) {
  command_ = at + 1;
  switch (kind) {
    case DramCommandKind::activate: {
      Bank& b = banks_[bank];
      b.open_row = row;
      raise(b.column, at + timing_.t_rcd);
      raise(b.precharge, at + timing_.t_ras);
      raise(b.activate, at + timing_.t_rc);
      activate_ = at + timing_.t_rrd;
      window_[oldest_] = at + timing_.t_faw;
      oldest_ = (oldest_ + 1) % window_.size();
      break;
    }
    case DramCommandKind::precharge:
      banks_[bank].open_row = closed;
      raise(banks_[bank].activate, at + timing_.t_rp);
      break;
    case DramCommandKind::precharge_all:
      for (Bank& b : banks_) {
        if (b.open_row == closed) continue;
        b.open_row = closed;
        raise(b.activate, at + timing_.t_rp);
      }
      break;
    case DramCommandKind::read:
      after_read(bank, at);
      break;
    case DramCommandKind::write:
      after_write(bank, at);
      break;
    case DramCommandKind::refresh:
      for (Bank& b : banks_) raise(b.activate, at + timing_.t_rfc);
      break;
    case DramCommandKind::auto_precharge:
      break;
  }
}

void DramTimingState::after_read(unsigned bank, base::Cycle at) {
  ColumnGate& group = groups_[group_of(bank)];
  raise(banks_[bank].precharge, at + timing_.t_rtp);
  raise(channel_.read, at + std::max(timing_.t_ccd, burst_));
  raise(group.read, at + std::max(timing_.t_ccd_l, burst_));
  // Write data must not meet the read data on the bus.
  const base::Cycle turn = base::less_or_zero(timing_.t_cl + burst_, timing_.t_wl);
  raise(channel_.write, at + std::max(timing_.t_ccd, turn));
  raise(group.write, at + std::max(timing_.t_ccd_l, turn));
}

void DramTimingState::after_write(unsigned bank, base::Cycle at) {
  ColumnGate& group = groups_[group_of(bank)];
  const base::Cycle data_end = at + timing_.t_wl + burst_;
  raise(banks_[bank].precharge, data_end + timing_.t_wr);
  raise(channel_.write, at + std::max(timing_.t_ccd, burst_));
  raise(group.write, at + std::max(timing_.t_ccd_l, burst_));
  raise(channel_.read, std::max(at + timing_.t_ccd, data_end + timing_.t_wtr));
  raise(group.read, std::max(at + timing_.t_ccd_l, data_end + timing_.t_cdlr));
}

base::Cycle DramTimingState::auto_precharge(unsigned bank) {
  Bank& b = banks_[bank];
  b.open_row = closed;
  raise(b.activate, b.precharge + timing_.t_rp);
  return b.precharge;
}

bool DramTimingState::any_open() const {
  return std::any_of(banks_.begin(), banks_.end(), [](const Bank& b) { return b.open_row != closed; });
}

base::Cycle DramTimingState::earliest_precharge_all(base::Cycle from) const {
  raise(from, command_);
  // Also closed banks: one that closes itself must have done so.
  for (const Bank& b : banks_) raise(from, b.precharge);
  return from;
}

base::Cycle DramTimingState::earliest_refresh(base::Cycle from) const {
  raise(from, command_);
  for (const Bank& b : banks_) raise(from, b.activate);
  return from;
}

}  // namespace syncline::models
