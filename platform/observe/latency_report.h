// What AccessTimes tells, added up by kind of access and by level, and single accesses with all their waits.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/stats.h"
#include "platform/observe/access_times.h"
#include "platform/observe/asked_line.h"
#include "platform/observe/questions.h"

namespace syncline::platform {

class LatencyReport {
 public:
  /// Where in the program's text instruction `pc` of a grid stands.
  using Where = std::function<std::string(base::GridId grid, std::uint32_t pc)>;
  /// Of one line so many are kept: the slowest.
  static constexpr std::size_t kept = 16;

  /// Subscribes. `core_hz`: what cycles are of.
  LatencyReport(AccessTimes& times, const LatencyQuestions& questions, unsigned line_bytes, double core_hz,
                Where where);
  LatencyReport(const LatencyReport&) = delete;
  LatencyReport& operator=(const LatencyReport&) = delete;

  /// Registers latency.load.home and so on, in cycles of the SM clock.
  void add_to(base::StatisticsRegistry& statistics) const;
  /// UserError where no access is what was asked for.
  void check_answers() const;
  /// Tables, in cycles of the SM clock.
  std::string text() const;
  void write(std::ostream& out) const;

 private:
  struct Sum {
    std::uint64_t accesses = 0, latency_ps = 0;
    std::array<std::uint64_t, waits> by_wait_ps{};
    std::array<base::Distribution, levels> cycles;
  };
  /// An access that is explained.
  struct Explained {
    std::uint64_t number, line, issued_ps, done_ps;
    AccessKind kind;
    Level level;
    models::WarpIdentity warp;
    std::string where;
    std::vector<Span> spans;
    std::uint64_t latency_ps() const { return done_ps - issued_ps; }
  };
  void hear(const AccessTime& time);
  void keep(const AccessTime& time);
  double cycles(std::uint64_t ps) const { return static_cast<double>(ps) * 1e-12 * core_hz_; }
  std::string table() const;
  std::string explain(const Explained& one) const;

  const LatencyQuestions questions_;
  std::optional<AskedLine> line_;
  const double core_hz_;
  const Where where_;
  std::array<Sum, access_kinds> sums_;
  std::uint64_t accesses_ = 0, of_line_ = 0;
  std::vector<Explained> explained_;  ///< by number
};

}  // namespace syncline::platform
