// Files in the trace event format of Chrome, which Perfetto opens: processes with tracks, slices on them, and arrows
// between slices. Source: "Trace Event Format", Google, 2016.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace syncline::platform {

/// Writes as it is told, and remembers no event. Times are picoseconds; a microsecond of the viewer is a nanosecond of
/// the simulation, for viewers round to nanoseconds. Of one track slices must be told in the order in which they begin.
class TraceWriter {
 public:
  struct Track {
    unsigned process, thread;
  };
  using Args = std::string;  ///< JSON object; empty: none

  explicit TraceWriter(std::ostream& out);
  /// The last thing to be written.
  void finish();

  /// Shown in the order of their numbers.
  void name_process(unsigned process, std::string_view name);
  void name_thread(const Track& track, std::string_view name);

  void slice(const Track& track, std::uint64_t from_ps, std::uint64_t until_ps, std::string_view name,
             const Args& args = {});
  /// A slice of which the end is told later, by `end`; others of its track lie within it.
  void begin(const Track& track, std::uint64_t ps, std::string_view name, const Args& args = {});
  void end(const Track& track, std::uint64_t ps);
  void instant(const Track& track, std::uint64_t ps, std::string_view name, const Args& args = {});
  /// The two ends of arrow `id`, each within a slice that has been told or will be.
  void arrow_leaves(const Track& track, std::uint64_t ps, std::uint64_t id) { arrow('s', track, ps, id); }
  void arrow_arrives(const Track& track, std::uint64_t ps, std::uint64_t id) { arrow('f', track, ps, id); }

  /// Slices and instants.
  std::uint64_t events() const { return events_; }

 private:
  void open(char phase, const Track& track);
  void arrow(char phase, const Track& track, std::uint64_t ps, std::uint64_t id);
  void metadata(const char* what, const Track& track, std::string_view key, const std::string& value);

  std::ostream& out_;
  const char* separator_ = "\n";
  std::uint64_t events_ = 0;
};

}  // namespace syncline::platform
