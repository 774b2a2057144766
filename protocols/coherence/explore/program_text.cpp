// Programs of the model checker as text.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/error.h"
#include "protocols/coherence/explore/places.h"
#include "protocols/coherence/explore/program.h"

namespace syncline::protocols::explore {
namespace {

/// Words of the text with their columns.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  std::string_view next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    begin_ = at_;
    if (at_ == text_.size()) return {};
    if (text_[at_] == ';' || text_[at_] == '|' || text_[at_] == '@') return text_.substr(at_++, 1);
    while (at_ < text_.size() && is_of_word(text_[at_])) ++at_;
    if (at_ == begin_) ++at_;
    return text_.substr(begin_, at_ - begin_);
  }
  [[noreturn]] void fail(std::string_view expected) const {
    throw base::UserError(fmt::format("program `{}`, column {}: expected {}", text_, begin_ + 1, expected));
  }
  std::uint8_t number(std::string_view what, unsigned limit) { return number(next(), what, limit); }
  std::uint8_t number(std::string_view word, std::string_view what, unsigned limit) const {
    if (word.empty() || word.size() > 3 ||
        !std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
      fail(what);
    const int value = std::stoi(std::string(word));
    if (value >= static_cast<int>(limit)) fail(fmt::format("{} below {}", what, limit));
    return static_cast<std::uint8_t>(value);
  }

 private:
  static bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_'; }

  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
};

struct OpName {
  std::string_view name;
  OpKind kind;
  Manner manner = Manner::plain;
  AtomicKind atomic = AtomicKind::add;
};
constexpr OpName op_names[] = {{"ld", OpKind::load},
                               {"st", OpKind::store},
                               {"add", OpKind::atomic},
                               {"exch", OpKind::atomic, Manner::plain, AtomicKind::exch},
                               {"cas", OpKind::atomic, Manner::plain, AtomicKind::cas},
                               {"fence", OpKind::fence},
                               {"flush", OpKind::flush},
                               {"bar", OpKind::barrier},
                               {"ldp", OpKind::load, Manner::is_private},
                               {"stp", OpKind::store, Manner::is_private},
                               {"ldr", OpKind::load, Manner::read_only},
                               {"ldv", OpKind::load, Manner::around_l1}};
constexpr std::string_view location_names[max_lines][max_words] = {{"x", "x1"}, {"y", "y1"}};

struct OrderingName {
  std::string_view name;
  Ordering ordering;
};
constexpr OrderingName ordering_names[] = {
    {"acquire", Ordering::acquire}, {"release", Ordering::release}, {"acq_rel", Ordering::acq_rel}};
struct ScopeName {
  std::string_view name;
  Scope scope;
};
constexpr ScopeName scope_names[] = {
    {"cta", Scope::cta}, {"gpu", Scope::gpu}, {"sys", Scope::sys}, {"weak", Scope::none}};

const OpName* op_named(std::string_view word) {
  const auto* const found = std::find_if(std::begin(op_names), std::end(op_names),
                                         [word](const OpName& known) { return known.name == word; });
  return found == std::end(op_names) ? nullptr : found;
}

bool may_have(const Op& op, Ordering ordering) {
  switch (ordering) {
    case Ordering::relaxed:
      return true;
    case Ordering::acquire:
      return op.reads();
    case Ordering::release:
      return op.writes();
    case Ordering::acq_rel:
      return op.kind == OpKind::atomic || op.kind == OpKind::fence;
  }
  return false;
}

bool may_be_weak(const Op& op) {
  return op.kind == OpKind::load || op.kind == OpKind::store;
}

/// What may stand behind an operation's name, for messages.
std::string suffixes_of(const Op& op) {
  std::string text;
  for (const OrderingName& known : ordering_names) {
    if (may_have(op, known.ordering)) text += fmt::format("`.{}`, ", known.name);
  }
  return text + (may_be_weak(op) ? "`.cta`, `.gpu`, `.sys` or `.weak`" : "`.cta`, `.gpu` or `.sys`");
}

/// ".acq_rel.cta": an ordering, a scope, both in this order, or nothing.
void read_suffixes(Reader& reader, std::string_view word, Op& op) {
  bool has_ordering = false, has_scope = false;
  while (!word.empty()) {
    word.remove_prefix(1);  // the dot
    const std::string_view suffix = word.substr(0, word.find('.'));
    word.remove_prefix(suffix.size());
    const auto named = [suffix](const auto& known) { return known.name == suffix; };
    const auto* const ordering = std::find_if(std::begin(ordering_names), std::end(ordering_names), named);
    const auto* const scope = std::find_if(std::begin(scope_names), std::end(scope_names), named);
    const bool may_order = !has_ordering && !has_scope && ordering != std::end(ordering_names);
    if (may_order && may_have(op, ordering->ordering)) {
      op.ordering = ordering->ordering;
      has_ordering = true;
    } else if (!has_scope && scope != std::end(scope_names) &&
               (scope->scope != Scope::none || (may_be_weak(op) && !has_ordering))) {
      op.scope = scope->scope;
      has_scope = true;
    } else {
      reader.fail("behind the name " + suffixes_of(op));
    }
  }
}

Op read_op(Reader& reader, std::string_view word) {
  const std::size_t dot = std::min(word.find('.'), word.size());
  const OpName* const name = op_named(word.substr(0, dot));
  if (name == nullptr)
    reader.fail("`ld`, `st`, `add`, `exch`, `cas`, `fence`, `flush`, `bar`, `ldp`, `stp`, `ldr` or `ldv`");
  Op op;
  op.kind = name->kind;
  op.manner = name->manner;
  op.atomic = name->atomic;
  const bool takes_suffixes = (op.has_location() || op.kind == OpKind::fence) && op.manner == Manner::plain;
  if (dot != word.size() && !takes_suffixes) reader.fail(fmt::format("`{}` alone", name->name));
  read_suffixes(reader, word.substr(dot), op);
  if (!op.has_location()) return op;
  const std::string_view location = reader.next();
  bool known = false;
  for (std::uint8_t line = 0; line < max_lines; ++line) {
    for (std::uint8_t w = 0; w < max_words; ++w) {
      if (location_names[line][w] != location) continue;
      op.line = line;
      op.word = w;
      known = true;
    }
  }
  if (!known) reader.fail("`x`, `y`, `x1` or `y1`");
  if (op.kind == OpKind::atomic && op.atomic == AtomicKind::cas) op.compare = reader.number("a value to find", 256);
  if (op.writes()) op.value = reader.number("a value", 256);
  return op;
}

/// Whether a line of private accesses is named by other threads, or by other accesses.
bool shares_private(const Program& program) {
  for (unsigned line = 0; line < max_lines; ++line) {
    std::set<std::pair<std::size_t, bool>> users;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      for (const Op& op : program.threads[t].ops) {
        if (op.has_location() && op.line == line) users.emplace(t, op.manner == Manner::is_private);
      }
    }
    if (program.is_private(line) && users.size() > 1) return true;
  }
  return false;
}

