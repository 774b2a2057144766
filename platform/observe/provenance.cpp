#include "platform/observe/provenance.h"

#include <nlohmann/json.hpp>

namespace syncline::platform {

nlohmann::ordered_json policies_json(const PlatformSpec& spec) {
  nlohmann::ordered_json policies{
      {"coherence", spec.coherence.policy},
      {"consistency", protocols::name(protocols::make_coherence_policy(spec.coherence).consistency)}};
  for (const FamilySpec* const family : spec.families()) policies[std::string(family->family().name)] = family->policy;
  return policies;
}

nlohmann::ordered_json provenance_json(const Provenance& provenance, const PlatformSpec& spec, std::uint64_t seed) {
  nlohmann::ordered_json json;
  if (!provenance.version.empty()) json["version"] = provenance.version;
  json["platform"] = spec.name;
  if (!provenance.program.empty()) json["program"] = provenance.program;
  if (provenance.size) json["size"] = *provenance.size;
  if (!provenance.program_options.empty()) json["program_options"] = provenance.program_options;
  json["policies"] = policies_json(spec);
  json["seed"] = seed;
  if (provenance.input_seed) json["input_seed"] = *provenance.input_seed;
  json["settings"] = provenance.settings;
  return json;
}

}  // namespace syncline::platform
