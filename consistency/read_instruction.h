// One cell of a litmus test's table: an instruction of a thread.
#pragma once

#include "consistency/lexer.h"
#include "consistency/program.h"

namespace syncline::consistency {

/// Reads instructions into one program; finds registers and locations by name, and makes those that are new.
class InstructionReader {
 public:
  InstructionReader(TokenStream& tokens, Program& program) : tokens_(tokens), program_(program) {}

  /// The instruction that begins at the next token. A branch's label is left in `label`, with its place.
  Instruction read(Thread& thread, Token& label);

  unsigned location(const std::string& name);
  static unsigned reg(Thread& thread, const std::string& name);
  /// True for r0, r1, ... and every register that the thread already has.
  static bool is_register(const Thread& thread, const std::string& name);

 private:
  struct Mnemonic;
  Mnemonic read_mnemonic();

  void load(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction);
  void store(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction);
  void atomic(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction);
  void fence(const Mnemonic& mnemonic, Instruction& instruction);
  void membar(const Mnemonic& mnemonic, Instruction& instruction);
  void barrier(const Mnemonic& mnemonic, Instruction& instruction);
  void alu(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction);
  void branch(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction, Token& label);

  Operand operand(Thread& thread);
  unsigned destination(Thread& thread);
  unsigned address(const Thread& thread);
  void comma();

  TokenStream& tokens_;
  Program& program_;
};

}  // namespace syncline::consistency
