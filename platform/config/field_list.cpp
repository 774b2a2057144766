#include "platform/config/field_list.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::platform {

const FieldRef* FieldList::find(std::string_view path) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const FieldRef& f) { return f.path == path; });
  return found == fields_.end() ? nullptr : &*found;
}

bool FieldList::is_group(std::string_view path) const {
  return path.empty() ||
         std::any_of(groups_.begin(), groups_.end(), [&](const FieldGroup& group) { return group.path == path; });
}

std::vector<std::string> FieldList::names_below(std::string_view group) const {
  const std::string prefix = group.empty() ? "" : std::string(group) + ".";
  std::vector<std::string> names;
  const auto add_if_child = [&](const std::string& path) {
    if (path.compare(0, prefix.size(), prefix) == 0 && path.find('.', prefix.size()) == std::string::npos)
      names.push_back(path.substr(prefix.size()));
  };
  for (const FieldRef& ref : fields_) add_if_child(ref.path);
  for (const FieldGroup& below : groups_) add_if_child(below.path);
  return names;
}

void FieldList::require(bool ok, std::string_view name, std::string_view message) {
  const std::string path = path_of(name);
  if (find(path) == nullptr)
    throw base::ModelError("a rule names the key `" + path + "`, which is not listed before it");
  if (!ok) violations_.push_back({path, std::string(message)});
}

std::string FieldList::path_of(std::string_view name) const {
  return prefix_ + std::string(name);
}

void FieldList::check_name(const std::string& path, std::string_view name) const {
  const bool snake_case = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!snake_case) throw base::ModelError("parameter name `" + path + "` is not snake_case");
  if (path == "include") throw base::ModelError("the key `include` belongs to the reader of configurations");
  if (find(path) != nullptr || is_group(path)) throw base::ModelError("parameter `" + path + "` is listed twice");
}

void FieldList::add(std::string_view name, FieldRef ref) {
  ref.path = path_of(name);
  check_name(ref.path, name);
  if (ref.kind == FieldKind::choice) {
    const std::string present = std::get<std::string>(ref.get().front());
    if (present.empty()) throw base::ModelError("the value of `" + ref.path + "` is not in its table of names");
  }
  fields_.push_back(std::move(ref));
}

void FieldList::enter(std::string_view name, std::string_view description) {
  const std::string path = path_of(name);
  check_name(path, name);
  groups_.push_back({path, std::string(description)});
  prefix_ = path + ".";
}

}  // namespace syncline::platform
