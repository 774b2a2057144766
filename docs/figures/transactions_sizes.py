"""Table 4.5 of Ren's thesis: the structures of transactional memories, their sizes by the keys of transactions_sizes.csv.

Area and power are those that the thesis has from CACTI 6.5 (32 nm) for a structure, times our size over the thesis's.
"""
import csv

from pages import HERE

with open(HERE / "transactions_sizes.csv") as file:
    KEYS = {key: value for key, value in csv.reader(file)}


def key(name):
    return int(KEYS[name])


def getm(name):
    return key(f"transactions.getm.{name}")


def warptm(name):
    return key(f"transactions.warptm.{name}")


def eapg(name):
    return key(f"transactions.eapg.{name}")


PARTITIONS, WARPS = key("memory.partitions"), key("sms") * key("sm.max_warps")
# Bytes of an entry are those by which the thesis's sizes come out with the entries of its simulator.
STAMP = 4        # bytes of a timestamp, and of an entry of the filter two of them
PRECISE = 16     # of an entry of the precise table: two timestamps, #writes and owner, and the tag: 64 KB of 4K entries
STALLED = 7.5    # of a request that waits: 30 bytes of 4

# (of what, structure, bytes in the thesis, bytes here, area in mm2, power in mW)
STRUCTURES = [
    ("WarpTM", "CU: LWHR tables", 6 * 3072, PARTITIONS * warptm("history_sets") * warptm("history_ways") * 3, 0.108, 21.84),
    ("WarpTM", "CU: LWHR filters", 6 * 2048, PARTITIONS * warptm("history_filter_entries") * warptm("history_filter_ways") * 2, 0.03, 12.0),
    ("WarpTM", "CU: entry arrays", 6 * 19456, PARTITIONS * warptm("ring_entries") * 19, 0.402, 100.62),
    ("WarpTM", "CU: read-write buffers", 6 * 32768, PARTITIONS * 32768, 1.734, 132.48),  # of any size here
    ("WarpTM", "TCD: first-read tables", 15 * 12288, WARPS * 32 * 8, 0.375, 113.25),
    ("WarpTM", "TCD: last-write buffer", 16384, PARTITIONS * warptm("tcd_entries") * warptm("tcd_ways") * 8, 0.031, 9.86),
    ("EAPG", "CAT: conflict address table", 15 * 12288, key("sms") * eapg("conflict_entries") * 4, 0.6, 153.3),
    ("EAPG", "RCT: reference count table", 6 * 15360, PARTITIONS * eapg("conflict_entries") * 5, 0.294, 75.6),
    ("GETM", "CU: write buffers", 6 * 16384, PARTITIONS * getm("commit_regions") * getm("granularity"), 0.522, 85.56),
    ("GETM", "VU: precise tables", 65536, getm("precise_entries") * PRECISE, 0.181, 69.59),
    ("GETM", "VU: approximate tables", 8192, getm("approximate_entries") * 2 * STAMP, 0.018, 8.51),
    ("GETM", "warpts tables", 15 * 192, WARPS * STAMP, 0.015, 10.65),
    ("GETM", "stall buffers", 6 * 4 * 30, PARTITIONS * getm("stall_addresses") * getm("stall_requests") * STALLED, 0.0004, 2.67),
]


def scaled(structure):
    """(area, power) here."""
    _, _, theirs, ours, area, power = structure
    return area * ours / theirs, power * ours / theirs


def total(memory, what):
    """EAPG's structures come on top of WarpTM's."""
    parts = {"GETM": ["GETM"], "WarpTM": ["WarpTM"], "EAPG": ["WarpTM", "EAPG"]}[memory]
    return sum(scaled(s)[{"area": 0, "power": 1}[what]] for s in STRUCTURES if s[0] in parts)


def sizes_table():
    out = ["| memory | structure | bytes, thesis | bytes, here | area here, mm2 | power here, mW |", "|---|---|---:|---:|---:|---:|"]
    for structure in STRUCTURES:
        memory, name, theirs, ours, _, _ = structure
        area, power = scaled(structure)
        out.append(f"| {memory} | {name} | {theirs} | {ours:.0f} | {area:.4f} | {power:.2f} |")
    for memory in ("WarpTM", "EAPG", "GETM"):
        out.append(f"| {memory} | **all** | | | {total(memory, 'area'):.3f} | {total(memory, 'power'):.2f} |")
    return "\n".join(out) + "\n"
