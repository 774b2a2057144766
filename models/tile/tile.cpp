#include "models/tile/tile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace syncline::models {

std::uint64_t Tiles::progress() const {
  std::uint64_t sum = 0;
  for (const Tile& tile : tiles_) sum += tile.progress;
  return sum;
}

std::uint64_t Tiles::effects() const {
  std::uint64_t sum = 0;
  for (const Tile& tile : tiles_) sum += tile.effects;
  return sum;
}

base::Cycle Tiles::asleep_until() const {
  base::Cycle last = 0;
  for (const Tile& tile : tiles_) last = std::max(last, tile.asleep_until);
  return last;
}

std::size_t Tiles::messages_in_flight() const {
  std::size_t sum = 0;
  for (const Tile& tile : tiles_) sum += tile.messages().in_flight();
  return sum;
}

void Tiles::follow(MessageListener& listener) {
  listener_ = &listener;
  for (const Tile& tile : tiles_) tile.messages().follow(listener_);
}

TileScope::TileScope(Tiles& tiles, const std::string& name, TilePlace place, TileKind kind)
    : tiles_(tiles), before_(tiles.current_) {
  auto& all = tiles.tiles_;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Tile& tile) { return tile.name() == name; });
  tiles.current_ = static_cast<std::size_t>(found - all.begin());
  if (found != all.end()) return;
  all.emplace_back(name, kind, place).messages().follow(tiles.listener_);
}

#ifdef SYNCLINE_CHECK_TILES

thread_local const Tile* TileTurn::running_ = nullptr;

void touch(const Tile& tile, const char* block) {
  const Tile* const running = TileTurn::running();
  if (running == nullptr || running == &tile || running->is_sequential()) return;
  std::fprintf(stderr, "tile %s touches the state of %s, which belongs to tile %s\n", running->name().c_str(), block,
               tile.name().c_str());
  std::abort();
}

#endif

}  // namespace syncline::models
