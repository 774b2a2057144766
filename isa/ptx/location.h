// Directives about the source and the linker that may stand at module scope and in a body: .loc .file .section .pragma
#pragma once

#include <string>
#include <vector>

#include "isa/ptx/ast.h"
#include "isa/ptx/lexer.h"

namespace syncline::isa {

SourceLine read_location(Lexer& lexer);              ///< .loc file line column [, function_name ..., inlined_at ...]
void read_file_entry(Lexer& lexer, Module& module);  ///< .file number "name" [, time, size]
void skip_section(Lexer& lexer);                     ///< .section .name { DWARF bytes }
void read_pragma(Lexer& lexer, std::vector<Pragma>& pragmas);

}  // namespace syncline::isa
