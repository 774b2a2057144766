// Where the pages of a device of several modules lie, and which partition of its module has a line of a page.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/modules/module_map.h"
#include "models/partition/address_map.h"

namespace syncline::models {

/// A page lies in one module, over whose partitions it is interleaved. Its address there is its device address, so a
/// module has room for all of memory, and where a page lies depends on no other one (memories take no host memory for
/// what nobody has written).
///
/// Memory of one GPU of several, which is a device of its own to the program, lies in the modules of that GPU.
///
/// Modules may have room for a number of pages of programs only. Then a page that its module has no room for lies in
/// the next module of the GPU that has some, or of the next GPU if it is not memory of one, and `interleaved` and
/// `hash` place pages when they are asked for, too. Who gives out memory sees to it that there is room for all of it
/// (platform/host/page_room.h). Under `fixed` no page goes elsewhere.
///
/// Under `first_touch` a page belongs to nobody before an SM asks for one of its lines; until then its bytes, which a
/// host may have written, are kept by the first module, of its GPU where it is memory of one.
class PagedHomes final : public HomeMap {
 public:
  /// `homes`: partitions of all modules.
  PagedHomes(const PagesSpec& pages, const InterleavingSpec& memory, const ModuleMap& map, GpuPlace place = {});

  NodeId home(base::LineAddress line, isa::Scope scope, const NodeId& asker) const override;
  using HomeMap::home;
  std::uint64_t local(std::uint64_t address) const override { return within_.local(address); }
  std::uint64_t global(const NodeId& home, std::uint64_t local) const override;
  std::uint64_t together(std::uint64_t address) const override;
  unsigned homes() const override { return map_.modules() * within_.partitions(); }

  /// The pages of [begin, end) are memory of one GPU: of its modules alone, by the same placement; what asks first from
  /// elsewhere than its SMs puts a page on the next one in turn. For pages that nobody has accessed.
  void give(std::uint64_t begin, std::uint64_t end, unsigned gpu);

  /// Each module has room for `pages` pages before address `end`; what is behind takes no room. Before any page is
  /// given.
  void limit(std::uint64_t pages, std::uint64_t end);
  /// Pages that lie in modules of the GPU without being memory of it alone; 0 where there is no limit.
  std::uint64_t guests(unsigned gpu) const { return room_ ? room_->guests[gpu] : 0; }

  /// `l1` asks for the line: what is placed when it is asked for has a place from then on (where tiles run side by
  /// side, before the next turn of the lane that has asked).
  void touch(base::LineAddress line, const NodeId& l1) const;
  /// Whether who asks first decides where pages lie.
  bool place_on_touch() const {
    return placement_ == PagePlacement::first_touch || (placement_ != PagePlacement::fixed && room_);
  }
  /// The module that has the page of the address; where pages are placed when they are asked for, the first one (of its
  /// GPU), as long as nobody has it.
  unsigned module(std::uint64_t address) const;
  std::uint64_t page_bytes() const { return std::uint64_t{1} << page_bits_; }

  /// Moves the bytes of a page that leaves the first module, at the instant in which it is placed.
  using Move = std::function<void(std::uint64_t page_address, unsigned from, unsigned to)>;
  void on_move(Move move) { move_ = std::move(move); }
  /// The partition of `module` that has the address when the module has the page.
  unsigned partition_in(unsigned module, std::uint64_t address) const {
    return module * within_.partitions() + number_in_module(address);
  }
  /// Of a partition among those of its module: the one that has the address, whichever module has the page.
  unsigned number_in_module(std::uint64_t address) const { return within_.partition(address).value(); }

 private:
  /// Those that a page may lie in.
  ModuleMap::Modules modules_of(std::uint64_t page) const;
  bool is_of_a_gpu(ModuleMap::Modules of) const { return of.last - of.first < map_.modules(); }
  /// Pages before the end of a limit take room.
  bool takes_room(std::uint64_t page) const { return room_ && page < room_->end; }
  /// It has a place when somebody asks for it, and not before.
  bool is_placed(std::uint64_t page) const {
    return placement_ == PagePlacement::first_touch || (placement_ != PagePlacement::fixed && takes_room(page));
  }
  unsigned place(std::uint64_t page, const NodeId& asker) const;
  /// By the placement, of those that it may lie in.
  unsigned in_turn(std::uint64_t page, ModuleMap::Modules of) const;
  unsigned wanted(std::uint64_t page, ModuleMap::Modules of, const NodeId& asker) const;
  /// `wanted`, or the next one that has room.
  unsigned with_room(unsigned wanted, ModuleMap::Modules of) const;

  PagePlacement placement_;
  unsigned page_bits_;
  unsigned fixed_;
  ModuleMap map_;
  GpuPlace place_;
  AddressMap within_;  ///< of a module
  Move move_;
  /// What is left of a limit.
  struct Room {
    std::uint64_t pages, end;           ///< of each module; the first page behind
    std::vector<std::uint64_t> placed;  ///< by module
    std::vector<std::uint64_t> guests;  ///< by GPU: placed pages that are not memory of it alone
    std::vector<std::uint64_t> given;   ///< by GPU: those that are, placed or not
  };
  mutable std::optional<Room> room_;
  std::map<std::uint64_t, std::pair<std::uint64_t, unsigned>> given_;  ///< by the last page: the first one, and the GPU
  mutable std::unordered_map<std::uint64_t, unsigned> placed_;         ///< of first_touch: module by page
};

}  // namespace syncline::models
