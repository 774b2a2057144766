// The policy `nhcc`: coherence between the L2s of GPU modules, without hierarchy. L1s are kept by software, as in
// `none`. An L2 caches lines of other modules; the home, the L2 of the module that has the memory, notes which modules
// have copies and invalidates them when the line is written, without acknowledgement. Only who releases waits: its L2
// asks all homes, these send a marker behind their invalidations to all modules, and each module answers the L2 that
// asks.
//
// Sources: Ren, thesis, 5.5 and table 5.1 (NHCC); what the text leaves open is said in docs/modules.md.
#pragma once

#include <cstdint>
#include <string>

#include "base/fields.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::protocols {

const base::ChoiceTable<MessageOrder>& message_order_names();

/// The keys `coherence.nhcc.*`, of all policies of several modules.
struct NhccSpec {
  MessageOrder order = MessageOrder::pair;
  std::uint32_t directory_sets = 768, directory_ways = 16;
  std::uint32_t directory_lines = 4;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice(
        "order", order, message_order_names(),
        param::text("what networks between modules keep of the order of messages: pair, all from one module to "
                    "another; line, those of one line; none. Without transient states the policies need `pair`, and "
                    "machines that run take nothing else; `syncline check` shows why",
                    "own; Ren, thesis, 5.5 has no transient states"));
    v.field("directory_sets", directory_sets,
            param::count("sets of the directory of a module, dealt to its L2 slices",
                         "Ren, thesis, table 5.2: 12K entries a GPU module")
                .between(1, 1 << 20));
    v.field("directory_ways", directory_ways, param::count("entries per set of it", "own").between(1, 1024));
    v.field("directory_lines", directory_lines,
            param::count("lines of an entry, a power of two", "Ren, thesis, 5.7: four").between(1, 64));
    v.require((directory_lines & (directory_lines - 1)) == 0, "directory_lines", "must be a power of two");
    v.require(std::uint64_t{directory_sets} * directory_ways * directory_lines <= DirectoryGeometry::most_lines,
              "directory_sets",
              "times `coherence.nhcc.directory_ways` times `coherence.nhcc.directory_lines` may be " +
                  std::to_string(DirectoryGeometry::most_lines) + " at most");
  }
};

CoherencePolicy make_nhcc(const NhccSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
