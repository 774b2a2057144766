#include "platform/host/launch_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::platform {
namespace {

std::string text(const Dim3& d) {
  return fmt::format("({}, {}, {})", d.x, d.y, d.z);
}

bool exceeds(const Dim3& d, const Dim3& limit) {
  return d.x > limit.x || d.y > limit.y || d.z > limit.z;
}

std::string_view kind_name(Argument::Kind kind) {
  switch (kind) {
    case Argument::Kind::integer:
      return "an integer";
    case Argument::Kind::floating:
      return "a floating-point value";
    case Argument::Kind::pointer:
      return "a pointer";
    case Argument::Kind::bytes:
      return "bytes";
  }
  return "";
}

std::string parameter_text(const isa::KernelParameter& p) {
  return p.is_array ? fmt::format(".{} array of {} bytes", isa::name(p.type), p.bytes)
                    : fmt::format(".{}", isa::name(p.type));
}

/// Whether a value of this kind may stand for the parameter, sizes aside. Untyped bits take anything.
bool kind_fits(const isa::KernelParameter& p, Argument::Kind kind) {
  if (p.is_array || kind == Argument::Kind::bytes) return true;
  const bool bits =
      p.type == isa::Type::b8 || p.type == isa::Type::b16 || p.type == isa::Type::b32 || p.type == isa::Type::b64;
  if (bits) return true;
  return (kind == Argument::Kind::floating) == isa::is_float(p.type);
}

}  // namespace

void check_launch(const isa::KernelInfo& kernel, const LaunchConfig& config, const DeviceLimits& limits) {
  if (kernel.transaction.line != 0 && !limits.transactions)
    throw base::UserError(kernel.transaction,
                          fmt::format("kernel `{}` has transactions, which need a policy: "
                                      "`transactions.policy` and `transactions.local.policy` are `none`",
                                      kernel.name));
  const auto fail = [&](const std::string& message) {
    throw base::UserError("launch of kernel `" + kernel.name + "`: " + message);
  };
  const std::uint64_t threads = config.block.count();
  if (config.grid.count() == 0) fail("the grid " + text(config.grid) + " is empty");
  if (threads == 0) fail("the block " + text(config.block) + " is empty");
  if (exceeds(config.grid, limits.max_grid))
    fail(fmt::format("the grid {} is larger than {}", text(config.grid), text(limits.max_grid)));
  if (exceeds(config.block, limits.max_block) || threads > limits.max_threads_per_cta)
    fail(fmt::format("the block {} has {} threads; a CTA may have {} and at most {}", text(config.block), threads,
                     limits.max_threads_per_cta, text(limits.max_block)));
  const Dim3 required{kernel.required_threads[0], kernel.required_threads[1], kernel.required_threads[2]};
  if (required.x != 0 && config.block != Dim3{required.x, std::max(required.y, 1u), std::max(required.z, 1u)})
    fail(fmt::format("the block {} is not the {} that .reqntid demands", text(config.block), text(required)));
  if (kernel.max_threads[0] != 0) {
    const std::uint64_t most = std::uint64_t{kernel.max_threads[0]} * std::max(kernel.max_threads[1], 1u) *
                               std::max(kernel.max_threads[2], 1u);
    if (threads > most) fail(fmt::format("the block has {} threads; .maxntid allows {}", threads, most));
  }
  const std::uint64_t shared =
      config.shared_bytes == 0 ? kernel.static_shared_bytes : kernel.dynamic_shared_offset + config.shared_bytes;
  if (shared > limits.shared_bytes_per_cta)
    fail(fmt::format("a CTA needs {} bytes of shared memory ({} static, {} dynamic); an SM has {}", shared,
                     kernel.static_shared_bytes, config.shared_bytes, limits.shared_bytes_per_cta));
}

std::vector<std::uint8_t> pack_arguments(const isa::KernelInfo& kernel, const std::vector<Argument>& arguments) {
  if (arguments.size() != kernel.parameters.size())
    throw base::UserError(fmt::format("launch of kernel `{}`: {} arguments are given, it has {} parameters",
                                      kernel.name, arguments.size(), kernel.parameters.size()));
  std::vector<std::uint8_t> block(kernel.parameter_bytes, 0);
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    const isa::KernelParameter& p = kernel.parameters[n];
    const Argument& a = arguments[n];
    const auto fail = [&](const std::string& message) {
      throw base::UserError(fmt::format("launch of kernel `{}`: parameter {} `{}` is {}; {}", kernel.name, n, p.name,
                                        parameter_text(p), message));
    };
    if (!kind_fits(p, a.kind)) fail(fmt::format("the argument is {} of {} bytes", kind_name(a.kind), a.data.size()));
    std::size_t bytes = a.data.size();
    // A 32-bit module takes the low half of a pointer, which must be all of it.
    if (a.kind == Argument::Kind::pointer && kernel.address_bytes == 4 && p.bytes == 4 && bytes == 8) {
      if (std::any_of(a.data.begin() + 4, a.data.end(), [](std::uint8_t b) { return b != 0; }))
        fail("the argument is a pointer above 4 GiB");
      bytes = 4;
    }
    if (bytes != p.bytes) fail(fmt::format("the argument is {} of {} bytes", kind_name(a.kind), a.data.size()));
    std::copy_n(a.data.begin(), bytes, block.begin() + static_cast<std::ptrdiff_t>(p.offset));
  }
  return block;
}

}  // namespace syncline::platform
