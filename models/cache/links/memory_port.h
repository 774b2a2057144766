// The slice's way to its memory: lines over the plain TLM-2.0 base protocol, so that any memory plugs in.
#pragma once

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
#include "models/cache/links/due_answers.h"
#include "models/cache/tag_array.h"
#include "models/transport/four_phases.h"

namespace syncline::models {

class MemoryPort : public tlm::tlm_mm_interface, private FourPhases<>::Listener {
  FourPhases<> link_;

 public:
  struct Transaction;
  class Listener {
   public:
    virtual ~Listener() = default;
    /// A response arrives at `at`, or the memory can take another request.
    virtual void memory_ready(const sc_core::sc_time& at) = 0;
    /// The memory gets a transaction, and says when it has served it.
    virtual void begins(const Transaction&) {}
    virtual void scheduled(const Transaction&) {}
  };

  /// One read or write of a line. Stays at its address for life; the port reuses it.
  struct Transaction {
    tlm::tlm_generic_payload payload;
    base::LineData data{};
    std::array<std::uint8_t, base::max_line_bytes> enables{};
    base::ByteMask mask;  ///< of a write
    base::LineData host_data{};
    base::ByteMask host;       ///< bytes that the host wrote while memory had the write; they come to memory behind it
    base::LineAddress line;    ///< device address
    std::uint64_t number = 0;  ///< order of creation
    bool write = false;
    bool used = false;
    bool issued = false;
    std::uint64_t answer_ps = 0;
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
  std::uint64_t next_response_ps() const { return responses_.next_ps(); }
  /// The oldest response, when it has arrived by `now_ps`; give it back with `done`.
  Transaction* response(std::uint64_t now_ps) { return responses_.due(now_ps); }
  void done(Transaction& transaction);

  /// Without time (LRM 11.3, debug transport): memory's bytes overlaid with the writes under way. False: out of range.
  bool debug_read(base::LineAddress line, std::uint64_t address, base::LineData& data);
  /// Writes the bytes of `mask` to memory and to the writes under way.
  bool debug_write(base::LineAddress line, std::uint64_t address, const base::LineData& data,
                   const base::ByteMask& mask);

  std::uint32_t in_flight() const { return static_cast<std::uint32_t>(storage_.size() - free_.size()); }
  std::vector<std::string> describe() const;

  decltype(FourPhases<>::socket)& socket = link_.socket;

 private:
  void free(tlm::tlm_generic_payload* payload) override;
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) override;
  void request_taken(const sc_core::sc_time& at) override { listener_.memory_ready(at); }
  Transaction& owner_of(const tlm::tlm_generic_payload& payload);
  Transaction& create(base::LineAddress line, std::uint64_t address, bool write);
  void respond(Transaction& transaction, const sc_core::sc_time& at);
  bool must_wait(const Transaction& transaction) const;
  bool debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, unsigned bytes);
  bool debug_write_bytes(std::uint64_t address, const base::LineData& data, const base::ByteMask& mask);

  Listener& listener_;
  unsigned line_bytes_;
  std::vector<Transaction> storage_;  ///< never grows: memory holds pointers to its payloads
  std::vector<Transaction*> free_;
  boost::circular_buffer<Transaction*> waiting_;
  std::vector<base::LineAddress> issued_lines_;  ///< of requests that memory has and that are not done; each once
  DueAnswers<Transaction> responses_;
  std::uint64_t created_ = 0;
};

}  // namespace syncline::models