/// GPU, module, L1 in the module, of a thread that says them.
using Place = std::vector<std::uint8_t>;

/// "1", an L1, or "1.0", a module, or "1.0.1", one of several L1s there.
Place read_place(Reader& reader, Thread& thread) {
  std::string_view word = reader.next();
  if (word.find('.') == std::string_view::npos) {
    thread.l1 = reader.number(word, "the number of an L1", max_l1s);
    return {};
  }
  constexpr std::string_view parts[] = {"a GPU before a module, as `1.0`,", "a module of the GPU, as `1.0`,",
                                        "an L1 of the module, as `1.0.1`,"};
  const unsigned limits[] = {small_grid.gpus, small_grid.modules_of_gpu, max_l1s};
  Place place;
  while (place.size() < 3 && (!word.empty() || place.size() < 2)) {
    const std::size_t dot = std::min(word.find('.'), word.size());
    place.push_back(reader.number(word.substr(0, dot), parts[place.size()], limits[place.size()]));
    word.remove_prefix(std::min(dot + 1, word.size()));
  }
  if (!word.empty()) reader.fail("at most a GPU, a module and an L1, as `1.0.1`");
  thread.is_placed = true;
  thread.gpu = place[0];
  thread.module = place[1];
  return place;
}

/// Threads of one place have one L1; the L1s are numbered in the order in which they are named.
void number_l1s(const Reader& reader, Program& program, std::vector<Place>& places) {
  const bool any = std::any_of(places.begin(), places.end(), [](const Place& place) { return !place.empty(); });
  if (!any) return;
  std::vector<Place> named;
  for (std::size_t t = 0; t < places.size(); ++t) {
    Place& place = places[t];
    if (place.empty()) reader.fail("a place as `@1.0` for each thread, or for none");
    place.resize(3);
    const auto found = std::find(named.begin(), named.end(), place);
    program.threads[t].l1 = static_cast<std::uint8_t>(found - named.begin());
    if (found == named.end()) named.push_back(place);
  }
}

}  // namespace

