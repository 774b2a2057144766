#include "platform/script/run_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <new>
#include <utility>
#include <vector>

#include "platform/config/yaml_node.h"
#include "platform/observe/output_file.h"
#include "platform/script/compare.h"
#include "platform/script/contents.h"

namespace syncline::platform {
namespace {

using base::SourceLocation;
using base::UserError;

// Gives an error of the device the place in the script that caused it.
template <class Call>
auto located(const SourceLocation& where, Call&& call) {
  try {
    return call();
  } catch (const UserError& e) {
    if (!e.where().file.empty()) throw;
    throw UserError(where, e.what());
  }
}

class Interpreter {
 public:
  Interpreter(Device& device, const WorkloadScript& script, std::uint64_t run_seed, Outputs& outputs)
      : device_(device), script_(script), run_seed_(run_seed), outputs_(outputs) {}

  ScriptOutcome run() {
    open_dumps(script_.steps);
    load(device_);
    for (const WorkloadScript::Peer& peer : script_.peers)
      located(peer.where, [&] { device_.device(peer.device).enable_peer_access(peer.peer); });
    find_named(script_.steps);
    for (const ScriptBuffer& buffer : script_.buffers) allocate(buffer);
    for (const ScriptSymbol& symbol : script_.symbols) set_symbol(symbol);
    make_all(script_.steps);
    device_.synchronize();
    for (Dump& dump : dumps_) {
      if (!dump.contents) continue;
      dump.file.stream().write(reinterpret_cast<const char*>(dump.contents->data()),
                               static_cast<std::streamsize>(dump.contents->size()));
      dump.file.finish();
    }
    return std::move(outcome_);
  }

 private:
  struct Dump {
    Dump(const DumpStep* s, Outputs& outputs, std::string asked_by)
        : step(s), file(outputs, s->to.string(), std::move(asked_by)) {}
    const DumpStep* step;
    OutputFile file;
    std::optional<std::vector<std::uint8_t>> contents;  ///< of the last pass, where it is within a repeat
  };

  // Before anything runs: a path that cannot be written is told now, not after the simulation.
  void open_dumps(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (const auto* dump = std::get_if<DumpStep>(&step.action)) {
        located(step.where, [&] { dumps_.emplace_back(dump, outputs_, step.where.str()); });
      }
      if (const auto* repeat = std::get_if<RepeatStep>(&step.action)) open_dumps(repeat->steps);
    }
  }

  /// All GPUs as one where no device is named.
  Device& device(std::optional<unsigned> number) { return number ? device_.device(*number) : device_; }

  void load(Device& onto) {
    if (std::any_of(modules_.begin(), modules_.end(), [&](const auto& loaded) { return loaded.first == &onto; }))
      return;
    located(script_.module_where, [&] { modules_.emplace_back(&onto, onto.module_load(script_.module.string())); });
  }

  ModuleHandle module_of(const Device& device) const {
    return std::find_if(modules_.begin(), modules_.end(), [&](const auto& one) { return one.first == &device; })
        ->second;
  }

  /// Devices that launch have the module, and its variables their values, before the first step. A device or a kernel
  /// that there is none of is told then, too, not when its step comes.
  void find_named(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (const auto* launch = std::get_if<LaunchStep>(&step.action))
        located(step.where, [&] { find_kernel(*launch); });
      if (const auto* wait = std::get_if<WaitStep>(&step.action))
        located(step.where, [&] { device(wait->device), device(wait->awaited); });
      if (const auto* repeat = std::get_if<RepeatStep>(&step.action)) find_named(repeat->steps);
    }
  }
  void find_kernel(const LaunchStep& launch) {
    Device& its = device(launch.device);
    load(its);
    its.module_get_function(module_of(its), launch.kernel);
  }

  /// What comes next on one device is behind what another one has so far.
  static void order(Device& later, Device& earlier) {
    if (&later == &earlier) return;
    const EventHandle event = earlier.event_create();
    earlier.event_record(event);
    later.stream_wait_event(StreamHandle::default_stream, event);
  }

  void allocate(const ScriptBuffer& buffer) {
    const DevicePointer pointer =
        located(buffer.where, [&] { return device(buffer.device).mem_alloc(buffer.bytes()); });
    pointers_.push_back(pointer);
    if (std::holds_alternative<std::monostate>(buffer.contents)) return;  // fresh memory is zero
    write(pointer, buffer.contents, buffer);
  }

  void write(DevicePointer to, const Contents& contents, const ScriptBuffer& buffer) {
    std::vector<std::uint8_t> bytes;
    try {
      bytes = make_contents(contents, buffer.bytes(), run_seed_, buffer.name);
    } catch (const std::bad_alloc&) {
      throw UserError(buffer.where, fmt::format("this computer gives no memory for the {} bytes of buffer `{}`",
                                                buffer.bytes(), buffer.name));
    }
    if (bytes.size() > buffer.bytes())
      throw UserError(buffer.where, "a file has grown beyond buffer `" + buffer.name + "` since the script was read");
    device_.synchronize();
    device_.memcpy_htod(to, bytes.data(), bytes.size());
  }

  Argument argument(const ScriptArgument& value) const {
    if (const auto* pointer = std::get_if<PointerArgument>(&value))
      return Argument::of(pointers_[pointer->buffer] + pointer->offset);
    Argument result;
    if (const auto* scalar = std::get_if<ScalarValue>(&value)) {
      result.kind = is_floating(scalar->type) ? Argument::Kind::floating : Argument::Kind::integer;
      result.data = scalar->exact();
    } else {
      result.data = make_contents(std::get<FileContents>(value), 0, run_seed_, "");
    }
    return result;
  }

