// One cell of a litmus test's table: an instruction of a thread.
#pragma once

#include <optional>

#include "consistency/lexer.h"
#include "consistency/program.h"

namespace syncline::consistency {

/// Reads instructions into one program; finds registers and locations by name, and makes those that are new. Throws
/// Refusal for instructions and qualifiers that it does not know.
class InstructionReader {
 public:
  InstructionReader(TokenStream& tokens, Program& program) : tokens_(tokens), program_(program) {}

  /// The instruction that begins at the next token. A branch's label is left in `label`, with its place.
  Instruction read(Thread& thread, Token& label);

  /// The place of a name in program.names.
  static std::optional<std::size_t> find_name(const Program& program, const std::string& name);
  /// The same; a new name is that of a new location.
  static std::size_t find_or_add(Program& program, const std::string& name);
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
  void barrier(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction);
  void alu(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction);
  void branch(const Mnemonic& mnemonic, Thread& thread, Instruction& instruction, Token& label);

  Operand operand(Thread& thread);
  unsigned destination(Thread& thread);
  void address(const Thread& thread, Instruction& instruction);
  void comma();

  TokenStream& tokens_;
  Program& program_;
};

}  // namespace syncline::consistency
