#include "isa/ptx/unsupported.h"

#include <fmt/format.h>

#include <vector>

#include "base/nearest.h"
#include "isa/ptx/errors.h"
#include "isa/vocabulary.h"

namespace syncline::isa {
namespace {

struct Unsupported {
  std::string_view opcode, reason;
};

constexpr std::string_view textures = "textures are not supported yet; read the data by `ld.global.nc`";
constexpr std::string_view surfaces = "surfaces are not supported yet; use `ld.global` and `st.global`";
constexpr std::string_view matrix = "matrix instructions are not supported yet; use `fma` or `dp4a`";
constexpr std::string_view async =
    "asynchronous copies and mbarrier objects are not supported yet; use `ld.global` and "
    "`st.shared` with `bar.sync`";
constexpr std::string_view cluster = "thread block clusters are not supported yet; a cluster is one CTA here";
constexpr std::string_view launch = "dependent launch is not supported yet";
constexpr std::string_view stack = "the stack cannot be moved by hand yet; `alloca` is supported";

constexpr Unsupported table[] = {
    {"tex", textures},          {"tld4", textures},
    {"txq", textures},          {"istypep", textures},
    {"suld", surfaces},         {"sust", surfaces},
    {"sured", surfaces},        {"suq", surfaces},
    {"wmma", matrix},           {"mma", matrix},
    {"wgmma", matrix},          {"tcgen05", matrix},
    {"ldmatrix", matrix},       {"stmatrix", matrix},
    {"movmatrix", matrix},      {"cp", async},
    {"mbarrier", async},        {"tensormap", async},
    {"multimem", cluster},      {"mapa", cluster},
    {"getctarank", cluster},    {"clusterlaunchcontrol", cluster},
    {"griddepcontrol", launch}, {"setmaxnreg", "register reallocation is not supported yet"},
    {"stacksave", stack},       {"stackrestore", stack},
};

}  // namespace

std::string_view unsupported_reason(std::string_view opcode) {
  for (const Unsupported& row : table)
    if (row.opcode == opcode) return row.reason;
  return {};
}

std::string explain_unknown_opcode(std::string_view opcode) {
  if (const std::string_view reason = unsupported_reason(opcode); !reason.empty())
    return fmt::format("opcode {} is not supported yet: {}", quoted(opcode), reason);
  std::vector<std::string> names;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count_); ++i) names.emplace_back(name(static_cast<Opcode>(i)));
  for (const Unsupported& row : table) names.emplace_back(row.opcode);
  const std::string nearest = base::nearest_name(opcode, names);
  if (nearest.empty()) return fmt::format("unknown opcode {}", quoted(opcode));
  return fmt::format("unknown opcode {}; did you mean `{}`?", quoted(opcode), nearest);
}

}  // namespace syncline::isa
