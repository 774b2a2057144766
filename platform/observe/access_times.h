// Where the time of memory accesses goes: every moment of a line access, from the issue of its instruction until its
// answer is with the SM, belongs to one wait.
//
// The account follows the way that a protocol takes for the access, as messages tell it (MessageListener). A message
// that a cache makes because of another one continues the way of that one, so that what an owner or a sharer has to do
// counts as what it is: a network, a cache that is busy. An access that waits in the miss register of its L1 for an
// answer that another one asked for shares the way of that answer from the moment at which it began to wait.
#pragma once

#include <array>
#include <boost/functional/hash.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "models/sm/seams/warp_events.h"
#include "models/transport/message_listener.h"

namespace syncline::platform {

enum class Wait : std::uint8_t {
  sm,                ///< issue, coalescer and stages of the SM, until the L1 link takes the access
  l1_queue,          ///< at the L1, until a lookup succeeds: its turn, a stall, another try
  l1_miss,           ///< in a miss register, while no message is on its way for it
  l1_send,           ///< from the L1's decision until the network takes the message
  request_queue,     ///< input queue of the network towards the homes
  request_transfer,  ///< on its links
  peer_queue,        ///< the same of the network between L1s
  peer_transfer,
  unit,            ///< units of the partition before the home
  home_queue,      ///< at the home, until a lookup succeeds
  home_wait,       ///< in a miss register of the home: the protocol's wait for other caches and for its turn
  line_lock,       ///< at a line that is locked for an atomic
  memory_queue,    ///< until the home's request is at its memory
  dram_queue,      ///< until the memory says when the line comes: of a DRAM, other requests, refresh, opening the row
  dram_service,    ///< until the line has come
  atomic_unit,     ///< the unit works on it
  home_access,     ///< from the home's decision until the network takes the message: access latency, output queue
  reply_queue,     ///< input queue of the network towards the L1s
  reply_transfer,  ///< on its links
  l1_reply,        ///< at an L1, until what came from the network is looked up
  l1_return,       ///< from there, or from a hit, until the SM has it
  elsewhere,       ///< in blocks that tell nothing: a user's own
  count_
};
inline constexpr std::size_t waits = static_cast<std::size_t>(Wait::count_);
std::string_view name(Wait wait);

enum class AccessKind : std::uint8_t { load, store, atomic, local, constant, count_ };
inline constexpr std::size_t access_kinds = static_cast<std::size_t>(AccessKind::count_);
std::string_view name(AccessKind kind);

/// The farthest that an access, or the answer that it shared, had to go.
enum class Level : std::uint8_t { sm, l1, peer, home, memory, count_ };
inline constexpr std::size_t levels = static_cast<std::size_t>(Level::count_);
std::string_view name(Level level);

struct Span {
  Wait wait;
  std::uint64_t from_ps;  ///< until the next one's, the last until the access is done
};

/// One line access of a memory instruction; valid during the call.
struct AccessTime {
  std::uint64_t number;  ///< among those of the run, from 1, in the order in which they are done
  AccessKind kind;
  Level level;
  unsigned gpu;  ///< whose L1 was asked
  models::WarpIdentity warp;
  std::uint32_t pc;     ///< number of the instruction in its program
  std::uint64_t order;  ///< of the instruction: models::Message::order
  base::LineAddress line;
  std::uint64_t issued_ps, done_ps;
  const std::vector<Span>& spans;  ///< in order of time, none empty, from `issued_ps` on without gaps

  std::uint64_t latency_ps() const { return done_ps - issued_ps; }
  /// How much of the latency each wait is; the sum is the latency.
  std::array<std::uint64_t, waits> by_wait() const;
};

/// Follows all line accesses that are answered, so neither prefetches nor shared memory, and tells of each when it is
/// done. Memory is bounded by what is under way. Listens from before blocks are made (GpuOptions::message_listeners).
class AccessTimes final : public models::MessageListener {
 public:
  using Hear = std::function<void(const AccessTime&)>;
  void subscribe(Hear hear) { listeners_.push_back(std::move(hear)); }

  void requested(const models::Message& request, const models::LineAccess& access) override;
  /// ModelError where the waits are not the latency.
  void completed(const models::Message& reply, const models::LineAccess& access) override;
  void made(const models::Message& message, const models::CacheController& by, const models::Message* cause) override;
  void sent(const models::Message& message, const models::Block& to, std::uint64_t arrival_ps) override;
  void step(const models::Message& message, models::CacheStep step, const models::CacheController& at,
            const models::Message* cause) override;
  void in_atomic_unit(const models::Message& message, const models::CacheController& home,
                      std::uint64_t until_ps) override;
  void memory_read(base::LineAddress line, models::MemoryStep step, const models::CacheController& home) override;
  void ended(const models::Message& message) override;

 private:
  enum class Place : std::uint8_t { sm, l1, home, network, other };
  /// The way of a message so far, with that of what it was made for.
  struct Way {
    Place place = Place::other;
    std::vector<Span> spans;
    const models::CacheController* parked_at = nullptr;  ///< a home
    void enter(Wait wait, std::uint64_t at_ps);
  };
  /// A line that a home reads from memory, and who waits for it there.
  struct Read {
    Wait wait = Wait::home_wait;
    std::vector<const models::Message*> waiting;
  };
  using Line = std::pair<const models::CacheController*, std::uint64_t>;

  Place place_of(const models::Block& block);
  void park_at_home(const models::Message& message, const models::CacheController& home);
  void leave_home(const models::Message& message, Way& way);
  void share(Way& way, const models::Message& cause);

  std::vector<Hear> listeners_;
  std::unordered_map<const models::Message*, Way> ways_;     ///< never iterated
  std::unordered_map<Line, Read, boost::hash<Line>> reads_;  ///< never iterated
  std::unordered_map<const models::Block*, Place> places_;
  std::uint64_t accesses_ = 0;
};

}  // namespace syncline::platform