  void set_symbol(const ScriptSymbol& symbol) {
    const Argument value = argument(symbol.value);
    for (const auto& [onto, module] : modules_) {
      const GlobalSymbol variable =
          located(symbol.where, [&, d = onto, m = module] { return d->module_get_global(m, symbol.name); });
      if (value.data.size() > variable.bytes)
        throw UserError(symbol.where, fmt::format("variable `{}` of the module has {} bytes, fewer than the {} given",
                                                  symbol.name, variable.bytes, value.data.size()));
      onto->memcpy_htod(variable.address, value.data.data(), value.data.size());
    }
  }

  void make_all(const std::vector<Step>& steps) {
    for (const Step& step : steps)
      located(step.where, [&] { std::visit([&](const auto& action) { make(step, action); }, step.action); });
  }

  void make(const Step&, const LaunchStep& launch) {
    std::vector<Argument> args;
    for (const ScriptArgument& arg : launch.args) args.push_back(argument(arg));
    LaunchConfig config;
    config.grid = launch.grid;
    config.block = launch.block;
    config.shared_bytes = launch.shared_bytes;
    Device& its = device(launch.device);
    its.launch_kernel(its.module_get_function(module_of(its), launch.kernel), config, args);
  }

  /// All GPUs as one have no copy engine: to their memory it is the one of the device from which the copy comes.
  void make(const Step&, const CopyStep& copy) {
    const auto from = script_.buffers[copy.from].device, to = script_.buffers[copy.to].device;
    Device &engine = device(to ? to : from), &other = device(to ? from : to);
    order(engine, other);
    engine.memcpy_peer_async(pointers_[copy.to], pointers_[copy.from], copy.bytes, StreamHandle::default_stream);
    order(other, engine);
  }

  void make(const Step&, const WaitStep& wait) {
    if (wait.device)
      order(device(wait.device), device(wait.awaited));
    else
      device_.synchronize();
  }

  void make(const Step&, const WriteStep& step) {
    write(pointers_[step.buffer], step.contents, script_.buffers[step.buffer]);
  }

  void make(const Step& step, const RepeatStep& repeat) {
    const unsigned size = bytes_of(repeat.type);
    for (std::uint64_t pass = 1;; ++pass) {
      make_all(repeat.steps);
      const auto element = read(repeat.buffer, repeat.index * size, size);
      const bool zero = is_floating(repeat.type) ? real_at(element.data(), repeat.type) == 0
                                                 : integer_at(element.data(), repeat.type).magnitude == 0;
      if (zero) return;
      if (pass == repeat.limit)
        throw base::ProgramFault(fmt::format(
            "{}: error: after {} passes, the limit, element {} of buffer `{}` is still {}", step.where.str(), pass,
            repeat.index, script_.buffers[repeat.buffer].name, text_at(element.data(), repeat.type)));
    }
  }

  void make(const Step& step, const CheckStep& check) {
    const std::string expected = read_file(check.equals, step.where, max_buffer_bytes);
    const ScriptBuffer& buffer = script_.buffers[check.buffer];
    if (expected.size() > buffer.bytes())
      throw UserError(step.where, "a file has grown beyond buffer `" + buffer.name + "` since the script was read");
    const auto found = read(check.buffer, 0, expected.size());
    const std::vector<std::uint8_t> wanted(expected.begin(), expected.end());
    const Comparison comparison = compare(found, wanted, check.type, {check.absolute, check.relative});
    outcome_.checks.push_back({step.where, buffer.name, comparison.differences == 0, comparison.text()});
  }

  void make(const Step&, const DumpStep& step) {
    const auto dump = std::find_if(dumps_.begin(), dumps_.end(), [&](const Dump& d) { return d.step == &step; });
    dump->contents = read(step.buffer, 0, script_.buffers[step.buffer].bytes());
  }

  std::vector<std::uint8_t> read(std::size_t buffer, std::uint64_t offset, std::uint64_t bytes) {
    std::vector<std::uint8_t> data(bytes);
    device_.synchronize();
    device_.memcpy_dtoh(data.data(), pointers_[buffer] + offset, bytes);
    return data;
  }

  Device& device_;
  const WorkloadScript& script_;
  std::uint64_t run_seed_;
  Outputs& outputs_;
  std::vector<std::pair<Device*, ModuleHandle>> modules_;  // in the order in which they were loaded
  std::vector<DevicePointer> pointers_;
  std::list<Dump> dumps_;  // files do not move
  ScriptOutcome outcome_;
};

}  // namespace

std::optional<bool> ScriptOutcome::verified() const {
  if (checks.empty()) return std::nullopt;
  return std::all_of(checks.begin(), checks.end(), [](const CheckOutcome& check) { return check.passed; });
}

std::string ScriptOutcome::detail() const {
  std::string text;
  for (const CheckOutcome& check : checks)
    text += fmt::format("{}{}: {}: {}", text.empty() ? "" : "\n", check.where.str(), check.buffer, check.detail);
  return text;
}

ScriptOutcome run_script(Device& device, const WorkloadScript& script, std::uint64_t run_seed, Outputs& outputs) {
  return Interpreter(device, script, run_seed, outputs).run();
}

}  // namespace syncline::platform
