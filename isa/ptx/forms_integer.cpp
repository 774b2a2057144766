// Integer arithmetic, extended precision, bits and logic (PTX ISA: Integer Arithmetic, Extended-Precision Integer
// Arithmetic, Logic and Shift Instructions).
#include "isa/ptx/forms.h"

namespace syncline::isa {

const std::vector<FormRow>& integer_forms() {
  static const std::vector<FormRow> rows = {
      {"add", "$int/$packed", "=t t t"},
      {"add", ".sat $i32/$packed", "=t t t"},
      {"add", ".cc $int32", "=t t t"},
      {"sub", "$int/.u8x4/.s8x4", "=t t t"},
      {"sub", ".sat .s32/.u8x4/.s8x4", "=t t t"},
      {"sub", ".cc $int32", "=t t t"},
      {"addc", ".cc? $int32", "=t t t"},
      {"subc", ".cc? $int32", "=t t t"},
      {"mul", ".lo/.hi $int", "=t t t"},
      {"mul", ".wide .u16/.u32/.s16/.s32", "=w t t"},
      {"mad", ".lo/.hi $int", "=t t t t"},
      {"mad", ".hi .sat .s32", "=t t t t"},
      {"mad", ".wide .u16/.u32/.s16/.s32", "=w t t w"},
      {"mad", ".lo/.hi .cc $int32", "=t t t t"},
      {"madc", ".lo/.hi .cc? $int32", "=t t t t"},
      {"clmad", ".lo/.hi .u64", "=t t t t"},
      {"mul24", ".lo/.hi .u32/.s32", "=t t t"},
      {"mad24", ".lo/.hi .u32/.s32", "=t t t t"},
      {"mad24", ".hi .sat .s32", "=t t t t"},
      {"sad", "$int", "=t t t t"},
      {"div", "$int", "=t t t"},
      {"rem", "$int", "=t t t"},
      {"abs", ".s16/.s32/.s64", "=t t"},
      {"neg", ".s16/.s32/.s64/.s8x4", "=t t"},
      {"min", "$int/$packed", "=t t t"},
      {"min", ".relu .s32/.s16x2/.s8x4", "=t t t"},
      {"max", "$int/$packed", "=t t t"},
      {"max", ".relu .s32/.s16x2/.s8x4", "=t t t"},
      {"popc", ".b32/.b64", "=u32 t"},
      {"clz", ".b32/.b64", "=u32 t"},
      {"bfind", ".shiftamt? $int32", "=u32 t"},
      {"fns", ".b32", "=b32 b32 b32 s32"},
      {"brev", ".b32/.b64", "=t t"},
      {"bfe", "$int32", "=t t u32 u32"},
      {"bfi", ".b32/.b64", "=t t t u32 u32"},
      {"szext", ".clamp/.wrap .u32/.s32", "=t t u32"},
      {"bmsk", ".clamp/.wrap .b32", "=b32 b32 b32"},
      {"dp4a", ".u32/.s32 .u32/.s32", "=s32 t s s32"},
      {"dp2a", ".lo/.hi .u32/.s32 .u32/.s32", "=s32 t s s32"},

      {"and", ".pred/.b16/.b32/.b64", "=t t t"},
      {"or", ".pred/.b16/.b32/.b64", "=t t t"},
      {"xor", ".pred/.b16/.b32/.b64", "=t t t"},
      {"not", ".pred/.b16/.b32/.b64", "=t t"},
      {"cnot", ".b16/.b32/.b64", "=t t"},
      {"lop3", ".b32", "=b32 b32 b32 b32 #"},
      {"lop3", "bool:.and/.or .b32", "=~b32|pred! b32 b32 b32 # !pred"},
      {"shf", ".l/.r .clamp/.wrap .b32", "=b32 b32 b32 u32"},
      {"shl", ".b16/.b32/.b64", "=t t u32"},
      {"shr", ".b16/.b32/.b64/$int", "=t t u32"},
      {"prmt", ".b32 .f4e/.b4e/.rc8/.ecl/.ecr/.rc16?", "=b32 b32 b32 b32"},
  };
  return rows;
}

}  // namespace syncline::isa
