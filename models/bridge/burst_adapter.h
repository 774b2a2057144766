// Lets a memory stand behind a partition that serves bursts of one size only, or no byte enables.
#pragma once

#include <tlm_utils/peq_with_get.h>

#include <array>
#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/line_data.h"
#include "models/block/block.h"
#include "models/bridge/split_target.h"
#include "models/transport/four_phases.h"

namespace syncline::models {

struct BurstAdapterSpec {
  std::uint32_t burst = 32;   ///< bytes of each access to the memory, and their alignment; GDDR5: 8 beats of 32 bits
  bool byte_enables = false;  ///< the memory honours them (LRM 14.17 lets it refuse): no read-modify-write
  std::uint32_t queue = 32;   ///< transactions that may be under way before END_REQ waits
  std::uint32_t outstanding = 16;  ///< bursts under way
  std::uint64_t capacity = 0;      ///< bytes of the memory; beyond are address errors. 0: the memory answers them
};

/// Base protocol on both sides. A transaction is split into aligned bursts of one size (models/bridge/split_target.h);
/// a read reads them whole, a write of part of one reads it, puts its bytes in and writes it back.
///
/// Order and atomicity: of one burst one access is under way at a time, from the read of a read-modify-write to the
/// answer of its write, and accesses to it go in the order in which their transactions came. So nothing comes between,
/// whatever order the memory answers in. What others write to the memory past the adapter is not protected.
///
/// Debug transport goes to the memory, and what it writes survives the bursts that are under way. Time passes only in
/// the memory. An error that the memory answers is the answer of the transaction.
class BurstAdapter : public Block,
                     private SplitTarget::Worker,
                     private FourPhases<>::Listener,
                     private tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(BurstAdapter);
  /// UserError for a burst that is no power of two from 8 to base::max_line_bytes, and for no room.
  BurstAdapter(const sc_core::sc_module_name& name, PlatformContext& context, const BurstAdapterSpec& spec);
  ~BurstAdapter() override;

 private:
  SplitTarget target_;
  FourPhases<> link_;

 public:
  decltype(SplitTarget::socket)& target = target_.socket;
  decltype(FourPhases<>::socket)& initiator = link_.socket;

  std::vector<std::string> check_end_of_run() const override { return target_.describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

 private:
  /// What the host wrote to a burst while the burst was under way: newer than what it will write.
  struct Overlay {
    base::LineData data{};
    base::ByteMask mask;
  };
  /// What is done with an access of SplitTarget, by its tag.
  struct Burst {
    SplitTarget::Access access;
    base::LineData data{};  ///< to write
    Overlay host;
    bool used = false;
  };
  /// A transaction with the memory, which may hold on to it after its end.
  struct Request {
    tlm::tlm_generic_payload payload;
    base::LineData data{};
    std::array<std::uint8_t, base::max_line_bytes> enables{};
    std::uint32_t tag = 0;
  };

  bool ready() const override { return may_send() && to_write_.empty(); }
  void begin(const SplitTarget::Access& access) override;
  unsigned debug(tlm::tlm_generic_payload& payload) override;
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) override;
  void request_taken(const sc_core::sc_time&) override { work_.notify(sc_core::SC_ZERO_TIME); }
  void free(tlm::tlm_generic_payload* payload) override;

  void work();  ///< all that the adapter does by itself, outside calls of the memory
  bool may_send() const { return !link_.busy() && !free_.empty(); }
  Request& owner_of(const tlm::tlm_generic_payload& payload);
  void send(const Burst& burst, tlm::tlm_command command);
  void arrived(Request& request);
  void read_arrived(Burst& burst, const Request& request);
  void write_arrived(Burst& burst);
  void done(Burst& burst, tlm::tlm_response_status status);

  const BurstAdapterSpec spec_;
  std::vector<Burst> bursts_;                       ///< by tag
  std::vector<std::unique_ptr<Request>> requests_;  ///< never grows: the memory holds pointers to its payloads
  std::vector<Request*> free_;
  boost::circular_buffer<std::uint32_t> to_write_;  ///< tags of bursts that were read and are to be written
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> due_;
  sc_core::sc_event work_;
  base::Counter reads_, writes_, partial_writes_;
};

}  // namespace syncline::models
