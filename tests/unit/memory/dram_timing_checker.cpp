#include "tests/support/dram_timing_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace syncline::tests {
namespace {

using models::DramCommand;
using Kind = models::DramCommandKind;
using base::Cycle;

bool is_precharge(Kind k) {
  return k == Kind::precharge || k == Kind::auto_precharge || k == Kind::precharge_all;
}
bool is_column(Kind k) {
  return k == Kind::read || k == Kind::write;
}

class Judge {
 public:
  Judge(const models::DramSpec& spec, std::size_t limit) : s_(spec), t_(spec.timing), limit_(limit) {}

  void judge(const std::vector<DramCommand>& log) {
    for (std::size_t j = 0; j < log.size() && broken.size() < limit_; ++j) {
      state(log, j);
      // No rule reaches further back than the longest of all distances.
      for (std::size_t i = j; i-- > 0 && log[j].cycle - log[i].cycle <= reach_;) pair(log[i], log[j]);
      window(log, j);
    }
  }
  std::vector<std::string> broken;

 private:
  void fail(const std::string& rule, const DramCommand& a, const DramCommand& b) {
    broken.push_back(fmt::format("{}: command {} bank {} cycle {}, command {} bank {} cycle {}", rule,
                                 static_cast<int>(a.kind), a.bank, a.cycle, static_cast<int>(b.kind), b.bank, b.cycle));
  }
  void distance(const char* rule, const DramCommand& a, const DramCommand& b, Cycle least) {
    if (b.cycle < a.cycle + least) fail(rule, a, b);
  }

  void pair(const DramCommand& a, const DramCommand& b) {
    const bool same_bank = a.bank == b.bank || a.kind == Kind::precharge_all || b.kind == Kind::precharge_all;
    const bool same_group = a.bank % s_.bank_groups == b.bank % s_.bank_groups;
    const Cycle burst = s_.burst_cycles();
    if (a.cycle == b.cycle && a.kind != Kind::auto_precharge && b.kind != Kind::auto_precharge)
      fail("command bus", a, b);
    if (a.kind == Kind::activate && b.kind == Kind::activate) {
      distance("tRRD", a, b, t_.t_rrd);
      if (same_bank) distance("tRC", a, b, t_.t_rc);
    }
    if (same_bank) {
      if (a.kind == Kind::activate && is_precharge(b.kind)) distance("tRAS", a, b, t_.t_ras);
      if (a.kind == Kind::activate && is_column(b.kind)) distance("tRCD", a, b, t_.t_rcd);
      if (is_precharge(a.kind) && b.kind == Kind::activate) distance("tRP", a, b, t_.t_rp);
      if (a.kind == Kind::read && is_precharge(b.kind)) distance("tRTP", a, b, t_.t_rtp);
      if (a.kind == Kind::write && is_precharge(b.kind)) distance("tWR", a, b, t_.t_wl + burst + t_.t_wr);
    }
    if (is_precharge(a.kind) && b.kind == Kind::refresh) distance("tRP before refresh", a, b, t_.t_rp);
    if (a.kind == Kind::refresh && b.kind == Kind::activate) distance("tRFC", a, b, t_.t_rfc);
    if (is_column(a.kind) && is_column(b.kind)) {
      distance(same_group ? "tCCDL" : "tCCD", a, b, same_group ? t_.t_ccd_l : t_.t_ccd);
      if (a.kind == Kind::write && b.kind == Kind::read)
        distance(same_group ? "tCDLR" : "tWTR", a, b, t_.t_wl + burst + (same_group ? t_.t_cdlr : t_.t_wtr));
      const Cycle data_a = a.cycle + (a.kind == Kind::read ? t_.t_cl : t_.t_wl);
      const Cycle data_b = b.cycle + (b.kind == Kind::read ? t_.t_cl : t_.t_wl);
      if (data_a < data_b + burst && data_b < data_a + burst) fail("data bus", a, b);
    }
  }

  void window(const std::vector<DramCommand>& log, std::size_t j) {
    if (log[j].kind != Kind::activate || t_.t_faw == 0) return;
    unsigned before = 0;
    for (std::size_t i = j; i-- > 0 && log[i].cycle + t_.t_faw > log[j].cycle;) {
      if (log[i].kind == Kind::activate && ++before == 4) {
        fail("tFAW", log[i], log[j]);
        return;
      }
    }
  }

  void state(const std::vector<DramCommand>& log, std::size_t j) {
    const DramCommand& c = log[j];
    rows_.resize(s_.banks);
    switch (c.kind) {
      case Kind::activate:
        if (rows_[c.bank]) fail("activate of an open bank", c, c);
        rows_[c.bank] = c.row;
        break;
      case Kind::read:
      case Kind::write:
        if (rows_[c.bank] != c.row) fail("column command to a row that is not open", c, c);
        if (c.column >= s_.row / s_.burst_bytes()) fail("column outside the row", c, c);
        break;
      case Kind::precharge:
      case Kind::auto_precharge:
        if (!rows_[c.bank]) fail("precharge of a closed bank", c, c);
        rows_[c.bank].reset();
        break;
      case Kind::precharge_all:
        for (auto& row : rows_) row.reset();
        break;
      case Kind::refresh:
        if (std::any_of(rows_.begin(), rows_.end(), [](const auto& row) { return row.has_value(); }))
          fail("refresh with open banks", c, c);
        ++refreshes_;
        if (c.cycle < refreshes_ * t_.t_refi) fail("refresh too early", c, c);
        if (c.cycle > refreshes_ * t_.t_refi + reach_) fail("refresh too late", c, c);
        break;
    }
    if (t_.refresh && c.kind != Kind::refresh && c.cycle > (refreshes_ + 1) * t_.t_refi + reach_) fail("tREFI", c, c);
  }

  const models::DramSpec& s_;
  const models::DramTiming& t_;
  std::size_t limit_;
  Cycle reach_ = t_.t_rc + t_.t_ras + t_.t_rp + t_.t_rfc + t_.t_cl + t_.t_wl + t_.t_wr + t_.t_faw + t_.t_cdlr +
                 t_.t_wtr + t_.t_rrd + t_.t_ccd + t_.t_ccd_l + t_.t_rcd + t_.t_rtp + 2 * s_.burst_cycles() + 2;
  std::vector<std::optional<std::uint32_t>> rows_;
  Cycle refreshes_ = 0;
};

}  // namespace

std::vector<std::string> broken_dram_rules(const models::DramSpec& spec, std::vector<DramCommand> log,
                                           std::size_t limit) {
  std::stable_sort(log.begin(), log.end(),
                   [](const DramCommand& a, const DramCommand& b) { return a.cycle < b.cycle; });
  Judge judge(spec, limit);
  judge.judge(log);
  return judge.broken;
}

}  // namespace syncline::tests
