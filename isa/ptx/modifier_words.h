// The words behind the dots: what each one says about an instruction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/vocabulary.h"

namespace syncline::isa {

/// One modifier word. Some texts mean different things in different instructions (`.and` is an atomic operation, a
/// boolean operator or a barrier reduction): the group tells them apart, and the form tables name it.
struct ModifierWord {
  std::string_view group;     ///< empty for words with one meaning
  std::string_view text;      ///< with the dot
  void (*apply)(Modifiers&);  ///< null for words that change nothing here: cache hints, `.to`, `.idx`
};

/// Null when PTX has no such word in this group.
const ModifierWord* find_modifier_word(std::string_view group, std::string_view text);

/// True when the word exists in any group, or is a type.
bool is_modifier_word(std::string_view text);

/// All texts, for "did you mean".
std::vector<std::string> modifier_word_texts();

}  // namespace syncline::isa
