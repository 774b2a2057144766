// The slice's way to its memory: lines over the plain TLM-2.0 base protocol, so that any memory plugs in.
//
// TLM-2.0 LRM (IEEE 1666-2011) 15.2: four phases, at most one request between BEGIN_REQ and END_REQ (the exclusion
// rule), responses in any order. A response is answered with TLM_COMPLETED. Annotated delays are honoured.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/ids.h"
#include "base/line_data.h"
#include "models/cache/tag_array.h"

namespace syncline::models {

class MemoryPort : public tlm::tlm_mm_interface {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    /// A response arrives at `at`, or the memory can take another request.
    virtual void memory_ready(const sc_core::sc_time& at) = 0;
  };

  /// One read or write of a line. Stays at its address for life; the port reuses it.
  struct Transaction {
    tlm::tlm_generic_payload payload;
    base::LineData data{};
    std::array<std::uint8_t, base::max_line_bytes> enables{};
    base::ByteMask mask;       ///< of a write
    base::LineAddress line;    ///< device address
    std::uint64_t number = 0;  ///< order of creation
    bool write = false;
    bool used = false;
    bool issued = false;
    std::uint64_t response_ps = 0;
  };

  /// `capacity` transactions may be under way at a time.
  MemoryPort(const std::string& name, Listener& listener, unsigned line_bytes, std::uint32_t capacity);

  bool room() const { return !free_.empty(); }
  /// `address` is the line's place in this memory.
  void read(base::LineAddress line, std::uint64_t address);
  void write(base::LineAddress line, std::uint64_t address, const base::LineData& data, const base::ByteMask& mask);
  /// Starts what may start. A request waits for earlier ones to the same line, as a memory may reorder.
  void issue();

  /// Time of the oldest response that is not taken yet; ~0 when there is none.
  std::uint64_t next_response_ps() const;
  /// The oldest response, when it has arrived by `now_ps`; give it back with `done`.
  Transaction* response(std::uint64_t now_ps);
  void done(Transaction& transaction);

  /// Without time (LRM 10.3, debug transport): memory's bytes overlaid with the writes under way. False: out of range.
  bool debug_read(base::LineAddress line, std::uint64_t address, base::LineData& data);
  /// Writes the bytes of `mask` to memory and to the writes under way.
  bool debug_write(base::LineAddress line, std::uint64_t address, const base::LineData& data,
                   const base::ByteMask& mask);

  std::uint32_t in_flight() const { return static_cast<std::uint32_t>(storage_.size() - free_.size()); }
  std::vector<std::string> describe() const;

  tlm_utils::simple_initiator_socket<MemoryPort> socket;

 private:
  void free(tlm::tlm_generic_payload* payload) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  Transaction& owner_of(const tlm::tlm_generic_payload& payload);
  Transaction& create(base::LineAddress line, std::uint64_t address, bool write);
  void respond(Transaction& transaction, const sc_core::sc_time& delay);
  bool must_wait(const Transaction& transaction) const;
  bool debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, unsigned bytes);

  Listener& listener_;
  unsigned line_bytes_;
  std::vector<Transaction> storage_;  ///< never grows: memory holds pointers to its payloads
  std::vector<Transaction*> free_;
  boost::circular_buffer<Transaction*> waiting_;
  std::vector<base::LineAddress> issued_lines_;  ///< of requests that memory has and that are not done; each once
  std::vector<Transaction*> responses_;          ///< sorted by (response_ps, number), latest first
  tlm::tlm_generic_payload* request_ = nullptr;  ///< between BEGIN_REQ and END_REQ
  std::uint64_t created_ = 0;
};

}  // namespace syncline::models
