// The memory of this process in pages of the host's larger size.
#pragma once

namespace syncline::platform {

/// Lets what `malloc` and `new` give out from now on lie in huge pages (2 MiB), where the host has them (`madvise` or
/// `always` in /sys/kernel/mm/transparent_hugepage/enabled). A machine's state is some ten to hundreds of megabytes
/// that a run visits in no order that a processor could foresee: with pages of 4 KiB, a tenth to a sixth of a run goes
/// into translating addresses.
///
/// To be called once, before there are threads, by whoever owns the process: it changes settings of the C library's
/// allocator (`mallopt`). Address space is reserved and memory is not. Where the host refuses it, or the user limits
/// address space (`ulimit -v`), nothing changes; results never do.
void prefer_huge_pages();

}  // namespace syncline::platform
