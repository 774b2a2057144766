// Loads that may find what they want in a log: the search from the newest entry to the oldest, some lines of headers at
// a time, the reading of what was found, and the load of what was not (GPUDet, section 4.3).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/stats.h"
#include "models/gpudet/log_port.h"
#include "models/gpudet/write_logs.h"
#include "models/sm/numbered.h"

namespace syncline::models {

class LogSearch final : public LogClient {
 public:
  LogSearch(WriteLogs& logs, LogPort& port) : logs_(logs), port_(port) {}

  /// Takes `load` when a Bloom filter of `views` knows its line, and answers it later; false: no log has it.
  bool take(Message& load, const std::vector<LogView>& views, base::Cycle now);
  std::size_t under_way() const { return searches_.in_use(); }

  struct Statistics {
    base::Counter loads;            ///< that asked the filters
    base::Counter searches;         ///< that a filter made
    base::Counter false_positives;  ///< searches that found nothing
    base::Counter header_lines;     ///< read
    base::Counter chunks;           ///< read
    base::Distribution cycles;      ///< of a search, until the load is answered
  };
  const Statistics& statistics() const { return statistics_; }

  bool answered(std::uint32_t token, Message& reply, base::Cycle now) override;

 private:
  static constexpr unsigned header_reads = 4;  ///< under way for one search
  /// An entry that holds bytes of the load.
  struct Match {
    unsigned log = 0;
    std::uint32_t entry = 0;
    protocols::gpudet::LogHeader header;
    base::ByteMask mask;  ///< what is taken from it
  };
  struct HeaderRead {
    std::size_t view;
    std::uint32_t line;
  };
  struct Search {
    Message* load = nullptr;
    std::uint32_t tag = 0;  ///< of the load
    base::ByteMask wanted;
    base::Cycle since = 0;
    std::vector<LogView> views;
    std::size_t view = 0;                                       ///< being read
    std::uint32_t header_lines = 0;                             ///< of that log, not asked for
    std::array<std::optional<HeaderRead>, header_reads> asked;  ///< under way
    std::vector<base::ByteMask> covered;                        ///< by view: what its entries hold of the load
    std::vector<Match> matches;
    bool reading = false;  ///< headers are done, what was found is read
    unsigned outstanding = 0;
    base::ByteMask found;
    base::LineData data{};
  };

  void read_headers(std::uint32_t number);
  void headers_arrived(std::uint32_t number, HeaderRead read, const base::LineData& line);
  void resolve(std::uint32_t number);
  void finish(std::uint32_t number, base::Cycle now);

  WriteLogs& logs_;
  LogPort& port_;
  Numbered<Search> searches_;
  Statistics statistics_;
};

}  // namespace syncline::models
