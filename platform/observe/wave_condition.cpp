#include "platform/observe/wave_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/error.h"
#include "base/nearest.h"
#include "platform/config/quantity.h"
#include "platform/observe/wave_choice.h"

namespace syncline::platform {

struct WaveCondition::Node {
  enum class Kind : std::uint8_t { either, both, negation, comparison, changed };
  Kind kind;
  std::unique_ptr<Node> left = nullptr, right = nullptr;  ///< negation: left
  std::vector<const models::TracedSignal*> signals = {};
  std::vector<std::uint32_t> places = {};
  std::string_view comparison = "!=";
  std::uint64_t value = 0;
};

namespace {

using models::TracedSignal;
using Node = WaveCondition::Node;
using NodePointer = std::unique_ptr<Node>;

constexpr std::array<std::string_view, 6> comparisons = {"==", "!=", "<=", ">=", "<", ">"};

bool compare(std::uint64_t a, std::string_view comparison, std::uint64_t b) {
  if (comparison == "==") return a == b;
  if (comparison == "!=") return a != b;
  if (comparison == "<=") return a <= b;
  if (comparison == ">=") return a >= b;
  return comparison == "<" ? a < b : a > b;
}

class ConditionReader {
 public:
  ConditionReader(const std::string& option, const std::string& text, const std::vector<TracedSignal>& signals)
      : option_(option), text_(text), signals_(signals) {}

  NodePointer read() {
    NodePointer root = either();
    if (!rest().empty()) fail("expected `&&`, `||` or the end, found `" + std::string(rest()) + "`");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
  [[noreturn]] void fail_at(std::size_t at, const std::string& what) const {
    throw base::UserError(fmt::format("{}: `{}`:{}: {}", option_, text_, at + 1, what));
  }

  std::string_view rest() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return std::string_view(text_).substr(at_);
  }
  std::size_t position() {
    rest();
    return at_;
  }
  bool take(std::string_view token) {
    if (rest().substr(0, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  std::string take_word(const char* expected) {
    const std::string_view from = rest();
    std::size_t length = 0;
    while (length < from.size() && (std::isalnum(static_cast<unsigned char>(from[length])) != 0 ||
                                    std::string_view("_.*?").find(from[length]) != std::string_view::npos))
      ++length;
    if (length == 0) fail(fmt::format("expected {}, found {}", expected, found(from)));
    at_ += length;
    return std::string(from.substr(0, length));
  }
  static std::string found(std::string_view text) {
    return text.empty() ? "the end" : "`" + std::string(text.substr(0, 1)) + "`";
  }

  static NodePointer join(Node::Kind kind, NodePointer left, NodePointer right) {
    return std::make_unique<Node>(Node{kind, std::move(left), std::move(right)});
  }
  NodePointer either() {
    NodePointer left = both();
    while (take("||")) left = join(Node::Kind::either, std::move(left), both());
    return left;
  }
  NodePointer both() {
    NodePointer left = term();
    while (take("&&")) left = join(Node::Kind::both, std::move(left), term());
    return left;
  }
  NodePointer term() {
    if (depth_ == 64) fail("expected fewer `!` and `(` in one another");
    ++depth_;
    NodePointer node;
    if (take("!")) {
      node = join(Node::Kind::negation, term(), nullptr);
    } else if (take("(")) {
      node = either();
      close();
    } else {
      node = comparison();
    }
    --depth_;
    return node;
  }
  void close() {
    if (!take(")")) fail("expected `)`, found " + found(rest()));
  }
  NodePointer comparison() {
    const std::size_t begin = position();
    const std::string word = take_word("a signal");
    auto node = std::make_unique<Node>(Node{Node::Kind::comparison});
    if (word == "changed" && take("(")) {
      node->kind = Node::Kind::changed;
      const std::size_t name_at = position();
      node->signals = signals_of(take_word("a signal"), name_at);
      close();
      return node;
    }
    node->signals = signals_of(word, begin);
    for (const std::string_view one : comparisons) {
      if (!take(one)) continue;
      node->comparison = one;
      const std::size_t value_at = position();
      node->value = value_of(take_word("a number or a name"), value_at, *node->signals.front());
      break;
    }
    return node;
  }

  std::vector<const TracedSignal*> signals_of(const std::string& name, std::size_t at) const {
    std::vector<const TracedSignal*> found;
    std::vector<std::string> names;
    for (const TracedSignal& signal : signals_) {
      names.push_back(signal.full_name());
      if (matches_glob(name, names.back())) found.push_back(&signal);
    }
    if (found.empty()) fail_at(at, "no signal is called `" + name + "`" + base::suggestion(name, names));
    return found;
  }
  std::uint64_t value_of(const std::string& word, std::size_t at, const TracedSignal& signal) const {
    const auto number = parse_integer(word, base::Unit::count, IntegerRange::of<std::uint64_t>());
    if (number.value) return number.value->magnitude;
    if (signal.as.names == nullptr)
      fail_at(at, "the values of " + signal.full_name() + " are numbers, found `" + word + "`");
    std::vector<std::string> names;
    for (const auto& [value, name] : signal.as.names->values) {
      if (name == word) return value;
      names.push_back(name);
    }
    fail_at(at, "no value of " + signal.full_name() + " is called `" + word + "`" + base::suggestion(word, names));
  }

  const std::string& option_;
  const std::string& text_;
  const std::vector<TracedSignal>& signals_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

template <class Visit>
void visit(Node* node, const Visit& visitor) {
  if (node == nullptr) return;
  visitor(*node);
  visit(node->left.get(), visitor);
  visit(node->right.get(), visitor);
}

bool holds_at(const Node& node, const std::vector<std::uint64_t>& values,
              const std::vector<WaveSink::Change>& changes) {
  switch (node.kind) {
    case Node::Kind::either:
      return holds_at(*node.left, values, changes) || holds_at(*node.right, values, changes);
    case Node::Kind::both:
      return holds_at(*node.left, values, changes) && holds_at(*node.right, values, changes);
    case Node::Kind::negation:
      return !holds_at(*node.left, values, changes);
    case Node::Kind::comparison:
      return std::any_of(node.places.begin(), node.places.end(),
                         [&](std::uint32_t place) { return compare(values[place], node.comparison, node.value); });
    case Node::Kind::changed:
      return std::any_of(changes.begin(), changes.end(), [&](const WaveSink::Change& change) {
        return std::find(node.places.begin(), node.places.end(), change.signal) != node.places.end();
      });
  }
  return false;
}

}  // namespace

WaveCondition::WaveCondition(const std::string& option, const std::string& text,
                             const std::vector<TracedSignal>& signals)
    : root_(ConditionReader(option, text, signals).read()) {}

WaveCondition::~WaveCondition() = default;

std::vector<const TracedSignal*> WaveCondition::signals() const {
  std::vector<const TracedSignal*> all;
  visit(root_.get(), [&all](const Node& node) { all.insert(all.end(), node.signals.begin(), node.signals.end()); });
  return all;
}

void WaveCondition::place(const std::function<std::uint32_t(const TracedSignal*)>& place_of) {
  visit(root_.get(), [&place_of](Node& node) {
    for (const TracedSignal* signal : node.signals) node.places.push_back(place_of(signal));
  });
}

bool WaveCondition::holds(const std::vector<std::uint64_t>& values,
                          const std::vector<WaveSink::Change>& changes) const {
  return holds_at(*root_, values, changes);
}

}  // namespace syncline::platform
