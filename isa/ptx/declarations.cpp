#include "isa/ptx/declarations.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>

#include "isa/ptx/constant.h"
#include "isa/ptx/unsupported.h"

namespace syncline::isa {
namespace {

constexpr std::uint64_t largest_variable = std::uint64_t{1} << 36;
constexpr std::size_t most_dimensions = 16;
constexpr std::uint32_t largest_alignment = 1u << 20;

std::uint32_t read_alignment(Lexer& lexer) {
  const Token place = lexer.current();
  const std::int64_t value = read_integer(lexer, "the alignment");
  if (value <= 0 || value > largest_alignment || (value & (value - 1)) != 0)
    lexer.fail(place, fmt::format("an alignment is a power of two up to {}, not {}", largest_alignment, value));
  return static_cast<std::uint32_t>(value);
}

void read_attribute(Lexer& lexer, DeclarationHead& head) {
  lexer.expect('(', "after `.attribute`");
  const Token attribute = lexer.take();
  if (attribute.text == ".managed") {
    head.managed = true;
  } else if (attribute.text == ".unified") {  // an identifier for address translation across devices: no effect
    if (lexer.current().is('(')) skip_balanced(lexer, '(', ')');
  } else {
    lexer.fail(attribute, fmt::format("unknown attribute {}; expected `.managed` or `.unified`", describe(attribute)));
  }
  lexer.expect(')', "after the attribute");
}

void read_pointer_attribute(Lexer& lexer, DeclarationHead& head) {
  head.pointer = true;
  if (const Space space = declared_space(lexer.current()); space != Space::none) {
    head.pointer_space = space;
    lexer.take();
  }
  if (lexer.accept(".align")) head.pointer_align = read_alignment(lexer);
}

bool is_vector_word(const Token& token) {
  return token.is(".v2") || token.is(".v4") || token.is(".v8");
}

}  // namespace

Space declared_space(const Token& token) {
  if (token.kind != TokenKind::dot) return Space::none;
  if (token.text == ".global") return Space::global;
  if (token.text == ".shared" || token.text == ".shared::cta") return Space::shared;
  if (token.text == ".local") return Space::local;
  if (token.text == ".const") return Space::const_;
  if (token.text == ".param") return Space::param;
  if (token.text == ".reg") return Space::reg;
  return Space::none;
}

DeclarationHead read_declaration_head(Lexer& lexer, Refusals& refused) {
  DeclarationHead head;
  head.place = lexer.current().place();
  while (lexer.current().kind == TokenKind::dot) {
    const Token token = lexer.take();
    if (token.text == ".align")
      head.align = read_alignment(lexer);
    else if (token.text == ".attribute")
      read_attribute(lexer, head);
    else if (token.text == ".ptr")
      read_pointer_attribute(lexer, head);
    else if (is_vector_word(token)) {
      if (head.type != Type::none)
        lexer.fail(token, fmt::format("`{0}` stands before the type: `{0} .{1}`", token.text, name(head.type)));
      head.vector = static_cast<unsigned>(token.text[2] - '0');
    } else if (token.text == ".texref" || token.text == ".samplerref" || token.text == ".surfref") {
      if (!refused.again(token.text))
        refused.add(token.text, token.place(), fmt::format("`{}`: {}", token.text, textures_missing),
                    std::string(textures_missing));
      head.opaque = true;
      if (head.type == Type::none) head.type = Type::b64;
    } else if (const auto type = find_type(token.text.substr(1))) {
      if (head.type != Type::none && !head.opaque)
        lexer.fail(token, fmt::format("a second type, {}, in one declaration", describe(token)));
      if (is_instruction_type(*type))
        lexer.fail(token, fmt::format("{} is a type of instructions only: declare `.b{}`", describe(token),
                                      8 * type_bytes(*type)));
      head.type = *type;
    } else {
      lexer.fail(token,
                 fmt::format("expected a type, `.align` or an attribute in a declaration, found {}", describe(token)));
    }
  }
  if (head.type == Type::none) lexer.fail_found("a type, as in `.b32`, before the name");
  return head;
}

DeclarationHead read_register_head(Lexer& lexer, Refusals& refused) {
  const DeclarationHead head = read_declaration_head(lexer, refused);
  if (head.vector > 4) lexer.fail(lexer.current(), "a vector register has 2 or 4 elements");
  return head;
}

std::string register_name(std::string_view name, unsigned vector, unsigned index) {
  return vector == 1 ? std::string(name) : fmt::format("{}${}", name, "xyzw"[index]);
}

void skip_opaque_initialiser(Lexer& lexer) {
  if (!lexer.accept('=')) return;
  if (lexer.current().is('{'))
    skip_balanced(lexer, '{', '}');
  else
    lexer.take();
}

Variable read_declarator(Lexer& lexer, const DeclarationHead& head, Space space) {
  if (lexer.current().kind != TokenKind::word) lexer.fail_found("a name in the declaration");
  const Token name = lexer.take();
  Variable v;
  v.name = std::string(name.text);
  v.line = name.line;
  v.column = name.column;
  v.space = space;
  v.type = head.type;
  v.vector = head.vector;
  v.managed = head.managed;
  v.pointer = head.pointer;
  v.pointer_space = head.pointer_space;
  v.pointer_align = head.pointer_align;
  if (space != Space::reg && (type_bytes(head.type) == 0))
    lexer.fail(name, fmt::format("`.{}` values live in registers only", isa::name(head.type)));
  if (head.managed && space != Space::global) lexer.fail(name, "`.attribute(.managed)` is for `.global` variables");

  std::uint64_t bytes = std::uint64_t{type_bytes(head.type)} * head.vector;
  const auto natural = static_cast<std::uint32_t>(bytes);
  v.align = head.align != 0 ? head.align : natural;
  while (lexer.accept('[')) {
    v.is_array = true;
    if (v.dims.size() == most_dimensions) lexer.fail(name, fmt::format("more than {} dimensions", most_dimensions));
    if (lexer.current().is(']')) {
      if (!v.dims.empty()) lexer.fail_found("the size of this dimension (only the first may be left out)");
      v.unsized = true;
      v.dims.push_back(0);
    } else {
      const Token size = lexer.current();
      const std::int64_t count = read_integer(lexer, "the array size");
      if (count < 0) lexer.fail(size, fmt::format("an array cannot have {} elements", count));
      v.dims.push_back(static_cast<std::uint64_t>(count));
      if (count != 0 && bytes > largest_variable / static_cast<std::uint64_t>(count))
        lexer.fail(name, fmt::format("`{}` is larger than {} bytes", name.text, largest_variable));
      bytes *= static_cast<std::uint64_t>(count);
    }
    lexer.expect(']', "after the array size");
  }
  if (v.is_array && space == Space::reg) lexer.fail(name, "registers form no arrays");
  v.bytes = v.unsized ? 0 : bytes;
  return v;
}

std::optional<std::uint64_t> read_name_count(Lexer& lexer, const char* what) {
  if (!lexer.accept('<')) return std::nullopt;
  const Token place = lexer.current();
  const std::string number = fmt::format("the number of {}", what);
  const std::int64_t count = read_integer(lexer, number.c_str());
  if (count < 0) lexer.fail(place, fmt::format("a number of {} cannot be negative", what));
  lexer.expect('>', ("after " + number).c_str());
  return static_cast<std::uint64_t>(count);
}

std::vector<Variable> read_parameters(Lexer& lexer, Refusals& refused, std::uint64_t& bytes, bool anonymous) {
  std::vector<Variable> params;
  std::unordered_set<std::string_view> names;
  Token last;
  bytes = 0;
  lexer.expect('(', "before the parameters");
  if (lexer.accept(')')) return params;
  do {
    if (!params.empty() && params.back().unsized)
      lexer.fail(last,
                 fmt::format("`{}` has no size: only the last parameter may be such an array", params.back().name));
    const Space space = declared_space(lexer.current());
    if (space != Space::param && space != Space::reg) lexer.fail_found("`.param` or `.reg` before a parameter");
    lexer.take();
    const DeclarationHead head = read_declaration_head(lexer, refused);
    const Token name = lexer.current();
    Variable v = read_declarator(lexer, head, space);
    if (!names.insert(name.text).second && !(anonymous && v.name == "_"))
      lexer.fail(name, fmt::format("there already is a parameter `{}`", v.name));
    if (space == Space::param) {
      bytes = (bytes + v.align - 1) / v.align * v.align;
      v.offset = bytes;
      bytes += v.bytes;
    }
    params.push_back(std::move(v));
    last = name;
  } while (lexer.accept(','));
  lexer.expect(')', "after the parameters");
  return params;
}

std::vector<Variable> read_results(Lexer& lexer, Refusals& refused, std::uint64_t& bytes, bool anonymous) {
  const Token place = lexer.current();
  std::vector<Variable> results = read_parameters(lexer, refused, bytes, anonymous);
  if (!results.empty() && results.back().unsized)
    lexer.fail(place, fmt::format("the result `{}` has no size", results.back().name));
  return results;
}

void skip_balanced(Lexer& lexer, char open, char close) {
  const Token start = lexer.current();
  unsigned depth = 0;
  do {
    if (lexer.current().kind == TokenKind::end)
      lexer.fail(start, fmt::format("this `{}` has no matching `{}`", open, close));
    if (lexer.current().is(open)) ++depth;
    if (lexer.current().is(close)) --depth;
    lexer.take();
  } while (depth > 0);
}

}  // namespace syncline::isa
