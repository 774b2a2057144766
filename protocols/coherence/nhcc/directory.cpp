#include "protocols/coherence/nhcc/directory.h"

namespace syncline::protocols::nhcc {

NodeSet Directory::told(Code action, const Stimulus& stimulus, const LineMeta& line) const {
  switch (of(action)) {
    case DirectoryAction::only_sender:
      return line.sharers.without(stimulus.sender);
    case DirectoryAction::clear_sharers:
      return line.sharers;
    default:
      return {};
  }
}

bool Directory::update(Code action, const Stimulus& stimulus, LineMeta& line) const {
  switch (of(action)) {
    case DirectoryAction::only_sender:
      line.sharers.clear();
      [[fallthrough]];
    case DirectoryAction::add_sharer:
      line.sharers.insert(stimulus.sender);
      return true;
    case DirectoryAction::clear_sharers:
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
