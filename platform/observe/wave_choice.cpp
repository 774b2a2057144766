#include "platform/observe/wave_choice.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"
#include "base/nearest.h"

namespace syncline::platform {
namespace {

using models::TracedSignal;

bool is_chosen(const TracedSignal& signal, const std::vector<std::string>& groups) {
  if (groups.empty()) return !signal.as.when_asked;
  return std::any_of(groups.begin(), groups.end(), [&signal](const std::string& group) {
    return group == "all" || group == signal.group || (group == "default" && !signal.as.when_asked);
  });
}

bool is_meant(const TracedSignal& signal, const std::string& glob) {
  return matches_glob(glob, signal.block) || matches_glob(glob, signal.full_name());
}

void check_groups(const std::vector<TracedSignal>& signals, const std::vector<std::string>& groups) {
  std::vector<std::string> known;
  for (const WaveGroup& group : wave_groups(signals)) known.push_back(group.name);
  known.insert(known.end(), {"default", "all"});
  for (const std::string& group : groups) {
    if (std::find(known.begin(), known.end(), group) == known.end())
      throw base::UserError("unknown wave group `" + group + "`" + base::suggestion(group, known));
  }
}

[[noreturn]] void matches_nothing(const std::string& glob, const std::vector<const TracedSignal*>& chosen) {
  std::vector<std::string> names;
  for (const TracedSignal* signal : chosen) {
    if (names.empty() || names.back() != signal->block) names.push_back(signal->block);
  }
  std::string plain = glob;  // what is left of it may be nearly a name
  plain.erase(std::remove_if(plain.begin(), plain.end(), [](char c) { return c == '*' || c == '?'; }), plain.end());
  throw base::UserError("--wave-blocks: no block or signal of these groups matches `" + glob + "`" +
                        base::suggestion(plain, names));
}

}  // namespace

bool matches_glob(const std::string& glob, const std::string& name) {
  return fnmatch(glob.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

std::vector<WaveGroup> wave_groups(const std::vector<TracedSignal>& signals) {
  std::map<std::string, WaveGroup> groups;
  for (const TracedSignal& signal : signals) {
    WaveGroup& group = groups[signal.group];
    group.name = signal.group;
    ++group.signals;
    group.when_asked = group.when_asked || signal.as.when_asked;
  }
  std::vector<WaveGroup> sorted;
  sorted.reserve(groups.size());
  for (auto& [name, group] : groups) sorted.push_back(std::move(group));
  return sorted;
}

std::vector<const TracedSignal*> choose_waves(const std::vector<TracedSignal>& signals,
                                              const std::vector<std::string>& groups,
                                              const std::vector<std::string>& blocks) {
  check_groups(signals, groups);
  std::vector<const TracedSignal*> of_groups, chosen;
  for (const TracedSignal& signal : signals) {
    if (is_chosen(signal, groups)) of_groups.push_back(&signal);
  }
  std::sort(of_groups.begin(), of_groups.end(), [](const TracedSignal* a, const TracedSignal* b) {
    return std::tie(a->block, a->name) < std::tie(b->block, b->name);
  });
  if (blocks.empty()) return of_groups;
  for (const std::string& glob : blocks) {
    if (std::none_of(of_groups.begin(), of_groups.end(),
                     [&glob](const TracedSignal* signal) { return is_meant(*signal, glob); }))
      matches_nothing(glob, of_groups);
  }
  std::copy_if(of_groups.begin(), of_groups.end(), std::back_inserter(chosen), [&blocks](const TracedSignal* signal) {
    return std::any_of(blocks.begin(), blocks.end(),
                       [signal](const std::string& glob) { return is_meant(*signal, glob); });
  });
  return chosen;
}

}  // namespace syncline::platform
