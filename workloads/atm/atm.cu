// Transfers between bank accounts (after Ren, thesis, figure 4.1). `atm` has a lock an account: both locks of a transfer
// are held while the balances change, the one of the lower number taken first. `atm_transactional` has transactions.
#include "workloads/common/cuda_device.h"

KERNEL atm(const u32* from, const u32* to, const s32* amount, u32 transfers, volatile s32* balance, u32* locks) {
  for (u32 i = global_thread(); i < transfers; i += global_threads()) {
    u32 source = from[i];
    u32 target = to[i];
    s32 moved = amount[i];
    with_locks(&locks[smaller(source, target)], &locks[larger(source, target)], [&] {
      balance[source] = balance[source] - moved;
      balance[target] = balance[target] + moved;
    });
  }
}

KERNEL atm_transactional(const u32* from, const u32* to, const s32* amount, u32 transfers, s32* balance) {
  for (u32 i = global_thread(); i < transfers; i += global_threads()) {
    u32 source = from[i];
    u32 target = to[i];
    s32 moved = amount[i];
    transaction([&] {
      balance[source] -= moved;
      balance[target] += moved;
    });
  }
}
