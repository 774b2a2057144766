// How the parts of a store buffer use the way to the L1: line accesses of their own among those of the warps. What is
// written to a log one entry after the other is gathered, one line of headers and one of data for all logs of the SM,
// and goes to the L1 when another line is written to or somebody reads it.
#pragma once

#include <array>
#include <cstdint>

#include "base/ids.h"
#include "base/stats.h"
#include "models/sm/l1_interface.h"
#include "models/sm/numbered.h"
#include "models/sm/seams/memory_stage.h"

namespace syncline::models {

/// Hears of the answers to what it sent.
class LogClient {
 public:
  virtual ~LogClient() = default;
  /// `token` as it was given. True when the client has kept `reply`; else it is released afterwards.
  virtual bool answered(std::uint32_t token, Message& reply, base::Cycle now) = 0;
};

enum class LogPart : std::uint8_t { headers, data };

class LogPort {
 public:
  explicit LogPort(const MemoryStage& stage) : stage_(stage) {}
  void attach(MemoryChain& chain) { chain_ = &chain; }

  /// Bytes of a line of a log, in the warp's private memory; `cache` says whether they will be read again.
  void read(base::LineAddress line, const base::ByteMask& mask, LogClient& client, std::uint32_t token,
            isa::CacheOp cache = isa::CacheOp::none);
  /// Where the caller puts the bytes `mask` of a line of a log. Nobody waits for the write: the L1 keeps the order of
  /// accesses to a line.
  base::LineData& write(LogPart part, base::LineAddress line, const base::ByteMask& mask);
  /// A message to global memory.
  Message& make(MessageClass message_class, base::LineAddress line, const base::ByteMask& mask);
  /// Sends a message that was made here, or a request that the stage took: its tag is one of the port's until the
  /// answer.
  void send(Message& message, LogClient& client, std::uint32_t token);
  /// A message that the stage took goes its way after all.
  void forward(Message& message) { chain_->forward(stage_, message); }
  /// A message that the stage took or sent goes back to the registers.
  void answer(Message& reply, base::Cycle cycle) { chain_->answer(stage_, reply, cycle); }
  /// `client` is told at `cycle`; `message` is one that it has kept.
  void remind(Message& message, LogClient& client, std::uint32_t token, base::Cycle cycle) {
    chain_->remind(stage_, prepare(message, client, token), cycle);
  }
  /// The L1 forgets all copies.
  void invalidate(LogClient& client);

  /// A reply that comes up the chain; true when it was to something that was sent here.
  bool reply(Message& message, base::Cycle now);
  /// Accesses that are not answered; nobody answers writes of the log.
  std::size_t under_way() const { return pending_.in_use(); }
  const base::Counter& lines_written() const { return lines_written_; }

 private:
  static constexpr std::uint32_t own = 1U << 31;  ///< no tag of the SM's has this bit
  struct Pending {
    LogClient* client = nullptr;
    std::uint32_t token = 0;
  };
  /// Bytes of a line that are not in the L1 yet.
  struct Gathered {
    base::LineAddress line;
    base::ByteMask mask;
    base::LineData data{};
  };
  void flush(Gathered& gathered);
  Message& prepare(Message& message, LogClient& client, std::uint32_t token);

  const MemoryStage& stage_;
  MemoryChain* chain_ = nullptr;
  Numbered<Pending> pending_;  ///< by tag
  std::array<Gathered, 2> gathered_;
  base::Counter lines_written_;
};

}  // namespace syncline::models
