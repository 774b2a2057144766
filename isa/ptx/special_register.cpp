#include "isa/ptx/special_register.h"

#include <charconv>
#include <iterator>
#include <string>

namespace syncline::isa {
namespace {

struct Row {
  std::string_view name;
  SpecialRegister reg;
  Type type;
  bool is_vector;
};

using S = SpecialRegister;
constexpr Row rows[] = {
    {"%tid", S::tid, Type::u32, true},
    {"%ntid", S::ntid, Type::u32, true},
    {"%laneid", S::laneid, Type::u32, false},
    {"%warpid", S::warpid, Type::u32, false},
    {"%nwarpid", S::nwarpid, Type::u32, false},
    {"%ctaid", S::ctaid, Type::u32, true},
    {"%nctaid", S::nctaid, Type::u32, true},
    {"%smid", S::smid, Type::u32, false},
    {"%nsmid", S::nsmid, Type::u32, false},
    {"%gridid", S::gridid, Type::u64, false},
    {"%is_explicit_cluster", S::is_explicit_cluster, Type::pred, false},
    {"%clusterid", S::clusterid, Type::u32, true},
    {"%nclusterid", S::nclusterid, Type::u32, true},
    {"%cluster_ctaid", S::cluster_ctaid, Type::u32, true},
    {"%cluster_nctaid", S::cluster_nctaid, Type::u32, true},
    {"%cluster_ctarank", S::cluster_ctarank, Type::u32, false},
    {"%cluster_nctarank", S::cluster_nctarank, Type::u32, false},
    {"%lanemask_eq", S::lanemask_eq, Type::u32, false},
    {"%lanemask_le", S::lanemask_le, Type::u32, false},
    {"%lanemask_lt", S::lanemask_lt, Type::u32, false},
    {"%lanemask_ge", S::lanemask_ge, Type::u32, false},
    {"%lanemask_gt", S::lanemask_gt, Type::u32, false},
    {"%clock", S::clock, Type::u32, false},
    {"%clock_hi", S::clock_hi, Type::u32, false},
    {"%clock64", S::clock64, Type::u64, false},
    {"%globaltimer", S::globaltimer, Type::u64, false},
    {"%globaltimer_lo", S::globaltimer_lo, Type::u32, false},
    {"%globaltimer_hi", S::globaltimer_hi, Type::u32, false},
    {"%reserved_smem_offset_begin", S::reserved_smem_offset_begin, Type::b32, false},
    {"%reserved_smem_offset_end", S::reserved_smem_offset_end, Type::b32, false},
    {"%reserved_smem_offset_cap", S::reserved_smem_offset_cap, Type::b32, false},
    {"%reserved_smem_offset_0", S::reserved_smem_offset_0, Type::b32, false},
    {"%reserved_smem_offset_1", S::reserved_smem_offset_1, Type::b32, false},
    {"%total_smem_size", S::total_smem_size, Type::u32, false},
    {"%aggr_smem_size", S::aggr_smem_size, Type::u32, false},
    {"%dynamic_smem_size", S::dynamic_smem_size, Type::u32, false},
    {"%current_graph_exec", S::current_graph_exec, Type::u64, false},
};

/// Families with a number in the name.
struct Family {
  std::string_view prefix, suffix;
  SpecialRegister first;
  unsigned count;
  Type type;
};
constexpr Family families[] = {
    {"%pm", "", S::pm0, 8, Type::u32},
    {"%pm", "_64", S::pm0_64, 8, Type::u64},
    {"%envreg", "", S::envreg0, 32, Type::b32},
};

}  // namespace

SpecialRegisterInfo info(SpecialRegister reg) {
  for (const Row& row : rows)
    if (row.reg == reg) return {row.name, row.type, row.is_vector};
  if (reg >= S::envreg0) return {"%envreg0", Type::b32, false};
  if (reg >= S::pm0_64) return {"%pm0_64", Type::u64, false};
  return {"%pm0", Type::u32, false};
}

std::string special_register_name(SpecialRegister reg) {
  for (const Family& family : families) {
    const unsigned number = static_cast<unsigned>(reg) - static_cast<unsigned>(family.first);
    if (reg >= family.first && number < family.count)
      return std::string(family.prefix) + std::to_string(number) + std::string(family.suffix);
  }
  return std::string(info(reg).name);
}

std::optional<SpecialRegister> find_special_register(std::string_view text) {
  for (const Row& row : rows)
    if (row.name == text) return row.reg;
  for (const Family& family : families) {
    if (text.substr(0, family.prefix.size()) != family.prefix) continue;
    const std::string_view rest = text.substr(family.prefix.size());
    unsigned number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const bool canonical = rest.size() < 2 || rest[0] != '0' || rest[1] == '_';
    if (error == std::errc() && canonical && number < family.count &&
        std::string_view(end, static_cast<std::size_t>(rest.data() + rest.size() - end)) == family.suffix)
      return static_cast<SpecialRegister>(static_cast<unsigned>(family.first) + number);
  }
  return std::nullopt;
}

}  // namespace syncline::isa
