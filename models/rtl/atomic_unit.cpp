// The atomic unit: AtomicWork as the payloads of atomic_pins.sv.
#include "Vatomic_unit.h"  // before SystemC, of which it would take itself for a part

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/error.h"
#include "isa/lanes/atomic_value.h"
#include "models/rtl/codecs.h"
#include "models/rtl/factories.h"
#include "models/rtl/verilated_pins.h"

namespace syncline::rtl {
namespace {

using models::AtomicWork;
using models::PinBits;

constexpr unsigned lanes = AtomicUnitSizes::lanes;

enum class Operation : std::uint8_t {
  add,
  min,
  max,
  and_,
  or_,
  xor_,
  exchange,
  compare_and_swap,
  increment,
  decrement
};

Operation operation_of(const AtomicWork& work) {
  using isa::AtomicOp;
  static const std::map<AtomicOp, Operation> operations{
      {AtomicOp::add, Operation::add},       {AtomicOp::min, Operation::min},
      {AtomicOp::max, Operation::max},       {AtomicOp::and_, Operation::and_},
      {AtomicOp::or_, Operation::or_},       {AtomicOp::xor_, Operation::xor_},
      {AtomicOp::exch, Operation::exchange}, {AtomicOp::cas, Operation::compare_and_swap},
      {AtomicOp::inc, Operation::increment}, {AtomicOp::dec, Operation::decrement}};
  const unsigned bytes = isa::type_bytes(work.type);
  const auto found = operations.find(work.operation);
  const bool moves = work.operation == AtomicOp::exch || work.operation == AtomicOp::cas;
  const bool integer = !isa::is_float(work.type) && isa::atomic_is_defined(work.operation, work.type);
  if (found == operations.end() || (bytes != 4 && bytes != 8) || !(moves || integer))
    throw base::UserError(
        fmt::format("the atomic unit in RTL does integers of 32 and 64 bits and no {}.{}; "
                    "`l2.atomic_unit.model: tlm` does",
                    isa::name(work.operation), isa::name(work.type)));
  return found->second;
}

void encode(const tlm::tlm_generic_payload& payload, PinBits& bits) {
  const AtomicWork& work = models::atomic_work_of(payload);
  const Operation operation = operation_of(work);
  bits.put_bytes(payload.get_data_ptr(), payload.get_data_length());
  for (unsigned byte = payload.get_data_length(); byte < base::max_line_bytes; ++byte) bits.put(8, 0);
  for (unsigned i = 0; i < lanes; ++i) {
    const models::AtomicLane lane = i < work.count ? work.lanes[i] : models::AtomicLane{};
    bits.put(64, lane.compare);
    bits.put(64, lane.operand);
    bits.put(5, lane.offset / 4U);
  }
  bits.put(6, work.count);
  bits.put(1, isa::type_bytes(work.type) == 8 ? 1 : 0);
  bits.put(1, isa::is_signed(work.type) ? 1 : 0);
  bits.put(4, static_cast<std::uint64_t>(operation));
}

void decode(PinBits& bits, tlm::tlm_generic_payload& payload) {
  AtomicWork& work = models::atomic_work_of(payload);
  base::LineData line;
  bits.get_bytes(line.data(), base::max_line_bytes);
  std::memcpy(payload.get_data_ptr(), line.data(), payload.get_data_length());
  for (unsigned i = 0; i < work.count; ++i) work.old[i] = bits.get(64);
}

}  // namespace

models::ServerCodec atomic_codec() {
  return {encode, decode};
}

models::Made<models::AtomicUnitPorts> make_atomic_unit(const sc_core::sc_module_name& name,
                                                       const models::AtomicUnitSite& site) {
  const models::AtomicUnitSpec& spec = site.spec;
  const auto pins = server_pins<Vatomic_unit>([spec](Vatomic_unit& unit) {
    unit.latency = static_cast<std::uint8_t>(spec.latency);
    unit.line_rate = static_cast<std::uint8_t>(std::min(spec.line_rate, lanes));
  });
  auto unit = std::make_unique<models::RtlServer<models::AtomicProtocol>>(
      name, site.context, site.clock, models::TickRank::atomic_unit, pins, atomic_codec(), spec.queue);
  const models::AtomicUnitPorts ports{&unit->socket};
  return {std::move(unit), ports};
}

}  // namespace syncline::rtl
