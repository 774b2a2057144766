// Miss registers (MSHR, TBE): one per line in a transient state, with the accesses that wait for it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/line_data.h"
#include "models/cache/tag_array.h"
#include "models/transport/message.h"
#include "protocols/coherence/engine/meta.h"

namespace syncline::models {

struct MissRegister {
  base::LineAddress line;
  /// The bits of an address that tell whether the register is of its line: all, or fewer when it is of all lines of an
  /// entry that has left the directory.
  std::uint64_t told_by = ~std::uint64_t{0};
  protocols::LineMeta meta;
  Index place = nowhere;  ///< where its metadata returns to: a frame, or an entry of the directory
  Index next = nowhere;   ///< in the list of the registers of that place
  base::Cycle since = 0;
  std::uint16_t parked = 0;     ///< accesses that wait
  bool timed = false;           ///< a timer will end the wait
  bool refetch = false;         ///< memory was changed from outside while the line was on its way
  base::ByteMask valid, dirty;  ///< of `data`: the bytes of a line whose frame is gone
  base::LineData data{};

  bool is_of(base::LineAddress other) const { return ((line.value() ^ other.value()) & told_by) == 0; }
};

class MshrTable {
 public:
  struct Parked {
    Message* message;
    base::Cycle since;
    std::uint64_t since_ps;
    Index next;
  };

  MshrTable(std::uint32_t entries, std::uint32_t merges);

  bool full() const { return free_.empty(); }
  std::uint32_t free() const { return static_cast<std::uint32_t>(free_.size()); }
  bool room_to_park(Index entry) const { return entries_[entry].parked < merges_; }
  std::uint32_t in_use() const { return static_cast<std::uint32_t>(entries_.size() - free_.size()); }
  std::uint32_t capacity() const { return static_cast<std::uint32_t>(entries_.size()); }

  Index allocate(base::LineAddress line, Index place, base::Cycle now);
  void release(Index entry);  ///< ModelError while accesses wait there
  /// The register of a line that has no place (those with one are found through it).
  Index find_placeless(base::LineAddress line) const { return find_placeless(line, ~std::uint64_t{0}); }
  /// Of any line that has these bits in common with `line`.
  Index find_placeless(base::LineAddress line, std::uint64_t bits) const;
  /// The register of a line in the list of a place, which begins at `head`.
  Index find(Index head, base::LineAddress line) const {
    while (head != nowhere && !entries_[head].is_of(line)) head = entries_[head].next;
    return head;
  }
  void link(Index entry, Index& head) {
    entries_[entry].next = head;
    head = entry;
  }
  void unlink(Index entry, Index& head) {
    Index* at = &head;
    while (*at != entry) at = &entries_[*at].next;
    *at = entries_[entry].next;
  }
  void lose_place(Index entry);
  void gain_place(Index entry, Index place);

  MissRegister& operator[](Index entry) { return entries_[entry]; }
  const MissRegister& operator[](Index entry) const { return entries_[entry]; }
  bool used(Index entry) const { return used_[entry]; }

  void park(Index entry, Message& message, base::Cycle now, std::uint64_t now_ps);
  /// Takes the access that has waited longest; its message is null when there is none that came by `until_ps`.
  Parked take_parked(Index entry, std::uint64_t until_ps = ~std::uint64_t{0});

 private:
  struct Chain {
    Index head = nowhere, tail = nowhere;
  };
  struct Placeless {
    base::LineAddress line;
    std::uint64_t told_by;
    Index entry;
  };
  void forget_placeless(Index entry);

  std::uint32_t merges_;
  std::vector<MissRegister> entries_;
  std::vector<Chain> chains_;
  std::vector<Parked> nodes_;  ///< as many as have ever waited at a time: far fewer than might
  std::vector<Index> free_, free_nodes_;
  std::vector<bool> used_;
  std::vector<Placeless> placeless_;  ///< a list of their own: few of many registers, asked for at most accesses
};

}  // namespace syncline::models
