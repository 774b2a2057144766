// What `syncline describe` prints of a package, from what the package itself gives.
#include <fmt/format.h>

#include "platform/config/configuration.h"
#include "platform/config/field_list.h"
#include "platform/packages/composition.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {
namespace {

/// Keys alone, in the group of this path.
struct KeysPage {
  std::string_view path;
  PackageKeys& keys;
  template <class V>
  void fields(V& v) {
    const std::size_t dot = path.find('.');
    if (dot == std::string_view::npos) return v.group(path, keys, keys.description());
    KeysPage below{path.substr(dot + 1), keys};
    v.group(path.substr(0, dot), below);
  }
};

std::string keys_text(std::string_view group, const Package& package) {
  const std::unique_ptr<PackageKeys> own = package.keys(), shared = package.family_keys();
  if (own == nullptr && shared == nullptr) return "\n## Keys\n\nnone\n";
  const std::string path = own == nullptr ? std::string(group) : fmt::format("{}.{}", group, package.name());
  KeysPage page{path, own == nullptr ? *shared : *own};
  const std::string reference = reference_markdown(FieldList::of(page));
  // The groups around it have no keys here.
  return "\n" + reference.substr(reference.find("## `" + path + "`"));
}

/// Rules, units and regions, as a GPU of the default platform has them.
std::string parts_text(const Package& package) {
  const PlatformSpec spec;
  std::string text, rules, units, memory;
  package.rules({spec}, [&](bool, std::string_view key, const std::string& message) {
    rules += fmt::format("- `{}` {}\n", key, message);
  });
  for (const UnitRequest& unit : package.units(spec))
    units += fmt::format("- {}: {} bytes of memory for each byte of the partition's data\n", unit.name, unit.factor);
  const std::uint64_t before = memory_layout(spec, {}).regions().size();
  MemoryLayout layout = memory_layout(spec, {});
  package.reserve(spec, layout);
  for (std::size_t i = before; i < layout.regions().size(); ++i)
    memory += fmt::format("- {}: {} bytes (`{}`)\n", layout.regions()[i].name, layout.regions()[i].bytes,
                          layout.regions()[i].key);
  const Conduct conduct = package.conduct();
  if (conduct.launches_in_order) rules += "- streams are one: grids run in the order of their launches\n";
  if (conduct.stores_wait) rules += "- `observe.consistency` judges values and atomics only: stores wait in logs\n";
  for (const auto& [title, body] :
       {std::pair{"Units of a partition", units}, {"Memory, with the default keys", memory}, {"Rules", rules}})
    text += fmt::format("\n## {}\n\n{}", title, body.empty() ? "none\n" : body);
  return text;
}

}  // namespace

std::string Package::page(std::string_view group) const {
  std::string text = fmt::format("# {}\n\n{}\n\nChosen by `{}.policy: {}`.\n", name(), summary(), group, name());
  if (const std::string more = description(); !more.empty()) text += "\n" + more;
  text += "\n## Seams\n\n";
  if (seams().empty()) text += "none\n";
  if (!seams().empty()) text += "| seam | part |\n|---|---|\n";
  for (const protocols::SeamPart& part : seams()) text += fmt::format("| {} | {} |\n", part.seam, part.part);
  text += parts_text(*this);
  text += keys_text(group, *this);
  if (const Exploration* const explored = exploration(); explored != nullptr)
    text += fmt::format("\n## Exploration\n\n`syncline check {}`: {}.\n", name(), explored->size());
  return text;
}

}  // namespace syncline::platform
