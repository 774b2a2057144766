// The Z-unit of a memory partition: orders writes by a depth, whatever the order of their arrival.
//
// GPUDet (Jooybar et al., ASPLOS 2013; Jooybar, thesis, 4.4) puts the Z-buffer of a graphics pipeline to this use. The
// unit itself knows of depths only.
#pragma once

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "models/cache/sent_messages.h"
#include "models/partition/partition_unit.h"
#include "models/z_unit/depth_family.h"
#include "models/z_unit/depth_lines.h"
#include "models/z_unit/line_numbers.h"
#include "models/z_unit/request_buffer.h"
#include "models/z_unit/z_cache.h"
#include "models/z_unit/z_unit_spec.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

/// Claims the family of depth_family.h. Contract:
///   write   each granule that the mask touches is written, as far as the mask covers it, where `depth` is at most the
///           granule's depth, which becomes `depth`. Of equal depths the later arrival wins.
///   clear   all depths of the partition become the farthest; what arrived before is decided by then, and what arrives
///           later waits for it.
/// Each is answered by the policy's store acknowledgement once the L2 has performed all that it wrote; as a rule the
/// request itself goes on to the L2 with the bytes that won, and leaves the buffer.
///
/// Depths and data lie in memory behind the L2, which the unit reads and writes by the policy's plain messages; nobody
/// else may write the memory of the depths. For each line of it the unit keeps a bit, whether it has been written since
/// the last clear, and reads none that has not: such depths are the farthest.
///
/// A mask that covers part of a granule stands for the whole of it: the write wins or loses the granule, and writes
/// what it covers if it wins. So the order of arrival shows in bytes of a granule of which a nearer write covers others
/// only (GPUDet thesis 4.6); a granule of one byte has no such bytes.
///
/// Other requests pass through at once. Those of a line that has a write in the unit overtake it; whoever mixes both
/// waits for the acknowledgements in between, as the host of a commit does at its barrier.
class ZUnit : public PartitionUnit, public Ticked {
 public:
  /// `depth_base`: where the partition's depth memory begins (DepthLines). UserError for a policy that has no plain
  /// access (CoherencePolicy::plain), which the message names. `policy` and `homes` outlive the unit.
  ZUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const ZUnitSpec& spec,
        const protocols::CoherencePolicy& policy, base::PartitionId partition, const HomeMap& homes,
        unsigned line_bytes, std::uint64_t depth_base, GpuPlace place = {});

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

  const DepthLines& depths() const { return depths_; }

 private:
  /// An entry of the comparator buffer.
  struct Comparison {
    Index request, block;
    unsigned part;
    base::LineAddress depth_line;
    base::Cycle ready_at;  ///< never: the L2 has not delivered the depths
  };
  struct Answer {
    Index request;
    base::Cycle ready_at;
  };
  /// What a message to the L2 is for; with an index, its tag.
  enum class Purpose : std::uint8_t { depths, colour, write_back };
  static constexpr std::size_t request_queue = 4;
  /// A miss sends the victim of its block and a read; the comparison of the same cycle sends a write.
  static constexpr std::size_t room_of_a_probe = 3;

  bool claims(const Message& request) const override;
  bool accept(Message& request, const sc_core::sc_time& arrival) override;
  bool accept_reply(Message& reply, const sc_core::sc_time& arrival) override;
  void on_can_forward(VirtualNetwork network) override;
  void on_can_reply(VirtualNetwork network) override;

  void compare();
  void schedule();
  void allocate(Index index, unsigned part, base::LineAddress depth_line);
  void block(DepthRequest& request, base::LineAddress depth_line, bool for_way);
  void pass_on(Index index, const base::ByteMask& written);
  void release(Index index);
  void release_block(const Comparison& done);
  void clear(Index index);
  void answer_when_done(Index index, base::Cycle at);
  bool send_request();
  bool send_answer();
  base::Cycle next_tick() const;
  std::size_t room() const { return out_.capacity() - out_.size(); }
  Message& to_l2(Purpose purpose, Index index, base::LineAddress line, const Message& cause);
  void add_statistics();

  const ZUnitSpec spec_;
  const protocols::CoherencePolicy& policy_;
  const protocols::PlainAccess plain_;
  const NodeId place_;  ///< of the home whose lines it orders
  const HomeMap& homes_;
  const DepthLines depths_;
  RequestBuffer requests_;
  ZCache cache_;
  std::vector<Comparison> comparisons_;   ///< oldest first
  boost::circular_buffer<Message*> out_;  ///< to the L2
  boost::circular_buffer<Answer> answers_;
  LineNumbers written_lines_;  ///< places of the lines of depths written to the L2 since the last clear
  base::Cycle now_ = 0;
  base::Cycle accept_from_ = 0;  ///< first cycle in which the next request may be accepted
  base::Cycle full_since_ = base::never;
  bool own_request_next_ = true, own_answer_next_ = true;  ///< whose turn on a link that has become free
  std::uint32_t write_backs_in_flight_ = 0;

  base::Counter writes_, clears_, hits_, misses_, unwritten_, blocked_, comparisons_done_, granules_written_,
      granules_lost_, write_backs_, full_cycles_;
  base::Distribution residence_, occupancy_;
  SentMessages sent_;
};

}  // namespace syncline::models
