// Whatever modifiers a form allows, in whatever order they are written: they are understood and printed back.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "isa/ptx/forms.h"
#include "isa/ptx/printer.h"
#include "tests/support/sanitized.h"

namespace syncline::isa {
namespace {

struct Written {
  Opcode opcode;
  std::vector<std::string> words;
};

/// A legal choice of a form's modifiers, in the order of the table.
Written any_instruction(Opcode opcode, const Form& form) {
  Written written;
  written.opcode = opcode;
  for (const FormElement& element : form.elements) {
    if (element.optional && *rc::gen::arbitrary<bool>()) continue;
    const ModifierWord& word = element.words[*rc::gen::inRange<std::size_t>(0, element.words.size())];
    written.words.push_back((element.is_type ? "." : "") + std::string(word.text));
  }
  return written;
}

template <class Check>
void for_every_form(Check check) {
  if (tests::sanitized) GTEST_SKIP() << tests::explores_long;
  EXPECT_TRUE(rc::check([&] {
    for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count_); ++i)
      for (const Form& form : forms_of(static_cast<Opcode>(i))) check(any_instruction(static_cast<Opcode>(i), form));
  }));
}

std::optional<Modifiers> match(Opcode opcode, const std::vector<std::string>& words) {
  MatchedOpcode matched;
  if (!match_forms(opcode, {words.begin(), words.end()}, matched)) return std::nullopt;
  return matched.mods;
}

std::vector<std::string> split_words(const std::string& full) {
  std::vector<std::string> words;
  for (std::size_t at = full.find('.'); at != std::string::npos;) {
    const std::size_t end = full.find('.', at + 1);
    words.push_back(full.substr(at, end == std::string::npos ? end : end - at));
    at = end;
  }
  return words;
}

TEST(FormProperty, PrintedOpcodeMeansTheSame) {
  for_every_form([](const Written& written) {
    const auto mods = match(written.opcode, written.words);
    RC_ASSERT(mods.has_value());
    const std::string full = full_opcode(written.opcode, *mods);
    const auto again = match(written.opcode, split_words(full));
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == *mods);
  });
}

TEST(FormProperty, OrderMattersOnlyAmongTypes) {
  for_every_form([](const Written& written) {
    if (written.opcode == Opcode::createpolicy) return;  // the primary priority stands before the secondary one
    std::vector<std::string> types, others;
    for (const std::string& word : written.words) (find_type(word.substr(1)) ? types : others).push_back(word);
    std::vector<std::string> mixed;
    while (!types.empty() || !others.empty()) {
      const bool type = others.empty() || (!types.empty() && *rc::gen::arbitrary<bool>());
      std::vector<std::string>& from = type ? types : others;
      const std::size_t which = type ? 0 : *rc::gen::inRange<std::size_t>(0, from.size());
      mixed.push_back(from[which]);
      from.erase(from.begin() + static_cast<std::ptrdiff_t>(which));
    }
    RC_ASSERT(match(written.opcode, mixed) == match(written.opcode, written.words));
  });
}

TEST(FormProperty, AWordTooManyIsRefused) {
  for_every_form([](Written written) {
    written.words.push_back(".noftz");
    const auto mods = match(written.opcode, written.words);
    RC_ASSERT(!mods.has_value() || mods->no_ftz);
  });
}

}  // namespace
}  // namespace syncline::isa
