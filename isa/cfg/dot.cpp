#include <fmt/format.h>

#include "isa/cfg/control_flow_graph.h"
#include "isa/ptx/printer.h"

namespace syncline::isa {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '{' || c == '}' || c == '|' || c == '<' || c == '>') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string to_dot(const Module& module, const Function& function) {
  const ControlFlowGraph graph(function);
  const std::vector<std::uint32_t> meets = immediate_post_dominators(graph, function);
  std::string dot = fmt::format("digraph \"{}\" {{\n  node [shape=record, fontname=monospace];\n", function.name);
  for (std::uint32_t b = 0; b < graph.size(); ++b) {
    const BasicBlock& block = graph.blocks()[b];
    std::string text = fmt::format("block {}", b);
    for (const Label& label : function.labels)
      if (label.instruction == block.first) text += " " + label.name;
    text = "{" + escaped(text) + "|";
    for (std::uint32_t i = block.first; i < block.last; ++i)
      text += escaped(fmt::format("{}: {}", i, to_string(module, function, function.instructions[i]))) + "\\l";
    dot += fmt::format("  b{} [label=\"{}}}\"];\n", b, text);
    for (const std::uint32_t s : block.successors) dot += fmt::format("  b{} -> b{};\n", b, s);
    if (block.successors.size() > 1 && meets[b] != no_index)
      dot += fmt::format("  b{} -> b{} [style=dashed, color=gray, constraint=false];\n", b, meets[b]);
  }
  return dot + "}\n";
}

}  // namespace syncline::isa
