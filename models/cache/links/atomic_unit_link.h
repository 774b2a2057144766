// The link of a home to the unit that performs atomics on its lines, which are locked while it works.
#pragma once

#include "models/cache/links/atomic_port.h"

namespace syncline::models {

class CacheController;
class ClientLink;
struct Lookup;
struct Request;

class AtomicUnitLink : private AtomicPort::Listener {
 public:
  /// `locks`: atomics that may be under way. Answers leave by `clients`.
  AtomicUnitLink(CacheController& cache, ClientLink& clients, std::uint32_t locks);

  base::Cycle take();  ///< when it has more to do, as far as it knows
  /// Performs what the policy's `write` of an atomic asks for, or begins it (Request::held).
  void update(const protocols::Action& action, const Lookup& lookup, Request& request);
  /// Of the atomic that holds a line since its lookup just now: it counts as a hit if it is answered.
  void may_hit(bool may) { asked_->may_hit = may; }

  AtomicPort port;

 private:
  void atomics_ready(const sc_core::sc_time& at) override;
  void enter(AtomicPort::Transaction& answer, const Lookup& lookup);

  CacheController& cache_;
  ClientLink& clients_;
  AtomicPort::Transaction* asked_ = nullptr;  ///< what the unit was asked last
};

}  // namespace syncline::models
