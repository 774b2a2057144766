#include "workloads/registry.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/nearest.h"
#include "workloads/common/cta_program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

/// Whether a paper whose machine we have runs a program of this kind: then there is `Size::paper`.
enum class Papers : std::uint8_t { none, some };

std::vector<Option> no_options() {
  return {};
}
/// Of programs that are written both ways.
constexpr const char* sync = "sync";
std::vector<Option> locks_or_transactions() {
  return {
      {std::string_view(sync),
       "critical sections as transactions, which need a `transactions.policy`, or under locks; auto: as transactions "
       "where there is such a policy",
       {"auto", "locks", "tx"}}};
}
std::vector<Option> locks_or_transactions_and_contention() {
  std::vector<Option> options = locks_or_transactions();
  options.push_back({"contention", "percent of what is accessed that is of a 32nd of the data", {}, 0, 100, 10});
  return options;
}

std::vector<Option> locks_or_transactions_and_lanes() {
  std::vector<Option> options = locks_or_transactions();
  options.push_back({"lanes",
                     "a warp's lanes go through what they contend for together, or begin at different places",
                     {"together", "apart"}});
  return options;
}

std::vector<Option> scope_of_flags() {
  return {{"scope",
           "scope of the flags by which CTAs hand over; gpu is too small where a grid is spread over several GPUs and "
           "their "
           "coherence tells scopes apart",
           {"sys", "gpu"}}};
}

std::vector<Option> copies_or_flags() {
  return {{"by",
           "words go to a peer by copies, which events tell of, or by kernels that store into its memory and raise a "
           "flag there",
           {"copies", "flags"}}};
}

class Listed final : public Workload {
 public:
  using Run = Verdict (*)(const Context&);
  constexpr Listed(std::string_view name, std::string_view ptx, Run host_side, std::string_view description,
                   Papers papers = Papers::none, std::uint32_t min_warp_size = 1,
                   std::vector<Option> (*choosable)() = no_options)
      : name_(name),
        ptx_(ptx),
        run_(host_side),
        description_(description),
        papers_(papers),
        min_warp_size_(min_warp_size),
        options_(choosable) {}
  std::string_view name() const override { return name_; }
  std::string_view description() const override { return description_; }
  std::string_view ptx() const override { return ptx_; }
  std::uint32_t min_warp_size() const override { return min_warp_size_; }
  std::vector<Size> sizes() const override {
    std::vector<Size> all{Size::small, Size::medium, Size::large};
    if (papers_ == Papers::some) all.push_back(Size::paper);
    return all;
  }
  std::vector<Option> options() const override { return options_(); }

 private:
  Verdict run_on_fitting(const Context& context) const override { return run_(context); }

  std::string_view name_;
  std::string_view ptx_;
  Run run_;
  std::string_view description_;
  Papers papers_;
  std::uint32_t min_warp_size_;
  std::vector<Option> (*options_)();
};

