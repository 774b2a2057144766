// Watches the accesses of a timed run and has them judged while they happen (consistency/online): whether their
// order is one that the consistency model allows, and whether the bytes are those that were written.
//
// Values are not unique, so for the order the monitor follows where bytes come from. The home performs the writes to a
// line one after the other, which numbers the versions of the line. A message that leaves the home with bytes of a line
// has its version; so has the copy that it fills in an L1; and what a load is answered with has the version of the
// message or copy that it is answered from. An L1 that merges a store of its own into a copy makes a copy of which
// these bytes are that store's. An L2 that has a copy of another module's line is to its L1s between them and the home
// as an L1 is to an SM: it is filled, merges stores, and messages that leave it have what its copy has. The home of a
// GPU (hmg) is one, too, although it answers for its GPU: what it passes on is a store on its way to the line's home,
// now in another message. An atomic that it performs is a load there and a store that comes later; that nothing comes
// between is known where the home of the line performs both. All this is kept here, beside the caches, which only tell
// what they do (LineEvent).
//
// So each byte has a version before anybody looks at its value, and a value can be held against what was written under
// that version, however old the policy lets it be: where bytes leave the home, where a load gets them, where an atomic
// finds them, and where the host reads them.
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "consistency/online/online_checker.h"
#include "consistency/online/value_history.h"
#include "models/cache/line_event.h"
#include "models/sm/seams/warp_events.h"
#include "platform/gpu/gpu.h"
#include "platform/observe/access_manners.h"
#include "platform/observe/asked_accesses.h"
#include "platform/observe/barrier_meetings.h"
#include "platform/observe/consistency_complaints.h"
#include "platform/observe/line_copies.h"
#include "platform/observe/watched_threads.h"
#include "platform/spec/observe_spec.h"

namespace syncline::platform {

/// A warp is one thread: SMs order memory by warps. A line access (the part of an instruction that is one message) is
/// one access; those of one instruction are unordered. Local memory and prefetches are not judged, and of constants and
/// ld.nc only the values.
///
/// Under `wo` that is what the PTX memory model has of fences, barriers, releases, acquires and their scopes, for each
/// byte (consistency::OnlineModel), but that also writes that race are in the order in which the home performs them.
/// What instructions ask of memory, and what they get for it, is judged beside that (AskedAccesses).
/// Where stores wait in logs (Conduct) only values and atomics are judged: what is in a log has no version.
class ConsistencyMonitor final : public models::WarpEvents, private tlm::tlm_analysis_if<models::LineEvent> {
 public:
  using Where = ConsistencyComplaints::Where;

  /// `order`: it is judged, beside values.
  ConsistencyMonitor(const protocols::CoherencePolicy& policy, const ObserveSpec& spec, bool order = true);
  /// Subscribes to the caches of `gpu`, whose SMs have this among their listeners. Its statistics are called
  /// `block`.judged and so on. Before simulation starts.
  void attach(Gpu& gpu, base::StatisticsRegistry& statistics, const std::string& block, Where where);

  /// "sc: 1234 accesses judged, 0 not; at most 50000 remembered; values of 800 reads compared, of 0 not"
  std::string summary() const;

  void cta_launched(base::SmId, base::CtaSlot, base::GridId, base::Dim3, unsigned) override;
  void cta_ended(base::SmId, base::CtaSlot, base::GridId, base::Dim3) override;
  void warp_started(const models::WarpIdentity& warp) override;
  void memory_started(const models::WarpIdentity& warp, const models::WarpMemory& memory) override;
  void memory_answered(const models::WarpIdentity& warp, const models::WarpMemory& memory) override;
  void fence(const models::WarpIdentity& warp, isa::Scope scope, isa::Semantics semantics) override;
  void at_barrier(const models::WarpIdentity& warp, unsigned barrier, bool waits) override;
  void barrier_opened(const models::WarpIdentity& warp, unsigned barrier) override;

 private:
  using Running = WatchedThreads::Running;
  using OnlineKind = consistency::OnlineKind;

  /// By the message that it is now.
  using EarlyStores = std::unordered_map<const models::Message*, EarlyStore>;

  void write(const models::LineEvent& event) override;
  void performed(const models::LineEvent& event);
  void fenced(const models::LineEvent& event);
  void host_wrote(const models::LineEvent& event);
  void host_read(const models::LineEvent& event);
  void departed(const models::LineEvent& event);
  void copied(const models::LineEvent& event);
  void filled(const models::LineEvent& event);
  void merged(const models::LineEvent& event);
  void passed_on(const models::LineEvent& event);
  bool reads_copy(const models::LineEvent& event, const LineCopy& copy);
  EarlyStores::value_type& early_store(const models::LineEvent& event,
                                       const std::vector<consistency::ReadPart>& read = {});
  void host_merged(const models::LineEvent& event);
  void check_passed_on(const EarlyStore& store, const models::LineEvent& event) const;
  void check_is_same(const EarlyStores::value_type& store, const consistency::OnlineAccess& access) const;
  void loaded(const models::LineEvent& event);
  template <class Reader>
  consistency::LineVersion expect_newest(const models::LineEvent& event, const base::LineData& found,
                                         consistency::OnlineKind kind, Reader&& reader, const char* where);
  struct Found {
    bool known = true, compared = true;
  };
  Found find_parts(const models::LineEvent& event, const LineCopy* from, const base::LineData& found, OnlineKind kind);
  bool has_value(const models::LineEvent& event, const consistency::ReadPart& part, const EarlyStore* early,
                 const base::LineData& found, OnlineKind kind);
  std::uint64_t not_judged() const { return checker_.counts().not_judged + unknown_loads_ + asked_.not_judged(); }
  std::uint32_t thread_of(const models::Message& message);
  consistency::OnlineAccess access_of(const models::LineEvent& event);
  consistency::OnlineAccess asker_of(const models::LineEvent& event);
  AskedAccesses::Complain about(const models::LineEvent& event, consistency::OnlineKind kind);

  consistency::OnlineModel model_;
  bool order_;       ///< is judged
  bool near_order_;  ///< an L1 is not asked what a fence of a CTA means (CoherencePolicy::sm_order)
  consistency::OnlineChecker checker_;
  consistency::ValueHistory values_;
  AskedAccesses asked_;
  std::uint64_t local_memory_ = 0;  ///< from here on: nobody else looks there
  WatchedThreads threads_;
  AccessManners manners_;
  ConsistencyComplaints complaints_{threads_};
  LineCopies copies_;
  BarrierMeetings meetings_;
  unsigned ctas_ = 0;
  EarlyStores early_;
  std::uint64_t early_stores_ = 0, unknown_loads_ = 0, compared_ = 0, not_compared_ = 0;
  std::uint64_t passed_atomics_ = 0;  ///< performed by the home of a GPU
  std::vector<consistency::ReadPart> parts_;
};

}  // namespace syncline::platform
