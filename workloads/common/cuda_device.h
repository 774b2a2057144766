// The part of CUDA C that the workloads' kernels use, for a clang that has no CUDA toolkit beside it.
//
// Everything maps to compiler builtins, so the PTX holds what is written in the kernel and calls no library. Float
// functions named `fast_*` are PTX's .approx instructions (error bounds: PTX ISA, "Floating Point Instructions").
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))
/// Kernels keep their C name in the PTX.
#define KERNEL extern "C" __global__ void
#define INLINE __device__ inline __attribute__((always_inline))
/// Dynamic shared memory: its size is an argument of the launch.
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]

typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned char u8;
typedef unsigned short u16;

// threadIdx.x and its kin: properties, so that reading one is reading a special register.
#define SYNCLINE_INDEX_TYPE(type, name, sreg)                              \
  struct type {                                                            \
    __declspec(property(get = get_x)) u32 x;                               \
    __declspec(property(get = get_y)) u32 y;                               \
    __declspec(property(get = get_z)) u32 z;                               \
    INLINE u32 get_x() const { return __nvvm_read_ptx_sreg_##sreg##_x(); } \
    INLINE u32 get_y() const { return __nvvm_read_ptx_sreg_##sreg##_y(); } \
    INLINE u32 get_z() const { return __nvvm_read_ptx_sreg_##sreg##_z(); } \
  };                                                                       \
  extern const __device__ __attribute__((weak)) type name;

SYNCLINE_INDEX_TYPE(ThreadIndex, threadIdx, tid)
SYNCLINE_INDEX_TYPE(BlockIndex, blockIdx, ctaid)
SYNCLINE_INDEX_TYPE(BlockExtent, blockDim, ntid)
SYNCLINE_INDEX_TYPE(GridExtent, gridDim, nctaid)
#undef SYNCLINE_INDEX_TYPE

/// Index of the thread in a one-dimensional grid, and the number of threads in it.
INLINE u32 global_thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
INLINE u32 global_threads() {
  return gridDim.x * blockDim.x;
}
INLINE u32 lane_id() {
  return __nvvm_read_ptx_sreg_laneid();
}

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) uint4 {
  u32 x, y, z, w;
};

// Barriers and fences. They are written as assembly that clobbers memory, because clang's own builtins do not keep it
// from moving accesses of variables in shared memory across them (its analysis of globals overlooks intrinsics).
INLINE void syncthreads() {
  asm volatile("bar.sync 0;" ::: "memory");
}
/// Barrier number `barrier` (0 to 15) of the CTA, of so many of its threads: whole warps.
INLINE void syncthreads(u32 barrier, u32 threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
/// Barrier that tells every thread whether any of the CTA's threads passed a non-zero value.
INLINE int syncthreads_or(int value) {
  int any;
  asm volatile(
      "{ .reg .pred mine, all; setp.ne.s32 mine, %1, 0; bar.red.or.pred all, 0, mine; selp.s32 %0, 1, 0, all; }"
      : "=r"(any)
      : "r"(value)
      : "memory");
  return any;
}
INLINE void threadfence() {
  asm volatile("membar.gl;" ::: "memory");
}

// Hand-over between CTAs through flags. Their scope is the system's where `system`, else that of a GPU, which a grid
// that is spread over several GPUs does not fit into. What others have written is read by plain loads behind `await`.
/// Waits for all threads of the CTA until `flag` has been counted up to `count`.
INLINE void await(const u32* flag, u32 count, bool system) {
  if (threadIdx.x + threadIdx.y == 0) {
    u32 value;
    do {
      if (system)
        asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
      else
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    } while (value < count);
  }
  syncthreads();
}
/// Counts up `flag` behind what all threads of the CTA have written: each has a fence, which orders its own accesses.
INLINE void publish(u32* flag, bool system) {
  if (system)
    asm volatile("fence.acq_rel.sys;" ::: "memory");
  else
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  syncthreads();
  if (threadIdx.x + threadIdx.y > 0) return;
  if (system)
    asm volatile("red.release.sys.add.u32 [%0], 1;" : : "l"(flag) : "memory");
  else
    asm volatile("red.release.gpu.add.u32 [%0], 1;" : : "l"(flag) : "memory");
}

// Atomics return the value before. They carry no ordering, like CUDA's atomicAdd.
template <class T>
INLINE T atomic_add(T* p, T v) {
  return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
INLINE float atomic_add(float* p, float v) {
  return __nvvm_atom_add_gen_f(p, v);
}
/// With the system's scope, which several GPUs need (sm_70).
INLINE void add_sys(double* p, double v) {
  asm volatile("red.relaxed.sys.add.f64 [%0], %1;" : : "l"(p), "d"(v) : "memory");
}
template <class T>
INLINE T atomic_min(T* p, T v) {
  return __atomic_fetch_min(p, v, __ATOMIC_RELAXED);
}
template <class T>
INLINE T atomic_max(T* p, T v) {
  return __atomic_fetch_max(p, v, __ATOMIC_RELAXED);
}
template <class T>
INLINE T atomic_or(T* p, T v) {
  return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);
}
template <class T>
INLINE T atomic_exchange(T* p, T v) {
  return __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
}
/// Counts up and wraps to 0 after `limit` (atom.inc).
INLINE u32 atomic_inc(u32* p, u32 limit) {
  return __nvvm_atom_inc_gen_ui(p, limit);
}
/// Stores `v` where `expected` was found.
INLINE u32 atomic_compare_and_swap(u32* p, u32 expected, u32 v) {
  __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

// Locks: words of global memory, 0 when free. What they protect is accessed through volatile pointers, so that no L1
// answers with bytes from before the lock was taken; the fences order these accesses on a machine that reorders.
INLINE bool take(u32* lock) {
  return atomic_compare_and_swap(lock, 0u, 1u) == 0;
}
INLINE void release(u32* lock) {
  *(volatile u32*)lock = 0u;
}

/// Runs `critical` while this lane alone holds `lock`.
///
/// Lanes of a warp reconverge at the end of the loop's body, so a winner has to release before it gets there: were the
/// lock released behind the loop, the winner would wait at the stack for lanes that wait for its lock. The assembly
/// hides the value of `done` from the compiler, which might otherwise send winners around the end of the body.
template <class Critical>
INLINE void with_lock(u32* lock, Critical critical) {
  u32 done = 0;
  do {
    if (take(lock)) {
      threadfence();
      critical();
      threadfence();
      release(lock);
      done = 1;
    }
    asm volatile("" : "+r"(done));
  } while (!done);
}
/// With two locks; the first is given back while the second is held by somebody else. Where all lanes take the lower
/// lock first, some lane always makes progress: whoever holds the highest first lock finds its second one free, or
/// held by a lane that has both.
template <class Critical>
INLINE void with_locks(u32* first, u32* second, Critical critical) {
  u32 done = 0;
  do {
    if (take(first)) {
      if (take(second)) {
        threadfence();
        critical();
        threadfence();
        release(second);
        done = 1;
      }
      release(first);
    }
    asm volatile("" : "+r"(done));
  } while (!done);
}

/// Runs `body` as a transaction, which may begin again: registers are as they were, and what it stored is undone. An
/// attempt that will not commit may have read values that do not belong together, so that its loops have to end and its
/// addresses to be valid whatever it reads. The assembly keeps the compiler from moving accesses over the marks.
template <class Body>
INLINE void transaction(Body body) {
  asm volatile("tx.begin;" ::: "memory");
  body();
  asm volatile("tx.commit;" ::: "memory");
}

// Arithmetic.
INLINE float fast_exp2(float x) {
  return __nvvm_ex2_approx_f(x);
}
INLINE float fast_log2(float x) {
  return __nvvm_lg2_approx_f(x);
}
INLINE float fast_sin(float x) {
  return __nvvm_sin_approx_f(x);
}
INLINE float fast_cos(float x) {
  return __nvvm_cos_approx_f(x);
}
INLINE float fast_rsqrt(float x) {
  return __nvvm_rsqrt_approx_f(x);
}
INLINE float fast_exp(float x) {
  return fast_exp2(x * 1.4426950408889634f);
}
INLINE float fast_log(float x) {
  return fast_log2(x) * 0.6931471805599453f;
}
INLINE float square_root(float x) {
  return __nvvm_sqrt_rn_f(x);
}
INLINE float reciprocal(float x) {
  return __nvvm_rcp_rn_f(x);
}
INLINE float minimum(float a, float b) {
  return __builtin_fminf(a, b);
}
INLINE float maximum(float a, float b) {
  return __builtin_fmaxf(a, b);
}
INLINE float absolute(float a) {
  return __builtin_fabsf(a);
}
/// Products and sums that are not fused, for results that a CPU repeats bit for bit. (The back end would fuse the
/// builtins.)
INLINE float multiply_rn(float a, float b) {
  float product;
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
  return product;
}
INLINE float add_rn(float a, float b) {
  float sum;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
  return sum;
}
/// The upper half of the 64-bit product.
INLINE u32 multiply_high(u32 a, u32 b) {
  return __nvvm_mulhi_ui(a, b);
}
template <class T>
INLINE T smaller(T a, T b) {
  return b < a ? b : a;
}
template <class T>
INLINE T larger(T a, T b) {
  return a < b ? b : a;
}
