// The policies `kilotm`, `warptm`, `warptm_el` and `eapg`: transactions that log what they read and write, and of which
// commit units compare what was read with memory at the end, in the order of commit IDs. Four policies are one set of
// machines with parts left out or added.
//
// Sources: W. Fung et al., "Hardware transactional memory for GPU architectures", MICRO 2011 (KiloTM); W. Fung and
// T. Aamodt, "Energy efficient GPU transactional memory via space-time optimizations", MICRO 2013 (WarpTM); S. Chen and
// L. Peng, "Efficient GPU hardware transactional memory through early conflict resolution", HPCA 2016 (EAPG); as
// evaluated by X. Ren, "Efficient synchronization mechanisms for scalable GPU architectures", PhD thesis, 2020,
// chapter 4, and the simulator that its authors released.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "base/lane_mask.h"

namespace syncline::protocols::warptm {

enum class Design : std::uint8_t { kilotm, warptm, warptm_el, eapg };

/// Which lanes of a warp abort before its logs are sent, so that no two that commit conflict.
enum class IntraWarp : std::uint8_t {
  none,       ///< none: each lane has a commit ID of its own, and validation finds what conflicts (KiloTM)
  two_phase,  ///< all writes claim their entries of the ownership table, the lowest lane wins; then all entries are
              ///< checked
  serial,  ///< lane by lane: one that conflicts with a lower one that goes on aborts. Readers mark their entries, too
  perfect  ///< as serial, with an entry for each word
};
const base::ChoiceTable<IntraWarp>& intra_warp_names();

/// Which loads let a transaction that writes nothing commit without validation.
enum class TcdRule : std::uint8_t {
  thesis,  ///< of words that were last written before the first load. Not serializable: the words of one transaction
           ///< are written one after the other, and a reader may see some of them
  pending  ///< and which no transaction whose log is here, and hazards known, is yet to write
};
const base::ChoiceTable<TcdRule>& tcd_rules();

/// The keys `transactions.warptm.*` (and those of the three other policies) that conflicts depend on. Tables are of one
/// partition or one core.
struct WarptmSpec {
  IntraWarp intra_warp = IntraWarp::two_phase;
  std::uint32_t ownership_entries = 4096;
  bool coalescing = true;
  bool tcd = true;
  TcdRule tcd_rule = TcdRule::pending;
  std::uint32_t tcd_entries = 128;
  std::uint32_t tcd_ways = 4;
  std::uint32_t tcd_granularity = 128;
  bool eager = false;
  bool early_abort = false;
  bool pause_and_go = false;
  std::uint32_t conflict_entries = 3072;
  std::uint32_t history_sets = 256;
  std::uint32_t history_ways = 4;
  std::uint32_t history_filter_entries = 256;
  std::uint32_t history_filter_ways = 4;
  std::uint32_t ring_entries = 1024;

  /// Cores are told which words are in validation.
  bool tells_cores() const { return early_abort || pause_and_go; }
  /// What the policy of that name is unless keys say otherwise.
  static WarptmSpec of(Design design);

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.choice("intra_warp", intra_warp, intra_warp_names(),
             param::text("which lanes of a warp abort before its logs are sent: none, and validation finds what "
                         "conflicts; by a table of owners in shared memory, filled and then checked (two_phase); lane "
                         "by lane with that table (serial), or with one of all words (perfect)",
                         "simulator of GETM: two-phase parallel; KiloTM has none"));
    v.field("ownership_entries", ownership_entries,
            param::entries("of the table of owners within a warp, of 4-byte words; 0: one for each word",
                           "table 4.2: 4 KB of one byte each")
                .at_most(1U << 20U));
    v.field("coalescing", coalescing,
            param::flag("the lanes of a warp share packets, validation and replies, and their writes to 32 bytes are "
                        "one; otherwise each entry of a log is a packet",
                        "thesis 4.1; KiloTM has none"));
    v.field("tcd", tcd,
            param::flag("temporal conflict detection: transactions that write nothing and have read nothing younger "
                        "than themselves commit silently",
                        "thesis 4.1; KiloTM has none"));
    v.choice("tcd_rule", tcd_rule, tcd_rules(),
             param::text("a word counts as old when it was last written before the transaction's first load (thesis); "
                         "or if besides no transaction that may have passed is yet to write it (pending). Only pending "
                         "is serializable",
                         "choice; thesis 4.1"));
    v.field(
        "tcd_entries", tcd_entries,
        param::entries("of each way of a partition's filter of last write times", "simulator of GETM: 512 x 4, in all")
            .between(1, 1U << 24U));
    v.field("tcd_ways", tcd_ways, param::count("hash functions of that filter", "simulator of GETM").between(1, 16));
    v.field("tcd_granularity", tcd_granularity,
            param::bytes("that share a last write time", "simulator of GETM: 128").between(4, 4096).power_of_two());
    v.field("eager", eager,
            param::flag("ideal eager detection: each access is compared with those of all transactions that run, in no "
                        "time, and the one that comes later aborts; only writes are sent to commit",
                        "thesis 4.3: WarpTM-EL"));
    v.field(
        "early_abort", early_abort,
        param::flag("cores know which words are in validation, and lanes that conflict with them abort before their "
                    "logs are sent",
                    "thesis 4.6: EAPG"));
    v.field("pause_and_go", pause_and_go,
            param::flag("a lane that accesses a word that is in validation waits until that has ended",
                        "thesis 4.6: EAPG"));
    v.field("conflict_entries", conflict_entries,
            param::entries("words of a partition's reference count table, and of a core's conflict address table",
                           "simulator of GETM; table 4.5")
                .between(1, 1U << 24U));
    v.field("history_sets", history_sets,
            param::count("sets of a commit unit's table of last writers", "simulator of GETM; table 4.5: 3 KB")
                .between(1, 1U << 20U));
    v.field("history_ways", history_ways, param::count("ways of that table", "simulator of GETM").between(1, 16));
    v.field("history_filter_entries", history_filter_entries,
            param::entries("of each way of the filter of writers that left that table", "simulator of GETM: 256")
                .between(1, 1U << 20U));
    v.field("history_filter_ways", history_filter_ways,
            param::count("hash functions of that filter", "simulator of GETM").between(1, 16));
    v.field("ring_entries", ring_entries,
            param::entries("commit IDs that a commit unit holds; a warp waits for its IDs until all have room",
                           "simulator of GETM: 1024, not enforced")
                .between(1, 1U << 20U));
    v.require(!pause_and_go || !eager, "pause_and_go", "has nothing to wait for where `eager` aborts at once");
    v.require(intra_warp != IntraWarp::none || ring_entries >= base::max_lanes, "ring_entries",
              "must have room for a commit ID for each lane where intra_warp is none: at least 64");
  }
};

}  // namespace syncline::protocols::warptm
