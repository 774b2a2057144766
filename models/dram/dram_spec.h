// Parameters of one DRAM channel. Times are in periods of the channel's command clock.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "base/ids.h"

namespace syncline::models {

enum class DramScheduling : std::uint8_t { fcfs, fr_fcfs };
enum class PagePolicy : std::uint8_t { open, closed };
/// Order of the fields of an address from its upper to its lower bits; the bytes of a burst come last.
enum class AddressOrder : std::uint8_t { row_bank_column, bank_row_column, row_column_bank };

inline const base::ChoiceTable<DramScheduling>& dram_scheduling_names() {
  static const base::ChoiceTable<DramScheduling> table{{"fcfs", DramScheduling::fcfs},
                                                       {"fr_fcfs", DramScheduling::fr_fcfs}};
  return table;
}
inline const base::ChoiceTable<PagePolicy>& page_policy_names() {
  static const base::ChoiceTable<PagePolicy> table{{"open", PagePolicy::open}, {"closed", PagePolicy::closed}};
  return table;
}
inline const base::ChoiceTable<AddressOrder>& address_order_names() {
  static const base::ChoiceTable<AddressOrder> table{{"row_bank_column", AddressOrder::row_bank_column},
                                                     {"bank_row_column", AddressOrder::bank_row_column},
                                                     {"row_column_bank", AddressOrder::row_column_bank}};
  return table;
}

/// Distances between commands. "Data" is the burst of a column command: it begins tCL (read) or tWL (write) after it.
struct DramTiming {
  base::Cycle t_cl = 12, t_wl = 4, t_rp = 12, t_rc = 40, t_ras = 28, t_rcd = 12, t_rrd = 6;
  base::Cycle t_ccd = 2, t_ccd_l = 3, t_cdlr = 5, t_wtr = 2, t_wr = 12, t_rtp = 2, t_faw = 0;
  bool refresh = true;
  base::Cycle t_refi = 3600, t_rfc = 60;

  template <class V>
  void fields(V& v) {
    const auto t = [](std::string_view description, std::string_view source) {
      return base::param::latency("dram", description, source);
    };
    v.field("t_cl", t_cl, t("read command to its data (tCL)", "GPUDet T5.2"));
    v.field("t_wl", t_wl, t("write command to its data (tWL)", "GPUDet T5.2"));
    v.field("t_rp", t_rp, t("precharge to activate, same bank (tRP)", "GPUDet T5.2"));
    v.field("t_rc", t_rc, t("activate to activate, same bank (tRC)", "GPUDet T5.2"));
    v.field("t_ras", t_ras, t("activate to precharge, same bank (tRAS)", "GPUDet T5.2"));
    v.field("t_rcd", t_rcd, t("activate to column command, same bank (tRCD)", "GPUDet T5.2"));
    v.field("t_rrd", t_rrd, t("activate to activate, any banks (tRRD)", "GPUDet T5.2"));
    v.field("t_ccd", t_ccd, t("column command to column command, other bank group (tCCD)", "RCC T3.3"));
    v.field("t_ccd_l", t_ccd_l, t("column command to column command, same bank group (tCCDL)", "RCC T3.3"));
    v.field("t_cdlr", t_cdlr, t("end of write data to read command, same bank group (tCDLR)", "GPUDet T5.2"));
    v.field("t_wtr", t_wtr,
            t("end of write data to read command, other bank group (tWTR)",
              "RCC T3.3, where a second tWR = 2 stands for it"));
    v.field("t_wr", t_wr, t("end of write data to precharge, same bank (tWR)", "GPUDet T5.2"));
    v.field("t_rtp", t_rtp, t("read command to precharge, same bank (tRTP)", "Hynix H5GQ1H24AFR"));
    v.field("t_faw", t_faw,
            t("window in which at most four activates fall (tFAW); 0: no such limit", "choice: not in the tables"));
    v.field("refresh", refresh, base::param::flag("refresh all banks every tREFI", "choice: not in the tables"));
    v.field("t_refi", t_refi, t("refresh to refresh (tREFI)", "JEDEC GDDR5: 3.9 us").between(1, 1'000'000));
    v.field("t_rfc", t_rfc, t("refresh to activate (tRFC)", "Hynix H5GQ1H24AFR: 65 ns"));
    v.require(t_ras + t_rp <= t_rc || t_rc == 0, "t_rc", "must be at least tRAS + tRP");
    v.require(!refresh || t_refi > t_rfc + t_rp + t_ras + t_rc + t_rcd, "t_refi",
              "leaves no time between refreshes (must exceed tRFC + tRP + tRAS + tRC + tRCD)");
  }
};

/// One channel: a GTX 480 has six behind its partitions.
struct DramSpec {
  std::uint64_t clock = 924'000'000;
  std::uint64_t capacity = std::uint64_t{1} << 32;
  std::uint32_t banks = 16;
  std::uint32_t bank_groups = 4;
  std::uint32_t row = 2048;
  std::uint32_t bus = 32;
  std::uint32_t burst_length = 8;
  std::uint32_t transfers_per_cycle = 4;
  std::uint32_t queue = 32;
  std::uint32_t response_queue = 256;
  base::Cycle minimum_latency = 132;
  DramScheduling scheduling = DramScheduling::fr_fcfs;
  base::Cycle starvation_limit = 2000;
  PagePolicy page_policy = PagePolicy::open;
  AddressOrder address_order = AddressOrder::row_bank_column;
  DramTiming timing;

