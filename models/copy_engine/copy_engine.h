// Moves bytes between memories of a system, line by line: the copy engine of a GPU (CUDA: asyncEngineCount).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/copy_engine/copy_engine_spec.h"
#include "models/copy_engine/copy_sink.h"
#include "models/sm/l1_interface.h"
#include "models/transport/message_port.h"

namespace syncline::models {

/// Reads lines of one home and writes them to another, over an L1 of its own by the contract between SM and L1
/// (models/sm/l1_interface.h): so its messages are those of the coherence policy, what it reads is what SMs would, and
/// they take their time on links and count there. A copy is to its L1 what a kernel is: it begins with `grid_begin` and
/// ends with a fence of the whole system. Accesses are .relaxed.sys, so that no copy of the L1's answers that may be
/// stale.
///
/// A piece lies in one line of the source and one of the destination; where the two lie differently in their lines, a
/// line is read in two pieces. A cycle sends one message.
class CopyEngine : public Block, public Ticked, public CopySink, private MessageReceiver, private MessageSender {
 public:
  CopyEngine(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
             const CopyEngineSpec& spec, std::uint32_t line_bytes);

  sc_core::sc_export<CopySink> copies;
  MessageInitiator to_l1;
  MessageTarget from_l1;

  void copy(Copy copy) override;

  base::Cycle tick(base::Cycle now) override;
  base::Cycle woken_by_tiles_in() const override { return phase_ == Phase::idle ? base::never : 0; }
  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

 private:
  enum class Phase : std::uint8_t { idle, begins, moves, ends };
  struct Piece {
    std::uint64_t to = 0, from = 0;
    std::uint32_t bytes = 0;
    base::LineData data{};  ///< as in the line of the destination
  };
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork, unsigned) override { wake(clock()->now()); }

  void send_control(L1Kind kind);
  void send_access(const Piece& piece, std::uint32_t tag, MessageClass message_class);
  bool send_next();
  void next_copy(base::Cycle now);
  void take_replies(base::Cycle now);
  void control_answered(base::Cycle now);
  std::uint64_t offset(std::uint64_t address) const { return address & (line_bytes_ - 1); }

  const CopyEngineSpec spec_;
  const std::uint32_t line_bytes_;
  std::deque<Copy> waiting_;  ///< the first is under way
  Phase phase_ = Phase::idle;
  base::Cycle begins_at_ = 0;
  bool control_sent_ = false;
  std::uint64_t asked_ = 0, written_ = 0;         ///< bytes of the copy under way
  std::vector<Piece> pieces_;                     ///< by tag
  std::deque<std::uint32_t> free_, read_;         ///< tags
  std::multimap<base::Cycle, Message*> replies_;  ///< by the cycle in which they are here
  base::Counter copies_, bytes_, reads_, writes_;
};

}  // namespace syncline::models
