#include "isa/exec/program.h"

#include <fmt/format.h>

#include "isa/ptx/printer.h"

namespace syncline::isa {

const CodeLayout& Program::layout() const {
  std::call_once(laid_out_, [this] { layout_ = lay_out(*this); });
  return layout_;
}

const MeetingPoints& Program::meetings() const {
  std::call_once(meetings_found_, [this] { meetings_ = MeetingPoints(*this); });
  return meetings_;
}

const std::vector<std::uint16_t>& Program::steps_to_end() const {
  std::call_once(ends_found_, [this] { steps_to_end_ = find_steps_to_end(*this); });
  return steps_to_end_;
}

std::string Program::location(const Op& op) const {
  std::string text = fmt::format("{}:{}", module_->source_name, op.line);
  if (const Instruction* i = instruction(op);
      i != nullptr && i->source.line != 0 && i->source.file < module_->files.size())
    text += fmt::format(" ({}:{})", module_->files[i->source.file], i->source.line);
  return text;
}

std::string Program::where(const Op& op) const {
  const Instruction* i = instruction(op);
  const Function& f = function(op);
  const std::string text = i == nullptr ? "end of body" : to_string(*module_, f, *i);
  return fmt::format("{}: `{}` in {} `{}`", location(op), text, f.is_entry ? "kernel" : "function", f.name);
}

}  // namespace syncline::isa
