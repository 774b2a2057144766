// The predefined, read-only special registers (PTX ISA, "Special Registers").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isa/vocabulary.h"

namespace syncline::isa {

/// One value per special register. %pm0..%pm7, %pm0_64..%pm7_64, %envreg0..%envreg31, %reserved_smem_offset_<0|1>
/// are the base value plus the number: `pm0 + 3` is %pm3.
enum class SpecialRegister : std::uint8_t {
  tid,
  ntid,
  laneid,
  warpid,
  nwarpid,
  ctaid,
  nctaid,
  smid,
  nsmid,
  gridid,
  is_explicit_cluster,
  clusterid,
  nclusterid,
  cluster_ctaid,
  cluster_nctaid,
  cluster_ctarank,
  cluster_nctarank,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  reserved_smem_offset_begin,
  reserved_smem_offset_end,
  reserved_smem_offset_cap,
  reserved_smem_offset_0,
  reserved_smem_offset_1,
  total_smem_size,
  aggr_smem_size,
  dynamic_smem_size,
  current_graph_exec,
  pm0,
  pm7 = pm0 + 7,
  pm0_64,
  pm7_64 = pm0_64 + 7,
  envreg0,
  envreg31 = envreg0 + 31,
  count_
};

/// Fixed facts about a special register.
struct SpecialRegisterInfo {
  std::string_view name;  ///< with the percent sign: "%tid"; the first of a numbered family carries number 0
  Type type;              ///< of one component: u32, u64 or pred
  bool is_vector;         ///< has .x .y .z .w
};

SpecialRegisterInfo info(SpecialRegister reg);

/// The name with its number: "%pm3", "%envreg17".
std::string special_register_name(SpecialRegister reg);

/// Finds "%tid" (without component); null when PTX defines no such special register.
std::optional<SpecialRegister> find_special_register(std::string_view text);

}  // namespace syncline::isa
