// From YAML to a checked WorkloadScript.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/nearest.h"
#include "platform/script/contents.h"
#include "platform/script/node_reader.h"
#include "platform/script/workload_script.h"

namespace syncline::platform {
namespace {

namespace fs = std::filesystem;
namespace param = base::param;
using base::SourceLocation;
using base::UserError;

constexpr auto largest = static_cast<double>(max_buffer_bytes);

class ScriptReader {
 public:
  explicit ScriptReader(const fs::path& file) : folder_(file.parent_path()) { script_.name = file.stem().string(); }

  WorkloadScript read(const YamlNode& root) {
    const MappingReader keys(root, "the script", {"module", "peers", "buffers", "symbols", "steps"});
    script_.module = existing_file(keys.require("module"), "module");
    script_.module_where = keys.require("module").where;
    if (const YamlNode* peers = keys.find("peers")) read_peers(*peers);
    if (const YamlNode* buffers = keys.find("buffers"))
      for (const YamlEntry& entry : entries_of(*buffers, "buffers")) read_buffer(entry);
    if (const YamlNode* symbols = keys.find("symbols"))
      for (const YamlEntry& entry : entries_of(*symbols, "symbols")) read_symbol(entry);
    script_.steps = read_steps(keys.require("steps"));
    return std::move(script_);
  }

 private:
  static const std::vector<YamlEntry>& entries_of(const YamlNode& node, const std::string& key) {
    if (node.kind != YamlNode::Kind::mapping)
      throw UserError(node.where, "`" + key + "` expects a mapping of names, found " + node.found());
    return node.entries;
  }

  // ---- files

  fs::path file_name(const YamlNode& node, std::string_view key) const {
    const auto text = read_value<std::string>(node, key, param::text("name of a file"));
    if (text.empty()) throw UserError(node.where, fmt::format("`{}` expects the name of a file, found nothing", key));
    return folder_ / text;  // an absolute name replaces the folder
  }
  fs::path existing_file(const YamlNode& node, std::string_view key) const {
    fs::path path = file_name(node, key);
    size_of_file(path, node.where);
    return path;
  }

  // ---- values

  static ScalarType type_of(const YamlNode& node) {
    ScalarType type = ScalarType::u8;
    FieldList list;
    list.choice("type", type, scalar_types(), param::text("element type"));
    set_field(list.fields().front(), node);
    return type;
  }

  static ScalarValue scalar(const YamlNode& node, const std::string& key, ScalarType type) {
    if (node.kind != YamlNode::Kind::scalar || node.quoted)
      throw UserError(node.where, fmt::format("`{}` expects a number of type {}, found {}", key, name_of(type),
                                              node.quoted ? "a quoted text" : node.found()));
    auto parsed = parse_scalar(node.text, type);
    if (!parsed.value) throw UserError(node.where, "`" + key + "` " + parsed.problem);
    return *parsed.value;
  }

  std::size_t buffer_named(const YamlNode& node, std::string_view key) const {
    const auto name = read_value<std::string>(node, key, param::text("name of a buffer"));
    if (const auto found = buffers_.find(name); found != buffers_.end()) return found->second;
    std::vector<std::string> names;
    for (const ScriptBuffer& buffer : script_.buffers) names.push_back(buffer.name);
    throw UserError(node.where, "no buffer is called " + quoted_for_message(name) +
                                    (names.empty() ? "; the script has none" : base::suggestion(name, names)));
  }

  // ---- devices

  static std::optional<unsigned> device_of(const MappingReader& keys) {
    if (keys.find("device") == nullptr) return std::nullopt;
    return keys.value<std::uint32_t>("device", param::count("number of a device"));
  }

  void read_peers(const YamlNode& node) {
    const base::FieldInfo info = param::count("number of a device");
    if (node.kind != YamlNode::Kind::sequence)
      throw UserError(node.where, "`peers` expects a list of pairs of devices, found " + node.found());
    for (const YamlNode& item : node.items) {
      const auto pair = read_value<std::vector<std::uint32_t>>(item, "peers", info);
      if (pair.size() != 2)
        throw UserError(item.where,
                        fmt::format("a pair of `peers` expects a device and its peer, found {} numbers", pair.size()));
      script_.peers.push_back({pair[0], pair[1], item.where});
    }
  }

  // ---- buffers

