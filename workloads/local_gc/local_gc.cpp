#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "workloads/common/compare.h"
#include "workloads/common/cta_program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t vertices = cta_threads;
using Graph = std::vector<std::vector<std::uint32_t>>;  ///< neighbours of each vertex

/// Edges between random vertices that have fewer than `degree` neighbours, as many as are found in a while.
Graph random_graph(base::Random& random, std::uint32_t degree) {
  Graph graph(vertices);
  for (std::uint32_t tries = 0; tries < 4 * vertices * degree; ++tries) {
    const std::uint32_t a = random.below(vertices), b = random.below(vertices);
    if (a == b || graph[a].size() >= degree || graph[b].size() >= degree) continue;
    if (std::find(graph[a].begin(), graph[a].end(), b) != graph[a].end()) continue;
    graph[a].push_back(b);
    graph[b].push_back(a);
  }
  return graph;
}

void append(std::vector<std::uint32_t>& input, const Graph& graph, std::uint32_t degree) {
  for (std::uint32_t v = 0; v < vertices; ++v) {
    std::vector<std::uint32_t> locks = graph[v];
    input.insert(input.end(), locks.begin(), locks.end());
    input.insert(input.end(), degree - locks.size(), v);
    locks.push_back(v);
    std::sort(locks.begin(), locks.end());
    input.push_back(static_cast<std::uint32_t>(locks.size()));
    input.insert(input.end(), locks.begin(), locks.end());
    input.insert(input.end(), degree + 1 - locks.size(), 0);
  }
}

/// Each vertex has a colour, none of its neighbours has it, and each lower one is a neighbour's: so it was taken, in
/// whichever order.
Verdict check(const Graph& graph, const std::vector<std::uint32_t>& colours) {
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (colours[v] == 0) return {false, fmt::format("vertex {} has no colour", v)};
    std::vector<bool> taken(colours[v] + 1);
    for (const std::uint32_t neighbour : graph[v]) {
      if (colours[neighbour] == colours[v])
        return {false,
                fmt::format("vertices {} and {} are neighbours, and both have colour {}", v, neighbour, colours[v])};
      if (colours[neighbour] < colours[v]) taken[colours[neighbour]] = true;
    }
    for (std::uint32_t colour = 1; colour < colours[v]; ++colour) {
      if (!taken[colour])
        return {false,
                fmt::format("vertex {} has colour {}, and none of its neighbours has {}", v, colours[v], colour)};
    }
  }
  return {true, fmt::format("{} colours for {} vertices", *std::max_element(colours.begin(), colours.end()), vertices)};
}

Verdict run(const Context& context, std::uint32_t degree) {
  CtaProgram cta{"local_gc", 2 * vertices, degree, {}, cta_count(context)};
  std::vector<Graph> graphs;
  for (std::uint32_t i = 0; i < cta.ctas; ++i) {
    base::Random random(context.seed, "local_gc.edges", i);
    graphs.push_back(random_graph(random, degree));
    append(cta.input, graphs.back(), degree);
  }
  return run_ctas(context, cta, [&](std::uint32_t i, const CtaData& data) {
    return all_of({check(graphs[i], data.part(0, vertices)),
                   compare_exact("locks", data.part(vertices, vertices), std::vector<std::uint32_t>(vertices))});
  });
}

}  // namespace

Verdict run_local_gc_high(const Context& context) {
  return run(context, 5);
}
Verdict run_local_gc_low(const Context& context) {
  return run(context, 2);
}

}  // namespace syncline::workloads
