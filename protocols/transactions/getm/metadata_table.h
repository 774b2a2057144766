// The metadata of one partition (section 4.5.2, figure 4.8): exact for granules that transactions are at, in a cuckoo
// table with a stash and, behind that, a list in memory without bound; upper bounds for all others.
//
// An entry comes in where one of its places is free; or where one is that nobody has reserved, whose times go to the
// filter; or an entry moves to another of its own places, and so on, `insertion_probes` times. What is left then goes
// to the stash, and if that is full of reserved entries to the list.
#pragma once

#include <memory>
#include <vector>

#include "protocols/transactions/getm/recency_filter.h"
#include "protocols/transactions/getm/request.h"
#include "protocols/transactions/getm/spec.h"

namespace syncline::protocols::getm {

class MetadataTable {
 public:
  /// One of `partitions` that share the GPU's entries evenly.
  MetadataTable(const GetmSpec& spec, unsigned partitions);

  /// The granule's exact entry, which is made where there is none; valid until the next call. Adds to `cost`.
  Metadata& at(Granule granule, TableCost& cost);
  /// The same of one that exists; null: there is none, so it is not reserved.
  const Metadata* find(Granule granule) const { return const_cast<MetadataTable*>(this)->look_up(granule).entry; }
  /// Entries of the list in memory that nobody has reserved any more leave it.
  void tidy();
  /// All is as in the beginning.
  void clear();

  std::size_t capacity() const { return slots_.size() + stash_entries_; }  ///< without the list in memory
  std::size_t stashed() const { return stash_.size(); }
  std::size_t overflowed() const { return overflow_.size(); }
  void encode(TimeEncoder& to) const;

 private:
  struct Place {
    Metadata* entry = nullptr;
    std::uint16_t overflow = 0;  ///< accesses to the list
  };
  Place look_up(Granule granule);
  void insert(Metadata entry, TableCost& cost);
  bool settle(const Metadata& entry, Granule keep, TableCost& cost);
  void keep_aside(const Metadata& entry, TableCost& cost);
  void approximate(const Metadata& entry) { approximate_.insert(entry.granule, {entry.wts, entry.rts, entry.reader}); }
  Metadata& slot(unsigned way, Granule granule) { return slots_[way * rows_ + (*hashes_)[way].row(granule, rows_)]; }

  unsigned ways_, probes_;
  std::size_t rows_, stash_entries_;
  std::shared_ptr<const std::vector<transactions::H3>> hashes_;  ///< by way
  std::vector<Metadata> slots_, stash_, overflow_;
  RecencyFilter approximate_;
};

}  // namespace syncline::protocols::getm
