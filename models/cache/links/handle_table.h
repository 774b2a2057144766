// Accesses that left a cache themselves: while they are on their way, the message carries a handle instead of the
// asker's tag.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "models/cache/tag_array.h"
#include "models/transport/message.h"

namespace syncline::models {

struct ForwardedAccess {
  base::LineAddress line;
  base::ByteMask mask;                    ///< of a load: the bytes that are wanted
  std::uint32_t tag = 0;                  ///< the asker's
  const MessageFamily* family = nullptr;  ///< of the asker's message, and
  std::uint8_t kind = 0;                  ///< its kind: both are echoed
  NodeId client;                          ///< who asked, where that is a cache, and
  NodeId requester;                       ///< for whom
  MessageClass message_class = MessageClass::load_request;
  base::WarpSlot warp;
  isa::Semantics semantics = isa::Semantics::none;
  isa::Scope scope = isa::Scope::none;
  bool acquires = false;
  bool written_back = false;  ///< of no access: a line that left; its answer is for nobody
  bool used = false;
  base::Cycle since = 0;
};

class HandleTable {
 public:
  explicit HandleTable(std::uint32_t capacity) : accesses_(capacity) {
    for (Index i = capacity; i > 0; --i) free_.push_back(i - 1);
  }
  bool full() const { return free_.empty(); }
  std::uint32_t free() const { return static_cast<std::uint32_t>(free_.size()); }
  std::uint32_t in_use() const { return static_cast<std::uint32_t>(accesses_.size() - free_.size()); }
  Index allocate(const ForwardedAccess& access) {
    const Index handle = free_.back();
    free_.pop_back();
    accesses_[handle] = access;
    accesses_[handle].used = true;
    return handle;
  }
  bool known(Index handle) const { return handle < accesses_.size() && accesses_[handle].used; }
  const ForwardedAccess& operator[](Index handle) const { return accesses_[handle]; }
  void release(Index handle) {
    accesses_[handle].used = false;
    free_.push_back(handle);
  }
  const std::vector<ForwardedAccess>& all() const { return accesses_; }

 private:
  std::vector<ForwardedAccess> accesses_;
  std::vector<Index> free_;
};

}  // namespace syncline::models