  RandomContents random(const YamlNode& node, ScalarType type) const {
    const MappingReader keys(node, "`random`", {"seed", "min", "max"});
    std::optional<std::uint64_t> seed;
    if (keys.find("seed") != nullptr) seed = keys.value<std::uint64_t>("seed", param::count("seed"));
    const auto limit = [&](const char* key) -> std::optional<ScalarValue> {
      const YamlNode* value = keys.find(key);
      return value == nullptr ? std::nullopt : std::make_optional(scalar(*value, key, type));
    };
    auto parsed = random_contents(type, seed, limit("min"), limit("max"));
    if (!parsed.value) throw UserError(node.where, "`random` " + parsed.problem);
    return *parsed.value;
  }

  // The contents that `entry` ("from", "fill" or "random") asks for.
  Contents contents(const YamlEntry& entry, ScalarType type) const {
    if (entry.key == "from") return FileContents{existing_file(entry.value, "from")};
    if (entry.key == "fill") return FillContents{scalar(entry.value, "fill", type)};
    return random(entry.value, type);
  }

  void read_buffer(const YamlEntry& entry) {
    const std::string what = "buffer `" + entry.key + "`";
    const MappingReader keys(entry.value, what, {"bytes", "type", "count", "from", "fill", "random", "device"});
    ScriptBuffer buffer;
    buffer.name = entry.key;
    buffer.where = entry.key_where;
    buffer.device = device_of(keys);
    const YamlNode* type = keys.find("type");
    if (type != nullptr) buffer.type = type_of(*type);
    const YamlEntry* source = keys.at_most_one_of({"from", "fill", "random"});
    if (source != nullptr && source->key == "random" && type == nullptr)
      throw UserError(source->key_where, what + " needs a `type` for random contents");
    if (source != nullptr) buffer.contents = contents(*source, buffer.type);
    const auto* file = std::get_if<FileContents>(&buffer.contents);
    const std::uint64_t file_size = file == nullptr ? 0 : size_of_file(file->path, source->value.where);
    buffer.count = elements(keys, what, buffer.type, file == nullptr ? nullptr : &file_size);
    if (file != nullptr && file_size != buffer.bytes())
      throw UserError(source->value.where, fmt::format("{} has {} bytes, but `{}` has {}", what, buffer.bytes(),
                                                       file->path.string(), file_size));
    buffers_.emplace(buffer.name, script_.buffers.size());
    script_.buffers.push_back(std::move(buffer));
  }

  static std::uint64_t elements(const MappingReader& keys, const std::string& what, ScalarType type,
                                const std::uint64_t* file_size) {
    const YamlEntry* size = keys.at_most_one_of({"bytes", "count"});
    std::uint64_t bytes = 0;
    SourceLocation where = keys.where();
    if (size != nullptr && size->key == "count") {
      if (keys.find("type") == nullptr) throw UserError(size->key_where, what + " needs a `type` for its `count`");
      const auto count = read_value<std::uint64_t>(size->value, "count",
                                                   param::count("elements").between(1, largest / bytes_of(type)));
      return count;
    }
    if (size != nullptr) {
      bytes = read_value<std::uint64_t>(size->value, "bytes", param::bytes("size").between(1, largest));
      where = size->value.where;
    } else if (file_size != nullptr) {
      bytes = *file_size;
      if (bytes == 0) throw UserError(where, what + " is as large as its file, which is empty");
    } else {
      throw UserError(where, what + " needs a size: `bytes`, or `type` and `count`, or a file");
    }
    if (bytes % bytes_of(type) != 0)
      throw UserError(where, fmt::format("{} has {} bytes, not a multiple of the {} of {}", what, bytes, bytes_of(type),
                                         name_of(type)));
    return bytes / bytes_of(type);
  }

  // ---- arguments and symbols

  ScriptArgument argument(const YamlNode& node, const std::string& what, const std::string& file_key) const {
    std::vector<std::string> kinds = scalar_type_names();
    kinds.emplace_back("ptr");
    kinds.push_back(file_key);
    std::vector<std::string> known = kinds;
    known.emplace_back("offset");
    const MappingReader keys(node, what, known);
    const YamlEntry& kind = keys.exactly_one_of(kinds);
    const YamlNode* offset = keys.find("offset");
    if (offset != nullptr && kind.key != "ptr")
      throw UserError(offset->where, "`offset` belongs to a `ptr`, not to `" + kind.key + "`");
    if (kind.key == file_key) return FileContents{existing_file(kind.value, file_key)};
    if (kind.key == "ptr") return pointer(kind.value, offset);
    const auto& types = scalar_types();
    const auto row = std::find_if(types.begin(), types.end(), [&](const auto& r) { return r.first == kind.key; });
    return scalar(kind.value, kind.key, row->second);
  }

