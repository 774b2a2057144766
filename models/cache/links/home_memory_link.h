// The link of a home to the memory of its lines.
#pragma once

#include "base/stats.h"
#include "models/cache/links/memory_port.h"
#include "models/transport/message_listener.h"

namespace syncline::models {

class CacheController;
struct Lookup;

class HomeMemoryLink : private MemoryPort::Listener {
 public:
  /// `queue`: reads and writes that may be under way.
  HomeMemoryLink(CacheController& cache, std::uint32_t queue);

  struct Counts {
    base::Counter reads, writes, written_bytes;
    base::Distribution cycles;  ///< from a miss to the arrival of its line
  };

  base::Cycle take();  ///< when it has more to do, as far as it knows
  void fetch(const Lookup& lookup);
  void write_back(const Lookup& lookup);
  const Counts& counts() const { return counts_; }

  MemoryPort port;

 private:
  void memory_ready(const sc_core::sc_time& at) override;
  void begins(const MemoryPort::Transaction& t) override { tell(t, MemoryStep::begun); }
  void scheduled(const MemoryPort::Transaction& t) override { tell(t, MemoryStep::scheduled); }
  void tell(const MemoryPort::Transaction& t, MemoryStep step) const;
  CacheController& cache_;
  Counts counts_;
};

}  // namespace syncline::models
