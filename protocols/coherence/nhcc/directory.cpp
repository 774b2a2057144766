#include "protocols/coherence/nhcc/directory.h"

namespace syncline::protocols::nhcc {

bool Directory::update(Code action, const Stimulus& stimulus, LineMeta& line, std::uint64_t& told) const {
  switch (of(action)) {
    case DirectoryAction::only_sender:
      told = line.sharers.without(stimulus.sender).word(0);
      line.sharers.clear();
      [[fallthrough]];
    case DirectoryAction::add_sharer:
      line.sharers.insert(stimulus.sender);
      return true;
    case DirectoryAction::clear_sharers:
      told = line.sharers.word(0);
      line.sharers.clear();
      return true;
    default:
      return false;
  }
}

bool Directory::complete(Code code, const Stimulus& stimulus, const LineMeta& line, Action& action) const {
  switch (of(code)) {
    case DirectoryAction::invalidate_others:
      action.nodes = line.sharers.without(stimulus.sender);
      return true;
    case DirectoryAction::invalidate_sharers:
      action.nodes = line.sharers;
      return true;
    default:
      return false;
  }
}

}  // namespace syncline::protocols::nhcc
