#include "consistency/reader.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "base/nearest.h"
#include "base/readable.h"
#include "consistency/read_instruction.h"
#include "consistency/refusal.h"

namespace syncline::consistency {
namespace {

/// Each level takes some of the stack, of who reads a condition and of who looks whether it holds.
constexpr unsigned deepest_condition = 200;

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : tokens_(text, file), instructions_(tokens_, program_) {
    program_.file = file;
  }

  Program read() {
    read_head();
    read_initial_values();
    read_columns();
    while (!at_condition()) read_row();
    resolve_branches();
    skip_shown_locations();
    read_condition();
    return std::move(program_);
  }

 private:
  struct InitialRegister {
    Token thread;
    std::string name;
    Value value;
  };
  struct PendingBranch {
    unsigned thread, instruction;
    Token label;
  };

  void read_head() {
    if (!tokens_.accept("ptx")) tokens_.expect("PTX", "at the head of the file (the architecture)");
    program_.name = tokens_.expect_word("the test's name behind `PTX`").text;
    while (tokens_.peek().kind == Token::Kind::string) {
      const Token comment = tokens_.next();
      program_.comment += (program_.comment.empty() ? "" : " ") + comment.text;
    }
  }

  void read_initial_values() {
    tokens_.expect("{", "before the initial values");
    while (!tokens_.accept("}")) {
      if (tokens_.accept(";")) continue;
      const Token name = tokens_.next();
      if (name.kind != Token::Kind::word && name.kind != Token::Kind::number)
        TokenStream::fail(name, "expected a location or a register (`x = 0;`, `P1:r0 = 0;`), found " + name.shown());
      if (tokens_.accept(":")) {
        const Token reg = tokens_.expect_word("a register");
        tokens_.expect("=", "behind the register");
        const Value value = initial_value();
        has_one_value(name, name.text + ":" + reg.text, value);
        registers_.push_back({name, reg.text, value});
      } else {
        if (name.kind != Token::Kind::word) TokenStream::fail(name, "expected `:` behind the number of a thread");
        if (tokens_.accept("@")) {
          read_alias(name);
        } else {
          tokens_.expect("=", "behind the location");
          const std::size_t at = InstructionReader::find_or_add(program_, name.text);
          Location& location = program_.locations[program_.names[at].location];
          location.initial = initial_value();
          has_one_value(name, location.name, location.initial);
        }
      }
      if (!tokens_.peek().is("}")) tokens_.expect(";", "behind an initial value");
    }
  }

  /// To say it again is no mistake. (Threads are named as `P0` or as `0` there.)
  void has_one_value(const Token& name, std::string what, Value value) {
    if (std::isdigit(static_cast<unsigned char>(what[0])) != 0) what.insert(0, "P");
    const auto [known, is_first] = initial_.emplace(what, value);
    if (is_first || known->second == value) return;
    TokenStream::fail(name, "`" + what + "` has two initial values, " + std::to_string(known->second) + " and " +
                                std::to_string(value) + "; expected one");
  }

  Value initial_value() {
    const Token& token = tokens_.peek();
    if (token.is("&") || token.kind == Token::Kind::word)
      throw Refusal(token.where,
                    "expected an initial value, found " + token.shown() + " (a test computes with numbers)",
                    "an address as an initial value");
    return tokens_.expect_number("an initial value").value;
  }

