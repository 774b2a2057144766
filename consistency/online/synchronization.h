// Who knows of whose accesses: program order and what releases, acquires and barriers make of it (PTX ISA, base
// causality order), kept as a clock for each thread while a program runs.
//
// A write of a release pattern carries what its thread knows; a read that observes it and is of an acquire pattern
// hands that to its own thread, from the end of the pattern on. Atomics pass on what the write that they read carries.
// A barrier hands to all who leave it what all who arrived knew. Accesses may be told late: what a thread knew when it
// issued one is remembered for its last few changes.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "consistency/online/vector_clock.h"

namespace syncline::consistency {

/// With whom an operation is strong (PTX ISA, "Morally Strong Operations").
enum class Reach : std::uint8_t {
  weak,  ///< with nobody
  cta,   ///< with the threads of its CTA
  gpu,   ///< with those of its GPU, where others see the memory too
  all    ///< with everybody
};

/// What an access or fence means to other threads.
struct Manner {
  Reach reach = Reach::all;
  std::uint32_t cta = 0;  ///< of its thread; 0: one of its own
  std::uint32_t gpu = 0;  ///< as well
  bool acquires = false, releases = false;

  /// Whether that one's thread is among those with whom this is strong.
  constexpr bool reaches(const Manner& other) const {
    return reach == Reach::all || (reach >= Reach::gpu && gpu != 0 && gpu == other.gpu) ||
           (reach >= Reach::cta && cta != 0 && cta == other.cta);
  }
};
/// Whether two operations of different threads are morally strong.
constexpr bool morally_strong(const Manner& a, const Manner& b) {
  return a.reaches(b) && b.reaches(a);
}

/// What a write carries to those who acquire it.
class Released {
 public:
  /// Of a thread that knows `clock`, with `manner`.
  Released() = default;
  Released(const Clock& clock, const Manner& manner);

  /// What somebody gets who acquires with that manner.
  Clock acquired(const Manner& by) const;
  /// Carries what `other` does, too. Of what is for a CTA alone, its own or else the other's.
  void join(const Released& other);
  /// And what of `other` is for whom somebody with that manner is.
  void join(const Released& other, const Manner& to);
  /// And what of `other` is for more than this.
  void join_wider(const Released& other);

 private:
  /// For all, or for one GPU or CTA.
  struct Share {
    Reach reach;
    std::uint32_t of;
    Clock clock;
    bool is_for(const Manner& who) const {
      return reach == Reach::all || of == (reach == Reach::gpu ? who.gpu : who.cta);
    }
  };
  bool has(Reach reach) const;
  void join(const Share& share);

  boost::container::small_vector<Share, 3> shares_;
};
/// Null: nothing.
using Release = std::shared_ptr<const Released>;

class Synchronization {
 public:
  /// A thread, and a place in its program order: behind its access of that step.
  struct Place {
    std::uint32_t thread;
    std::uint64_t step;
  };

  /// What a thread knew when it issued its access of that step, beside its own accesses.
  Clock clock_at(std::uint32_t thread, std::uint64_t step) const;

  /// What a write carries of what its own thread knows.
  Release released_by(const Place& write, const Manner& manner) const;
  /// A read has observed a write that carries `release`, and they are morally strong. It is no reduction's.
  void observed(const Place& read, const Manner& manner, const Release& release);
  /// All accesses of the thread up to that step have been told.
  void fence(const Place& fence, const Manner& manner);
  /// What those know together who have arrived at a barrier, each with what it did before.
  Clock meet(const std::vector<Place>& arrived) const;
  /// A thread leaves a barrier, knowing what those knew who had arrived.
  void leave(const Place& place, const Clock& known);
  /// What two writes carry, as one that carries both.
  static Release both(const Release& a, const Release& b);

  void end_thread(std::uint32_t thread) { threads_.erase(thread); }
  void clear() { threads_.clear(); }

 private:
  struct Phase {
    std::uint64_t from;  ///< first step
    Clock clock;
    Release fence;  ///< what the last releasing fence lets strong writes carry
  };
  struct Thread {
    boost::container::small_vector<Phase, 2> phases;  ///< ascending
    Released pending;                                 ///< observed, and to be acquired by a fence
  };

  Thread& thread_of(std::uint32_t thread);
  static const Phase* phase_at(const Thread& thread, std::uint64_t step);
  static void begin_phase(Thread& thread, std::uint64_t from, Clock clock, Release fence);
  static Release release_of(const Clock& clock, const Manner& manner);

  std::map<std::uint32_t, Thread> threads_;
};

}  // namespace syncline::consistency
