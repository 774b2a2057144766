#include "models/tile/leak.h"

namespace syncline::models {

const std::vector<LeakDescription>& leaks() {
  static const std::vector<LeakDescription> all{
      {"message", "every tile", "crossbars, and they into every tile",
       "a message enters the receiver's queue in the sender's turn (it is looked at when it arrives), and whether "
       "there "
       "is room, and END_REQ when there is some again, are known in the same cycle"},
      {"cta", "SM", "work distributor",
       "a CTA that has ended is told before the distributor's next turn, in which the next one may start on any SM"},
      {"system_call", "SM", "host, all L2 slices and memories",
       "printf reads its strings and arguments, and malloc takes its piece of the heap, in the turn of the warp that "
       "calls"},
      {"spin_check", "SM", "all L2 slices and memories",
       "while nothing has had an effect for a spin window, what a load has got is compared with memory in the turn in "
       "which it is answered; so is what a transaction has read (WarpTM), when one of its lanes comes to a "
       "bad address or it takes long"},
      {"transactions", "SM", "commit IDs of WarpTM, rollover of GETM, and through them all SMs",
       "which commit ID comes next, what running transactions have accessed (WarpTM-EL), and that timestamps roll over "
       "are known to all SMs in the same cycle"},
      {"page", "SM", "memories of the first module and of its own",
       "the bytes of a page that is touched for the first time are in the memory of its module before the next turn of "
       "the sequential part"},
      {"quantum logic", "SM", "quantum controller of GPUDet",
       "what warps issue, perform and end is told at once; which warp's turn comes next is known to all SMs in the "
       "same "
       "cycle"},
      {"stall buffers", "L2 slice", "count of GETM's stall buffers of a GPU",
       "what is in use of all of them together, and its most, is counted in the turn of each"},
      {"message pool", "every tile", "every tile",
       "a message goes back to the pool of the tile that made it in the turn of whoever lets it go; of another lane's, "
       "when none runs"},
      {"message journal", "every tile", "the platform's journal",
       "who sends notes the message in the ring of its lane; only the text of an error depends on it"},
      {"observers", "every tile", "online check, profiles, series, traces",
       "what subscribes to an analysis port or listens to warps or messages runs in the turn of the block that tells "
       "it"},
      {"faults", "every tile", "the run",
       "what a block throws ends the run before the tiles behind it have had their turn in that cycle"},
  };
  return all;
}

}  // namespace syncline::models
