// The L1 of TC-Weak (HPCA 2013, section 5; cachelease3, L1 machine), as a difference from TC-Strong's: the SM may see
// its own stores before others do, and learns with each reply when the others will.
#include "protocols/coherence/tc_strong/tc_strong.h"
#include "protocols/coherence/tc_weak/tc_weak.h"

namespace syncline::protocols::tc_weak {
namespace {

using S = tc::L1State;
using E = tc::L1Event;
using A = tc::L1Action;

constexpr Row rows[] = {
    {S::I_I, E::Replacement, {A::drop}, S::I_I, "the frame holds nothing that will be used"},
    {S::I_I, E::AtomData, {A::uncount_write, A::note_gwct, A::deliver}, S::I_I, "more is on its way"},
    {S::I_I,
     E::AtomData_Done,
     {A::uncount_write, A::note_gwct, A::deliver, A::drop},
     S::I,
     "nothing is on its way any more"},
    {S::I_I, E::Ack_Global, {A::uncount_write, A::note_gwct, A::deliver}, S::I_I, "more is on its way"},
    {S::I_I,
     E::Ack_Global_Done,
     {A::uncount_write, A::note_gwct, A::deliver, A::drop},
     S::I,
     "nothing is on its way any more"},
    {S::I_I, E::Data_Global, {A::uncount_write, A::note_gwct, A::deliver}, S::I_I, "the copy it mends is gone"},
    {S::I_I,
     E::Data_Global_Done,
     {A::uncount_write, A::note_gwct, A::deliver, A::drop},
     S::I,
     "the copy it mends is gone"},

    {S::SM, E::Load, {A::hit}, S::SM, "the SM's own stores, and nothing older than the lease allows"},
    {S::SM,
     E::Ack_Global,
     {A::uncount_write, A::note_gwct, A::take_lease, A::deliver},
     S::SM,
     "the copy was current; others may read older bytes"},
    {S::SM,
     E::Ack_Global_Done,
     {A::uncount_write, A::note_gwct, A::take_lease, A::deliver},
     S::S,
     "the copy was current and has all stores; others may read older bytes"},
    {S::SM,
     E::Data_Global,
     {A::uncount_write, A::note_gwct, A::deliver},
     S::SM,
     "the line lacks stores that were sent later; their replies bring it anew"},
    {S::SM,
     E::Data_Global_Done,
     {A::uncount_write, A::note_gwct, A::fill, A::take_lease, A::deliver},
     S::S,
     "the line with all stores of this L1 and the others'"},
};

/// coherence.tc.fence = cumulative: a copy brings the GWCT of the writes in it.
constexpr Row cumulative_rows[] = {
    {S::I_S,
     E::Data_Done,
     {A::uncount_read, A::note_gwct, A::fill, A::take_lease, A::answer_covered, A::replay},
     S::S,
     "the miss is done"},
    {S::I_I,
     E::Data,
     {A::uncount_read, A::note_gwct, A::answer_covered, A::replay},
     S::I_I,
     "serves its loads, and is not kept"},
    {S::I_I,
     E::Data_Done,
     {A::uncount_read, A::note_gwct, A::answer_covered, A::replay, A::drop},
     S::I,
     "serves its loads, and is not kept"},
};

}  // namespace

std::shared_ptr<const TransitionTable> l1_table(const TcSpec& spec) {
  std::vector<Row> changes(std::begin(rows), std::end(rows));
  if (spec.fence == TcFence::cumulative)
    changes.insert(changes.end(), std::begin(cumulative_rows), std::end(cumulative_rows));
  // A copy with stores under way serves loads itself, so it never sends GETS.
  const std::vector<TransitionTable::Pair> gone{{S::SM, E::Data}, {S::SM, E::Data_Done}};
  return std::make_shared<const TransitionTable>(
      tc_strong::l1_table()->overlaid(tc::l1_vocabulary(true), changes, gone));
}

}  // namespace syncline::protocols::tc_weak
