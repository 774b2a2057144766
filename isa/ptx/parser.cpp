#include "isa/ptx/parser.h"

#include <fstream>
#include <iterator>

#include "isa/ptx/module_parser.h"

namespace syncline::isa {

std::shared_ptr<const Module> parse_module(std::string_view text, std::string source_name) {
  auto module = std::make_shared<Module>();
  module->source_name = std::move(source_name);
  Lexer lexer(text, module->source_name);
  ModuleParser(lexer, *module).parse();
  return module;
}

std::shared_ptr<const Module> load_module_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw base::UserError({path}, "the PTX file cannot be read");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw base::UserError({path}, "the PTX file cannot be read");
  return parse_module(text, path);
}

}  // namespace syncline::isa
