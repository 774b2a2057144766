// The policy `gpudet`: strong determinism by quanta. In parallel mode each warp runs against memory as the last quantum
// left it and keeps its stores to itself; commit mode writes them in an order that depends on nothing but the warps'
// numbers; atomics run one after the other in serial mode.
//
// Source: H. Jooybar, "GPUDet: a deterministic GPU architecture", MASc thesis, 2013, chapter 4.
#pragma once

#include <cstdint>

#include "base/fields.h"

namespace syncline::protocols::gpudet {

/// What ends a quantum early (sections 4.2.1, 4.2.2): `base` barriers and ends of CTAs too, `bta` no barrier that opens
/// within the quantum, `bta_dwp` nor the end of a CTA, whose place the next CTA of its partition takes.
enum class QuantumFormation : std::uint8_t { base, bta, bta_dwp };
/// Serial mode: a warp at a time, or an SM at a time (section 4.5).
enum class SerialOrder : std::uint8_t { w_ser, cu_ser };
/// What a warp sees behind a barrier that did not end the quantum: `thesis`, its own stores and nobody else's, though
/// the barrier ordered those of its CTA before; `visible`, these too, and they are committed in that order.
enum class BarrierRule : std::uint8_t { thesis, visible };

/// Accesses of the warps of a CTA to its shared memory: `free`, as they come, which the thesis leaves to programs
/// without races there; `instructions`, in the order of how many instructions each warp has issued, as its section 8.1
/// proposes and Kendo does for locks (M. Olszewski et al., "Kendo: efficient deterministic multithreading in software",
/// ASPLOS 2009, section 3).
enum class SharedOrder : std::uint8_t { free, instructions };

/// The data field of an entry of a log (section 4.3): a `chunk` of a line's size, its bytes where they are in the line
/// that was stored to; or `packed`, the bytes that the mask names one behind the other.
enum class LogData : std::uint8_t { chunk, packed };
/// While the stores of a quantum are committed: warps wait (`none`), or issue what their next quantum begins with as
/// far as the commit cannot change its inputs (`next_quantum`), as section 8.1.3 of the thesis proposes.
enum class Overlap : std::uint8_t { none, next_quantum };

const base::ChoiceTable<QuantumFormation>& quantum_formations();
const base::ChoiceTable<SerialOrder>& serial_orders();
const base::ChoiceTable<BarrierRule>& barrier_rules();
const base::ChoiceTable<SharedOrder>& shared_orders();
const base::ChoiceTable<LogData>& log_data_names();
const base::ChoiceTable<Overlap>& overlaps();

/// The keys `determinism.gpudet.*` that quanta depend on.
struct GpudetSpec {
  QuantumFormation quantum_formation = QuantumFormation::bta_dwp;
  std::uint32_t quantum_size = 200;
  SerialOrder serial = SerialOrder::cu_ser;
  BarrierRule barrier_rule = BarrierRule::visible;
  SharedOrder shared_order = SharedOrder::free;
  Overlap overlap = Overlap::none;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("quantum_formation", quantum_formation, quantum_formations(),
             param::text("what lets a quantum go on: nothing, barriers that open (bta), CTAs that end too (bta_dwp)",
                         "GPUDet 4.2"));
    v.field("quantum_size", quantum_size,
            param::count("instructions that a warp issues in one quantum", "GPUDet 6.1").between(1, 1'000'000));
    v.choice("serial", serial, serial_orders(),
             param::text("atomics one warp at a time, or one SM at a time with its warps in order", "GPUDet 4.5"));
    v.choice(
        "barrier_rule", barrier_rule, barrier_rules(),
        param::text("behind a barrier within a quantum a warp sees its own stores only (thesis), or those that the "
                    "barrier orders before it (visible)",
                    "GPUDet 4.2.1"));
    v.choice("shared_order", shared_order, shared_orders(),
             param::text("accesses to shared memory as they come, or the warp of the CTA that has issued the fewest "
                         "instructions first, so that races there have one end too",
                         "GPUDet 4.6, 8.1"));
    v.choice("overlap", overlap, overlaps(),
             param::text("while stores are committed warps wait, or begin their next quantum with what the commit "
                         "cannot change; results are the same",
                         "GPUDet 8.1.3"));
  }
};

}  // namespace syncline::protocols::gpudet
