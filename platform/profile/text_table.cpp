#include "platform/profile/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

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
  if (whole == 0) return "-";
  if (part == 0) return "0";
  const double share = 100 * part / whole;
  return share < 0.05 ? "<0.1" : fmt::format("{:.1f}", share);
}

std::string mean(double sum, std::uint64_t count) {
  if (count == 0) return "-";
  const double value = sum / static_cast<double>(count);
  return value < 9999.95 ? fmt::format("{:.1f}", value) : short_number(static_cast<std::uint64_t>(std::llround(value)));
}

std::string short_name(const std::string& name, std::size_t most) {
  return name.size() <= most ? name : name.substr(0, most - 1) + "~";
}

std::string wrapped(const std::string& words, std::size_t width) {
  std::istringstream in(words);
  std::string all, line, word;
  while (in >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      all += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? all : all + line + '\n';
}

}  // namespace syncline::platform
