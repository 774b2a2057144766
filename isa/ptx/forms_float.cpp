// Floating-point arithmetic (PTX ISA: Floating-Point, Half-Precision, Mixed-Precision and Alternate
// Floating-Point Instructions).
#include "isa/ptx/forms.h"

namespace syncline::isa {

const std::vector<FormRow>& float_forms() {
  static const std::vector<FormRow> rows = {
      {"testp", "testp:.finite/.infinite/.number/.notanumber/.normal/.subnormal .f32/.f64", "=pred t"},
      {"copysign", ".f32/.f64", "=t t t"},

      {"add", "$rnd? .ftz? .sat? .f32", "=t t t"},
      {"add", "$rnd? .ftz? .f32x2", "=t t t"},
      {"add", "$rnd? .sat? .f32 .f16/.bf16", "=t s t"},
      {"add", "$rnd? .f32x2 .f16x2/.bf16x2 .f32x2", "=t s r"},
      {"add", ".rz .ftz .f16x2 .f32x2 .f32x2", "=t s r"},
      {"add", ".rz .bf16x2 .f32x2 .f32x2", "=t s r"},
      {"add", ".rn? .satfinite? .e4m3x4/.e5m2x4 $f8in", "=t s t"},
      {"add", "$rnd? .f64", "=t t t"},
      {"add", ".rn? .ftz? .sat? .f16/.f16x2", "=t t t"},
      {"add", ".rn? .bf16/.bf16x2", "=t t t"},
      {"sub", "$rnd? .ftz? .sat? .f32", "=t t t"},
      {"sub", "$rnd? .ftz? .f32x2", "=t t t"},
      {"sub", "$rnd? .sat? .f32 .f16/.bf16", "=t s t"},
      {"sub", "$rnd? .f32x2 .f16x2/.bf16x2 .f32x2", "=t s r"},
      {"sub", ".rz .ftz .f16x2 .f32x2 .f32x2", "=t s r"},
      {"sub", ".rz .bf16x2 .f32x2 .f32x2", "=t s r"},
      {"sub", ".rn? .satfinite? .e4m3x4/.e5m2x4 $f8in", "=t s t"},
      {"sub", "$rnd? .f64", "=t t t"},
      {"sub", ".rn? .ftz? .sat? .f16/.f16x2", "=t t t"},
      {"sub", ".rn? .bf16/.bf16x2", "=t t t"},
      {"mul", "$rnd? .ftz? .sat? .f32", "=t t t"},
      {"mul", "$rnd? .ftz? .f32x2", "=t t t"},
      {"mul", "$rnd? .f64", "=t t t"},
      {"mul", ".rn? .ftz? .sat? .f16/.f16x2", "=t t t"},
      {"mul", ".rn? .bf16/.bf16x2", "=t t t"},
      {"mul", ".rz .ftz .f16x2 .f32x2 .f32x2", "=t s r"},
      {"mul", ".rz .bf16x2 .f32x2 .f32x2", "=t s r"},
      {"mul", ".f16x2 .f16x2 .bf16x2", "=t s r"},
      {"mul", ".bf16x2 .bf16x2 .f16x2", "=t s r"},
      {"mul", ".rn? .satfinite? .e4m3x4/.e5m2x4 $f8in $f8in", "=t s r"},

      {"fma", "$rnd .ftz? .sat? .f32", "=t t t t"},
      {"fma", "$rnd .ftz? .f32x2", "=t t t t"},
      {"fma", "$rnd .sat? .f32 .f16/.bf16", "=t s s t"},
      {"fma", "$rnd .f32x2 .f16x2/.bf16x2 .f32x2 .f32x2", "=t s r t"},
      {"fma", ".rn? .satfinite? .e4m3x4/.e5m2x4 $f8in $f8in", "=t s r t"},
      {"fma", "$rnd .f64", "=t t t t"},
      {"fma", ".rn .ftz? .sat? .f16/.f16x2", "=t t t t"},
      {"fma", ".rn .ftz? .relu .f16/.f16x2", "=t t t t"},
      {"fma", ".rn .relu? .bf16/.bf16x2", "=t t t t"},
      {"fma", ".rn .oob .relu? .f16/.f16x2/.bf16/.bf16x2", "=t t t t"},
      // Without rounding: only for sm_1x, where the product is truncated before the addition.
      {"mad", "$rnd? .ftz? .sat? .f32", "=t t t t"},
      {"mad", "$rnd .f64", "=t t t t"},

      {"div", ".approx/.full .ftz? .f32", "=t t t"},
      {"div", "$rnd .ftz? .f32", "=t t t"},
      {"div", "$rnd .f64", "=t t t"},

      {"abs", ".ftz? .f32/.f16/.f16x2", "=t t"},
      {"abs", ".f64/.bf16/.bf16x2", "=t t"},
      {"neg", ".ftz? .f32/.f16/.f16x2", "=t t"},
      {"neg", ".f64/.bf16/.bf16x2", "=t t"},

      {"min", ".ftz? .NaN? .f32/.f16/.f16x2", "=t t t"},
      {"min", ".ftz? .NaN? .xorsign .abs .f32/.f16/.f16x2", "=t t t"},
      {"min", ".NaN? .bf16/.bf16x2", "=t t t"},
      {"min", ".NaN? .xorsign .abs .bf16/.bf16x2", "=t t t"},
      {"min", ".f64", "=t t t"},
      {"min", ".ftz? .NaN? alone:.abs? .f32", "=t t t t"},
      {"max", ".ftz? .NaN? .f32/.f16/.f16x2", "=t t t"},
      {"max", ".ftz? .NaN? .xorsign .abs .f32/.f16/.f16x2", "=t t t"},
      {"max", ".NaN? .bf16/.bf16x2", "=t t t"},
      {"max", ".NaN? .xorsign .abs .bf16/.bf16x2", "=t t t"},
      {"max", ".f64", "=t t t"},
      {"max", ".ftz? .NaN? alone:.abs? .f32", "=t t t t"},

      {"rcp", ".approx .ftz? .f32", "=t t"},
      {"rcp", "$rnd .ftz? .f32", "=t t"},
      {"rcp", "$rnd .f64", "=t t"},
      {"rcp", ".approx .ftz .f64", "=t t"},
      {"sqrt", ".approx .ftz? .f32", "=t t"},
      {"sqrt", "$rnd .ftz? .f32", "=t t"},
      {"sqrt", "$rnd .f64", "=t t"},
      {"rsqrt", ".approx .ftz? .f32/.f64", "=t t"},
      {"sin", ".approx .ftz? .f32", "=t t"},
      {"cos", ".approx .ftz? .f32", "=t t"},
      {"lg2", ".approx .ftz? .f32", "=t t"},
      {"ex2", ".approx .ftz? .f32", "=t t"},
      {"ex2", ".approx .f16/.f16x2", "=t t"},
      {"ex2", ".approx .ftz .bf16/.bf16x2", "=t t"},
      {"tanh", ".approx .f32/.f16/.f16x2/.bf16/.bf16x2", "=t t"},
  };
  return rows;
}

}  // namespace syncline::isa
