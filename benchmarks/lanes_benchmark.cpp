// Nanoseconds per call of typical lane kernels, in every build that the host can run, with a full and a partial mask.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "isa/lanes/form.h"
#include "isa/lanes/kernel_table.h"

namespace {

using namespace syncline::isa;

struct Case {
  const char* name;
  LaneForm form;
};

std::vector<Case> cases() {
  const auto f32 = [](Opcode opcode) { return LaneForm(opcode, Type::f32); };
  return {
      {"add.s32", LaneForm(Opcode::add, Type::s32)},
      {"mad.lo.s32", LaneForm(Opcode::mad, Type::s32).part(MulPart::lo)},
      {"mul.wide.s32", LaneForm(Opcode::mul, Type::s32).part(MulPart::wide)},
      {"div.u32", LaneForm(Opcode::div, Type::u32)},
      {"shl.b32", LaneForm(Opcode::shl, Type::b32)},
      {"lop3.b32", LaneForm(Opcode::lop3, Type::b32)},
      {"prmt.b32", LaneForm(Opcode::prmt, Type::b32)},
      {"selp.b32", LaneForm(Opcode::selp, Type::b32)},
      {"setp.lt.s32", LaneForm(Opcode::setp, Type::s32).compare(Compare::lt)},
      {"setp.lt.f32", f32(Opcode::setp).compare(Compare::lt)},
      {"setp.lt.f64", LaneForm(Opcode::setp, Type::f64).compare(Compare::lt)},
      {"add.rn.f32", f32(Opcode::add).round(Rounding::rn)},
      {"fma.rn.f32", f32(Opcode::fma).round(Rounding::rn)},
      {"fma.rm.f32", f32(Opcode::fma).round(Rounding::rm)},
      {"fma.rn.f64", LaneForm(Opcode::fma, Type::f64).round(Rounding::rn)},
      {"fma.rn.f16x2", LaneForm(Opcode::fma, Type::f16x2).round(Rounding::rn)},
      {"div.rn.f32", f32(Opcode::div).round(Rounding::rn)},
      {"max.f32", f32(Opcode::max)},
      {"ex2.approx.f32", f32(Opcode::ex2).with(LaneFlag::approx)},
      {"sin.approx.f32", f32(Opcode::sin).with(LaneFlag::approx)},
      {"cvt.s64.s32", LaneForm(Opcode::cvt, Type::s64).from(Type::s32)},
      {"cvt.rn.f32.s32", f32(Opcode::cvt).from(Type::s32).round(Rounding::rn)},
      {"cvt.rzi.s32.f32", LaneForm(Opcode::cvt, Type::s32).from(Type::f32).round(Rounding::rzi)},
      {"cvt.rn.f16.f32", LaneForm(Opcode::cvt, Type::f16).from(Type::f32).round(Rounding::rn)},
  };
}

struct Registers {
  alignas(64) float operand[3][64];  // wide enough for 64-bit types
  alignas(64) std::uint64_t result[kernel_lanes] = {};
  Registers() {
    for (unsigned k = 0; k < 3; ++k)
      for (unsigned n = 0; n < 64; ++n) operand[k][n] = 1.5f + 0.25f * static_cast<float>(n * (k + 1) % 37);
  }
};

void run(benchmark::State& state, LaneKernel kernel, std::uint32_t mask) {
  Registers registers;
  LaneArgs args;
  args.dst = registers.result;
  for (unsigned k = 0; k < 3; ++k) args.src[k] = registers.operand[k];
  args.mask = mask;
  args.immediate = 0x96;
  for (auto _ : state) {
    kernel(args);
    benchmark::ClobberMemory();
  }
}

}  // namespace

int main(int argc, char** argv) {
  struct Build {
    const char* name;
    LaneIsa isa;
  };
  for (const Build& build :
       {Build{"portable", LaneIsa::portable}, Build{"avx2", LaneIsa::avx2}, Build{"avx512", LaneIsa::avx512}}) {
    if (!lane_isa_available(build.isa)) continue;
    for (const Case& c : cases()) {
      const LaneKernel kernel = kernel_table(build.isa)->find(c.form);
      const std::string name = std::string(c.name) + "/" + build.name;
      benchmark::RegisterBenchmark((name + "/full").c_str(), run, kernel, 0xffffffffu);
      benchmark::RegisterBenchmark((name + "/masked").c_str(), run, kernel, 0x00fffff0u);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
