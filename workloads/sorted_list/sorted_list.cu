// Look-ups, insertions and removals in sorted lists. `operate_locked` walks without locks and changes a list under the
// locks of the node in front and of the node that goes (after Heller et al., "A lazy concurrent list-based set
// algorithm", 2005); `operate_transactional` does all of an operation in a transaction. Links are numbers of nodes. The
// first nodes are the lists' heads, which no link leads to, so that 0 ends a list. Operation i has its own node, which it
// links when it inserts; no node is used twice, and links lead to larger keys: every walk ends.
#include "workloads/common/cuda_device.h"

enum { look_up, insert, remove };

struct alignas(8) Node {
  u32 key;
  u32 next;
};
/// What the locks need besides.
struct alignas(8) Guard {
  u32 lock;
  u32 removed;
};
struct alignas(16) Operation {
  u32 kind, list, key;
  u32 node;
};

/// The last node with a smaller key, and the node behind it; 0 where none follows.
struct Place {
  u32 before, at;
};
template <class N>
INLINE Place find(N* nodes, u32 list, u32 key, u32 most) {
  Place place{list, nodes[list].next};
  // As many steps as there are nodes: an attempt that will not commit must end, too.
  for (u32 step = 0; step < most && place.at != 0 && nodes[place.at].key < key; ++step)
    place = {place.at, nodes[place.at].next};
  return place;
}

KERNEL operate_locked(const Operation* operations, u32 count, volatile Node* nodes, volatile Guard* guards, u32 most,
                      u32* successes) {
  for (u32 i = global_thread(); i < count; i += global_threads()) {
    Operation op = operations[i];
    u32 succeeds = 0;
    u32 done = 0;
    // No lane holds a lock at the end of the body, where lanes of its warp may wait for it (with_lock).
    do {
      Place place = find(nodes, op.list, op.key, most);
      u32 is_there = place.at != 0 && nodes[place.at].key == op.key && !guards[place.at].removed;
      u32 changes = op.kind == insert ? !is_there : op.kind == remove ? is_there : 0u;
      if (!changes) {
        succeeds = op.kind == look_up ? is_there : 0u;
        done = 1;
      } else if (take((u32*)&guards[place.before].lock)) {
        u32 removes = op.kind == remove;
        if (!removes || take((u32*)&guards[place.at].lock)) {
          threadfence();
          if (!guards[place.before].removed && nodes[place.before].next == place.at) {
            if (removes) {
              guards[place.at].removed = 1;
              nodes[place.before].next = nodes[place.at].next;
            } else {
              nodes[op.node].key = op.key;
              nodes[op.node].next = place.at;
              threadfence();  // whoever finds the node finds its key and its link
              nodes[place.before].next = op.node;
            }
            succeeds = 1;
            done = 1;
          }
          threadfence();
          if (removes) release((u32*)&guards[place.at].lock);
        }
        release((u32*)&guards[place.before].lock);
      }
      asm volatile("" : "+r"(done));
    } while (!done);
    successes[i] = succeeds;
  }
}

KERNEL operate_transactional(const Operation* operations, u32 count, Node* nodes, u32 most, u32* successes) {
  for (u32 i = global_thread(); i < count; i += global_threads()) {
    Operation op = operations[i];
    u32 succeeds = 0;
    transaction([&] {
      Place place = find(nodes, op.list, op.key, most);
      u32 is_there = place.at != 0 && nodes[place.at].key == op.key;
      succeeds = op.kind == insert ? !is_there : is_there;
      if (op.kind == insert && !is_there) {
        nodes[op.node] = {op.key, place.at};
        nodes[place.before].next = op.node;
      }
      if (op.kind == remove && is_there) nodes[place.before].next = nodes[place.at].next;
    });
    successes[i] = succeeds;
  }
}