// clang-format off
const Listed suite[] = {
    {"saxpy", "saxpy/saxpy.ptx", run_saxpy, "y = a*x + y"},
    {"vector_add", "vector_add/vector_add.ptx", run_vector_add, "c = a + b, four elements a thread"},
    {"transpose", "transpose/transpose.ptx", run_transpose, "matrix transpose through a padded shared tile"},
    {"matmul", "matmul/matmul.ptx", run_matmul, "matrix product, 16x16 tiles in shared memory"},
    {"reduction", "reduction/reduction.ptx", run_reduction, "sum, minimum and maximum by warp shuffles", Papers::none, 32},
    {"scan", "scan/scan.ptx", run_scan, "exclusive prefix sum, work-efficient, over several levels"},
    {"histogram", "histogram/histogram.ptx", run_histogram, "256 bins by shared and by global atomics"},
    {"bitonic_sort", "bitonic_sort/bitonic_sort.ptx", run_bitonic_sort, "sorting network over 64-bit keys"},
    {"bfs", "bfs/bfs.ptx", run_bfs, "breadth-first search, level by level, without races", Papers::some},
    {"bfs_plain", "bfs/bfs.ptx", run_bfs_plain, "BFSf: breadth-first search, level by level, without atomics", Papers::some},
    {"bfs_racy", "bfs_racy/bfs_racy.ptx", run_bfs_racy, "BFSr: breadth-first search with the data races of GPUDet chapter 1", Papers::some},
    {"sssp", "sssp/sssp.ptx", run_sssp, "shortest paths from a node of a map of roads, by rounds of relaxation"},
    {"mst", "mst/mst.ptx", run_mst, "minimum spanning forest of a map of roads by Boruvka's rounds"},
    {"hotspot", "hotspot/hotspot.ptx", run_hotspot, "temperature of a chip, several steps a launch in shared tiles", Papers::some},
    {"pathfinder", "pathfinder/pathfinder.ptx", run_pathfinder, "cheapest way down a grid, several rows a launch in shared memory"},
    {"lps", "lps/lps.ptx", run_lps, "Laplace's equation in 3D by Jacobi steps", Papers::some},
    {"srad", "srad/srad.ptx", run_srad, "speckle-reducing anisotropic diffusion of an image", Papers::some},
    {"cfd", "cfd/cfd.ptx", run_cfd, "Euler solver on an unstructured mesh", Papers::some},
    {"lib", "lib/lib.ptx", run_lib, "LIBOR market model, Monte Carlo paths in local memory", Papers::some},
    {"cp", "cp/cp.ptx", run_cp, "Coulomb potential on a grid, atoms in constant memory", Papers::some},
    {"md", "md/md.ptx", run_md, "molecular dynamics of a Lennard-Jones fluid in cell lists"},
    {"aes", "aes/aes.ptx", run_aes, "AES-128 encryption by a table in shared memory", Papers::some},
    {"nw", "nw/nw.ptx", run_nw, "Needleman-Wunsch alignment, tiles along anti-diagonals", Papers::some},
    {"lud", "lud/lud.ptx", run_lud, "LU decomposition in tiles", Papers::some},
    {"kmeans", "kmeans/kmeans.ptx", run_kmeans, "k-means clustering with float atomics", Papers::some},
    {"rnn", "rnn/rnn.ptx", run_rnn, "RNN_FW: a recurrent layer, steps handed over between CTAs by flags", Papers::none, 1, scope_of_flags},
    {"rnn_dgrad", "rnn/rnn.ptx", run_rnn_dgrad, "RNN_DGRAD: gradient of the data of a recurrent layer", Papers::none, 1, scope_of_flags},
    {"rnn_wgrad", "rnn/rnn.ptx", run_rnn_wgrad, "RNN_WGRAD: gradient of the weights, sums passed on from CTA to CTA", Papers::none, 1, scope_of_flags},
    {"lstm", "rnn/rnn.ptx", run_lstm, "long short-term memory, steps handed over between CTAs by flags", Papers::none, 1, scope_of_flags},
    {"conv", "conv/conv.ptx", run_conv, "a convolution layer of 3x3 taps, tiles in shared memory"},
    {"nqueens", "nqueens/nqueens.ptx", run_nqueens, "n queens with a stack in local memory"},
    {"nqueens_recursive", "nqueens_recursive/nqueens_recursive.ptx", run_nqueens_recursive,
     "n queens by a recursive device function"},
    {"spmv", "spmv/spmv.ptx", run_spmv, "sparse matrix times vector in double precision, a row per thread and per warp",
     Papers::none, 32},
    {"cg", "cg/cg.ptx", run_cg, "conjugate gradients on a box, matrix-free, with scalar products of the system's scope"},
    {"multigrid", "multigrid/multigrid.ptx", run_multigrid, "Poisson's equation on a cube by V-cycles over several levels"},
    {"sweep", "sweep/sweep.ptx", run_sweep, "transport sweeps along discrete angles, wavefronts of CTAs by flags", Papers::none, 1, scope_of_flags},
    {"barnes_hut", "barnes_hut/barnes_hut.ptx", run_barnes_hut, "BH: Barnes-Hut n-body, octree built concurrently", Papers::some, 1, locks_or_transactions},
    {"load_balance", "load_balance/load_balance.ptx", run_load_balance,
     "DLB: octree partition, tasks balanced by work stealing", Papers::some},
    {"place", "place/place.ptx", run_place, "VPR: placement on an FPGA's grid by simulated annealing", Papers::some},
    {"cuda_cuts", "cuda_cuts/cuda_cuts.ptx", run_cuda_cuts, "CC: segmentation of an image by a minimum cut, push-relabel", Papers::some, 1, locks_or_transactions},
    {"apriori", "apriori/apriori.ptx", run_apriori, "AP: sets of items that are frequent in records, mined by levels", Papers::some, 1, locks_or_transactions_and_lanes},
    {"mandelbrot", "mandelbrot/mandelbrot.ptx", run_mandelbrot, "escape times of the Mandelbrot set"},
    {"cloth", "cloth/cloth.ptx", run_cloth, "CL: cloth physics, springs of two particles", Papers::some, 1, locks_or_transactions},
    {"cloth_opt", "cloth/cloth.ptx", run_cloth_opt, "CLopt: cloth physics, elements dealt to the threads in turn", Papers::some, 1, locks_or_transactions},
    {"cloth_to", "cloth/cloth.ptx", run_cloth_to, "CLto: cloth physics, only the particles in the critical section", Papers::some, 1, locks_or_transactions},
    {"all_reduce_ring", "all_reduce_ring/all_reduce_ring.ptx", run_all_reduce_ring, "sum over the devices of a machine, in parts that go round", Papers::none, 1, copies_or_flags},
    {"all_reduce_tree", "all_reduce_ring/all_reduce_ring.ptx", run_all_reduce_tree, "sum over the devices of a machine, by pairs and pairs of pairs", Papers::none, 1, copies_or_flags},
    {"stencil", "stencil/stencil.ptx", run_stencil, "STN: heat flow in one grid, whose CTAs meet at barriers between the steps", Papers::some},
    {"hash_table", "hash_table/hash_table.ptx", run_hash_table, "HT, HT-H: insertion into a chained hash table", Papers::some, 1, locks_or_transactions},
    {"hash_table_m", "hash_table/hash_table.ptx", run_hash_table_m, "HT-M: as hash_table, into a table ten times as large", Papers::some, 1, locks_or_transactions},
    {"hash_table_l", "hash_table/hash_table.ptx", run_hash_table_l, "HT-L: as hash_table, into a table a hundred times as large", Papers::some, 1, locks_or_transactions},
    {"hash_table_cas", "hash_table/hash_table.ptx", run_hash_table_cas, "HT: insertion into a chained hash table by compare-and-swap", Papers::some},
    {"atm", "atm/atm.ptx", run_atm, "ATM: transfers between bank accounts", Papers::some, 1, locks_or_transactions},
    {"sorted_list", "sorted_list/sorted_list.ptx", run_sorted_list, "look-ups, insertions and removals in sorted lists", Papers::none, 1, locks_or_transactions_and_contention},
    {"vacation", "vacation/vacation.ptx", run_vacation, "a travel agency's reservations, cancellations and prices", Papers::none, 1, locks_or_transactions_and_contention},
    {"local_ht_high", "local_ht/local_ht.ptx", run_local_ht_high, "HT of GPU-LocalTM: hash tables of CTAs, of 8 buckets", Papers::none, 1, cta_sections},
    {"local_ht_low", "local_ht/local_ht.ptx", run_local_ht_low, "HT of GPU-LocalTM: hash tables of CTAs, of 1024 buckets", Papers::none, 1, cta_sections},
    {"local_it_high", "local_it/local_it.ptx", run_local_it_high, "IT of GPU-LocalTM: packets of flows in queues of CTAs, one queue", Papers::none, 1, cta_sections},
    {"local_it_low", "local_it/local_it.ptx", run_local_it_low, "IT of GPU-LocalTM: packets of flows in queues of CTAs, 256 queues", Papers::none, 1, cta_sections},
    {"local_gc_high", "local_gc/local_gc.ptx", run_local_gc_high, "GC of GPU-LocalTM: graphs of CTAs are coloured, up to 5 neighbours", Papers::none, 1, cta_sections},
    {"local_gc_low", "local_gc/local_gc.ptx", run_local_gc_low, "GC of GPU-LocalTM: graphs of CTAs are coloured, up to 2 neighbours", Papers::none, 1, cta_sections},
    {"local_km_high", "local_km/local_km.ptx", run_local_km_high, "KM of GPU-LocalTM: k-means in each CTA, 4 centres", Papers::none, 1, cta_sections},
    {"local_km_low", "local_km/local_km.ptx", run_local_km_low, "KM of GPU-LocalTM: k-means in each CTA, 32 centres", Papers::none, 1, cta_sections},
    {"racey", "racey/racey.ptx", run_racey, "GPU-Racey: a signature of the order of accesses, among CTAs of one warp"},
    {"racey_atomic", "racey/racey.ptx", run_racey_atomic, "GPU-Racey among CTAs of one warp, whose stores are exchanges"},
    {"racey_cta", "racey/racey.ptx", run_racey_cta, "GPU-Racey among the warps of one CTA"},
    {"racey_warp", "racey/racey.ptx", run_racey_warp, "GPU-Racey among the lanes of one warp"},
    {"racey_thread", "racey/racey.ptx", run_racey_thread, "GPU-Racey of one thread, which has one signature"},
};
// clang-format on

