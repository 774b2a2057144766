// cvt between integers: sign- or zero-extension, truncation, and .sat.
#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/integer_ops.h"
#include "isa/lanes/kernels/loop.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <class D, class S>
D convert(S value) {
  return static_cast<D>(value);
}
template <class D, class S>
D convert_saturated(S value) {
  if (is_signed_type<S> && value < 0) {
    if (!is_signed_type<D>) return 0;
    return static_cast<s64>(value) < static_cast<s64>(lowest<D>) ? lowest<D> : static_cast<D>(value);
  }
  return static_cast<u64>(value) > static_cast<u64>(highest<D>) ? highest<D> : static_cast<D>(value);
}

template <class D, class S>
void add_pair(KernelTable& table) {
  const LaneForm form = LaneForm(Opcode::cvt, type_of<D>).from(type_of<S>);
  // Equal bits need one function only: the sign of the destination does not matter without saturation.
  table.add(form, map<convert<Unsigned<D>, S>>);
  table.add(form.with(LaneFlag::sat), map<convert_saturated<D, S>>);
}
template <class D>
void add_destination(KernelTable& table) {
  add_pair<D, u8>(table);
  add_pair<D, s8>(table);
  add_pair<D, u16>(table);
  add_pair<D, s16>(table);
  add_pair<D, u32>(table);
  add_pair<D, s32>(table);
  add_pair<D, u64>(table);
  add_pair<D, s64>(table);
}

}  // namespace

void add_integer_convert_kernels(KernelTable& table) {
  add_destination<u8>(table);
  add_destination<s8>(table);
  add_destination<u16>(table);
  add_destination<s16>(table);
  add_destination<u32>(table);
  add_destination<s32>(table);
  add_destination<u64>(table);
  add_destination<s64>(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
