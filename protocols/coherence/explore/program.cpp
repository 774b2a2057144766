#include "protocols/coherence/explore/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>

#include "base/error.h"

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
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == begin_) ++at_;
    return text_.substr(begin_, at_ - begin_);
  }
  [[noreturn]] void fail(std::string_view expected) const {
    throw base::UserError(fmt::format("program `{}`, column {}: expected {}", text_, begin_ + 1, expected));
  }
  std::uint8_t number(std::string_view what, unsigned limit) {
    const std::string_view word = next();
    if (word.empty() || word.size() > 3 ||
        !std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
      fail(what);
    const int value = std::stoi(std::string(word));
    if (value >= static_cast<int>(limit)) fail(fmt::format("{} below {}", what, limit));
    return static_cast<std::uint8_t>(value);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
};

struct OpName {
  std::string_view name;
  OpKind kind;
  Manner manner = Manner::plain;
};
constexpr OpName op_names[] = {{"ld", OpKind::load},
                               {"st", OpKind::store},
                               {"add", OpKind::atomic},
                               {"fence", OpKind::fence},
                               {"flush", OpKind::flush},
                               {"bar", OpKind::barrier},
                               {"ldp", OpKind::load, Manner::is_private},
                               {"stp", OpKind::store, Manner::is_private},
                               {"ldr", OpKind::load, Manner::read_only},
                               {"ldv", OpKind::load, Manner::around_l1}};
constexpr std::string_view location_names[max_lines][max_words] = {{"x", "x1"}, {"y", "y1"}};

Op read_op(Reader& reader, std::string_view word) {
  const auto* const name = std::find_if(std::begin(op_names), std::end(op_names),
                                        [word](const OpName& known) { return known.name == word; });
  if (name == std::end(op_names))
    reader.fail("`ld`, `st`, `add`, `fence`, `flush`, `bar`, `ldp`, `stp`, `ldr` or `ldv`");
  Op op;
  op.kind = name->kind;
  op.manner = name->manner;
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
  if (op.kind != OpKind::load) op.value = reader.number("a value", 256);
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

}  // namespace

unsigned Program::l1s() const {
  unsigned count = 0;
  for (const Thread& thread : threads) count = std::max(count, thread.l1 + 1U);
  return count;
}

unsigned Program::lines() const {
  unsigned count = 1;
  for (const Thread& thread : threads) {
    for (const Op& op : thread.ops) count = std::max(count, op.line + 1U);
  }
  return count;
}

unsigned Program::words() const {
  unsigned count = 1;
  for (const Thread& thread : threads) {
    for (const Op& op : thread.ops) count = std::max(count, op.word + 1U);
  }
  return count;
}

bool Program::is_private(unsigned line) const {
  return std::any_of(threads.begin(), threads.end(), [line](const Thread& thread) {
    return std::any_of(thread.ops.begin(), thread.ops.end(), [line](const Op& op) {
      return op.has_location() && op.line == line && op.manner == Manner::is_private;
    });
  });
}

bool Program::has(OpKind kind) const {
  return std::any_of(threads.begin(), threads.end(), [kind](const Thread& thread) {
    return std::any_of(thread.ops.begin(), thread.ops.end(), [kind](const Op& op) { return op.kind == kind; });
  });
}

std::string_view location_name(unsigned line, unsigned word) {
  return location_names[line][word];
}

std::string text_of(const Op& op) {
  const auto* const known = std::find_if(std::begin(op_names), std::end(op_names), [&op](const OpName& name) {
    return name.kind == op.kind && name.manner == op.manner;
  });
  std::string text(known->name);
  if (op.has_location()) text += fmt::format(" {}", location_names[op.line][op.word]);
  if (op.kind == OpKind::store || op.kind == OpKind::atomic) text += fmt::format(" {}", op.value);
  return text;
}

Program parse_program(std::string_view text) {
  Program program;
  program.text = std::string(text);
  Reader reader(text);
  Thread thread;
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
      thread.l1 = reader.number("the number of an L1", max_l1s);
      word = reader.next();
    }
    program.threads.push_back(std::move(thread));
    thread = {};
    if (word.empty()) {
      if (shares_private(program)) reader.fail("a line that other threads do not name, for private accesses");
      return program;
    }
    if (word != "|") reader.fail("`;`, `|`, `@` or the end");
    if (program.threads.size() == max_threads) reader.fail(fmt::format("at most {} threads", max_threads));
    word = reader.next();
  }
}

std::string text_of(const Program& program) {
  std::string text;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    if (t != 0) text += " | ";
    const Thread& thread = program.threads[t];
    for (std::size_t i = 0; i < thread.ops.size(); ++i) {
      if (i != 0) text += "; ";
      text += text_of(thread.ops[i]);
    }
    if (thread.l1 != t) text += fmt::format(" @{}", thread.l1);
  }
  return text;
}

std::string text_of(const Outcome& outcome, const Program& program) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    unsigned reg = 0;
    for (const Op& op : program.threads[t].ops) {
      if (op.kind == OpKind::load || op.kind == OpKind::atomic)
        text += fmt::format("{}:r{}={} ", t, reg++, outcome.results[next++]);
    }
  }
  for (unsigned line = 0; line < program.lines(); ++line) {
    for (unsigned w = 0; w < program.words(); ++w)
      text += fmt::format("{}={} ", location_names[line][w], outcome.memory[line][w]);
  }
  text.pop_back();
  return text;
}

std::set<Outcome> sc_outcomes(const Program& program) {
  struct Point {
    std::array<std::uint8_t, max_threads> next{};
    std::array<std::vector<std::uint8_t>, max_threads> results;
    decltype(Outcome::memory) memory{};
    bool operator<(const Point& other) const {
      return std::tie(next, results, memory) < std::tie(other.next, other.results, other.memory);
    }
  };
  std::set<Outcome> outcomes;
  std::set<Point> seen;
  const std::function<void(const Point&)> visit = [&](const Point& point) {
    if (!seen.insert(point).second) return;
    bool finished = true;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      if (point.next[t] == program.threads[t].ops.size()) continue;
      finished = false;
      const Op& op = program.threads[t].ops[point.next[t]];
      Point after = point;
      ++after.next[t];
      std::uint8_t& cell = after.memory[op.line][op.word];
      if (op.kind == OpKind::load || op.kind == OpKind::atomic) after.results[t].push_back(cell);
      if (op.kind == OpKind::store) cell = op.value;
      if (op.kind == OpKind::atomic) cell = static_cast<std::uint8_t>(cell + op.value);
      visit(after);
    }
    if (!finished) return;
    Outcome outcome;
    for (const auto& results : point.results)
      outcome.results.insert(outcome.results.end(), results.begin(), results.end());
    outcome.memory = point.memory;
    outcomes.insert(std::move(outcome));
  };
  visit({});
  return outcomes;
}

}  // namespace syncline::protocols::explore
