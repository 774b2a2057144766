// What a buffer is filled with: checks before the run, bytes in the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "platform/script/workload_script.h"

namespace syncline::platform {

/// Largest buffer, far above any device's memory; keeps sizes from overflowing.
inline constexpr std::uint64_t max_buffer_bytes = std::uint64_t{1} << 40;

/// Size of a regular file. Throws UserError at `asked_from` when there is none.
std::uint64_t size_of_file(const std::filesystem::path& path, const base::SourceLocation& asked_from);

/// Random contents with the type's default limits where none are given: [0, 1) for real numbers, all values for
/// integers. A problem when the limits are not finite or in the wrong order.
Parsed<RandomContents> random_contents(ScalarType type, std::optional<std::uint64_t> seed,
                                       const std::optional<ScalarValue>& min, const std::optional<ScalarValue>& max);

/// The bytes of `contents` for a buffer of `bytes` bytes. Files give their own length, which may be smaller. Without a
/// seed of their own, random contents follow from `run_seed` and `name`.
std::vector<std::uint8_t> make_contents(const Contents& contents, std::uint64_t bytes, std::uint64_t run_seed,
                                        std::string_view name);

}  // namespace syncline::platform
