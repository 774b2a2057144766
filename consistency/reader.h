// Reads litmus tests in the dialect of herd's format that Dartagnan uses for PTX:
//
//   PTX name
//   "what the test is about"
//   { x=0; y=0; P1:r1=0; }
//    P0@cta 0,gpu 0  | P1@cta 1,gpu 0       ;
//    st.weak x, 1    | ld.acquire.gpu r1, y ;
//   exists (P1:r1 == 1 /\ x == 1)
//
// Beyond Dartagnan's columns, `P1@cta 1,gpu 0,sm 0` says on which SM of the test the CTA runs; without it every CTA has
// an SM of its own. docs/litmus.md lists the instructions.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "consistency/program.h"

namespace syncline::consistency {

/// Reads a test from a text; `file` stands for it in messages. Throws UserError with file, line and column; a Refusal
/// for what the dialect or PTX have and the reader does not.
Program read_litmus(std::string_view text, const std::string& file);
/// The same from a file. UserError when it cannot be read.
Program load_litmus(const std::filesystem::path& file);

}  // namespace syncline::consistency
