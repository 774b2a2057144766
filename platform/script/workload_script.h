// A workload script: which module to load, which buffers to fill, which kernels to launch, and what to check.
//
// The schema, in YAML, with paths relative to the script's folder (docs/how-to has a worked example):
//
//   module: kernel.ptx
//   peers: [[D, P], ...]                      # kernels of device D may touch memory of device P
//   buffers:                                  # allocated in this order
//     NAME: {bytes: SIZE | type: T, count: N, from: FILE | fill: VALUE | random: {seed: S, min: A, max: B},
//            device: D}
//   symbols:                                  # module variables
//     NAME: {from: FILE} | {ptr: BUFFER, offset: BYTES} | {T: VALUE}
//   steps:
//     - launch: {kernel: NAME, grid: [X, Y, Z], block: [X, Y, Z], shared: BYTES, args: [ARGUMENT, ...],
//                device: D}
//     - copy: {from: BUFFER, to: BUFFER, bytes: SIZE}
//     - wait: {device: D, for: P}             # what comes next on D is behind what P has so far
//     - wait: {}                              # what comes next anywhere is behind all that there is so far
//     - write: {buffer: NAME, from: FILE | fill: VALUE | random: {...}}
//     - repeat: {while_nonzero: {buffer: NAME, type: T, index: I}, limit: N, steps: [...]}
//     - check: {buffer: NAME, type: T, equals: FILE, abs: A, rel: R}
//     - dump: {buffer: NAME, to: FILE}
//   ARGUMENT: {ptr: BUFFER, offset: BYTES} | {T: VALUE} | {file: FILE}
//   T: u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64
//
// `device` is one GPU of a machine of several; without it a buffer or a launch belongs to all of them as one. Launches
// of different devices run at the same time, and so do those of all as one. A copy comes behind what the devices of
// both buffers have so far, and before what they are given after it; all other steps wait for everything.
//
// Everything that can be known before the run is checked when the script is read: names, sizes of files, ranges.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/dim3.h"
#include "base/error.h"
#include "platform/script/scalar.h"

namespace syncline::platform {

/// The whole contents of a file.
struct FileContents {
  std::filesystem::path path;
};
/// One value in every element.
struct FillContents {
  ScalarValue value;
};
/// Uniformly distributed elements: integers in [min, max], real numbers in [min, max).
struct RandomContents {
  std::optional<std::uint64_t> seed;  ///< none: follows from the run's seed and the buffer's name
  ScalarValue min, max;
};
/// monostate: zeros.
using Contents = std::variant<std::monostate, FileContents, FillContents, RandomContents>;

struct ScriptBuffer {
  std::string name;
  ScalarType type = ScalarType::u8;
  std::uint64_t count = 0;  ///< elements
  Contents contents;
  std::optional<unsigned> device;
  base::SourceLocation where;
  std::uint64_t bytes() const { return count * bytes_of(type); }
};

/// The address of a byte of a buffer.
struct PointerArgument {
  std::size_t buffer = 0;  ///< index into WorkloadScript::buffers
  std::uint64_t offset = 0;
};
/// A kernel argument or the value of a module variable.
using ScriptArgument = std::variant<PointerArgument, ScalarValue, FileContents>;

struct ScriptSymbol {
  std::string name;
  ScriptArgument value;
  base::SourceLocation where;
};

struct LaunchStep {
  std::string kernel;
  base::Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  std::vector<ScriptArgument> args;
  std::optional<unsigned> device;
};
struct CopyStep {
  std::size_t from = 0, to = 0;
  std::uint64_t bytes = 0;
};
/// Without devices it waits for everything.
struct WaitStep {
  std::optional<unsigned> device, awaited;  ///< both or none
};
/// Contents from the buffer's first byte on; a file may be shorter than the buffer.
struct WriteStep {
  std::size_t buffer = 0;
  Contents contents;
};
struct CheckStep {
  std::size_t buffer = 0;
  ScalarType type = ScalarType::u8;
  std::filesystem::path equals;
  double absolute = 0, relative = 0;  ///< an element may differ by absolute + relative * |expected|
};
struct DumpStep {
  std::size_t buffer = 0;
  std::filesystem::path to;
};
struct Step;
/// Makes its steps, then again as long as the element is not zero; more than `limit` passes are a ProgramFault.
struct RepeatStep {
  std::size_t buffer = 0;
  ScalarType type = ScalarType::u32;
  std::uint64_t index = 0;  ///< in elements of `type`
  std::uint64_t limit = 1;
  std::vector<Step> steps;
};
struct Step {
  base::SourceLocation where;
  std::variant<LaunchStep, CopyStep, WaitStep, WriteStep, RepeatStep, CheckStep, DumpStep> action;
};

struct WorkloadScript {
  std::string name;              ///< file name without its ending
  std::filesystem::path module;  ///< the PTX file
  base::SourceLocation module_where;
  struct Peer {
    unsigned device = 0, peer = 0;
    base::SourceLocation where;
  };
  std::vector<Peer> peers;
  std::vector<ScriptBuffer> buffers;
  std::vector<ScriptSymbol> symbols;
  std::vector<Step> steps;
};

/// Whether a file of this name is a script: it ends in .yaml or .yml.
bool is_workload_script(const std::filesystem::path& file);

/// Reads and checks a script. Throws UserError (file:line:column).
WorkloadScript load_workload_script(const std::filesystem::path& file);
/// The same from a text; `file` names it in locations and its folder is where paths count from.
WorkloadScript parse_workload_script(const std::string& text, const std::filesystem::path& file);

}  // namespace syncline::platform
