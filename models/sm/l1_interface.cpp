#include "models/sm/l1_interface.h"

namespace syncline::models {

const MessageFamily l1_family{
    "l1",
    "between an SM and its L1",
    {},
    {},
    {{"global", 0, protocols::Payload::touched, 0, 0, Passage::by, "the coherent memory of the program"},
     {"local", 0, protocols::Payload::touched, 0, 0, Passage::by, "a thread's own memory"},
     {"constant", 0, protocols::Payload::touched, 0, 0, Passage::by, "a line for the SM's constant cache"},
     {"prefetch", 0, protocols::Payload::none, 0, 0, Passage::by, "a hint, never answered"},
     {"fence", 0, protocols::Payload::none, 0, 0, Passage::by, "what a fence of its scope means to the policy"},
     {"grid_begin", 0, protocols::Payload::none, 0, 0, Passage::by, "the first CTA of a grid is about to start"},
     {"grid_end", 0, protocols::Payload::none, 0, 0, Passage::by, "the last CTA of a grid has ended"}}};

}  // namespace syncline::models