std::vector<const Workload*>& known_workloads() {
  static std::vector<const Workload*> all = [] {
    std::vector<const Workload*> list;
    for (const Listed& workload : suite) list.push_back(&workload);
    return list;
  }();
  return all;
}

std::vector<std::string> names_of(const std::vector<Size>& sizes) {
  std::vector<std::string> names;
  names.reserve(sizes.size());
  for (const Size size : sizes) names.emplace_back(name(size));
  return names;
}

}  // namespace

std::string_view name(Size size) {
  static constexpr std::array<std::string_view, 4> names{"small", "medium", "large", "paper"};
  return names.at(static_cast<std::size_t>(size));
}

Size find_size(std::string_view wanted) {
  const std::vector<Size> all{Size::small, Size::medium, Size::large, Size::paper};
  for (const Size size : all) {
    if (name(size) == wanted) return size;
  }
  throw base::UserError("unknown size `" + std::string(wanted) + "`" + base::suggestion(wanted, names_of(all)));
}

void require_size(const Workload& workload, Size size) {
  const std::vector<Size> has = workload.sizes();
  if (std::find(has.begin(), has.end(), size) != has.end()) return;
  std::string all;
  for (const std::string& one : names_of(has)) all += (all.empty() ? "" : ", ") + one;
  throw base::UserError("workload `" + std::string(workload.name()) + "` has no size `" + std::string(name(size)) +
                        "`; it has: " + all);
}

