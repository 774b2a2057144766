// The part of an event trace that shows messages, from block to block, and what they make of lines.
#pragma once

#include <boost/functional/hash.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/transport/message_listener.h"
#include "platform/observe/trace_filter.h"
#include "platform/observe/trace_tracks.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::platform {

/// A message is a slice in each block, from its arrival until the next block has it; it is called by the coherence
/// policy's name. Arrows lead from slice to slice: from an instruction to its line accesses, the way of a message, from
/// a message to those that a cache makes because of it, and from an answer to the accesses that waited for it. Reads of
/// memory are slices of their home; changes of a line's state are instants of the cache.
///
/// A message that an SM's access causes is shown where the access is.
class MessageTrace {
 public:
  /// `policy` names the messages of coherence.
  MessageTrace(TraceFilter& filter, TraceWriter& writer, TraceTracks& tracks, const protocols::CoherencePolicy& policy)
      : filter_(filter), writer_(writer), tracks_(tracks), policy_(policy) {}

  /// `instruction`: the track on which the instruction has a slice when its warp issued it; none: it has none.
  void requested(const models::Message& request, const models::Block& sm, const models::LineAccess& access,
                 const std::optional<TraceWriter::Track>& instruction, const std::function<std::string()>& where);
  void made(const models::Message& message, const models::CacheController& by, const models::Message* cause);
  void sent(const models::Message& message, const models::Block& to, std::uint64_t arrival_ps);
  void step(const models::Message& message, models::CacheStep step, const models::Message* cause);
  void memory_read(base::LineAddress line, models::MemoryStep step, const models::CacheController& home);
  void state_changed(base::LineAddress line, std::uint8_t from, std::uint8_t to, const models::CacheController& at,
                     const models::Message* cause);
  void ended(const models::Message& message);
  /// Writes what is still under way.
  void finish();

 private:
  struct Arrow {
    TraceWriter::Track track;
    std::uint64_t ps, id;
    bool leaves;
  };
  /// A slice that has not ended.
  struct Stay {
    bool shown = false;  ///< the message passes the filter, whatever the time
    TraceWriter::Track track{};
    std::uint64_t from_ps = 0;
    std::string name, args;
    std::vector<Arrow> arrows;
  };
  using Read = std::pair<const models::CacheController*, std::uint64_t>;

  void open(Stay& stay, const models::Block& block, std::uint64_t from_ps, std::string name, std::string args);
  void close(Stay& stay, std::uint64_t until_ps);
  /// An arrow from one to the other; their times are those within the slices. None where one of the ends is not shown.
  void join(Stay& from, std::uint64_t leaves_ps, Stay& to, std::uint64_t arrives_ps);
  void join(const TraceWriter::Track& instruction, Stay& access);
  Stay* shown(const models::Message* message);
  std::string name_of(const models::Message& message) const;
  bool is_shown(const models::Message& first_seen, const models::Block& at);

  TraceFilter& filter_;
  TraceWriter& writer_;
  TraceTracks& tracks_;
  const protocols::CoherencePolicy& policy_;
  std::unordered_map<const models::Message*, Stay> stays_;
  std::unordered_map<Read, Stay, boost::hash<Read>> reads_;
  std::uint64_t arrows_ = 0;
};

}  // namespace syncline::platform
