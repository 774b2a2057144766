#include "platform/profile/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace syncline::platform {

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t n = 0; n < row.size(); ++n) widths[n] = std::max(widths[n], row[n].size());
  }
  std::string all;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t n = 0; n < row.size(); ++n)
      line += n == 0 ? fmt::format("  {:<{}}", row[n], widths[n]) : fmt::format("  {:>{}}", row[n], widths[n]);
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + '\n';
  }
  return all;
}

std::string short_number(std::uint64_t value) {
  if (value < 100'000) return std::to_string(value);
  auto shown = static_cast<double>(value);
  const char* unit = "kMGTPE";
  for (shown /= 1000; shown >= 999.95; shown /= 1000) ++unit;
  return fmt::format("{:.{}f}{}", shown, shown < 9.9995 ? 3 : shown < 99.995 ? 2 : 1, *unit);
}

std::string percent(double part, double whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f}", 100 * part / whole);
}

std::string mean(double sum, std::uint64_t count) {
  return count == 0 ? "-" : fmt::format("{:.1f}", sum / static_cast<double>(count));
}

std::string short_name(const std::string& name, std::size_t most) {
  return name.size() <= most ? name : name.substr(0, most - 1) + "~";
}

}  // namespace syncline::platform
