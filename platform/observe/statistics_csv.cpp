#include "platform/observe/statistics_csv.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

namespace syncline::platform {
namespace {

/// A field of text; quotes stand where RFC 4180 asks for them.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

/// Where a statistic stands: the columns before the numbers.
std::string place(const std::string& kernel, const base::Statistic& statistic) {
  const BlockName block = split_block_name(statistic.block);
  return fmt::format("{},{},{},{},{}", kernel, field(block.kind), block.index, field(statistic.name),
                     field(statistic.unit));
}

std::string numbers(const base::Statistic& statistic) {
  if (statistic.counter != nullptr) return fmt::format("{},,,", statistic.counter->value());
  if (statistic.gauge) return fmt::format("{},,,", statistic.gauge());
  const base::Distribution& d = *statistic.distribution;
  return fmt::format("{},{},{},{}", d.sum(), d.count(), d.min(), d.max());
}

std::string numbers(const StatisticGain& gain) {
  if (gain.statistic->gauge) return fmt::format("{},,,", gain.value);
  const std::string count = gain.statistic->distribution != nullptr ? std::to_string(gain.count) : std::string();
  return fmt::format("{},{},,", static_cast<std::uint64_t>(gain.value), count);
}

}  // namespace

BlockName split_block_name(std::string_view block) {
  const auto is_digit = [&block](std::size_t at) { return std::isdigit(static_cast<unsigned char>(block[at])) != 0; };
  const std::size_t dot = block.rfind('.');
  for (std::size_t at = dot == std::string_view::npos ? 0 : dot + 1; at < block.size();) {
    std::size_t end = at;
    while (end < block.size() && is_digit(end)) ++end;
    // The 2 of "part0_l2" belongs to the word, but then it comes behind the number.
    if (end != at && (end == block.size() || block[end] == '_'))
      return {std::string(block.substr(0, at)).append(block.substr(end)), std::string(block.substr(at, end - at))};
    at = end == at ? at + 1 : end;
  }
  return {std::string(block), ""};
}

void write_statistics_csv(std::ostream& out, const base::StatisticsRegistry& statistics,
                          const nlohmann::ordered_json& provenance, const std::vector<KernelRecord>& kernels) {
  out << "# " << provenance.dump() << "\nkernel,kernel_name,block,index,statistic,unit,value,count,min,max\n";
  for (const base::Statistic* const statistic : statistics.sorted())
    out << place(",", *statistic) << "," << numbers(*statistic) << "\n";
  for (const KernelRecord& kernel : kernels) {
    const std::string name = fmt::format("{},{}", kernel.number, field(kernel.name));
    for (const StatisticGain& gain : kernel.gains) out << place(name, *gain.statistic) << "," << numbers(gain) << "\n";
  }
}

}  // namespace syncline::platform
