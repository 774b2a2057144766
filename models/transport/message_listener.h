// What happens to messages on their way, for who follows them: event traces, and accounts of where time goes.
//
// Blocks tell facts; what they mean is the listener's business. Whoever listens is known to the platform before blocks
// are made (PlatformContext::follow_messages): a block asks once, and without a listener each of these costs a branch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "models/transport/message.h"

namespace syncline::models {

class Block;
class CacheController;
struct WarpIdentity;

/// A line access of a memory instruction. Valid during the call.
struct LineAccess {
  const WarpIdentity& warp;
  std::uint32_t pc;         ///< number of the instruction in its program
  std::uint64_t order;      ///< of the instruction: Message::order
  std::uint64_t issued_ps;  ///< when its warp issued it
};

/// What a cache does with a message that it has looked up.
enum class CacheStep : std::uint8_t {
  parked,    ///< it waits in a miss register
  shut_out,  ///< it waits at a line that is locked
  released,  ///< it waits there no longer: it is answered, or presented again
  goes_up,   ///< it is answered, or is itself the answer, and will leave for who asked
  goes_down  ///< it goes on to the home of its line
};

/// What becomes of a line that a home reads from its memory.
enum class MemoryStep : std::uint8_t {
  asked,      ///< it waits for its turn at the memory
  begun,      ///< the memory has the request
  scheduled,  ///< the memory has said when the line comes: of a DRAM, its last column command is issued
  taken       ///< the home has the line
};

/// All default to nothing. Called in the order in which things happen; the time is the simulation's, unless an argument
/// says another one, in picoseconds. A message is one object from its request to its reply where a block answers with
/// what it was asked; its address is free for another one when it has `ended`.
class MessageListener {
 public:
  virtual ~MessageListener() = default;
  /// A line access begins its way to the L1.
  virtual void requested(const Message& request, const LineAccess& access) { (void)request, (void)access; }
  /// Its answer is with its SM, and the line access is done.
  virtual void completed(const Message& reply, const LineAccess& access) { (void)reply, (void)access; }
  /// A cache makes a message because of `cause`, which it looks up; null: because of nothing that was sent to it.
  virtual void made(const Message& message, const CacheController& by, const Message* cause) {
    (void)message, (void)by, (void)cause;
  }
  /// It leaves where it is for `to`, and is there at `arrival_ps`; `to` may keep it waiting at its door.
  virtual void sent(const Message& message, const Block& to, std::uint64_t arrival_ps) {
    (void)message, (void)to, (void)arrival_ps;
  }
  /// `cause`: what is looked up meanwhile, and has set it free; null: nothing that was sent.
  virtual void step(const Message& message, CacheStep step, const CacheController& at, const Message* cause) {
    (void)message, (void)step, (void)at, (void)cause;
  }
  /// The atomic unit works on it until `until_ps`; 0: until it leaves.
  virtual void in_atomic_unit(const Message& message, const CacheController& home, std::uint64_t until_ps) {
    (void)message, (void)home, (void)until_ps;
  }
  virtual void memory_read(base::LineAddress line, MemoryStep step, const CacheController& home) {
    (void)line, (void)step, (void)home;
  }
  /// The states are those of the cache's machine. `cause`: as in `made`.
  virtual void state_changed(base::LineAddress line, std::uint8_t from, std::uint8_t to, const CacheController& at,
                             const Message* cause) {
    (void)line, (void)from, (void)to, (void)at, (void)cause;
  }
  /// Nobody has it any more.
  virtual void ended(const Message& message) { (void)message; }
};

/// Several, each told in turn.
class MessageListeners final : public MessageListener {
 public:
  /// Again is nothing.
  void add(std::shared_ptr<MessageListener> listener);
  bool empty() const { return all_.empty(); }

  void requested(const Message& request, const LineAccess& access) override;
  void completed(const Message& reply, const LineAccess& access) override;
  void made(const Message& message, const CacheController& by, const Message* cause) override;
  void sent(const Message& message, const Block& to, std::uint64_t arrival_ps) override;
  void step(const Message& message, CacheStep step, const CacheController& at, const Message* cause) override;
  void in_atomic_unit(const Message& message, const CacheController& home, std::uint64_t until_ps) override;
  void memory_read(base::LineAddress line, MemoryStep step, const CacheController& home) override;
  void state_changed(base::LineAddress line, std::uint8_t from, std::uint8_t to, const CacheController& at,
                     const Message* cause) override;
  void ended(const Message& message) override;

 private:
  std::vector<std::shared_ptr<MessageListener>> all_;
};

}  // namespace syncline::models
