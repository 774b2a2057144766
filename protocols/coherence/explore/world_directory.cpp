// The home's own directory in the model checker's caches, whose entries may be of several lines: as models/cache does
// it.
#include "base/error.h"
#include "protocols/coherence/explore/world.h"

namespace syncline::protocols::explore {

World::Verdict World::replace_directory_entry(State& state, unsigned node, unsigned first) {
  const auto& lines = state.nodes[node].lines;
  unsigned last = first;
  const bool with_data = entry_lines_ != 1 && !lists_sharers(node, first);
  for (unsigned line = first; line < first + entry_lines_ && with_data; ++line) {
    if (lines[line].has_entry) return Verdict::waits;
    if (lines[line].has_frame) last = line;
  }
  for (unsigned line = first; line < last; ++line) {
    if (!lines[line].has_frame) continue;
    if (replace(state, node, line) != Verdict::done || lines[line].has_entry) return Verdict::waits;
  }
  Request request;
  request.stimulus.source = Stimulus::Source::directory_replacement;
  request.stimulus.entry_lines = static_cast<std::uint16_t>(entry_lines_);
  const Verdict verdict = present(state, node, last, request);
  if (verdict == Verdict::done && lines[last].has_directory_entry)
    throw base::ModelError("a replacement leaves the directory's entry taken");
  return verdict;
}

/// Where what is presented to the line finds its metadata and its miss register: with the line, but for that of an
/// entry that is leaving.
Copy& World::copy_of(State& state, unsigned node, unsigned line) const {
  Copy* found = &state.nodes[node].lines[line];
  each_of_entry(state, node, line, [&](Copy& one) { found = one.of_entry ? &one : found; });
  return *found;
}

/// The line gets an entry in the directory, and with it those beside it.
void World::list(State& state, unsigned node, unsigned line) const {
  NodeSet sharers;
  each_of_entry(state, node, line, [&](Copy& one) {
    if (one.of_entry) throw base::ModelError("a line is listed anew while its old entry is still leaving");
    one.has_directory_entry = true;
    one.meta.sharers.for_each([&](unsigned sharer) { sharers.insert(sharer); });
  });
  each_of_entry(state, node, line, [&](Copy& one) { one.meta.sharers = sharers; });
}

void World::unlist(State& state, unsigned node, unsigned line, Copy& copy) const {
  if (lists_sharers(node, line))
    return each_of_entry(state, node, line, [](Copy& one) { one.has_directory_entry = false; });
  each_of_entry(state, node, line, [&](Copy& one) {
    if (one.has_frame) throw base::ModelError("a line leaves the directory while data of its entry is here");
    if (one.has_entry && &one != &copy)
      throw base::ModelError("a line leaves the directory while a line of its entry is on its way");
    one.has_directory_entry = false;
  });
  copy.of_entry = copy.has_entry && entry_lines_ != 1;
}

/// A transition of one line of an entry: all know the same of who has copies, and those that are not on their way are
/// in the state in which the last of them has come to rest.
void World::share(State& state, unsigned node, unsigned line, const Copy& changed, bool is_stable) const {
  const LineMeta meta = changed.meta;
  each_of_entry(state, node, line, [&](Copy& one) {
    if (is_stable && !one.has_entry && !lists_sharers(node, line)) one.meta = meta;
    one.meta.sharers = meta.sharers;
    one.meta.owner = meta.owner;
  });
}

/// What a node remembers of a line, or of those of its entry, has no place any more.
void World::forget(State& state, unsigned node, unsigned line) const {
  each_of_entry(state, node, line, [&](Copy& one) {
    if (has_place(node, line, one) || one.has_entry) return;
    LineMeta sharers;
    if (one.has_directory_entry && lists_sharers(node, line)) {
      sharers.sharers = one.meta.sharers;
      sharers.owner = one.meta.owner;
    }
    one.meta = sharers;
  });
}

}  // namespace syncline::protocols::explore
