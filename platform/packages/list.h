// The packages of the families beside coherence, in one visible list. Included where PACKAGE means something:
//
//   PACKAGE(family, name)   a folder below platform/packages defines `const Package& family_name()`.
PACKAGE(transactions, none)
PACKAGE(transactions, global_lock)
PACKAGE(transactions, getm)
PACKAGE(transactions, kilotm)
PACKAGE(transactions, warptm)
PACKAGE(transactions, warptm_el)
PACKAGE(transactions, eapg)
PACKAGE(local_transactions, none)
PACKAGE(local_transactions, serial)
PACKAGE(local_transactions, prw_sig)
PACKAGE(local_transactions, swo_sig)
PACKAGE(local_transactions, dcd)
PACKAGE(local_transactions, smdcd)
PACKAGE(determinism, none)
PACKAGE(determinism, gpudet)
PACKAGE(composition, none)
