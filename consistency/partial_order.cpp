#include "consistency/partial_order.h"

#include <algorithm>
#include <deque>

namespace syncline::consistency {

std::vector<unsigned> PartialOrder::path(unsigned a, unsigned b) const {
  constexpr unsigned unseen = ~0U;
  std::vector<unsigned> from(edges_.size(), unseen);
  from[a] = a;
  std::deque<unsigned> queue{a};
  while (!queue.empty() && from[b] == unseen) {
    const unsigned node = queue.front();
    queue.pop_front();
    for (const unsigned next : edges_[node]) {
      if (from[next] != unseen) continue;
      from[next] = node;
      queue.push_back(next);
    }
  }
  std::vector<unsigned> chain;
  if (from[b] == unseen) return chain;
  for (unsigned node = b; node != a; node = from[node]) chain.push_back(node);
  chain.push_back(a);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace syncline::consistency
