// The order of a program's blocks by which paths of a warp have priority, for mechanisms that run the first one.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::isa {

class Program;

/// Per pc. Positions of different functions are not compared.
struct CodeLayout {
  std::vector<std::uint32_t> position;   ///< in the order of blocks (isa/cfg: block_order), then in the block
  std::vector<std::uint32_t> block_end;  ///< pc behind the block in the text
};

CodeLayout lay_out(const Program& program);

}  // namespace syncline::isa
