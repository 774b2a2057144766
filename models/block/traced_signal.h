// What a block shows of itself in waves.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace syncline::models {

class Block;

/// Names of the values of an enumeration, which viewers show in place of numbers.
struct ValueNames {
  std::string name;  ///< of the enumeration: letters, digits and `_`
  std::vector<std::pair<std::uint64_t, std::string>> values;
};
using SharedValueNames = std::shared_ptr<const ValueNames>;

/// When a signal may have another value than before.
enum class Changes : std::uint8_t {
  any_time,    ///< it is looked at in every cycle
  with_block,  ///< only when its block, which is Ticked, has had a turn or has been woken
  until_zero   ///< as `with_block`; and while it is not zero time alone may change it
};

/// How a signal is to be treated, beside its name.
struct TracedAs {
  Changes changes = Changes::any_time;
  SharedValueNames names = nullptr;  ///< null: it is a number
  bool when_asked = false;           ///< too much for everybody: only where its group is named
  /// Null, or a word of the block that is another one whenever the value is, but for what time alone changes
  /// (until_zero): while the word stays as it is nobody computes the value.
  const std::uint64_t* word = nullptr;
};

/// A signal that a wave file may show: a value that is read when the wave is written. `width` in bits.
struct TracedSignal {
  std::string block;
  std::string group;  ///< chosen by --wave-groups: "sm", "l1", "crossbar", "l2", "dram", ...
  std::string name;
  unsigned width = 1;
  std::function<std::uint64_t()> value;
  TracedAs as = {};
  Block* owner = nullptr;  ///< null: it is looked at in every cycle

  std::string full_name() const { return block + "." + name; }
};

/// The signals of a machine. Most runs look at none, and of hundreds of thousands that large machines have not even the
/// names are worth making then.
class TracedSignals {
 public:
  void add(TracedSignal signal) { signals_.push_back(std::move(signal)); }
  /// `add_them` is called when somebody asks for the first time, and what it adds stands in this place.
  void add_when_asked(std::function<void()> add_them) { when_asked_.push_back({signals_.size(), std::move(add_them)}); }
  /// In the order in which they were added. Valid until one more is.
  const std::vector<TracedSignal>& all();

 private:
  struct WhenAsked {
    std::size_t place;  ///< in `signals_`
    std::function<void()> add_them;
  };
  std::vector<TracedSignal> signals_;
  std::vector<WhenAsked> when_asked_;
};

}  // namespace syncline::models
