#include "sc_main/cli/survivors.h"

#include <algorithm>
#include <vector>

#include "base/nearest.h"
#include "platform/config/yaml_node.h"
#include "protocols/coherence/engine/mutant.h"

namespace syncline::cli {
namespace {

using platform::YamlEntry;
using platform::YamlNode;

[[noreturn]] void fail(const base::SourceLocation& where, const std::string& message) {
  throw base::UserError(where, message);
}

}  // namespace

std::map<std::string, std::string> read_survivors(const std::filesystem::path& file,
                                                  const protocols::CoherencePolicy& policy) {
  const YamlNode root = platform::parse_yaml(platform::read_file(file), file.string());
  if (root.kind != YamlNode::Kind::mapping) fail(root.where, "expected reasons, found " + root.found());
  std::vector<std::string> names;
  for (const auto& mutant : protocols::mutants_of(policy)) names.push_back(mutant.description);
  std::map<std::string, std::string> reasons;
  for (const YamlEntry& reason : root.entries) {
    if (reason.value.kind != YamlNode::Kind::sequence)
      fail(reason.value.where, "expected a list of mutants, found " + reason.value.found());
    for (const YamlNode& mutant : reason.value.items) {
      if (std::find(names.begin(), names.end(), mutant.text) == names.end())
        fail(mutant.where,
             "policy `" + policy.name + "` has no mutant " + mutant.found() + base::suggestion(mutant.text, names));
      if (!reasons.emplace(mutant.text, reason.key).second) fail(mutant.where, mutant.found() + " is explained twice");
    }
  }
  return reasons;
}

}  // namespace syncline::cli