  /// `y @ PROXY aliases x`: a name of x for accesses by that proxy; of the generic one a second generic address.
  void read_alias(const Token& name) {
    const Token proxy = tokens_.expect_word("a proxy (generic, texture, surface or constant)");
    std::optional<Proxy> found;
    std::vector<std::string> known;
    for (const auto& row : proxy_names()) {
      if (row.second == Proxy::alias) continue;
      known.emplace_back(row.first);
      if (row.first == proxy.text) found = row.second;
    }
    if (!found)
      throw Refusal(proxy.where, "unknown proxy " + proxy.shown() + base::suggestion(proxy.text, known),
                    "the proxy " + proxy.shown());
    tokens_.expect("aliases", "behind the proxy");
    const Token target = tokens_.expect_word("a location");
    if (InstructionReader::find_name(program_, name.text))
      TokenStream::fail(name, "the location " + name.shown() + " stands here twice");
    const Name of = program_.names[InstructionReader::find_or_add(program_, target.text)];
    const auto own_address = static_cast<unsigned>(program_.names.size());
    program_.names.push_back({name.text, of.location, *found == Proxy::generic ? own_address : of.address});
  }

  void read_columns() {
    do {
      const Token name = tokens_.expect_word("the name of a thread");
      Thread thread;
      thread.name = name.text;
      if (thread.name != "P" + std::to_string(program_.threads.size()))
        TokenStream::fail(name, "expected `P" + std::to_string(program_.threads.size()) + "`, found " + name.shown());
      if (tokens_.accept("@")) read_place(thread);
      program_.threads.push_back(std::move(thread));
    } while (tokens_.accept("|"));
    tokens_.expect(";", "behind the heads of the columns");
    labels_.resize(program_.threads.size());
    for (const InitialRegister& initial : registers_) {
      Thread& thread = program_.threads[find_thread(initial.thread)];
      thread.registers[InstructionReader::reg(thread, initial.name)].initial = initial.value;
    }
    check_places();
  }

  void read_place(Thread& thread) {
    std::vector<std::string> given;
    do {
      const Token where = tokens_.expect_word("`cta`, `gpu` or `sm`");
      const std::vector<std::string> known{"cta", "gpu", "sm"};
      if (std::find(known.begin(), known.end(), where.text) == known.end())
        TokenStream::fail(where, "unknown place " + where.shown() + base::suggestion(where.text, known));
      if (std::find(given.begin(), given.end(), where.text) != given.end())
        TokenStream::fail(where, where.shown() + " stands twice in the place of `" + thread.name + "`");
      given.push_back(where.text);
      const Token number = tokens_.expect_number("a number behind `" + where.text + "`");
      if (number.value < 0) TokenStream::fail(number, "expected a number from 0, found " + number.shown());
      const auto value = static_cast<unsigned>(number.value);
      if (where.text == "cta") thread.cta = value;
      if (where.text == "gpu") thread.gpu = value;
      if (where.text == "sm") thread.sm = value;
      places_[program_.threads.size()] = where;
    } while (tokens_.accept(","));
  }

  /// The threads of a CTA run on one SM.
  void check_places() {
    for (std::size_t i = 0; i < program_.threads.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Thread &a = program_.threads[j], &b = program_.threads[i];
        if (a.cta == b.cta && a.gpu == b.gpu && a.sm != b.sm)
          TokenStream::fail(places_.count(i) != 0 ? places_.at(i) : tokens_.peek(),
                            "`" + a.name + "` and `" + b.name + "` are of one CTA; expected the same `sm` for both");
      }
    }
  }

