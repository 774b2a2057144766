// What every block offers beside its sockets: statistics, traced signals in groups, a check at the end of the run and
// an answer to "what are you waiting for".
#pragma once

#include <systemc>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/stats.h"
#include "base/taps.h"
#include "models/block/traced_signal.h"
#include "models/clock/scheduler.h"
#include "models/tile/tile.h"
#include "models/transport/message_family.h"
#include "models/transport/message_journal.h"
#include "models/transport/message_listener.h"
#include "models/transport/message_pool.h"
#include "models/transport/node.h"

namespace syncline::models {

class Block;
class TransactionListener;

/// What the blocks of one platform share. Made by whoever composes the platform; outlives the blocks, but for those of
/// a user's that are still there when a run has ended, which then do nothing any more.
struct PlatformContext {
  ~PlatformContext();

  Scheduler& scheduler;
  MessagePool& messages;
  base::StatisticsRegistry& statistics;
  std::uint64_t seed = 1;  ///< of the run; blocks derive named streams (base/random.h)
  TracedSignals signals{};
  std::vector<Block*> blocks{};
  MessageJournal journal{};
  /// What its blocks say to each other; who adds a family does so before blocks are made.
  MessageFamilies families{};
  /// For waves: names of MessageFamilies::kind_number. Null, where nobody has said the policy's words: numbers.
  SharedValueNames message_names{};
  /// What the user has to be told when the run is over, however it ends; each a sentence.
  std::vector<std::string> notes{};
  Tiles tiles{messages};
  /// Who is told what transactions do (models/transactions/transaction_listener.h), by number of the GPU; whoever
  /// listens is here before blocks are made.
  std::vector<TransactionListener*> transaction_listeners{};

  /// Who is told what happens to messages; follow_messages adds to it.
  MessageListeners message_listeners{};

  /// `listener` is told what happens to messages in the blocks that are made from now on.
  void follow_messages(std::shared_ptr<MessageListener> listener) {
    base::require_taps();
    scheduler.keep_time("an observer follows messages");
    message_listeners.add(std::move(listener));
    tiles.follow(message_listeners);
  }
  /// Who is told; null: nobody. Blocks ask once, when they are made.
  MessageListener* message_listener() { return message_listeners.empty() ? nullptr : &message_listeners; }
  /// Of the GPU at `place`; null: nobody listens. Blocks ask once, when they are made.
  TransactionListener* transactions_of(GpuPlace place) const {
    return place.gpu < transaction_listeners.size() ? transaction_listeners[place.gpu] : nullptr;
  }
};

/// Base of all blocks.
class Block : public sc_core::sc_module {
 public:
  Block(const sc_core::sc_module_name& name, PlatformContext& context);
  ~Block() override;

  /// Names what is left over (queue entry, MSHR, lock, credit), one line each; empty when the block is clean.
  virtual std::vector<std::string> check_end_of_run() const { return {}; }
  /// Who waits for whom, one line each, when the machine makes no progress; empty when the block waits for nothing.
  virtual std::vector<std::string> describe_waiting() const { return {}; }

  /// Whose state this is: the tile of the TileScope in which the block was made, or the sequential part.
  Tile& tile() const { return tile_; }
  /// PlatformContext::message_listener.
  MessageListener* message_listener() const { return context_->message_listener(); }

 protected:
  PlatformContext& context() const { return *context_; }
  /// To be called where something outside reaches the block's state, beside its tick and its message ports.
  void touched() const { touch(tile_, name()); }
  void statistic(std::string_view name, std::string_view unit, std::string_view description,
                 const base::Counter& counter) {
    context_->statistics.add(this->name(), name, unit, description, counter);
  }
  void statistic(std::string_view name, std::string_view unit, std::string_view description,
                 const base::Distribution& distribution) {
    context_->statistics.add(this->name(), name, unit, description, distribution);
  }
  void gauge(std::string_view name, std::string_view unit, std::string_view description,
             std::function<double()> value) {
    context_->statistics.add_gauge(this->name(), name, unit, description, std::move(value));
  }
  void traced(std::string group, std::string name, unsigned width, std::function<std::uint64_t()> value,
              TracedAs as = {}) {
    context_->signals.add(
        {this->name(), std::move(group), std::move(name), width, std::move(value), std::move(as), this});
  }
  /// `register_them` calls traced, as soon as somebody wants to know of signals; for a block that has many.
  void traced_when_asked(std::function<void()> register_them) {
    context_->signals.add_when_asked(std::move(register_them));
  }

 private:
  friend PlatformContext;
  friend void keep_time_for(const sc_core::sc_object& port);
  PlatformContext* context_;  ///< null: it has ended before the block
  Tile& tile_;
};

}  // namespace syncline::models
