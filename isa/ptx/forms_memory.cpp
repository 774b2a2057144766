// Loads, stores, atomics, fences (PTX ISA: Data Movement; Parallel Synchronization and Communication).
#include "isa/ptx/forms.h"

namespace syncline::isa {

const std::vector<FormRow>& memory_forms() {
  static const std::vector<FormRow> rows = {
      {"ld", ".weak? $ldspace? .ca/.cg/.cs/.lu/.cv? $hints $vec? $mem", "={*t []"},
      {"ld", ".volatile $coherent? .L2::64B/.L2::128B/.L2::256B? $vec? $mem", "={*t []"},
      {"ld", ".relaxed/.acquire $scope $coherent? $hints $vec? $mem", "={*t []"},
      {"ld", ".mmio mmio:.relaxed .sys .global? $mem", "=*t []"},
      {"ld", ".global .ca/.cg/.cs? .nc $hints $vec? $mem", "={*t []"},
      {"ldu", ".global? .v2/.v4? $mem", "={*t []"},

      {"st", ".weak? $stspace? .wb/.cg/.cs/.wt? $hints $vec? $mem", "[] {*t"},
      {"st", ".volatile $coherent? $vec? $mem", "[] {*t"},
      {"st", ".relaxed/.release $scope $coherent? $hints $vec? $mem", "[] {*t"},
      {"st", ".mmio mmio:.relaxed .sys .global? $mem", "[] *t"},

      {"prefetch", ".global/.local? .L1/.L2", "[]"},
      {"prefetch", ".global level:.L2::evict_last/.L2::evict_normal", "[]"},
      {"prefetchu", ".L1", "[]"},
      {"discard", ".global? .L2", "[] #"},

      {"atom", "$sem? $scope? $coherent? atom:.and/.or/.xor .L2::cache_hint? .b32/.b64", "=~t [] t"},
      {"atom", "$sem? $scope? $coherent? atom:.exch .L2::cache_hint? .b32/.b64/.b128", "=~t [] t"},
      {"atom", "$sem? $scope? $coherent? atom:.cas .L2::cache_hint? .b16/.b32/.b64/.b128", "=~t [] t t"},
      {"atom", "$sem? $scope? $coherent? atom:.add .L2::cache_hint? .u32/.s32/.u64/.f32/.f64", "=~t [] t"},
      {"atom", "$sem? $scope? $coherent? atom:.add .noftz .L2::cache_hint? .f16/.f16x2/.bf16/.bf16x2", "=~t [] t"},
      {"atom", "$sem? $scope? $coherent? atom:.inc/.dec .L2::cache_hint? .u32", "=~t [] t"},
      {"atom", "$sem? $scope? $coherent? atom:.min/.max .L2::cache_hint? $int32", "=~t [] t"},
      {"atom", "$sem? $scope? .global? atom:.add .L2::cache_hint? .v2/.v4 .f32", "={~t [] {t"},
      {"atom", "$sem? $scope? .global? atom:$vop .noftz .L2::cache_hint? .v2/.v4/.v8 .f16/.bf16", "={~t [] {t"},
      {"atom", "$sem? $scope? .global? atom:$vop .noftz .L2::cache_hint? .v2/.v4 .f16x2/.bf16x2", "={~t [] {t"},

      {"red", "$rsem? $scope? $coherent? atom:.and/.or/.xor .L2::cache_hint? .b32/.b64", "[] t"},
      {"red", "$rsem? $scope? $coherent? atom:.add .L2::cache_hint? .u32/.s32/.u64/.f32/.f64", "[] t"},
      {"red", "$rsem? $scope? $coherent? atom:.add .noftz .L2::cache_hint? .f16/.f16x2/.bf16/.bf16x2", "[] t"},
      {"red", "$rsem? $scope? $coherent? atom:.inc/.dec .L2::cache_hint? .u32", "[] t"},
      {"red", "$rsem? $scope? $coherent? atom:.min/.max .L2::cache_hint? $int32", "[] t"},
      {"red", "$rsem? $scope? .global? atom:.add .L2::cache_hint? .v2/.v4 .f32", "[] {t"},
      {"red", "$rsem? $scope? .global? atom:$vop .noftz .L2::cache_hint? .v2/.v4/.v8 .f16/.bf16", "[] {t"},
      {"red", "$rsem? $scope? .global? atom:$vop .noftz .L2::cache_hint? .v2/.v4 .f16x2/.bf16x2", "[] {t"},

      {"membar", ".cta/.gl/.sys", ""},
      {"membar", ".proxy proxy:.alias", ""},
      {"fence", ".sc/.acq_rel/.acquire/.release? $scope", ""},
      {"fence", ".proxy proxy:.alias", ""},
      {"fence", ".proxy proxy:.async", ""},
      {"fence", ".proxy proxy:.async proxy:.global/.shared::cta/.shared::cluster", ""},
  };
  return rows;
}

}  // namespace syncline::isa
