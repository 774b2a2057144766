"""The runs of a sweep's database (docs/how-to-sweep.md), for scripts that write a row of CSV for each."""
import csv
import json
import signal
import sqlite3
import sys

TOOK_TOO_LONG = 128 + signal.SIGXCPU  # the status of a run that `syncline sweep --limit` has ended


def runs(path):
    """A dict for each run that is done: workload, case, cycles, warp_instructions, what it has said, and by their names its settings and statistics.

    One that took longer than it may is told of; after one that failed otherwise, or has not run, nothing goes on.
    """
    database = sqlite3.connect(path)
    for run, workload, case, state, status, reason, cycles, warp_instructions, result in database.execute(
            """SELECT id, workload, "case", state, status, reason, cycles, warp_instructions, result FROM run WHERE place NOT NULL ORDER BY place"""):
        settings = dict(database.execute("SELECT key, value FROM setting WHERE run = ?", (run,)))
        if state != "done":
            of_run = " ".join([workload, case, *(f"{key}={value}" for key, value in sorted(settings.items()))])
            if state != "failed" or status != TOOK_TOO_LONG:
                sys.exit(f"{of_run}: {reason or state}")
            print(f"{of_run}: {reason}, left out", file=sys.stderr)
            continue
        statistics = dict(database.execute("SELECT name, value FROM statistic WHERE run = ?", (run,)))
        yield {"workload": workload, "case": case, "cycles": cycles, "warp_instructions": warp_instructions, "result": json.loads(result), "settings": settings,
               "statistics": {name: int(value) for name, value in statistics.items()}}


def write(columns, rows):
    writer = csv.DictWriter(sys.stdout, columns, restval=0, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
