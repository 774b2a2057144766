#include <fmt/format.h>

#include "platform/profile/profile_report.h"
#include "platform/profile/text_table.h"

namespace syncline::platform {
namespace {

// With names of this length no table is wider than the page.
constexpr std::size_t page_width = 100, longest_name = 17;

std::string row_name(const KernelProfile& k) {
  return k.kernel.empty() ? "total" : short_name(k.kernel, longest_name);
}

std::string extents_text(const base::Dim3& d) {
  return d.z > 1   ? fmt::format("{}x{}x{}", d.x, d.y, d.z)
         : d.y > 1 ? fmt::format("{}x{}", d.x, d.y)
                   : std::to_string(d.x);
}

/// One row a kernel, and their sum where there are several.
template <class Row>
std::string table(const ProgramProfile& profile, const std::string& caption, std::vector<std::string> titles, Row row) {
  TextTable table(std::move(titles));
  for (const KernelProfile& kernel : profile.kernels) table.add(row(kernel));
  if (profile.kernels.size() > 1) table.add(row(profile.total));
  return "\n" + wrapped(caption, page_width) + table.text();
}

std::string launches_table(const ProgramProfile& profile) {
  return table(
      profile,
      "launches: of how many different extents; grid, block and shared memory (bytes of a CTA) of those that execute "
      "the most; registers of a thread; local memory that a thread touched, in bytes",
      {"kernel", "launches", "extents", "grid", "block", "registers", "shared", "local"}, [](const KernelProfile& k) {
        const LaunchShape* const s = k.main_shape();
        if (s == nullptr)
          return std::vector<std::string>{row_name(k), short_number(k.launches),     "", "", "", "",
                                          "",          short_number(k.local_touched)};
        return std::vector<std::string>{row_name(k),
                                        short_number(k.launches),
                                        short_number(k.shapes.size()),
                                        extents_text(s->grid),
                                        extents_text(s->block),
                                        std::to_string(k.registers),
                                        short_number(s->shared_bytes),
                                        short_number(k.local_touched)};
      });
}

std::string warps_table(const ProgramProfile& profile) {
  const double contexts = static_cast<double>(profile.machine.warp_contexts());
  return table(profile,
               fmt::format("warps: at once, resident of one launch, the most; fill, in % of {} warp contexts, mean by "
                           "instructions; limited "
                           "by, what keeps more away; mean and longest, instructions of a warp; busy, warps with work "
                           "left, in the mean, "
                           "where all warps of a launch go on at one pace",
                           profile.machine.warp_contexts()),
               {"kernel", "CTAs", "warps", "at once", "fill", "limited by", "mean", "longest", "busy"},
               [&](const KernelProfile& k) {
                 const LaunchShape* const s = k.main_shape();
                 return std::vector<std::string>{row_name(k),
                                                 short_number(k.ctas),
                                                 short_number(k.warps),
                                                 short_number(k.resident_warps),
                                                 percent(k.mean_resident_warps(), contexts),
                                                 s == nullptr ? "" : s->limited_by(),
                                                 mean(static_cast<double>(k.mix.total().warp), k.warps),
                                                 mean(static_cast<double>(k.longest_warps), k.launches),
                                                 mean(k.busy_warps(), 1)};
               });
}

std::string footprint_table(const ProgramProfile& profile) {
  return table(
      profile,
      fmt::format(
          "footprint: distinct lines of {} bytes of global memory, and distinct bytes; read and written include both; "
          "handed on, lines that a launch read after an earlier one wrote them",
          profile.machine.line_bytes),
      {"kernel", "lines", "read", "written", "both", "bytes", "read", "written", "both", "handed on"},
      [](const KernelProfile& k) {
        const LineTotals::Counts lines = k.lines.lines(), bytes = k.lines.bytes();
        return std::vector<std::string>{row_name(k),
                                        short_number(lines.all),
                                        short_number(lines.read),
                                        short_number(lines.written),
                                        short_number(lines.both),
                                        short_number(bytes.all),
                                        short_number(bytes.read),
                                        short_number(bytes.written),
                                        short_number(bytes.both),
                                        short_number(k.lines.lines_handed_on())};
      });
}

std::string sharing_of_lines_table(const ProgramProfile& profile) {
  return table(
      profile,
      "sharing: lines that one CTA of a launch touches (private), or several, without a write (ro) or with one (rw); "
      "of "
      "rw: same byte, a CTA writes a byte that another touches; writers, several CTAs write; CTAs of a shared line, in "
      "the mean and the most; reuse, accesses of a line by one CTA",
      {"kernel", "private", "ro", "rw", "same byte", "writers", "CTAs", "most", "reuse"}, [](const KernelProfile& k) {
        const LineTotals& lines = k.lines;
        return std::vector<std::string>{row_name(k),
                                        short_number(lines.lines(LineSharing::private_)),
                                        short_number(lines.lines(LineSharing::read_only)),
                                        short_number(lines.lines(LineSharing::read_write)),
                                        short_number(lines.lines_with_shared_bytes()),
                                        short_number(lines.lines_of_several_writers()),
                                        mean(static_cast<double>(lines.sharers()), lines.shared_uses()),
                                        short_number(lines.most_sharers()),
                                        mean(static_cast<double>(lines.accesses().all()), lines.touches())};
      });
}

std::string shared_accesses_table(const ProgramProfile& profile) {
  return table(
      profile,
      "line accesses, into which the coalescer divides the access of a warp; in % of them: loads, stores and atomics; "
      "those of ro and of rw lines; loads, stores and atomics of rw lines",
      {"kernel", "accesses", "loads", "stores", "atomics", "ro", "rw", "rw load", "rw store", "rw atom"},
      [](const KernelProfile& k) {
        const LineTotals::Accesses all = k.lines.accesses(), read_write = k.lines.accesses(LineSharing::read_write);
        const auto share = [&](std::uint64_t part) {
          return percent(static_cast<double>(part), static_cast<double>(all.all()));
        };
        return std::vector<std::string>{row_name(k),
                                        short_number(all.all()),
                                        share(all.of(LineUse::load)),
                                        share(all.of(LineUse::store)),
                                        share(all.of(LineUse::atomic)),
                                        share(k.lines.accesses(LineSharing::read_only).all()),
                                        share(read_write.all()),
                                        share(read_write.of(LineUse::load)),
                                        share(read_write.of(LineUse::store)),
                                        share(read_write.of(LineUse::atomic))};
      });
}

/// Loads and stores that are more than weak.
std::uint64_t strong(const InstructionMix& mix) {
  std::uint64_t sum = 0;
  for (auto s = isa::Semantics::volatile_; s <= isa::Semantics::mmio;
       s = static_cast<isa::Semantics>(static_cast<int>(s) + 1))
    sum += mix.accesses(s);
  return sum;
}

std::string coalescing_table(const ProgramProfile& profile) {
  return table(
      profile,
      "instructions that access global memory: lanes and line accesses of a load (ld), a store (st) and an atomic (at) "
      "in the mean; most, line accesses of any; in % of all: strong, loads and stores that are not weak (volatile, "
      "acquire ...); nc, loads by ld.global.nc",
      {"kernel", "ld lanes", "lines", "st lanes", "lines", "at lanes", "lines", "most", "strong", "nc"},
      [](const KernelProfile& k) {
        std::vector<std::string> row{row_name(k)};
        std::uint64_t most = 0, all = 0;
        for (const GlobalAccesses& use : k.global) {
          row.push_back(mean(static_cast<double>(use.lanes), use.instructions));
          row.push_back(mean(static_cast<double>(use.lines), use.instructions));
          most = std::max(most, use.most_lines);
          all += use.instructions;
        }
        const auto whole = static_cast<double>(all);
        row.push_back(short_number(most));
        row.push_back(percent(static_cast<double>(strong(k.mix)), whole));
        row.push_back(percent(static_cast<double>(k.mix.non_coherent_loads()), whole));
        return row;
      });
}

/// A column of a table of the instruction mix.
struct MixColumn {
  const char* title;
  std::vector<InstructionKind> kinds;
};

std::vector<std::string> mix_titles(std::vector<std::string> first, const std::vector<MixColumn>& columns) {
  for (const MixColumn& column : columns) first.emplace_back(column.title);
  return first;
}

void add_mix(std::vector<std::string>& row, const KernelProfile& k, const std::vector<MixColumn>& columns) {
  for (const MixColumn& column : columns) {
    std::uint64_t sum = 0;
    for (const InstructionKind kind : column.kinds) sum += k.mix.of(kind).warp;
    row.push_back(percent(static_cast<double>(sum), static_cast<double>(k.mix.total().warp)));
  }
}

std::string memory_mix_table(const ProgramProfile& profile) {
  static const std::vector<MixColumn> columns{
      {"load", {InstructionKind::global_load}},
      {"store", {InstructionKind::global_store}},
      {"atomic", {InstructionKind::global_atomic, InstructionKind::global_reduction}},
      {"shared", {InstructionKind::shared_load, InstructionKind::shared_store, InstructionKind::shared_atomic}},
      {"local", {InstructionKind::local_access}},
      {"const", {InstructionKind::constant_load}},
      {"param", {InstructionKind::parameter}},
      {"fence", {InstructionKind::fence}},
      {"barrier", {InstructionKind::barrier}}};
  return table(
      profile,
      "instructions: of warps; lanes that execute one in the mean; in % of them: load, store and atomic of global "
      "memory; accesses of shared, local and constant memory and of parameters; fences; barriers of CTAs",
      mix_titles({"kernel", "instr.", "lanes"}, columns), [&](const KernelProfile& k) {
        const InstructionCount all = k.mix.total();
        std::vector<std::string> row{row_name(k), short_number(all.warp),
                                     mean(static_cast<double>(all.thread), all.warp)};
        add_mix(row, k, columns);
        return row;
      });
}

std::string arithmetic_mix_table(const ProgramProfile& profile) {
  static const std::vector<MixColumn> columns{
      {"call", {InstructionKind::call}},        {"lanes", {InstructionKind::cross_lane, InstructionKind::warp_barrier}},
      {"int", {InstructionKind::integer}},      {"mul", {InstructionKind::integer_mul}},
      {"idiv", {InstructionKind::integer_div}}, {"f32", {InstructionKind::single}},
      {"fdiv", {InstructionKind::float_div}},   {"f64", {InstructionKind::double_, InstructionKind::double_div}},
      {"sfu", {InstructionKind::special}},      {"other", {InstructionKind::prefetch, InstructionKind::other}}};
  return table(
      profile,
      "the other instructions, in % of all: branch; diverge, in % of the conditional branches; call, with returns and "
      "exits; lanes, shuffles and votes; arithmetic by unit",
      mix_titles({"kernel", "branch", "diverge"}, columns), [&](const KernelProfile& k) {
        std::vector<std::string> row{row_name(k),
                                     percent(static_cast<double>(k.mix.of(InstructionKind::branch).warp),
                                             static_cast<double>(k.mix.total().warp)),
                                     percent(static_cast<double>(k.mix.divergent_branches()),
                                             static_cast<double>(k.mix.conditional_branches()))};
        add_mix(row, k, columns);
        return row;
      });
}

}  // namespace

std::string profile_text(const ProgramProfile& profile) {
  if (profile.kernels.empty()) return "no kernel was launched\n";
  const ProfiledMachine& machine = profile.machine;
  return fmt::format("{}: {} SMs of {} warps, {} lanes a warp, lines of {} bytes\n", short_name(machine.name, 30),
                     machine.sms, machine.sm.max_warps, machine.sm.warp_size, machine.line_bytes) +
         launches_table(profile) + warps_table(profile) + footprint_table(profile) + sharing_of_lines_table(profile) +
         shared_accesses_table(profile) + coalescing_table(profile) + memory_mix_table(profile) +
         arithmetic_mix_table(profile);
}

}  // namespace syncline::platform
