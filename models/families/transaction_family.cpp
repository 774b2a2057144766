#include "models/families/transaction_family.h"

namespace syncline::models {

using protocols::Payload;

/// Bytes of bodies: a time of 4, a warp of 2, counts of 2 for each granule of 32 bytes.
const MessageFamily transaction_family{
    "transaction",
    "logs, validation and commit of transactions",
    {"of SMs, to units of partitions", "answers"},
    {{"transaction", ""}},
    {{"load", 0, Payload::none, 8, 0, Passage::by, "a transaction loads from a granule"},
     {"store", 0, Payload::none, 8, 0, Passage::by, "a transaction is going to write to a granule"},
     {"log", 0, Payload::touched, 8, 0, Passage::by, "what an attempt writes to a line when it commits, and gives up"},
     {"stop", 0, Payload::none, 0, 0, Passage::by, "timestamps are used up: nobody waits any more"},
     {"restart", 0, Payload::none, 0, 0, Passage::by, "all time begins anew"},
     {"loaded", 1, Payload::touched, 4, 0, Passage::by, "the load has happened"},
     {"stored", 1, Payload::none, 4, 0, Passage::by, "the granule is reserved"},
     {"refused", 1, Payload::none, 4, 0, Passage::by, "the lanes abort"},
     {"done", 1, Payload::none, 0, 0, Passage::by, "a log stands in memory; a stop or a restart has happened"},
     {"region", 0, Payload::touched, 4, 0, Passage::by, "from the commit unit to the validation unit: a part of a log"},
     {"applied", 1, Payload::none, 0, 0, Passage::by, "the answer, where nothing is written"},
     {"read", 0, Payload::none, 0, 0, Passage::by, "a transaction loads words of a line, to validate them in the end"},
     {"words", 1, Payload::touched, 4, 0, Passage::by, "what they are, and when the line was written last"},
     {"read_set", 0, Payload::touched, 8, 0, Passage::by, "what lanes have read: addresses and values"},
     {"write_set", 0, Payload::touched, 8, 0, Passage::by, "what lanes write if they commit: addresses and values"},
     {"log_end", 0, Payload::none, 8, 0, Passage::by, "all of a log is there: it may be validated"},
     {"no_log", 0, Payload::none, 8, 0, Passage::by, "a commit ID has no log here"},
     {"outcome", 0, Payload::none, 8, 0, Passage::by, "which lanes commit, after the replies of all partitions"},
     {"validated", 1, Payload::none, 8, 0, Passage::by, "which lanes have read what memory does not hold any more"},
     {"written", 1, Payload::none, 8, 0, Passage::by, "what commits stands in memory"},
     {"listen", 0, Payload::none, 0, 0, Passage::by, "a core is ready for a hint"},
     {"hint", 1, Payload::none, 8, 0, Passage::by, "which words come into validation or leave it"}}};

}  // namespace syncline::models
