#!/usr/bin/python3 -s
"""What the data and drawings of the tree have changed against the commit that it is on: changes.py [FOLDER].

For each page the rows of its tables of claims whose value, band or paper's value is another, and the files that differ.
"""
import pathlib
import subprocess
import sys

from claims import name, paper, tables, verdict

ROOT = pathlib.Path(sys.argv[1] if sys.argv[1:] else pathlib.Path(__file__).resolve().parent.parent.parent)
PAGES = ["docs/coherence.md", "docs/determinism.md", "docs/figures-transactions.md", "docs/figures-local-transactions.md", "docs/multi-gpu.md"]


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True).stdout


def by_name(page):
    """Rows by their claim, with a number where several say the same."""
    rows = {}
    for row in tables(page):
        key, more = name(row), 1
        while key in rows:
            more += 1
            key = f"{name(row)} [{more}]"
        rows[key] = row
    return rows


def moved(before, after):
    """How the value went over the edge of its band, if it did."""
    if verdict(before) == verdict(after):
        return ""
    return {True: ", now in its band", False: ", now out of its band", None: ", now without a band"}[verdict(after)]


def difference(before, after):
    """What is to be said of a row; nothing where it is the same."""
    said = f"{before['ours'] or 'nothing'} -> {after['ours'] or 'nothing'}" if before["ours"] != after["ours"] else ""
    for what, old, new in (("paper's", paper(before), paper(after)), ("band", before.get("band", ""), after.get("band", "")),
                           ("least..most", before.get("least..most", ""), after.get("least..most", ""))):
        if old != new:
            said += f"{', ' if said else ''}{what} {old or 'none'} -> {new or 'none'}"
    return said + moved(before, after)


def main():
    try:
        changed = [line[3:].split(" -> ")[-1] for line in git("status", "--porcelain", "--untracked-files=all", "--", "docs").splitlines()]
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"error: no commit to compare with: {getattr(error, 'stderr', error)}".strip(), file=sys.stderr)
        return 2
    if not changed:
        print("nothing changed")
        return 0
    for page in PAGES:
        if page not in changed:
            continue
        before, after = by_name(git("show", f"HEAD:{page}")), by_name((ROOT / page).read_text())
        lines = [f"  {key}: {said}" for key, row in after.items() if key in before for said in [difference(before[key], row)] if said]
        lines += [f"  {key}: new, {row['ours']}" for key, row in after.items() if key not in before]
        lines += [f"  {key}: gone" for key in before if key not in after]
        print("\n".join([f"{page}: {len(lines)} of {len(after)} rows of claims changed", *lines]))
    print("\n".join([f"{len(changed)} files changed", *(f"  {path}" for path in changed)]))
    return 0


sys.exit(main())