  std::size_t find_thread(const Token& name) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < program_.threads.size(); ++i) {
      if (program_.threads[i].name == name.text || std::to_string(i) == name.text) return i;
      names.push_back(program_.threads[i].name);
    }
    TokenStream::fail(name, "unknown thread " + name.shown() + base::suggestion(name.text, names));
  }

  bool at_condition() const {
    const Token& token = tokens_.peek();
    if (token.kind == Token::Kind::end)
      TokenStream::fail(token, "expected `exists`, `~exists` or `forall`, found the end of the file");
    for (const std::string_view other : {"filter", "final"}) {
      if (token.is(other))
        throw Refusal(token.where, "expected `exists`, `~exists` or `forall`, found " + token.shown(),
                      token.shown() + " in the place of a condition");
    }
    return token.is("exists") || token.is("~") || token.is("forall") || token.is("locations");
  }

  void read_row() {
    for (std::size_t column = 0;; ++column) {
      if (column == program_.threads.size())
        TokenStream::fail(tokens_.peek(),
                          "expected `;`: the table has " + std::to_string(program_.threads.size()) + " columns");
      read_cell(column);
      if (tokens_.accept(";")) return;
      tokens_.expect("|", "or `;` behind an instruction");
    }
  }

  void read_cell(std::size_t column) {
    Thread& thread = program_.threads[column];
    const auto next = static_cast<unsigned>(thread.instructions.size());
    while (tokens_.peek().kind == Token::Kind::word && tokens_.peek(1).is(":")) {
      const Token label = tokens_.next();
      tokens_.next();
      if (!labels_[column].emplace(label.text, next).second)
        TokenStream::fail(label, "the label " + label.shown() + " stands twice in " + thread.name);
    }
    if (tokens_.peek().is("|") || tokens_.peek().is(";")) return;
    Token label;
    thread.instructions.push_back(instructions_.read(thread, label));
    if (thread.instructions.back().kind == InstructionKind::branch)
      branches_.push_back({static_cast<unsigned>(column), next, label});
  }

  void resolve_branches() {
    for (const PendingBranch& branch : branches_) {
      const auto& labels = labels_[branch.thread];
      const auto found = labels.find(branch.label.text);
      if (found == labels.end()) {
        std::vector<std::string> names;
        for (const auto& [name, at] : labels) names.push_back(name);
        TokenStream::fail(branch.label, "unknown label " + branch.label.shown() +
                                            (names.empty() ? std::string("; the thread has none")
                                                           : base::suggestion(branch.label.text, names)));
      }
      program_.threads[branch.thread].instructions[branch.instruction].target = found->second;
    }
  }

  /// `locations [x; P0:r0]` says what herd shows of an end; all is shown here.
  void skip_shown_locations() {
    if (!tokens_.accept("locations")) return;
    tokens_.expect("[", "behind `locations`");
    while (!tokens_.accept("]")) {
      if (tokens_.peek().kind == Token::Kind::end) tokens_.expect("]", "behind the locations");
      tokens_.next();
    }
    if (!at_condition()) TokenStream::fail(tokens_.peek(), "expected a condition, found " + tokens_.peek().shown());
  }

  // What a condition may speak of: every register that something sets or that the test declares, and every location.
  void collect_observables() {
    for (unsigned t = 0; t < program_.threads.size(); ++t) {
      for (unsigned r = 0; r < program_.threads[t].registers.size(); ++r) program_.observables.push_back({t, r});
    }
    for (unsigned l = 0; l < program_.locations.size(); ++l) program_.observables.push_back({std::nullopt, l});
  }

  void read_condition() {
    collect_observables();
    const Token first = tokens_.peek();
    if (tokens_.accept("~")) {
      tokens_.expect("exists", "behind `~`");
      program_.quantifier = Quantifier::not_exists;
    } else {
      program_.quantifier = tokens_.next().is("forall") ? Quantifier::for_all : Quantifier::exists;
    }
    program_.proposition = any_of();
    program_.condition_text = tokens_.text_between(first, tokens_.peek());
    tokens_.accept(";");
    if (tokens_.peek().kind != Token::Kind::end)
      TokenStream::fail(tokens_.peek(),
                        "expected `/\\`, `\\/` or the end of the file, found " + tokens_.peek().shown());
  }

  Proposition any_of() {
    Proposition result = all_of();
    while (tokens_.accept("\\/")) result = joined(Proposition::Kind::any_of, std::move(result), all_of());
    return result;
  }
  Proposition all_of() {
    Proposition result = factor();
    while (tokens_.accept("/\\")) result = joined(Proposition::Kind::all_of, std::move(result), factor());
    return result;
  }
  static Proposition joined(Proposition::Kind kind, Proposition a, Proposition b) {
    if (a.kind == kind) {
      a.parts.push_back(std::move(b));
      return a;
    }
    Proposition result;
    result.kind = kind;
    result.parts.push_back(std::move(a));
    result.parts.push_back(std::move(b));
    return result;
  }

  Proposition factor() {
    Proposition result;
    const Token first = tokens_.peek();
    if (tokens_.accept("~")) {
      result.kind = Proposition::Kind::negation;
      deeper(first);
      result.parts.push_back(factor());
      --depth_;
      return result;
    }
    if (tokens_.accept("(")) {
      deeper(first);
      result = any_of();
      --depth_;
      tokens_.expect(")", "behind a part of the condition");
      return result;
    }
    if (tokens_.peek().is("true") || tokens_.peek().is("false")) {
      result.truth = tokens_.next().is("true");
      return result;
    }
    result.left = term();
    result.kind = Proposition::Kind::comparison;
    constexpr std::pair<std::string_view, Comparison> comparisons[] = {
        {"==", Comparison::eq}, {"=", Comparison::eq}, {"!=", Comparison::ne}, {"<=", Comparison::le},
        {">=", Comparison::ge}, {"<", Comparison::lt}, {">", Comparison::gt}};
    const auto* const found = std::find_if(std::begin(comparisons), std::end(comparisons),
                                           [&](const auto& row) { return tokens_.accept(row.first); });
    if (found == std::end(comparisons)) tokens_.expect("=", "(or `==`, `!=`, `<`, `<=`, `>`, `>=`) in the condition");
    result.comparison = found->second;
    result.right = term();
    return result;
  }

  void deeper(const Token& begins) {
    if (++depth_ > deepest_condition)
      TokenStream::fail(begins, "the condition is nested more than " + std::to_string(deepest_condition) + " deep");
  }

  Proposition::Term term() {
    const bool bracket = tokens_.accept("[");
    const Token token = tokens_.next();
    const bool is_register = tokens_.accept(":");
    if (token.kind == Token::Kind::number && !is_register) return {std::nullopt, token.value};
    if (token.kind != Token::Kind::word && !is_register)
      TokenStream::fail(token, "expected a register (P0:r0), a location or a number, found " + token.shown());
    if (is_register) {
      const std::size_t thread = find_thread(token);
      const Token reg = tokens_.expect_word("a register");
      return {observable(program_.threads[thread].name + ":" + reg.text, reg, "register")};
    }
    if (bracket) tokens_.expect("]", "behind the location");
    const auto name = InstructionReader::find_name(program_, token.text);
    // By whatever name, memory is asked.
    const std::string& location = name ? program_.locations[program_.names[*name].location].name : token.text;
    return {observable(location, token, "location")};
  }

  unsigned observable(const std::string& name, const Token& where, const std::string& what) const {
    std::vector<std::string> names;
    for (unsigned i = 0; i < program_.observables.size(); ++i) {
      names.push_back(program_.name_of(program_.observables[i]));
      if (names.back() == name) return i;
    }
    TokenStream::fail(where, "the test has no " + what + " `" + name + "`" + base::suggestion(name, names));
  }

  Program program_;
  TokenStream tokens_;
  InstructionReader instructions_;
  std::vector<InitialRegister> registers_;
  std::map<std::string, Value> initial_;  ///< what has been said of a location, or of a register ("P0:r0")
  std::vector<std::map<std::string, unsigned>> labels_;  ///< by thread: index of the instruction behind the label
  std::vector<PendingBranch> branches_;
  std::map<std::size_t, Token> places_;  ///< by thread: the last word of its place
  unsigned depth_ = 0;                   ///< of the condition, where it is read
};

}  // namespace

Program read_litmus(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

Program load_litmus(const std::filesystem::path& file) {
  const std::string text = base::read_whole(file, [&](const std::string& why) {
    return base::UserError({file.string()}, "the litmus test cannot be read: " + why);
  });
  return read_litmus(text, file.string());
}

}  // namespace syncline::consistency
