// An atomic unit in RTL in the place of the library's: a transactor takes requests from the socket of the L2 slice and
// plays them to a SystemVerilog module (atomic_lanes.sv, made into C++ by Verilator) by its valid/ready handshakes. The
// program counts values, and looks for the least, the greatest and the first one, under the coherence policy that the
// command line names.
#include "Vatomic_lanes.h"  // before SystemC, of which it would take itself for a part

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "models/atomic_unit/atomic_work.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

class RtlAtomicUnit : public sc_core::sc_module {
 public:
  RtlAtomicUnit(const sc_core::sc_module_name& name, const sc_core::sc_time& period)
      : sc_core::sc_module(name), socket("socket"), period_(period) {
    socket.register_b_transport(this, &RtlAtomicUnit::b_transport);
    rtl_.reset = 1;
    cycle();
    rtl_.reset = 0;
  }
  ~RtlAtomicUnit() override { rtl_.final(); }
  tlm_utils::simple_target_socket<RtlAtomicUnit, 32, models::AtomicProtocol> socket;
  std::uint64_t lanes() const { return lanes_; }

 private:
  /// The module's code of an operation; -1: it has none.
  static int code_of(const models::AtomicWork& work) {
    static const std::map<std::pair<isa::AtomicOp, isa::Type>, int> codes{
        {{isa::AtomicOp::add, isa::Type::u32}, 0},  {{isa::AtomicOp::add, isa::Type::s32}, 0},
        {{isa::AtomicOp::min, isa::Type::u32}, 1},  {{isa::AtomicOp::max, isa::Type::u32}, 2},
        {{isa::AtomicOp::min, isa::Type::s32}, 3},  {{isa::AtomicOp::max, isa::Type::s32}, 4},
        {{isa::AtomicOp::exch, isa::Type::b32}, 5}, {{isa::AtomicOp::cas, isa::Type::b32}, 6}};
    const auto found = codes.find({work.operation, work.type});
    return found == codes.end() ? -1 : found->second;
  }

  void cycle() {
    rtl_.clk = 0;
    rtl_.eval();
    rtl_.clk = 1;
    rtl_.eval();
  }
  void clock() {
    wait(period_);
    cycle();
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    models::AtomicWork& work = models::atomic_work_of(payload);
    const int code = code_of(work);
    if (code < 0 || payload.get_data_length() > sizeof rtl_.line_in) {
      payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      return;
    }
    std::memcpy(&rtl_.line_in, payload.get_data_ptr(), payload.get_data_length());
    rtl_.load = 1;
    clock();
    rtl_.load = 0;
    rtl_.operation = static_cast<unsigned char>(code);
    rtl_.old_ready = 1;
    for (unsigned sent = 0, answered = 0; answered < work.count;) {
      rtl_.lane_valid = sent < work.count ? 1 : 0;
      if (sent < work.count) {
        rtl_.word = work.lanes[sent].offset / 4;
        rtl_.operand = static_cast<std::uint32_t>(work.lanes[sent].operand);
        rtl_.replacement = static_cast<std::uint32_t>(work.lanes[sent].compare);
      }
      rtl_.eval();
      const bool takes = rtl_.lane_valid != 0 && rtl_.lane_ready != 0;
      if (rtl_.old_valid != 0) work.old[answered++] = rtl_.old;
      clock();
      sent += takes ? 1 : 0;
    }
    std::memcpy(payload.get_data_ptr(), &rtl_.line_out, payload.get_data_length());
    lanes_ += work.count;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  const sc_core::sc_time period_;
  Vatomic_lanes rtl_;
  std::uint64_t lanes_ = 0;
};

/// Word 0: least, 1: greatest, 2: who came first, 3: how many did, 4: last of a chain, 5: sum of the others; a count of
/// each value from word 64 on.
constexpr const char* program = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry gather(.param .u64 values, .param .u64 results)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [values];
  ld.param.u64 %rd2, [results];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd3, %rd1, %rd3;
  ld.global.u32 %r5, [%rd3];
  red.global.min.s32 [%rd2], %r5;
  red.global.max.u32 [%rd2+4], %r5;
  add.u32 %r4, %r4, 1;
  atom.global.cas.b32 %r6, [%rd2+8], 0, %r4;
  setp.eq.u32 %p, %r6, 0;
  @%p red.global.add.u32 [%rd2+12], 1;
  atom.global.exch.b32 %r6, [%rd2+16], %r4;
  red.global.add.u32 [%rd2+20], %r6;
  mul.wide.u32 %rd4, %r5, 4;
  add.s64 %rd4, %rd2, %rd4;
  red.global.add.u32 [%rd4+256], 1;
  ret;
}
)";

}  // namespace

int sc_main(int argc, char** argv) {
  constexpr std::uint32_t ctas = 8, threads = 128, lanes = ctas * threads, kinds = 50;
  const std::string policy = argc > 1 ? argv[1] : "none";
  const auto configuration =
      load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", {"coherence.policy=" + policy});

  std::vector<std::unique_ptr<RtlAtomicUnit>> units;
  GpuOptions options;
  options.atomic_unit = [&](unsigned partition, models::PlatformContext&, models::ClockDomain& l2,
                            models::AtomicLink& link) {
    const std::string name = "part" + std::to_string(partition) + "_rtl";
    const sc_core::sc_time period(1e12 / static_cast<double>(l2.frequency_hz()), sc_core::SC_PS);
    units.push_back(std::make_unique<RtlAtomicUnit>(name.c_str(), period));
    link.bind(units.back()->socket);
  };
  Simulation simulation(configuration.spec, /*seed=*/1, options);

  std::vector<std::uint32_t> values(lanes), results(64 + kinds), expected(64 + kinds);
  for (std::uint32_t i = 0; i < lanes; ++i) values[i] = 3 + i * i % (kinds - 3);
  results[0] = 0x7fffffff;
  simulation.run([&](Device& gpu) {
    const DevicePointer from = gpu.upload(values), to = gpu.upload(results);
    const KernelHandle gather = gpu.module_get_function(gpu.module_load_text(program, "gather.ptx"), "gather");
    gpu.launch_kernel(gather, {{ctas}, {threads}}, arguments(from, to));
    results = gpu.download<std::uint32_t>(to, results.size());
  });

  for (const std::uint32_t value : values) ++expected[64 + value];
  const bool counted = std::equal(results.begin() + 64, results.end(), expected.begin() + 64);
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const bool ends = results[0] == *least && results[1] == *greatest;
  const bool one_first = results[2] >= 1 && results[2] <= lanes && results[3] == 1;
  const bool chained = results[4] + results[5] == lanes * (lanes + 1) / 2;
  std::uint64_t performed = 0;
  for (const auto& unit : units) performed += unit->lanes();
  std::printf("%s: %u values counted%s, from %u to %u, thread %u first; %llu lanes in RTL, %llu SM cycles\n",
              policy.c_str(), lanes, counted ? "" : " WRONGLY", results[0], results[1], results[2] - 1,
              static_cast<unsigned long long>(performed),
              static_cast<unsigned long long>(simulation.device().totals().cycles));
  return counted && ends && one_first && chained && performed == lanes * 6 + 1 ? 0 : 1;
}
