// Comparison, selection, moves and conversions (PTX ISA: Comparison and Selection, Data Movement and Conversion).
#include "isa/ptx/forms.h"

namespace syncline::isa {

const std::vector<FormRow>& compare_and_move_forms() {
  static const std::vector<FormRow> rows = {
      {"setp", "cmp:$bcmp .b16/.b32/.b64", "=~pred|pred t t"},
      {"setp", "cmp:$icmp $sint", "=~pred|pred t t"},
      {"setp", "cmp:$ucmp $uint", "=~pred|pred t t"},
      {"setp", "cmp:$fcmp .ftz? .f32/.f16", "=~pred|pred t t"},
      {"setp", "cmp:$fcmp .f64/.bf16", "=~pred|pred t t"},
      {"setp", "cmp:$fcmp .ftz? .f16x2", "=~pred|pred! t t"},
      {"setp", "cmp:$fcmp .bf16x2", "=~pred|pred! t t"},
      {"setp", "cmp:$bcmp bool:$bool .b16/.b32/.b64", "=~pred|pred t t !pred"},
      {"setp", "cmp:$icmp bool:$bool $sint", "=~pred|pred t t !pred"},
      {"setp", "cmp:$ucmp bool:$bool $uint", "=~pred|pred t t !pred"},
      {"setp", "cmp:$fcmp bool:$bool .ftz? .f32/.f16", "=~pred|pred t t !pred"},
      {"setp", "cmp:$fcmp bool:$bool .f64/.bf16", "=~pred|pred t t !pred"},
      {"setp", "cmp:$fcmp bool:$bool .ftz? .f16x2", "=~pred|pred! t t !pred"},
      {"setp", "cmp:$fcmp bool:$bool .bf16x2", "=~pred|pred! t t !pred"},

      {"set", "cmp:$bcmp $setd .b16/.b32/.b64", "=t s s"},
      {"set", "cmp:$icmp $setd $sint", "=t s s"},
      {"set", "cmp:$ucmp $setd $uint", "=t s s"},
      {"set", "cmp:$fcmp .ftz? .u32/.s32/.f32/.f16 .f32", "=t s s"},
      {"set", "cmp:$fcmp .bf16 .f32", "=t s s"},
      {"set", "cmp:$fcmp $setd .f64", "=t s s"},
      {"set", "cmp:$fcmp .ftz? .f16/$seth .f16", "=t s s"},
      {"set", "cmp:$fcmp .bf16/$seth .bf16", "=t s s"},
      {"set", "cmp:$fcmp .bf16 .f16", "=t s s"},
      {"set", "cmp:$fcmp .ftz? .f16x2/.u32/.s32 .f16x2", "=t s s"},
      {"set", "cmp:$fcmp .bf16x2/.u32/.s32 .bf16x2", "=t s s"},
      {"set", "cmp:$bcmp bool:$bool $setd .b16/.b32/.b64", "=t s s !pred"},
      {"set", "cmp:$icmp bool:$bool $setd $sint", "=t s s !pred"},
      {"set", "cmp:$ucmp bool:$bool $setd $uint", "=t s s !pred"},
      {"set", "cmp:$fcmp bool:$bool .ftz? .u32/.s32/.f32/.f16 .f32", "=t s s !pred"},
      {"set", "cmp:$fcmp bool:$bool .bf16 .f32", "=t s s !pred"},
      {"set", "cmp:$fcmp bool:$bool $setd .f64", "=t s s !pred"},
      {"set", "cmp:$fcmp bool:$bool .ftz? .f16/$seth .f16", "=t s s !pred"},
      {"set", "cmp:$fcmp bool:$bool .bf16/$seth .bf16", "=t s s !pred"},
      {"set", "cmp:$fcmp bool:$bool .bf16 .f16", "=t s s !pred"},
      {"set", "cmp:$fcmp bool:$bool .ftz? .f16x2/.u32/.s32 .f16x2", "=t s s !pred"},
      {"set", "cmp:$fcmp bool:$bool .bf16x2/.u32/.s32 .bf16x2", "=t s s !pred"},
      {"set", "cmp:$icmp .s16x2/.s8x4", "=t t t"},
      {"set", "cmp:$ucmp .u16x2/.u8x4", "=t t t"},

      {"selp", ".b16/.b32/.b64/$int/.f32/.f64", "=t t t !pred"},
      {"slct", ".b16/.b32/.b64/$int/.f32/.f64 .s32", "=t t t s"},
      {"slct", ".ftz? .b16/.b32/.b64/$int/.f32/.f64 .f32", "=t t t s"},

      {"mov", ".b16/.b32/.b64/.b128", "=%t $&%t"},
      {"mov", "$int/.f32/.f64", "=t $&t"},
      {"mov", ".pred", "=t $!t"},
      {"mov", ".v2/.v4 .b16/.b32/.b64/$int/.f32/.f64", "={t {$t"},

      {"cvta", "$space .u32/.u64", "=t &t"},
      {"cvta", ".to to:$space .u32/.u64", "=t t"},
      {"isspacep", "$space", "=pred ad"},

      // integer to integer, to float, float to integer; .ftz goes with .f32 only
      {"cvt", ".sat? $int8 $int8", "=*t $*s"},
      {"cvt", "$rnd .ftz? .sat? .f32 $int8", "=*t $*s"},
      {"cvt", "$rnd .sat? .f16/.f64 $int8", "=*t $*s"},
      {"cvt", "$rnd .bf16 $int8", "=*t $*s"},
      {"cvt", "$irnd .ftz? .sat? $int8 .f32", "=*t *s"},
      {"cvt", "$irnd .sat? $int8 .f16/.f64", "=*t *s"},
      {"cvt", "$irnd .sat? $int8 .bf16", "=*t *s"},
      // float to the same float, with optional rounding to an integral value
      {"cvt", "$irnd? .ftz? .sat? .f32 .f32", "=*t *s"},
      {"cvt", "$irnd? .sat? .f16 .f16", "=*t *s"},
      {"cvt", "$irnd? .sat? .f64 .f64", "=*t *s"},
      {"cvt", "$irnd? .bf16 .bf16", "=*t *s"},
      // wider
      {"cvt", ".ftz? .sat? .f64 .f32", "=*t *s"},
      {"cvt", ".sat? .f64 .f16", "=*t *s"},
      {"cvt", ".sat? .f64 .bf16", "=*t *s"},
      {"cvt", ".ftz? .sat? .f32 .f16", "=*t *s"},
      {"cvt", ".ftz? .sat? .f32 .bf16", "=*t *s"},
      // narrower
      {"cvt", "$rnd .ftz? .sat? .f32 .f64", "=*t *s"},
      {"cvt", "$rnd .ftz? .sat? .f16 .f32", "=*t *s"},
      {"cvt", "$rnd .sat? .f16 .f64", "=*t *s"},
      {"cvt", ".rn/.rz .relu .f16/.bf16 .f32", "=*t *s"},
      {"cvt", ".rn/.rz .relu? .satfinite .f16/.bf16 .f32", "=*t *s"},
      {"cvt", "$rnd .ftz? .bf16 .f32", "=*t *s"},
      {"cvt", "$rnd .bf16 .f64/.f16", "=*t *s"},
      {"cvt", "$rnd .sat? .f16 .bf16", "=*t *s"},
      {"cvt", ".rn/.rz .relu? .satfinite? .pzo .f16/.bf16 .f32", "=*t *s"},
      {"cvt", ".rn/.rz .relu? .satfinite? .pzo? .f16x2/.bf16x2 .f32", "=t s s"},
      {"cvt", ".rs .relu? .satfinite? .f16x2/.bf16x2 .f32", "=t s s b32"},
      {"cvt", ".rna .satfinite? .tf32 .f32", "=t s"},
      {"cvt", ".rn/.rz .relu? .satfinite? .pzo? .tf32 .f32", "=t s"},
      // pairs of small formats; .e2m1x2 is a byte, the others are 16 bits
      {"cvt", ".rn/.rz .relu? .satfinite .pzo? $f8x2 .f32", "=*t s s"},
      {"cvt", ".rn/.rz .relu? .satfinite .pzo? $f8x2 .f16x2/.bf16x2", "=*t s"},
      {"cvt", ".rn/.rz .relu? .satfinite .pzo? .scaled::n1::ue8m0 $f8x2 .f32", "=*t s s b8"},
      {"cvt", ".rn/.rz .relu? .satfinite .pzo? .scaled::n1::ue8m0 $f8x2 .f16x2/.bf16x2", "=*t s b8"},
      {"cvt", ".rn .relu? .f16x2 $f8x2", "=t *s"},
      {"cvt", ".rn .relu? .satfinite? .bf16x2 $f8x2", "=t *s"},
      {"cvt", ".rn .relu? .satfinite? .scaled::n2::ue8m0 .bf16x2 $f8x2", "=t *s b16"},
      {"cvt", ".rs .relu? .satfinite $f8x4 .f32", "=*t @s b32"},
      // powers of two
      {"cvt", ".rz/.rp .satfinite? .ue8m0x2 .f32", "=*t s s"},
      {"cvt", ".rz/.rp .satfinite? .ue8m0x2 .bf16x2", "=*t s"},
      {"cvt", ".rn .bf16x2 .ue8m0x2", "=t *s"},
      // fixed point
      {"cvt", ".rn/.rz .relu? .satfinite .s2f6x2 .f32", "=*t s s"},
      {"cvt", ".rn/.rz .relu? .satfinite .s2f6x2 .bf16x2", "=*t s"},
      {"cvt", ".rn/.rz .relu? .satfinite .scaled::n2::ue8m0 .s2f6x2 .f32", "=*t s s b16"},
      {"cvt", ".rn/.rz .relu? .satfinite .scaled::n2::ue8m0 .s2f6x2 .bf16x2", "=*t s b16"},
      {"cvt", ".rn .relu? .satfinite? .bf16x2 .s2f6x2", "=t *s"},
      {"cvt", ".rn .relu? .satfinite? .scaled::n2::ue8m0 .bf16x2 .s2f6x2", "=t *s b16"},
      // without sign
      {"cvt", ".rn/.rz/.rp .satfinite? .ue5m3x2 .f32", "=*t s s"},
      {"cvt", ".rn/.rz/.rp .satfinite? .ue5m3x2 .f16x2/.bf16x2", "=*t s"},
      {"cvt", ".rn/.rz .satfinite? .scaled::n1::ue8m0 .ue5m3x2 .f32", "=*t s s b8"},
      {"cvt", ".rn/.rz .satfinite? .scaled::n1::ue8m0 .ue5m3x2 .f16x2/.bf16x2", "=*t s b8"},
      {"cvt", ".rn .f16x2 .ue5m3x2", "=t *s"},
      {"cvt", ".rn .satfinite? .bf16x2 .ue5m3x2", "=t *s"},
      {"cvt", ".rn .satfinite? .scaled::n2::ue8m0 .bf16x2 .ue5m3x2", "=t *s b16"},
      // two words beside each other, and above them the low bits of c
      {"cvt", ".pack .sat .u16/.s16 .s32", "=u32 s s"},
      {"cvt", ".pack .sat .u8/.s8/.u4/.s4/.u2/.s2 .s32 .b32", "=u32 s s r"},
  };
  return rows;
}

}  // namespace syncline::isa
