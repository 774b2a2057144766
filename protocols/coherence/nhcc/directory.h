// What a directory of sharers does, at a home and at the home of a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/nhcc/machines.h"

namespace syncline::protocols::nhcc {

/// The actions that each machine with a directory has, one behind the other in this order.
enum class DirectoryAction : std::uint8_t {
  list,
  unlist,
  add_sharer,
  only_sender,
  clear_sharers,
  invalidate_others,
  invalidate_sharers,
  count_
};

inline constexpr ActionName directory_actions[] = {
    act::list("reserve an entry in the directory, if there is none"),
    act::unlist("free the entry in the directory, if there is one"),
    act::update("add_sharer", "the module that asks may keep a copy"),
    act::update("only_sender", "of the modules that are noted here, the one that writes alone may have a copy"),
    act::update("clear_sharers", "none of them has a copy"),
    act::send("invalidate_others", Message::INV, "to each sharer but the module that writes")
        .among_modules()
        .about_entry(),
    act::send("invalidate_sharers", Message::INV, "to each sharer").among_modules().about_entry()};
static_assert(std::size(directory_actions) == static_cast<std::size_t>(DirectoryAction::count_));

/// The directory of a machine whose first such action is `list`.
class Directory {
 public:
  template <class Enum>
  explicit constexpr Directory(Enum list) : list_(static_cast<Code>(list)) {}

  /// Whether the action is one that changes who has copies, which is done then. `told`: the modules that it takes off,
  /// bit n: module n; to each of these the row has sent an invalidation.
  bool update(Code action, const Stimulus& stimulus, LineMeta& line, std::uint64_t& told) const;
  /// Whether it is one that tells them, whose nodes are filled in then.
  bool complete(Code code, const Stimulus& stimulus, const LineMeta& line, Action& action) const;

 private:
  DirectoryAction of(Code action) const { return static_cast<DirectoryAction>(action - list_); }
  Code list_;
};

}  // namespace syncline::protocols::nhcc