  /// Bytes that one column command moves, and command-clock cycles for which it holds the data bus.
  std::uint32_t burst_bytes() const { return bus * burst_length / transfers_per_cycle; }
  base::Cycle burst_cycles() const { return (burst_length + transfers_per_cycle - 1) / transfers_per_cycle; }

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("clock", clock,
            param::hertz("command clock", "GETM T4.2: 924 MHz, quad-pumped data (GPUDet T5.2: 900 MHz)"));
    v.field("capacity", capacity,
            param::bytes("memory of the channel, at least (a GPU makes it as large as its addresses need); pages are "
                         "allocated when touched",
                         "choice")
                .between(4096, 1ULL << 44));
    v.field("banks", banks, param::count("banks of the channel", "Hynix H5GQ1H24AFR").between(1, 256).power_of_two());
    v.field("bank_groups", bank_groups,
            param::count("groups of banks", "Hynix H5GQ1H24AFR").between(1, 64).power_of_two());
    v.field("row", row,
            param::bytes("size of a row (page) of one bank", "Hynix H5GQ1H24AFR").between(64, 1 << 20).power_of_two());
    v.field(
        "bus", bus,
        param::bytes_per_cycle("data per command-clock cycle", "GPUDet T5.2: 32 B").between(1, 1024).power_of_two());
    v.field("burst_length", burst_length,
            param::count("transfers of one column command", "Hynix H5GQ1H24AFR").between(1, 64).power_of_two());
    v.field("transfers_per_cycle", transfers_per_cycle,
            param::count("transfers per command-clock cycle", "GETM T4.2: quad-pumped").between(1, 16).power_of_two());
    v.field("queue", queue,
            param::count("requests that wait to be scheduled", "GPUDet T5.2, GETM T4.2").between(1, 4096));
    v.field(
        "response_queue", response_queue,
        param::count("answers that wait for the initiator before no more data is fetched", "choice").between(1, 65536));
    v.field(
        "minimum_latency", minimum_latency,
        param::latency("dram",
                       "least time from request to answer (a hit of an open row, idle channel); controller and wires "
                       "make up what the array does not take",
                       "GETM T4.2: 200 core cycles of 1400 MHz"));
    v.choice("scheduling", scheduling, dram_scheduling_names(), param::text("order of requests", "GPUDet T5.2"));
    v.field("starvation_limit", starvation_limit,
            param::cycles("dram", "fr_fcfs: age from which a request is no longer overtaken by row hits; 0: never",
                          "choice"));
    v.choice("page_policy", page_policy, page_policy_names(),
             param::text("what happens to a row without further requests", "choice"));
    v.choice("address_order", address_order, address_order_names(),
             param::text("address bits from high to low", "choice"));
    v.group("timing", timing, "distances between commands");
    v.require(bank_groups <= banks, "bank_groups", "must not exceed the number of banks");
    v.require(burst_bytes() >= 1 && burst_bytes() <= row, "row", "must hold at least one burst");
    v.require(capacity % (std::uint64_t{banks} * row) == 0, "capacity", "must be a multiple of banks times row");
  }
};

}  // namespace syncline::models
