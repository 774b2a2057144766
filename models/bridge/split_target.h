// The target's side of the base protocol for blocks that serve a transaction of any shape by accesses to aligned blocks
// of memory: lines of a cache, or bursts of a memory.
#pragma once

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/line_data.h"
#include "base/stats.h"
#include "models/block/block.h"

namespace syncline::models {

/// Any length, byte enables and streaming are served (LRM 14.12 to 14.15). Accesses to one block are done in the order
/// of the transactions, one at a time; others may end in any order. Errors of the payload are answered by the letter of
/// LRM 14 (models/dram/payload_access.h). b_transport blocks until all accesses are done; on the non-blocking path
/// END_REQ waits for room, and annotated delays are waited for (LRM 11.1.3): a request takes place at its time.
///
/// Direct memory is refused (LRM 11.2.5 lets a target refuse for all addresses at once): bytes are under way here, and
/// whoever went by them would see old ones.
class SplitTarget {
 public:
  struct Spec {
    std::uint64_t size = 0;         ///< of the address space, in bytes
    std::uint32_t block = 0;        ///< bytes, a power of two, base::max_line_bytes at most
    std::uint32_t queue = 0;        ///< transactions under way before END_REQ waits
    std::uint32_t outstanding = 0;  ///< accesses under way
  };
  /// A part of a transaction that lies in one block.
  struct Access {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint32_t tag = 0;    ///< below Spec::outstanding
    std::uint64_t block = 0;  ///< its address
    base::ByteMask mask;      ///< bytes of the block that are read or written; not empty
    std::uint64_t first = 0;  ///< byte of the payload that is the one at `offset` of the block
    unsigned offset = 0, bytes = 0;

    bool reads() const { return payload->is_read(); }
    /// The bytes of `mask`, from the payload of a write into `to` or from `from` into that of a read.
    void gather(base::LineData& to) const;
    void scatter(const base::LineData& from) const;
  };
  class Worker {
   public:
    virtual ~Worker() = default;
    /// Whether it can begin an access now. When that changes it calls `advance`.
    virtual bool ready() const = 0;
    /// To be answered by `done`, later: not in this call.
    virtual void begin(const Access& access) = 0;
    virtual unsigned debug(tlm::tlm_generic_payload& payload) = 0;
  };

  /// `owner` outlives it; the socket is its `socket_name`.
  SplitTarget(const char* socket_name, Block& owner, Worker& worker, const Spec& spec);

  /// Begins accesses as far as the worker and the limits allow.
  void advance();
  /// Null unless an access of this tag is under way.
  const Access* find(std::uint32_t tag) const;
  /// The access is done at `at`, well or not.
  void done(std::uint32_t tag, const sc_core::sc_time& at, tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE);

  std::uint64_t jobs() const { return jobs_.size() - free_jobs_.size(); }
  std::vector<std::string> describe_waiting() const;
  /// Registers the statistics for the block that owns it: `add(name, unit, description, statistic)`.
  template <class Add>
  void statistics(Add&& add) const {
    add("reads", "transactions", "read transactions", reads_);
    add("writes", "transactions", "write transactions", writes_);
    add("read_bytes", "bytes", "bytes of read transactions", read_bytes_);
    add("written_bytes", "bytes", "bytes of write transactions", written_bytes_);
    add("back_pressure", "transactions", "transactions that waited for END_REQ", back_pressure_);
  }

  tlm_utils::simple_target_socket<SplitTarget> socket;

 private:
  struct Job {
    tlm::tlm_generic_payload* payload = nullptr;
    bool blocking = false;
    std::uint64_t next = 0;    ///< bytes of the payload for which accesses were made
    unsigned accesses = 0;     ///< under way
    sc_core::sc_time done_at;  ///< of the last of them
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    sc_core::sc_event done;
  };

  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) { return worker_.debug(payload); }

  bool enter(tlm::tlm_generic_payload& payload);  ///< false: there is no room, and it waits
  void end_request(tlm::tlm_generic_payload& payload);
  Job& claim(tlm::tlm_generic_payload& payload, bool blocking);
  void start(Job& job);
  bool make_access(Job& job);
  bool is_busy(std::uint64_t block) const;
  void finish(Job& job);
  void answer_next();
  void retire(Job& job);

  Block& owner_;
  Worker& worker_;
  const Spec spec_;
  std::vector<std::unique_ptr<Job>> jobs_;
  std::vector<Job*> free_jobs_;
  boost::circular_buffer<Job*> making_;   ///< jobs with accesses still to make, in order
  boost::circular_buffer<Job*> answers_;  ///< non-blocking jobs that are done
  struct Slot {
    Access access;
    Job* job = nullptr;  ///< null: free
  };
  std::vector<Slot> slots_;  ///< by tag
  std::vector<std::uint32_t> free_slots_;
  tlm_utils::peq_with_cb_and_phase<SplitTarget> later_;  ///< BEGIN_REQ whose annotated time is to come
  void on_time(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  tlm::tlm_generic_payload* requesting_ = nullptr;  ///< BEGIN_REQ without END_REQ
  bool waits_for_room_ = false;                     ///< its time has come
  Job* answering_ = nullptr;                        ///< BEGIN_RESP without END_RESP
  sc_core::sc_event job_is_free_;
  bool advancing_ = false;

  base::Counter reads_, writes_, read_bytes_, written_bytes_, back_pressure_;
};

}  // namespace syncline::models
