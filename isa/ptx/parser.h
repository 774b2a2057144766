// Reads PTX text (PTX ISA 1.4 to 9.x) into a verified Module.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "isa/ptx/ast.h"

namespace syncline::isa {

/// Parses and verifies a whole module. Throws base::UserError with file:line:column for anything that is not legal
/// PTX, and for legal PTX that is not supported yet (naming the opcode and what is near). `source_name` stands in
/// messages. `warp_sz` is the value of WARP_SZ: PTX leaves it to the machine, and all of NVIDIA's have 32. On one of
/// 64, kernels with instructions whose masks of lanes are 32 bits wide are refused when they are decoded.
std::shared_ptr<const Module> parse_module(std::string_view text, std::string source_name, unsigned warp_sz = 32);

/// Reads a file and parses it. Throws base::UserError when it cannot be read.
std::shared_ptr<const Module> load_module_file(const std::string& path, unsigned warp_sz = 32);

}  // namespace syncline::isa
