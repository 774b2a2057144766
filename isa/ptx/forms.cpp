#include "isa/ptx/forms.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace syncline::isa {
namespace {

/// Sets of alternatives, and runs of elements, that many rows share.
struct Macro {
  std::string_view name, text;
};
constexpr Macro macros[] = {
    {"$int32", ".u32/.s32/.u64/.s64"},
    {"$int8", ".u8/.u16/.u32/.u64/.s8/.s16/.s32/.s64"},
    {"$int", ".u16/.u32/.u64/.s16/.s32/.s64"},
    {"$i32", ".u32/.s32"},
    {"$packed", ".u16x2/.s16x2/.u8x4/.s8x4"},
    {"$rnd", ".rn/.rz/.rm/.rp"},
    {"$f8x2", ".e4m3x2/.e5m2x2/.e2m3x2/.e3m2x2/.e2m1x2"},
    {"$f8in", ".e4m3x4/.e5m2x4/.e2m3x4/.e3m2x4/.e2m1x4/.e2m1p4x4/.ue8m0x4"},
    {"$f8x4", ".e4m3x4/.e5m2x4/.e2m3x4/.e3m2x4/.e2m1x4"},
    {"$irnd", ".rni/.rzi/.rmi/.rpi"},
    {"$bcmp", ".eq/.ne"},
    {"$icmp", ".eq/.ne/.lt/.le/.gt/.ge"},
    {"$ucmp", ".eq/.ne/.lt/.le/.gt/.ge/.lo/.ls/.hi/.hs"},
    {"$sint", ".s16/.s32/.s64"},
    {"$uint", ".u16/.u32/.u64"},
    {"$fcmp", ".eq/.ne/.lt/.le/.gt/.ge/.equ/.neu/.ltu/.leu/.gtu/.geu/.num/.nan"},
    {"$bool", ".and/.or/.xor"},
    {"$setd", ".u32/.s32/.f32/.f16/.bf16"},
    {"$seth", ".u16/.s16/.u32/.s32"},
    {"$space", ".const/.global/.local/.shared/.shared::cta/.shared::cluster/.param/.param::entry"},
    {"$ldspace", ".const/.global/.local/.param/.param::entry/.param::func/.shared/.shared::cta/.shared::cluster"},
    {"$stspace", ".global/.local/.param/.param::func/.shared/.shared::cta/.shared::cluster"},
    {"$coherent", ".global/.shared/.shared::cta/.shared::cluster"},
    {"$scope", ".cta/.cluster/.gpu/.sys"},
    {"$sem", ".relaxed/.acquire/.release/.acq_rel"},
    {"$rsem", ".relaxed/.release"},
    {"$vec", ".v2/.v4/.v8"},
    {"$vop", ".add/.min/.max"},
    {"$mem", ".b8/.b16/.b32/.b64/.b128/.u8/.u16/.u32/.u64/.s8/.s16/.s32/.s64/.f32/.f64"},
    {"$primary", ".L2::evict_last/.L2::evict_normal/.L2::evict_first/.L2::evict_unchanged"},
    {"$secondary", ".L2::evict_first/.L2::evict_unchanged"},
    {"$l1", ".L1::evict_normal/.L1::evict_unchanged/.L1::evict_first/.L1::evict_last/.L1::no_allocate"},
    {"$l2", ".L2::evict_normal/.L2::evict_first/.L2::evict_last"},
    {"$policy", ".L2::cache_hint?"},
    {"$ahead", ".L2::64B/.L2::128B/.L2::256B?"},
    {"$v32", ".v8 .b32/.u32/.s32/.f32"},
    {"$v64", ".v4 .b64/.u64/.s64/.f64"},
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string expand(std::string text) {
  for (const Macro& macro : macros)
    for (std::size_t at = text.find(macro.name); at != std::string::npos; at = text.find(macro.name, at))
      text.replace(at, macro.name.size(), macro.text);
  return text;
}

FormElement compile_element(std::string_view text) {
  FormElement element;
  if (text.back() == '?') {
    element.optional = true;
    text.remove_suffix(1);
  }
  std::string_view group;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos && text.substr(colon, 2) != "::") {
    group = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  for (const std::string_view word : split(text, '/')) {
    if (const ModifierWord* known = find_modifier_word(group, word)) {
      element.words.push_back(*known);
    } else if (const auto type = find_type(word.substr(1)); type && group.empty()) {
      element.is_type = true;
      // The text must outlive the row: take it from the vocabulary, behind a dot that the words carry themselves.
      element.words.push_back({"type", name(*type), nullptr});
    } else {
      throw std::logic_error("form table: unknown modifier word " + std::string(word));
    }
  }
  return element;
}

bool take_prefix(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (text.size() < suffix.size() || text.substr(text.size() - suffix.size()) != suffix) return false;
  text.remove_suffix(suffix.size());
  return true;
}

OperandRule compile_operand(std::string_view text) {
  OperandRule rule;
  rule.optional = take_suffix(text, "?");
  if (text == "[]")
    rule.kind = RuleKind::address;
  else if (text == "#")
    rule.kind = RuleKind::constant;
  else if (text == "label")
    rule.kind = RuleKind::label;
  else if (text == "table")
    rule.kind = RuleKind::branch_table;
  else if (text == "call")
    rule.kind = RuleKind::call;
  if (rule.kind != RuleKind::value) return rule;
  rule.destination = take_prefix(text, '=');
  rule.pair_required = take_suffix(text, "|pred!");
  rule.pair = rule.pair_required || take_suffix(text, "|pred");
  for (bool more = true; more;) {
    more = false;
    const auto flag = [&](char c, bool& value) {
      if (take_prefix(text, c)) more = value = true;
    };
    flag('*', rule.wider);
    flag('&', rule.symbol);
    flag('$', rule.special);
    flag('!', rule.negatable);
    flag('{', rule.vector);
    flag('%', rule.pack);
    flag('^', rule.selector);
    flag('~', rule.sink);
    flag('-', rule.minus);
    flag('@', rule.quadruple);
  }
  if (text == "t")
    rule.type_from = RuleType::first;
  else if (text == "s")
    rule.type_from = RuleType::second;
  else if (text == "r")
    rule.type_from = RuleType::third;
  else if (text == "w")
    rule.type_from = RuleType::wide;
  else if (text == "ad")
    rule.type_from = RuleType::address;
  else if (const auto type = find_type(text))
    rule.fixed = *type;
  else
    throw std::logic_error("form table: unknown operand " + std::string(text));
  return rule;
}

Form compile_row(const FormRow& row) {
  Form form;
  const std::string modifiers = expand(std::string(row.modifiers));
  for (const std::string_view element : split(modifiers, ' ')) form.elements.push_back(compile_element(element));
  for (const std::string_view operand : split(row.operands, ' ')) form.operands.push_back(compile_operand(operand));
  for (const OperandRule& rule : form.operands) form.required_operands += rule.optional ? 0 : 1;
  return form;
}

using Table = std::array<std::vector<Form>, static_cast<std::size_t>(Opcode::count_)>;

Table compile_table() {
  Table table;
  for (const auto* rows :
       {&integer_forms(), &float_forms(), &compare_and_move_forms(), &memory_forms(), &control_forms(), &video_forms()})
    for (const FormRow& row : *rows) {
      const auto opcode = find_opcode(row.opcode);
      if (!opcode) throw std::logic_error("form table: unknown opcode " + std::string(row.opcode));
      table[static_cast<std::size_t>(*opcode)].push_back(compile_row(row));
    }
  return table;
}

void set_type(Modifiers& mods, unsigned position, Type type) {
  (position == 0 ? mods.type : position == 1 ? mods.source_type : mods.third_type) = type;
}

bool has_text(const ModifierWord& word, bool is_type, std::string_view text) {
  return is_type ? text.substr(1) == word.text : text == word.text;
}

struct Attempt {
  std::size_t matched = 0, missing = 0, unused = 0;
  bool complete() const { return missing == 0 && unused == 0; }
};

/// Fits words to the elements of a form; types in order, the rest in any order.
Attempt attempt(const Form& form, const std::vector<std::string_view>& words, Modifiers* mods) {
  Attempt result;
  std::vector<bool> used(words.size(), false);
  unsigned types = 0;
  for (const FormElement& element : form.elements) {
    bool found = false;
    for (std::size_t i = 0; i < words.size() && !found; ++i) {
      if (used[i]) continue;
      const bool word_is_type = find_type(words[i].substr(1)).has_value();
      if (word_is_type != element.is_type) continue;
      for (const ModifierWord& word : element.words) {
        if (!has_text(word, element.is_type, words[i])) continue;
        found = used[i] = true;
        if (mods != nullptr && element.is_type) set_type(*mods, types, *find_type(word.text));
        if (mods != nullptr && word.apply != nullptr) word.apply(*mods);
        break;
      }
      if (element.is_type) break;  // only the next unused type may match
    }
    if (element.is_type && (found || !element.optional)) ++types;
    if (found)
      ++result.matched;
    else if (!element.optional)
      ++result.missing;
  }
  result.unused = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
  return result;
}

}  // namespace

const std::vector<Form>& forms_of(Opcode opcode) {
  static const Table table = compile_table();
  return table[static_cast<std::size_t>(opcode)];
}

Type rule_type(const OperandRule& rule, const Modifiers& mods) {
  switch (rule.type_from) {
    case RuleType::fixed:
      return rule.fixed;
    case RuleType::first:
      return mods.type;
    case RuleType::second:
      return mods.source_type;
    case RuleType::third:
      return mods.third_type;
    case RuleType::address:
      return Type::b64;
    case RuleType::wide:
      break;
  }
  switch (mods.type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return mods.type;
  }
}

bool match_forms(Opcode opcode, const std::vector<std::string_view>& words, MatchedOpcode& matched) {
  matched.opcode = opcode;
  matched.forms.clear();
  for (const Form& form : forms_of(opcode)) {
    if (!attempt(form, words, nullptr).complete()) continue;
    if (matched.forms.empty()) {
      matched.mods = Modifiers{};
      attempt(form, words, &matched.mods);
    }
    matched.forms.push_back(&form);
  }
  matched.notes = notes_of(opcode, words);
  matched.cache_hint = std::find(words.begin(), words.end(), ".L2::cache_hint") != words.end();
  return !matched.forms.empty();
}

namespace {

bool is_one_of(std::string_view choices, std::string_view text) {
  const auto all = split(choices, '/');
  return std::find(all.begin(), all.end(), text) != all.end();
}

bool note_speaks_of(const FormNote& note, const std::vector<std::string_view>& words) {
  for (const std::string_view word : words)
    if (is_one_of(note.without, word)) return false;
  std::vector<std::string_view> types;
  for (const std::string_view word : words)
    if (find_type(word.substr(1))) types.push_back(word);
  std::size_t type = 0;
  for (const std::string_view element : split(note.words, ' ')) {
    const std::string_view first = element.substr(0, element.find('/'));
    const bool is_type = first == ".*" || find_type(first.substr(1));
    if (is_type) {
      if (type == types.size() || (first != ".*" && !is_one_of(element, types[type]))) return false;
      ++type;
    } else if (std::none_of(words.begin(), words.end(),
                            [&](std::string_view word) { return is_one_of(element, word); })) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<const FormNote*> notes_of(Opcode opcode, const std::vector<std::string_view>& words) {
  std::vector<const FormNote*> notes;
  for (const FormNote& note : form_notes())
    if (is_one_of(note.opcodes, name(opcode)) && note_speaks_of(note, words)) notes.push_back(&note);
  return notes;
}

std::string operand_list(const Form& form) {
  std::string text;
  char source = 'a';
  for (const OperandRule& rule : form.operands) {
    std::string name;
    switch (rule.kind) {
      case RuleKind::value:
        name = rule.destination ? "d" : std::string(1, source++);
        if (rule.quadruple) {
          name.insert(0, "{");
          for (unsigned n = 1; n < 4; ++n) name += std::string(", ") + source++;
          name += "}";
        }
        if (rule.pair) name += rule.pair_required ? "|p" : "{|p}";
        break;
      case RuleKind::address:
        name = std::string("[") + source++ + "]";
        break;
      case RuleKind::constant:
        name = "constant";
        break;
      case RuleKind::label:
        name = "label";
        break;
      case RuleKind::branch_table:
        name = "table";
        break;
      case RuleKind::call:
        name = "(returns), function, (arguments)";
        break;
    }
    const std::string separated = (text.empty() ? "" : ", ") + name;
    text += rule.optional ? "{" + separated + "}" : separated;
  }
  return text;
}

std::string synopsis(Opcode opcode, const Form& form) {
  std::string text(name(opcode));
  for (const FormElement& element : form.elements) {
    const bool hint = element.optional && element.words.front().apply == nullptr && !element.is_type;
    if (hint) continue;
    std::string words;
    for (const ModifierWord& word : element.words) {
      if (!words.empty()) words += "|";
      words += (element.is_type ? "." : "") + std::string(word.text);
    }
    if (element.optional)
      text += "{" + words + "}";
    else if (element.words.size() > 1)
      text += "(" + words + ")";
    else
      text += words;
  }
  return text;
}

std::vector<std::string> nearest_forms(Opcode opcode, const std::vector<std::string_view>& words, std::size_t limit) {
  struct Scored {
    long score;
    const Form* form;
  };
  std::vector<Scored> scored;
  for (const Form& form : forms_of(opcode)) {
    const Attempt fit = attempt(form, words, nullptr);
    scored.push_back({2 * static_cast<long>(fit.matched) - static_cast<long>(fit.missing + fit.unused), &form});
  }
  std::stable_sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
  std::vector<std::string> texts;
  for (const Scored& candidate : scored) {
    std::string text = synopsis(opcode, *candidate.form);
    if (texts.size() < limit && std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace syncline::isa
