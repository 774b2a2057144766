// The store buffers of the warps of one SM, as a stage of the way to its L1: global stores go into the warp's log and
// stay there until commit mode; global loads look there first (GPUDet, section 4.3).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/gpudet/loads_ahead.h"
#include "models/gpudet/log_commit.h"
#include "models/gpudet/log_port.h"
#include "models/gpudet/log_search.h"
#include "models/gpudet/write_logs.h"
#include "models/sm/seams/memory_stage.h"

namespace syncline::models {

class StoreBuffer final : public MemoryStage, private LogClient {
 public:
  /// Knows the warps of the SM and what they may see.
  class Owner : public LogCommit::Owner {
   public:
    /// The log of the warp in a slot.
    virtual unsigned log_of(base::WarpSlot slot) const = 0;
    /// Epoch of a store that the warp makes now.
    virtual std::uint32_t epoch(unsigned log) const = 0;
    /// The logs in which a load of the warp finds stores: its own, whole, and beginnings of others of its CTA.
    virtual void views(unsigned log, std::vector<LogView>& to) const = 0;
    /// The L1 holds nothing any more that was read before StoreBuffer::invalidate.
    virtual void invalidated() = 0;
  };

  /// `spec` gives its logs and, where warps go ahead, the filter of their loads.
  StoreBuffer(const GpudetSpec& spec, std::uint64_t region, unsigned warps, unsigned line, Owner& owner);

  const WriteLogs& logs() const { return logs_; }
  LogPort& port() { return port_; }
  LoadsAhead& loads_ahead() { return ahead_; }
  const LoadsAhead& loads_ahead() const { return ahead_; }
  LogCommit& commit() { return commit_; }
  const LogCommit& commit() const { return commit_; }
  const LogSearch::Statistics& loads() const { return search_.statistics(); }
  const LogCommit::Statistics& commits() const { return commit_.statistics(); }
  const base::Counter& chunks() const { return chunks_; }
  const base::Counter& partial_words() const { return partial_words_; }
  const base::Counter& data_bytes() const { return data_bytes_; }
  const base::Counter& unused_bytes() const { return unused_bytes_; }

  /// A store was issued, by so many lanes and of so many parts each: it will take room in the log.
  void reserve(unsigned log, unsigned lanes, unsigned parts) {
    logs_[log].reserved += WriteLogs::most_entries(lanes, parts);
  }
  void invalidate() { port_.invalidate(*this); }
  /// All is committed: the logs are empty.
  void clear() {
    logs_.clear();
    ahead_.end();
  }

  // MemoryStage
  void attach(MemoryChain& chain) override { port_.attach(chain); }
  Offer offer(Message& request, base::Cycle now) override;
  bool reply(Message& reply, base::Cycle now) override { return port_.reply(reply, now); }
  std::vector<std::string> left_over() const override;

 private:
  void append(Message& store, base::Cycle now);
  void write_header(const WriteLog& log, const protocols::gpudet::LogHeader& header, std::uint32_t entry);
  bool answered(std::uint32_t, Message&, base::Cycle) override {
    ahead_.memory_is_written();
    owner_.invalidated();
    return false;
  }

  Owner& owner_;
  const bool overlaps_;
  WriteLogs logs_;
  LogPort port_;
  LogSearch search_;
  LogCommit commit_;
  LoadsAhead ahead_;
  std::vector<LogView> views_;
  base::Counter chunks_, partial_words_, data_bytes_, unused_bytes_;
};

}  // namespace syncline::models
