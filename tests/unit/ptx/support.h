// Short ways to parse a piece of PTX in a test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/error.h"
#include "isa/ptx/parser.h"
#include "isa/ptx/printer.h"

namespace syncline::isa::test {

inline std::string header() {
  return ".version 7.8\n.target sm_70\n.address_size 64\n";
}

inline std::shared_ptr<const Module> parse(const std::string& text) {
  return parse_module(text, "test.ptx");
}

/// A kernel `k` with registers of every kind, a parameter and some variables around `body`. The body begins in line 20.
inline std::string kernel(const std::string& body) {
  return ".version 9.4\n.target sm_107a\n.address_size 64\n"
         ".global .align 16 .b32 gvar[16];\n.shared .align 16 .b32 svar[16];\n.const .b32 cvar;\n"
         ".func (.param .b32 result) callee(.param .b32 argument);\n"
         ".visible .entry k(.param .align 16 .b8 p0[64])\n{\n"
         ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %b<9>;\n.reg .f32 %f<9>;\n.reg .b64 %q<9>;\n"
         ".reg .f64 %d<9>;\n.reg .b128 %x<9>;\n.reg .u32 %u<9>;\n.reg .s32 %s<9>;\n"
         ".param .align 16 .b8 slot[64];\n" +
         body + "\ndone: ret;\n}\n";
}

inline std::shared_ptr<const Module> parse_kernel(const std::string& body) {
  return parse(kernel(body));
}

/// The message of the error that `text` provokes; a test failure when it is accepted.
inline std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const base::UserError& error) {
    return error.what();
  }
  ADD_FAILURE() << "accepted:\n" << text;
  return {};
}

inline std::string kernel_error(const std::string& body) {
  return error_of(kernel(body));
}

inline const Instruction& first_instruction(const Module& module) {
  return module.find_function("k")->instructions.front();
}

}  // namespace syncline::isa::test
