#include "platform/script/contents.h"

#include <fmt/format.h>

#include <cmath>

#include "base/random.h"
#include "base/readable.h"
#include "platform/config/yaml_node.h"

namespace syncline::platform {
namespace {

// Uniform in [0, last] by rejection below the next power of two: no bias, at most two draws on average.
std::uint64_t draw_up_to(base::Random& random, std::uint64_t last) {
  const std::uint64_t mask = last == 0 ? 0 : ~std::uint64_t{0} >> __builtin_clzll(last);
  std::uint64_t value = 0;
  do value = random.next() & mask;
  while (value > last);
  return value;
}

ScalarValue draw(base::Random& random, const RandomContents& limits) {
  const ScalarType type = limits.min.type;
  if (!is_floating(type)) {
    const auto min = integer_at(limits.min.bytes.data(), type).as<std::uint64_t>();
    const auto max = integer_at(limits.max.bytes.data(), type).as<std::uint64_t>();
    // Modulo 2^64 this is right for signed types too.
    return scalar_of(Integer{false, min + draw_up_to(random, max - min)}, type);
  }
  const double min = real_at(limits.min.bytes.data(), type);
  const double max = real_at(limits.max.bytes.data(), type);
  if (min == max) return limits.min;
  for (;;) {
    const double share = random.unit();
    const ScalarValue value = scalar_of(min * (1 - share) + max * share, type);
    // Rounding to the type can reach the excluded limit.
    if (real_at(value.bytes.data(), type) < max) return value;
  }
}

}  // namespace

std::uint64_t size_of_file(const std::filesystem::path& path, const base::SourceLocation& asked_from) {
  const auto fail = [&](const std::string& why) {
    return base::UserError(asked_from, "cannot read `" + path.string() + "`: " + why);
  };
  if (const std::string why = base::why_unreadable(path); !why.empty()) throw fail(why);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw fail(error.message());
  return size;
}

Parsed<RandomContents> random_contents(ScalarType type, std::optional<std::uint64_t> seed,
                                       const std::optional<ScalarValue>& min, const std::optional<ScalarValue>& max) {
  using Result = Parsed<RandomContents>;
  RandomContents contents;
  contents.seed = seed;
  const bool floating = is_floating(type);
  contents.min = min.value_or(floating ? scalar_of(0.0, type) : scalar_of(Integer::of(range_of(type).min), type));
  contents.max = max.value_or(floating ? scalar_of(1.0, type) : scalar_of(Integer::of(range_of(type).max), type));
  const std::uint8_t* low = contents.min.bytes.data();
  const std::uint8_t* high = contents.max.bytes.data();
  const auto order = [&] { return fmt::format("has min {} above max {}", text_at(low, type), text_at(high, type)); };
  if (floating) {
    if (!std::isfinite(real_at(low, type)) || !std::isfinite(real_at(high, type)))
      return Result::bad("needs finite limits");
    if (real_at(low, type) > real_at(high, type)) return Result::bad(order());
  } else {
    const Integer a = integer_at(low, type);
    const Integer b = integer_at(high, type);
    const bool above =
        a.negative != b.negative ? b.negative : (a.negative ? a.magnitude < b.magnitude : a.magnitude > b.magnitude);
    if (above) return Result::bad(order());
  }
  return Result::ok(contents);
}

std::vector<std::uint8_t> make_contents(const Contents& contents, std::uint64_t bytes, std::uint64_t run_seed,
                                        std::string_view name) {
  if (const auto* file = std::get_if<FileContents>(&contents)) {
    const std::string text = read_file(file->path, {}, max_buffer_bytes);
    return {text.begin(), text.end()};
  }
  std::vector<std::uint8_t> out;
  out.reserve(bytes);
  const auto append = [&](const ScalarValue& value) {
    out.insert(out.end(), value.bytes.begin(), value.bytes.begin() + bytes_of(value.type));
  };
  if (const auto* fill = std::get_if<FillContents>(&contents)) {
    while (out.size() < bytes) append(fill->value);
  } else if (const auto* limits = std::get_if<RandomContents>(&contents)) {
    base::Random random = limits->seed ? base::Random(*limits->seed, "buffer contents")
                                       : base::Random(base::stream_seed(run_seed, "buffer contents"), name);
    while (out.size() < bytes) append(draw(random, *limits));
  } else {
    out.resize(bytes);
  }
  return out;
}

}  // namespace syncline::platform
