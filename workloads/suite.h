// Host sides of the suite: each generates inputs, launches, reads back and checks (Workload::run). One per folder.
#pragma once

#include "workloads/common/workload.h"

namespace syncline::workloads {

Verdict run_aes(const Context& context);
Verdict run_all_reduce_ring(const Context& context);
Verdict run_all_reduce_tree(const Context& context);
Verdict run_barnes_hut(const Context& context);
Verdict run_apriori(const Context& context);
Verdict run_atm(const Context& context);
Verdict run_bfs(const Context& context);
Verdict run_bfs_plain(const Context& context);
Verdict run_bfs_racy(const Context& context);
Verdict run_bitonic_sort(const Context& context);
Verdict run_cfd(const Context& context);
Verdict run_cg(const Context& context);
Verdict run_cloth(const Context& context);
Verdict run_cloth_opt(const Context& context);
Verdict run_cloth_to(const Context& context);
Verdict run_conv(const Context& context);
Verdict run_cp(const Context& context);
Verdict run_cuda_cuts(const Context& context);
Verdict run_hash_table(const Context& context);
Verdict run_hash_table_cas(const Context& context);
Verdict run_hash_table_l(const Context& context);
Verdict run_hash_table_m(const Context& context);
Verdict run_histogram(const Context& context);
Verdict run_hotspot(const Context& context);
Verdict run_kmeans(const Context& context);
Verdict run_lib(const Context& context);
Verdict run_load_balance(const Context& context);
Verdict run_local_gc_high(const Context& context);
Verdict run_local_gc_low(const Context& context);
Verdict run_local_ht_high(const Context& context);
Verdict run_local_ht_low(const Context& context);
Verdict run_local_it_high(const Context& context);
Verdict run_local_it_low(const Context& context);
Verdict run_local_km_high(const Context& context);
Verdict run_local_km_low(const Context& context);
Verdict run_lps(const Context& context);
Verdict run_lstm(const Context& context);
Verdict run_lud(const Context& context);
Verdict run_mandelbrot(const Context& context);
Verdict run_matmul(const Context& context);
Verdict run_md(const Context& context);
Verdict run_mst(const Context& context);
Verdict run_multigrid(const Context& context);
Verdict run_nqueens(const Context& context);
Verdict run_nqueens_recursive(const Context& context);
Verdict run_nw(const Context& context);
Verdict run_pathfinder(const Context& context);
Verdict run_place(const Context& context);
Verdict run_racey(const Context& context);
Verdict run_racey_atomic(const Context& context);
Verdict run_racey_cta(const Context& context);
Verdict run_racey_thread(const Context& context);
Verdict run_racey_warp(const Context& context);
Verdict run_reduction(const Context& context);
Verdict run_rnn(const Context& context);
Verdict run_rnn_dgrad(const Context& context);
Verdict run_rnn_wgrad(const Context& context);
Verdict run_saxpy(const Context& context);
Verdict run_scan(const Context& context);
Verdict run_sorted_list(const Context& context);
Verdict run_spmv(const Context& context);
Verdict run_srad(const Context& context);
Verdict run_sssp(const Context& context);
Verdict run_stencil(const Context& context);
Verdict run_sweep(const Context& context);
Verdict run_transpose(const Context& context);
Verdict run_vacation(const Context& context);
Verdict run_vector_add(const Context& context);

}  // namespace syncline::workloads
