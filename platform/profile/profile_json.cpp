#include "platform/profile/profile_report.h"

namespace syncline::platform {
namespace {

using Json = nlohmann::ordered_json;

Json extents_json(const base::Dim3& d) {
  return {d.x, d.y, d.z};
}

Json counts_json(const LineTotals::Counts& c) {
  return {{"all", c.all}, {"read", c.read}, {"written", c.written}, {"both", c.both}};
}

Json shape_json(const LaunchShape& s) {
  return {{"grid", extents_json(s.grid)},
          {"block", extents_json(s.block)},
          {"shared_bytes_per_cta", s.shared_bytes},
          {"launches", s.launches},
          {"warp_instructions", s.warp_instructions},
          {"ctas", s.ctas()},
          {"warps", s.warps()},
          {"ctas_an_sm_holds", s.occupancy.ctas},
          {"an_sm_is_limited_by", models::name(s.occupancy.limit)},
          {"resident_ctas", s.resident_ctas},
          {"resident_warps", s.resident_warps()},
          {"limited_by", s.limited_by()}};
}

Json sharing_json(const LineTotals& lines) {
  const auto part = [&](LineSharing kind) {
    const LineTotals::Accesses& a = lines.accesses(kind);
    return Json{{"lines", lines.lines(kind)},
                {"loads", a.of(LineUse::load)},
                {"stores", a.of(LineUse::store)},
                {"atomics", a.of(LineUse::atomic)}};
  };
  return {{"private", part(LineSharing::private_)},
          {"read_only", part(LineSharing::read_only)},
          {"read_write", part(LineSharing::read_write)},
          {"lines_with_shared_bytes", lines.lines_with_shared_bytes()},
          {"lines_of_several_writers", lines.lines_of_several_writers()},
          {"lines_handed_on", lines.lines_handed_on()},
          {"shared_lines_of_launches", lines.shared_uses()},
          {"ctas_of_shared_lines", lines.sharers()},
          {"most_ctas_of_a_line", lines.most_sharers()},
          {"touches", lines.touches()}};
}

Json mix_json(const InstructionMix& m) {
  Json json;
  for (std::size_t n = 0; n < instruction_kinds; ++n) {
    const auto kind = static_cast<InstructionKind>(n);
    json[std::string(name(kind))] = {{"warp", m.of(kind).warp}, {"thread", m.of(kind).thread}};
  }
  return json;
}

Json global_json(const GlobalAccesses& g) {
  return {{"instructions", g.instructions},
          {"lanes", g.lanes},
          {"lines", g.lines},
          {"most_lines", g.most_lines},
          {"of_one_line", g.of_one_line}};
}

Json ordering_json(const InstructionMix& m) {
  Json json;
  for (auto s = isa::Semantics::weak; s <= isa::Semantics::mmio;
       s = static_cast<isa::Semantics>(static_cast<int>(s) + 1)) {
    json["loads_and_stores"][std::string(isa::name(s))] = m.accesses(s);
    json["atomics"][std::string(isa::name(s))] = m.atomics(s);
  }
  json["non_coherent_loads"] = m.non_coherent_loads();
  return json;
}

Json fences_json(const InstructionMix& m) {
  Json json;
  for (auto s = isa::Scope::none; s <= isa::Scope::sys; s = static_cast<isa::Scope>(static_cast<int>(s) + 1))
    json[s == isa::Scope::none ? "unscoped" : std::string(isa::name(s))] = m.fences(s);
  return json;
}

/// What kernels and their sum have in common.
void add_profile(Json& json, const KernelProfile& k) {
  json["launches"] = k.launches;
  json["ctas"] = k.ctas;
  json["warps"] = k.warps;
  json["resident_warps"] = {{"most", k.resident_warps}, {"mean", k.mean_resident_warps()}};
  json["warp_instructions"] = k.mix.total().warp;
  json["thread_instructions"] = k.mix.total().thread;
  json["without_lanes"] = k.mix.without_lanes();
  json["longest_warps"] = k.longest_warps;
  json["longest_ctas"] = k.longest_ctas;
  json["busy_warps"] = k.busy_warps();
  json["local_bytes_touched_per_thread"] = k.local_touched;
  json["footprint"] = {{"lines", counts_json(k.lines.lines())}, {"bytes", counts_json(k.lines.bytes())}};
  json["sharing"] = sharing_json(k.lines);
  json["instructions"] = mix_json(k.mix);
  json["branches"] = {{"conditional", k.mix.conditional_branches()},
                      {"divergent", k.mix.divergent_branches()},
                      {"divergent_calls", k.mix.divergent_calls()}};
  json["global_accesses"] = {{"loads", global_json(k.global[0])},
                             {"stores", global_json(k.global[1])},
                             {"atomics", global_json(k.global[2])},
                             {"ordering", ordering_json(k.mix)}};
  json["fences"] = fences_json(k.mix);
}

}  // namespace

nlohmann::ordered_json profile_json(const ProgramProfile& profile) {
  const ProfiledMachine& machine = profile.machine;
  Json json;
  json["machine"] = {{"platform", machine.name},
                     {"sms", machine.sms},
                     {"warp_contexts", machine.warp_contexts()},
                     {"warp_size", machine.sm.warp_size},
                     {"line_bytes", machine.line_bytes}};
  json["kernels"] = Json::array();
  for (const KernelProfile& kernel : profile.kernels) {
    Json one{{"kernel", kernel.kernel},
             {"registers_per_thread", kernel.registers},
             {"local_bytes_declared_per_thread", kernel.local_declared}};
    for (const LaunchShape& s : kernel.shapes) one["shapes"].push_back(shape_json(s));
    add_profile(one, kernel);
    json["kernels"].push_back(std::move(one));
  }
  add_profile(json["total"], profile.total);
  return json;
}

}  // namespace syncline::platform
