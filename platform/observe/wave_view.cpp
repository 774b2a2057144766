#include "platform/observe/wave_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "platform/observe/wave_scopes.h"

namespace syncline::platform {
namespace {

namespace fs = std::filesystem;

struct Theme {
  const char* title;
  std::vector<std::string> groups;
  std::size_t blocks;  ///< shown at most, for a view is to be read
};

const std::vector<Theme>& themes() {
  static const std::vector<Theme> all{{"Work distributor", {"work_distributor", "kernels"}, 2},
                                      {"SM pipeline", {"sm", "warps"}, 2},
                                      {"Lines", {"lines"}, 64},
                                      {"L1", {"l1"}, 2},
                                      {"L2", {"l2", "atomic", "z_unit"}, 3},
                                      {"Networks", {"crossbar", "ports"}, 4},
                                      {"DRAM", {"dram", "banks"}, 2},
                                      {"Determinism", {"determinism"}, 8},
                                      {"Transactions", {"transactions"}, 8},
                                      {"RTL", {"rtl"}, 8}};
  return all;
}

// GTKWave's flags of a trace.
constexpr std::uint64_t decimal = 0x24, names_in_decimal = 0x2024, hexadecimal = 0x22, binary = 0x28, curve = 0x8024;
constexpr std::uint64_t names_of_fst = 0x100000028;  // which has them itself, by the bits of the values
constexpr unsigned comment = 0x200, group_begins = 0x800200, group_ends = 0x1000200;

std::uint64_t flags_of(const models::TracedSignal& signal, bool is_fst) {
  if (signal.as.names != nullptr) return is_fst ? names_of_fst : names_in_decimal;
  if (signal.width == 1) return binary;
  const auto ends_in = [&signal](const std::string& ending) {
    return signal.name.size() >= ending.size() &&
           signal.name.compare(signal.name.size() - ending.size(), ending.size(), ending) == 0;
  };
  if (signal.width > 32 || ends_in("_lanes")) return hexadecimal;
  return ends_in("_line") || ends_in("_row") || ends_in("kernel") ? decimal : curve;
}

std::string checked(const std::string& path) {
  if (fs::path(path).extension() != ".gtkw")
    throw base::UserError("cannot write a view to `" + path + "`: expected a file name that ends in .gtkw");
  return path;
}

}  // namespace

WaveView::WaveView(Outputs& outputs, const std::string& path, const std::string& waves,
                   const std::vector<const models::TracedSignal*>& signals)
    : view_(outputs, checked(path), "--wave-view"),
      waves_(waves),
      is_fst_(fs::path(waves).extension() == ".fst"),
      signals_(signals) {
  if (is_fst_) return;
  for (const models::TracedSignal* signal : signals_) {
    const models::ValueNames* const names = signal->as.names.get();
    if (names == nullptr || names_.count(names) != 0) continue;
    // SMs of one platform have equal enumerations, each its own.
    const auto same = std::find_if(names_.begin(), names_.end(), [names](const auto& known) {
      return known.first->name == names->name && known.first->values == names->values;
    });
    if (same != names_.end()) {
      names_[names].path = same->second.path;
      continue;
    }
    Names& made = names_[names];
    made.path = fs::path(path).replace_extension(names->name + ".txt").string();
    made.file = std::make_unique<OutputFile>(outputs, made.path, "--wave-view");
    for (const auto& [value, name] : names->values) made.file->stream() << value << ' ' << name << '\n';
  }
}

void WaveView::finish(std::uint64_t opens_at_ps) {
  std::ostream& out = view_.stream();
  out << "[*] gtkwave " << waves_ << " with this file\n";
  out << "[timestart] " << opens_at_ps << "\n[size] 1500 1000\n[pos] -1 -1\n";
  out << "*-20.100000 " << opens_at_ps;
  for (unsigned marker = 0; marker < 27; ++marker) out << " -1";
  out << "\n[treeopen] " << wave_root_scope << ".\n[sst_width] 180\n[signals_width] 260\n[sst_expanded] 0\n";
  for (const Theme& theme : themes()) put_theme(theme.title, theme.groups, theme.blocks);
  view_.finish();
  for (auto& [names, made] : names_) {
    if (made.file) made.file->finish();
  }
}

/// The first blocks that have signals of the groups, in a group of traces that can be closed.
void WaveView::put_theme(const std::string& title, const std::vector<std::string>& groups, std::size_t blocks) {
  std::ostream& out = view_.stream();
  const auto is_of_theme = [&groups](const models::TracedSignal* signal) {
    return std::find(groups.begin(), groups.end(), signal->group) != groups.end();
  };
  std::string block;
  std::size_t shown = 0;
  for (const models::TracedSignal* signal : signals_) {
    if (!is_of_theme(signal)) continue;
    if (signal->block != block) {
      if (shown == blocks) break;
      if (shown++ == 0) out << fmt::format("@{:x}\n-{}\n", group_begins, title);
      block = signal->block;
      out << fmt::format("@{:x}\n-{}\n", comment, block);
    }
    put_signal(*signal);
  }
  if (shown != 0) out << fmt::format("@{:x}\n-{}\n", group_ends, title);
}

void WaveView::put_signal(const models::TracedSignal& signal) {
  std::ostream& out = view_.stream();
  const std::uint64_t flags = flags_of(signal, is_fst_);
  out << fmt::format("@{:x}\n", flags);
  if (flags == names_in_decimal) {
    // A relative one would be looked for where GTKWave is started.
    std::error_code unknown;
    const fs::path file = fs::absolute(names_.at(signal.as.names.get()).path, unknown);
    out << fmt::format("^1 {}\n", file.string());
  }
  out << wave_root_scope << '.' << signal.full_name();
  if (signal.width > 1) out << fmt::format("[{}:0]", signal.width - 1);
  out << '\n';
  if (flags == curve) out << "@20000\n-\n";
}

}  // namespace syncline::platform
