// A tile is what shares state without a crossbar between: an SM with its L1; an L2 slice with its partition's units and
// DRAM channel. Tiles meet by messages, wake-ups and analysis events, so that they can run on several host threads.
// What several tiles share (distributor, crossbars, quantum logic, observers, the host) is the sequential part: it runs
// while no tile does, and may touch all of them. On a device of several modules what joins the tiles of some modules
// may run where all of these run, on one thread.
//
// In a build with SYNCLINE_CHECK_TILES every block knows at run time whose turn it is, and aborts, with both names,
// when another tile touches it. What is still allowed to, and why, stands in one list (models/tile/leak.h).
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "base/ids.h"
#include "models/tile/leak.h"
#include "models/transport/message_pool.h"

namespace syncline::models {

class Lane;

/// What the blocks of a tile are to the others.
enum class TileKind : std::uint8_t {
  beside,     ///< one of many alike: runs beside the others
  joins,      ///< between the tiles of its modules, and nobody else's: runs where they all run, or is sequential
  far,        ///< meets others over links alone, which take their time: runs beside modules wherever there is room
  sequential  ///< of the sequential part
};

/// Where a tile is on a device of several modules: in neighbouring ones, `last` not included. On others nowhere.
struct TilePlace {
  unsigned first = 0, last = 0;
};

class alignas(64) Tile {
 public:
  /// `messages`: null for a pool of its own.
  Tile(std::string name, TileKind kind, TilePlace place, MessagePool* messages = nullptr)
      : name_(std::move(name)), kind_(kind), place_(place), messages_(messages != nullptr ? messages : &own_) {}
  Tile(const Tile&) = delete;
  Tile& operator=(const Tile&) = delete;

  const std::string& name() const { return name_; }
  TileKind kind() const { return kind_; }
  TilePlace place() const { return place_; }
  bool is_sequential() const { return kind_ == TileKind::sequential; }
  /// Where the messages come from that the tile's blocks make.
  MessagePool& messages() const { return *messages_; }

  /// Counts events that are progress (an instruction issued, a message delivered). The watchdog compares it over time.
  std::uint64_t progress = 0;
  /// Counts what a warp that only waits for others does not do: it stores to global or shared memory, changes a value
  /// there by an atomic, arrives at a barrier, ends, calls the system; and a CTA is placed. While this stands and
  /// instructions issue, warps spin. Local memory is left out: compilers keep a loop's own variables there.
  std::uint64_t effects = 0;
  /// Cycle of the SM clock at which the last warp that sleeps wakes up. To sleep is progress, too.
  base::Cycle asleep_until = 0;

  /// So many turns of the block that has CTAs later one of them may end in the tile, at the soonest; 0 or 1: in the
  /// next turn of any block. The block says so after its turns, and when it is given one, if anybody wants to know.
  /// `no_end`: there are none.
  using Turns = std::uint16_t;
  static constexpr Turns no_end = 0xFFFF;
  bool foresees_ends() const { return ends_in_ != nullptr; }
  Turns ends_in() const { return *ends_in_; }
  void end_in(Turns turns) { *ends_in_ = turns; }
  /// Runs in `lane` from now on. `ends_in`: where that is noted.
  void run_in(const Lane& lane, Turns& ends_in) {
    lane_ = &lane;
    messages_->belong_to(lane);
    ends_in_ = &ends_in;
  }
  /// Null: it runs while no other one does.
  const Lane* lane() const { return lane_; }

 private:
  std::string name_;
  TileKind kind_;
  TilePlace place_;
  const Lane* lane_ = nullptr;
  MessagePool own_;
  MessagePool* messages_;
  Turns* ends_in_ = nullptr;
};

/// The tiles of a platform. While blocks are made, one of them is the tile that they belong to.
class Tiles {
 public:
  /// `messages`: of the sequential part.
  explicit Tiles(MessagePool& messages) {
    tiles_.emplace_back("sequential", TileKind::sequential, TilePlace{}, &messages);
  }

  Tile& sequential() { return tiles_.front(); }
  /// Of blocks that are made now.
  Tile& current() { return tiles_[current_]; }
  const std::deque<Tile>& all() const { return tiles_; }
  /// Is told of the messages of all tiles, also of those that are still to be made (MessagePool::follow).
  void follow(MessageListener& listener);

  std::uint64_t progress() const;
  std::uint64_t effects() const;
  base::Cycle asleep_until() const;
  std::size_t messages_in_flight() const;

 private:
  friend class TileScope;
  std::deque<Tile> tiles_;
  std::size_t current_ = 0;
  MessageListener* listener_ = nullptr;
};

/// Blocks that are made while this lives belong to the tile called `name`, which is made, as it is said to be, where
/// there is none.
class TileScope {
 public:
  TileScope(Tiles& tiles, const std::string& name, TilePlace place = {}, TileKind kind = TileKind::beside);
  ~TileScope() { tiles_.current_ = before_; }
  TileScope(const TileScope&) = delete;
  TileScope& operator=(const TileScope&) = delete;

 private:
  Tiles& tiles_;
  std::size_t before_;
};

#ifdef SYNCLINE_CHECK_TILES

/// It is the turn of `tile` while this lives.
class TileTurn {
 public:
  explicit TileTurn(const Tile& tile) : before_(running_) { running_ = &tile; }
  /// A tile reaches into another one by something that `leak` names.
  TileTurn(const Tile& tile, Leak) : TileTurn(tile) {}
  ~TileTurn() { running_ = before_; }
  TileTurn(const TileTurn&) = delete;
  TileTurn& operator=(const TileTurn&) = delete;

  /// Null: of nobody who ticks, so of the host or of the kernel.
  static const Tile* running() { return running_; }

 private:
  static thread_local const Tile* running_;
  const Tile* before_;
};

/// State of `block`, which belongs to `tile`, is touched: aborts when it is another tile's turn.
void touch(const Tile& tile, const char* block);

#else

class TileTurn {
 public:
  explicit TileTurn(const Tile&) {}
  TileTurn(const Tile&, Leak) {}
  ~TileTurn() {}  // keeps compilers from calling it unused
};
inline void touch(const Tile&, const char*) {}

#endif

}  // namespace syncline::models