std::string_view location_name(unsigned line, unsigned word) {
  return location_names[line][word];
}

std::string text_of(const Op& op) {
  const auto* const known = std::find_if(std::begin(op_names), std::end(op_names), [&op](const OpName& name) {
    return name.kind == op.kind && name.manner == op.manner && name.atomic == op.atomic;
  });
  std::string text(known->name);
  for (const OrderingName& name : ordering_names) {
    if (name.ordering == op.ordering) text += fmt::format(".{}", name.name);
  }
  for (const ScopeName& name : scope_names) {
    if (name.scope == op.scope && op.scope != Scope::gpu) text += fmt::format(".{}", name.name);
  }
  if (op.has_location()) text += fmt::format(" {}", location_names[op.line][op.word]);
  if (op.kind == OpKind::atomic && op.atomic == AtomicKind::cas) text += fmt::format(" {}", op.compare);
  if (op.writes()) text += fmt::format(" {}", op.value);
  return text;
}

Program parse_program(std::string_view text) {
  Program program;
  program.text = std::string(text);
  Reader reader(text);
  Thread thread;
  std::vector<Place> places;
  for (std::string_view word = reader.next();;) {
    if (thread.ops.size() == max_operations) reader.fail(fmt::format("at most {} operations a thread", max_operations));
    thread.ops.push_back(read_op(reader, word));
    word = reader.next();
    if (word == ";") {
      word = reader.next();
      continue;
    }
    thread.l1 = static_cast<std::uint8_t>(program.threads.size());
    if (word == "@") {
      places.push_back(read_place(reader, thread));
      word = reader.next();
    } else {
      places.emplace_back();
    }
    program.threads.push_back(std::move(thread));
    thread = {};
    if (word.empty()) {
      number_l1s(reader, program, places);
      if (shares_private(program)) reader.fail("a line that other threads do not name, for private accesses");
      return program;
    }
    if (word != "|") reader.fail("`;`, `|`, `@` or the end");
    if (program.threads.size() == max_threads) reader.fail(fmt::format("at most {} threads", max_threads));
    word = reader.next();
  }
}

namespace {
/// "1.0", and ".1" behind it for the second L1 of the module.
std::string place_text(const Program& program, std::size_t t) {
  const Thread& thread = program.threads[t];
  std::set<std::uint8_t> before;  // other L1s of the module that are named first
  for (const Thread& other : program.threads) {
    if (other.gpu == thread.gpu && other.module == thread.module && other.l1 < thread.l1) before.insert(other.l1);
  }
  const std::string text = fmt::format("{}.{}", thread.gpu, thread.module);
  return before.empty() ? text : text + fmt::format(".{}", before.size());
}
}  // namespace

std::string text_of(const Program& program) {
  std::string text;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    if (t != 0) text += " | ";
    const Thread& thread = program.threads[t];
    for (std::size_t i = 0; i < thread.ops.size(); ++i) {
      if (i != 0) text += "; ";
      text += text_of(thread.ops[i]);
    }
    if (thread.is_placed)
      text += " @" + place_text(program, t);
    else if (thread.l1 != t)
      text += fmt::format(" @{}", thread.l1);
  }
  return text;
}

std::string text_of(const Outcome& outcome, const Program& program) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    unsigned reg = 0;
    for (const Op& op : program.threads[t].ops) {
      if (op.reads()) text += fmt::format("{}:r{}={} ", t, reg++, outcome.results[next++]);
    }
  }
  for (unsigned line = 0; line < program.lines(); ++line) {
    for (unsigned w = 0; w < program.words(); ++w)
      text += fmt::format("{}={} ", location_names[line][w], outcome.memory[line][w]);
  }
  text.pop_back();
  return text;
}

}  // namespace syncline::protocols::explore
