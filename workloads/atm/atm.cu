// Transfers between bank accounts, a lock an account. Both locks of a transfer are held while the balances change, the
// one of the lower number taken first (Ren, thesis, figure 4.1, has the same bank with locks and with a transaction).
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
