// Branches, calls, barriers, warp-wide operations and the rest (PTX ISA: Control Flow; Parallel Synchronization and
// Communication; Miscellaneous Instructions; Stack Manipulation), and transactions, which are this platform's.
#include "isa/ptx/forms.h"

namespace syncline::isa {

const std::vector<FormRow>& control_forms() {
  static const std::vector<FormRow> rows = {
      {"bra", ".uni?", "label"},
      {"brx", "brx:.idx .uni?", "u32 table"},
      {"call", ".uni?", "call"},
      {"ret", ".uni?", ""},
      {"exit", "", ""},
      {"trap", "", ""},
      {"brkpt", "", ""},
      {"nanosleep", ".u32", "u32"},
      {"pmevent", ".mask?", "#"},
      {"alloca", ".u32/.u64", "=t t #?"},
      {"tx", ".begin/.commit", ""},

      {"bar", "bar:.cta? bar:.sync", "u32 u32?"},
      {"bar", "bar:.cta? bar:.arrive", "u32 u32"},
      {"bar", "bar:.cta? bar:.red bar:.popc .u32", "=u32 u32 u32 !pred"},
      {"bar", "bar:.cta? bar:.red bar:.popc .u32", "=u32 u32 !pred"},
      {"bar", "bar:.cta? bar:.red bar:.and/.or .pred", "=pred u32 u32 !pred"},
      {"bar", "bar:.cta? bar:.red bar:.and/.or .pred", "=pred u32 !pred"},
      {"bar", "bar:.warp warp:.sync", "b32"},
      {"barrier", "bar:.cta? bar:.sync .aligned?", "u32 u32?"},
      {"barrier", "bar:.cta? bar:.arrive .aligned?", "u32 u32"},
      {"barrier", "bar:.cta? bar:.red bar:.popc .aligned? .u32", "=u32 u32 u32 !pred"},
      {"barrier", "bar:.cta? bar:.red bar:.popc .aligned? .u32", "=u32 u32 !pred"},
      {"barrier", "bar:.cta? bar:.red bar:.and/.or .aligned? .pred", "=pred u32 u32 !pred"},
      {"barrier", "bar:.cta? bar:.red bar:.and/.or .aligned? .pred", "=pred u32 !pred"},

      {"shfl", "shfl:.up/.down/.bfly/.idx .b32", "=~b32|pred b32 b32 b32"},
      {"shfl", ".sync shfl:.up/.down/.bfly/.idx .b32", "=~b32|pred b32 b32 b32 b32"},
      {"vote", "vote:.all/.any/.uni .pred", "=pred !pred"},
      {"vote", "vote:.ballot .b32", "=b32 !pred"},
      {"vote", ".sync vote:.all/.any/.uni .pred", "=pred !pred b32"},
      {"vote", ".sync vote:.ballot .b32", "=b32 !pred b32"},
      {"match", "match:.any .sync .b32/.b64", "=b32 t b32"},
      {"match", "match:.all .sync .b32/.b64", "=~b32|pred t b32"},
      {"activemask", ".b32", "=b32"},
      {"elect", ".sync", "=~b32|pred! b32"},
      {"redux", ".sync atom:.add/.min/.max .u32/.s32", "=t t b32"},
      {"redux", ".sync atom:.and/.or/.xor .b32", "=t t b32"},
      {"redux", ".sync atom:.min/.max alone:.abs? .NaN? .f32", "=t t b32"},
  };
  return rows;
}

}  // namespace syncline::isa
