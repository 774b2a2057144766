#include "isa/ptx/parser.h"

#include <iterator>

#include "base/readable.h"
#include "isa/ptx/foreign_text.h"
#include "isa/ptx/module_parser.h"

namespace syncline::isa {

std::shared_ptr<const Module> parse_module(std::string_view text, std::string source_name, unsigned warp_sz) {
  auto module = std::make_shared<Module>();
  module->source_name = std::move(source_name);
  module->warp_sz = warp_sz;
  refuse_foreign_text(text, module->source_name);
  Lexer lexer(text, module->source_name, warp_sz);
  ModuleParser(lexer, *module).parse();
  return module;
}

std::shared_ptr<const Module> load_module_file(const std::string& path, unsigned warp_sz) {
  const std::string text = base::read_whole(
      path, [&](const std::string& why) { return base::UserError({path}, "the PTX file cannot be read: " + why); });
  return parse_module(text, path, warp_sz);
}

}  // namespace syncline::isa