  PointerArgument pointer(const YamlNode& name, const YamlNode* offset) const {
    PointerArgument pointer;
    pointer.buffer = buffer_named(name, "ptr");
    if (offset == nullptr) return pointer;
    const ScriptBuffer& buffer = script_.buffers[pointer.buffer];
    pointer.offset = read_value<std::uint64_t>(*offset, "offset", param::bytes("from the buffer's start"));
    if (pointer.offset >= buffer.bytes())
      throw UserError(offset->where, fmt::format("offset {} is outside buffer `{}` of {} bytes", pointer.offset,
                                                 buffer.name, buffer.bytes()));
    return pointer;
  }

  void read_symbol(const YamlEntry& entry) {
    script_.symbols.push_back(
        {entry.key, argument(entry.value, "symbol `" + entry.key + "`", "from"), entry.key_where});
  }

  // ---- steps

  std::vector<Step> read_steps(const YamlNode& node) const {
    if (node.kind != YamlNode::Kind::sequence || node.items.empty())
      throw UserError(node.where, "`steps` expects a list of steps, found " +
                                      (node.kind == YamlNode::Kind::sequence ? "an empty list" : node.found()));
    std::vector<Step> steps;
    for (const YamlNode& item : node.items) steps.push_back(read_step(item));
    return steps;
  }

  Step read_step(const YamlNode& node) const {
    static const std::vector<std::string> kinds{"launch", "copy", "wait", "write", "repeat", "check", "dump"};
    const YamlEntry& entry = MappingReader(node, "a step", kinds).exactly_one_of(kinds);
    Step step;
    step.where = entry.key_where;
    if (entry.key == "launch") step.action = read_launch(entry.value);
    if (entry.key == "copy") step.action = read_copy(entry.value);
    if (entry.key == "wait") step.action = read_wait(entry.value);
    if (entry.key == "write") step.action = read_write(entry.value);
    if (entry.key == "repeat") step.action = read_repeat(entry.value);
    if (entry.key == "check") step.action = read_check(entry.value);
    if (entry.key == "dump") step.action = read_dump(entry.value);
    return step;
  }

  static base::Dim3 extents(const YamlNode& node, std::string_view key) {
    const base::FieldInfo info = param::count("extent").at_least(1);
    if (node.kind == YamlNode::Kind::scalar) return {read_value<std::uint32_t>(node, key, info), 1, 1};
    auto list = read_value<std::vector<std::uint32_t>>(node, key, info);
    if (list.empty() || list.size() > 3)
      throw UserError(node.where, fmt::format("`{}` expects one to three numbers, found {}", key, list.size()));
    list.resize(3, 1);
    return {list[0], list[1], list[2]};
  }

  LaunchStep read_launch(const YamlNode& node) const {
    const MappingReader keys(node, "`launch`", {"kernel", "grid", "block", "shared", "args", "device"});
    LaunchStep launch;
    launch.device = device_of(keys);
    launch.kernel = keys.value<std::string>("kernel", param::text("name of a kernel"));
    launch.grid = extents(keys.require("grid"), "grid");
    launch.block = extents(keys.require("block"), "block");
    launch.shared_bytes = keys.value_or<std::uint32_t>("shared", 0, param::bytes("dynamic shared memory"));
    if (const YamlNode* args = keys.find("args")) {
      if (args->kind != YamlNode::Kind::sequence)
        throw UserError(args->where, "`args` expects a list of arguments, found " + args->found());
      for (const YamlNode& item : args->items) launch.args.push_back(argument(item, "an argument", "file"));
    }
    return launch;
  }

  CopyStep read_copy(const YamlNode& node) const {
    const MappingReader keys(node, "`copy`", {"from", "to", "bytes"});
    CopyStep copy;
    copy.from = buffer_named(keys.require("from"), "from");
    copy.to = buffer_named(keys.require("to"), "to");
    const ScriptBuffer &from = script_.buffers[copy.from], &to = script_.buffers[copy.to];
    copy.bytes = keys.value_or<std::uint64_t>("bytes", from.bytes(), param::bytes("size").between(1, largest));
    const YamlNode* const bytes = keys.find("bytes");
    for (const ScriptBuffer* const buffer : {&from, &to}) {
      if (copy.bytes > buffer->bytes())
        throw UserError(bytes == nullptr ? keys.where() : bytes->where,
                        fmt::format("a copy of {} bytes from buffer `{}` to buffer `{}`, and `{}` has {}", copy.bytes,
                                    from.name, to.name, buffer->name, buffer->bytes()));
    }
    return copy;
  }