Choices choices_of(const Workload& workload, const std::vector<std::string>& texts) {
  Choices chosen;
  for (const std::string& text : texts) choose(chosen, text);
  return completed(workload.name(), workload.options(), chosen);
}

Verdict Workload::run(const Context& context) const {
  require_size(*this, context.size);
  Context complete = context;
  complete.choices = completed(name(), options(), context.choices);
  if (const auto chosen = complete.choices.find(sync); chosen != complete.choices.end() && chosen->second == "auto") {
    const auto memory = complete.choices.find("memory");
    const bool shared = memory != complete.choices.end() && memory->second == "shared";
    const platform::Device& device = context.device;
    const bool transactional = shared ? device.executes_shared_transactions() : device.executes_transactions();
    chosen->second = transactional ? "tx" : "locks";
  }
  const std::uint32_t lanes = context.device.warp_size();
  if (lanes < min_warp_size())
    throw base::UserError("workload `" + std::string(name()) + "` needs warps of at least " +
                          std::to_string(min_warp_size()) + " threads; sm.warp_size is " + std::to_string(lanes));
  return run_on_fitting(complete);
}

const std::vector<const Workload*>& all_workloads() {
  return known_workloads();
}

void add_workload(const Workload& workload) {
  std::vector<const Workload*>& known = known_workloads();
  if (std::any_of(known.begin(), known.end(), [&](const Workload* one) { return one->name() == workload.name(); }))
    throw base::ModelError("the workload `" + std::string(workload.name()) + "` is there already");
  known.push_back(&workload);
}

const Workload& find_workload(std::string_view name) {
  std::vector<std::string> names;
  for (const Workload* workload : all_workloads()) {
    if (workload->name() == name) return *workload;
    names.emplace_back(workload->name());
  }
  throw base::UserError("unknown workload `" + std::string(name) + "`" + base::suggestion(name, names, names.size()));
}

std::string ptx_path(std::string_view ptx) {
  std::string searched;
  for (const auto& folder : base::data_folders("workloads", "SYNCLINE_WORKLOADS")) {
    const std::filesystem::path path = folder / ptx;
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown)) return path.string();
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  throw base::UserError(std::string(ptx) + " is not in " + searched +
                        "; SYNCLINE_WORKLOADS names the folder that holds it");
}

}  // namespace syncline::workloads