  static WaitStep read_wait(const YamlNode& node) {
    const MappingReader keys(node, "`wait`", {"device", "for"});
    if (node.entries.empty()) return {};
    const base::FieldInfo info = param::count("number of a device");
    return {keys.value<std::uint32_t>("device", info), keys.value<std::uint32_t>("for", info)};
  }

  WriteStep read_write(const YamlNode& node) const {
    const MappingReader keys(node, "`write`", {"buffer", "from", "fill", "random"});
    WriteStep write;
    write.buffer = buffer_named(keys.require("buffer"), "buffer");
    const ScriptBuffer& buffer = script_.buffers[write.buffer];
    const YamlEntry& source = keys.exactly_one_of({"from", "fill", "random"});
    write.contents = contents(source, buffer.type);
    if (const auto* file = std::get_if<FileContents>(&write.contents))
      fits(size_of_file(file->path, source.value.where), file->path, buffer, source.value.where);
    return write;
  }

  static void fits(std::uint64_t size, const fs::path& path, const ScriptBuffer& buffer, const SourceLocation& where) {
    if (size > buffer.bytes())
      throw UserError(where, fmt::format("`{}` has {} bytes, more than the {} of buffer `{}`", path.string(), size,
                                         buffer.bytes(), buffer.name));
    if (size == 0) throw UserError(where, "`" + path.string() + "` is empty");
  }

  RepeatStep read_repeat(const YamlNode& node) const {
    const MappingReader keys(node, "`repeat`", {"while_nonzero", "limit", "steps"});
    const MappingReader element(keys.require("while_nonzero"), "`while_nonzero`", {"buffer", "type", "index"});
    RepeatStep repeat;
    repeat.buffer = buffer_named(element.require("buffer"), "buffer");
    const ScriptBuffer& buffer = script_.buffers[repeat.buffer];
    repeat.type = element.find("type") == nullptr ? buffer.type : type_of(element.require("type"));
    repeat.index = element.value_or<std::uint64_t>("index", 0, param::count("element"));
    if (const std::uint64_t elements = buffer.bytes() / bytes_of(repeat.type); repeat.index >= elements) {
      const YamlNode* index = element.find("index");
      throw UserError(index == nullptr ? element.where() : index->where,
                      fmt::format("index {} is outside buffer `{}`, which has {} elements of {}", repeat.index,
                                  buffer.name, elements, name_of(repeat.type)));
    }
    repeat.limit = keys.value<std::uint64_t>("limit", param::count("passes").at_least(1));
    repeat.steps = read_steps(keys.require("steps"));
    return repeat;
  }

  CheckStep read_check(const YamlNode& node) const {
    const MappingReader keys(node, "`check`", {"buffer", "type", "equals", "abs", "rel"});
    CheckStep check;
    check.buffer = buffer_named(keys.require("buffer"), "buffer");
    const ScriptBuffer& buffer = script_.buffers[check.buffer];
    check.type = keys.find("type") == nullptr ? buffer.type : type_of(keys.require("type"));
    check.equals = existing_file(keys.require("equals"), "equals");
    check.absolute = keys.value_or<double>("abs", 0, param::ratio("absolute tolerance").at_least(0));
    check.relative = keys.value_or<double>("rel", 0, param::ratio("relative tolerance").at_least(0));
    const SourceLocation& where = keys.require("equals").where;
    const std::uint64_t size = size_of_file(check.equals, where);
    fits(size, check.equals, buffer, where);
    if (size % bytes_of(check.type) != 0)
      throw UserError(where, fmt::format("`{}` has {} bytes, not a multiple of the {} of {}", check.equals.string(),
                                         size, bytes_of(check.type), name_of(check.type)));
    return check;
  }

  DumpStep read_dump(const YamlNode& node) const {
    const MappingReader keys(node, "`dump`", {"buffer", "to"});
    return {buffer_named(keys.require("buffer"), "buffer"), file_name(keys.require("to"), "to")};
  }

  fs::path folder_;
  WorkloadScript script_;
  std::unordered_map<std::string, std::size_t> buffers_;  ///< by name: the place in the script's
};

}  // namespace

WorkloadScript parse_workload_script(const std::string& text, const fs::path& file) {
  return ScriptReader(file).read(parse_yaml(text, file.string()));
}

bool is_workload_script(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".yaml" || ending == ".yml";
}

WorkloadScript load_workload_script(const fs::path& file) {
  return parse_workload_script(read_file(file), file);
}

}  // namespace syncline::platform
