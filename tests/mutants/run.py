#!/usr/bin/env python3
"""Mutants of the C++ models: each changes a few words of one file, and the tests should notice.

run.py [ID ...]        builds and tests the named mutants, by default all, in a copy of the tree; status 1 when one survives
                       that is not argued to, or when one that is argued to survive does not
run.py --verify        tells, without building anything, whether every mutant still applies and docs/mutants.md lists it
run.py --document      writes the table of docs/mutants.md from the results of earlier runs

The mutants stand in the *.toml files beside this one, which say what to build and which tests to run, cheap ones first.
Results are kept in WORK/results.json as they come; --resume runs only what is not there.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "mutants.md"
BEGIN, END = "<!-- begin of the table -->", "<!-- end of the table -->"


class Mutant:
    KEYS = {"id", "file", "old", "new", "breaks", "survives"}

    def __init__(self, group, entry):
        unknown = set(entry) - self.KEYS
        missing = self.KEYS - {"survives"} - set(entry)
        if unknown or missing:
            raise SystemExit(f"{group.name}.toml: mutant `{entry.get('id')}`: unknown {sorted(unknown)}, "
                             f"missing {sorted(missing)}")
        self.group = group
        self.id, self.file, self.breaks = entry["id"], entry["file"], entry["breaks"]
        self.old, self.new = entry["old"].strip("\n"), entry["new"].strip("\n")
        self.survives = entry.get("survives", "")

    def digest(self):
        return hashlib.sha256("\0".join([self.file, self.old, self.new]).encode()).hexdigest()[:16]

    def applied(self, root):
        """The changed text of the file; an error when the old text is not there exactly once."""
        path = root / self.file
        if not path.is_file():
            raise ValueError(f"mutant `{self.id}`: there is no file {self.file}")
        text = path.read_text()
        found = text.count(self.old)
        if found != 1:
            raise ValueError(f"mutant `{self.id}`: its old text occurs {found} times in {self.file}, expected once")
        if self.old == self.new:
            raise ValueError(f"mutant `{self.id}` changes nothing")
        return text.replace(self.old, self.new)


class Group:
    """A file of mutants, and the steps of tests that may notice them: what a step builds, and which tests it runs, by regular
    expressions for ctest."""

    def __init__(self, path):
        with open(path, "rb") as file:
            content = tomllib.load(file)
        self.name, self.title = path.stem, content["title"]
        self.steps = content["step"]
        for step in self.steps:
            if set(step) - {"except"} != {"build", "tests"}:
                raise SystemExit(f"{path.name}: a step has `build`, `tests` and perhaps `except`, found {sorted(step)}")
        self.mutants = [Mutant(self, entry) for entry in content["mutant"]]


def load(folder):
    groups = [Group(path) for path in sorted(folder.glob("*.toml"))]
    mutants = [mutant for group in groups for mutant in group.mutants]
    twice = {mutant.id for mutant in mutants if [other.id for other in mutants].count(mutant.id) > 1}
    if twice:
        raise SystemExit(f"several mutants have one name: {', '.join(sorted(twice))}")
    return groups, mutants


def verify(mutants, root, page):
    mistakes = []
    for mutant in mutants:
        try:
            mutant.applied(root)
        except ValueError as error:
            mistakes.append(str(error))
    listed = re.findall(r"^\| `([^`]+)` \|", page.read_text(), re.M) if page.is_file() else []
    for mutant in mutants:
        if listed.count(mutant.id) != 1:
            mistakes.append(f"mutant `{mutant.id}` is listed {listed.count(mutant.id)} times in {page.name}")
    mistakes += [f"{page.name} lists `{name}`, which is no mutant" for name in listed
                 if name not in {mutant.id for mutant in mutants}]
    for mistake in mistakes:
        print(mistake)
    print(f"{len(mutants)} mutants, {len(mistakes)} mistakes")
    return 1 if mistakes else 0


class Bench:
    """The copy of the tree, and its build."""

    def __init__(self, work, jobs):
        self.tree, self.jobs = work / "tree", jobs
        self.build = self.tree / "build" / "release"

    def copy(self):
        """What git knows of the tree and what is new in it, and nothing else, without touching what has not changed."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
        names = {name for name in listed if name and (ROOT / name).is_file()}
        for path in list(self.tree.rglob("*")):
            name = str(path.relative_to(self.tree))
            if not name.startswith("build/") and path.is_file() and name not in names:
                path.unlink()
        for name in sorted(names):
            source, target = ROOT / name, self.tree / name
            content, mode = source.read_bytes(), source.stat().st_mode & 0o777
            if target.is_file() and target.read_bytes() == content and target.stat().st_mode & 0o777 == mode:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(mode)

    def command(self, *words):
        done = subprocess.run(["nice", *words], cwd=self.tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace",
                              env={**os.environ, "SYNCLINE_RC_PARAMS": "noshrink=1"})
        return done.returncode, done.stdout

    def configure(self):
        status, out = self.command("cmake", "--preset", "release", "-G", "Ninja")
        if status != 0:
            raise SystemExit(f"the copy cannot be configured:\n{out}")

    def make(self, targets):
        return self.command("cmake", "--build", str(self.build), "--parallel", str(self.jobs), "--target", *targets)

    def test(self, step):
        """The tests of a step that failed."""
        leave_out = ["-E", step["except"]] if "except" in step else []
        status, out = self.command("ctest", "--test-dir", str(self.build), "-R", step["tests"], *leave_out, "-j",
                                   str(self.jobs), "--timeout", "300", "--stop-on-failure", "--no-tests=error")
        failed = re.findall(r"^\s*\d+ - (\S+).* \((?:Failed|Timeout|SEGFAULT|Subprocess aborted|[A-Z ]+)\)", out, re.M)
        if status != 0 and not failed:
            raise SystemExit(f"ctest -R '{step['tests']}' ended with status {status}:\n{out[-3000:]}")
        return failed

    def first_failures(self, group):
        """Builds and tests step by step, up to the first that fails: why it does not build, and which tests failed."""
        for step in group.steps:
            status, out = self.make(step["build"])
            if status != 0:
                return out, []
            failed = self.test(step)
            if failed:
                return "", failed
        return "", []


def measure(bench, mutant):
    """What became of a mutant: the tests that failed, none where it survives."""
    path = bench.tree / mutant.file
    original = path.read_text()
    begin = time.monotonic()
    path.write_text(mutant.applied(bench.tree))
    try:
        why, failed = bench.first_failures(mutant.group)
    finally:
        path.write_text(original)
    if why:
        return {"built": False, "why": why[-1500:]}
    return {"built": True, "killed_by": failed, "seconds": round(time.monotonic() - begin)}


def expected(mutant, result):
    return result["built"] and bool(result["killed_by"]) == (mutant.survives == "")


def told(result):
    if not result["built"]:
        return "DOES NOT BUILD\n" + result["why"]
    return "killed by " + ", ".join(result["killed_by"]) if result["killed_by"] else "SURVIVES"


def run(groups, mutants, options):
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    results_file = work / "results.json"
    results = json.loads(results_file.read_text()) if results_file.is_file() else {}
    bench = Bench(work, options.jobs)
    bench.copy()
    bench.configure()
    wanted = {mutant.group.name for mutant in mutants}
    for group in groups:
        if options.no_baseline or group.name not in wanted:
            continue
        why, failed = bench.first_failures(group)
        if why:
            raise SystemExit(f"the unchanged tree does not build:\n{why[-3000:]}")
        if failed:
            raise SystemExit(f"tests fail without any mutant: {', '.join(failed)}")
    unexpected = []
    for mutant in mutants:
        kept = results.get(mutant.id)
        if not (options.resume and kept and kept["digest"] == mutant.digest()):
            kept = {"digest": mutant.digest(), **measure(bench, mutant)}
            results[mutant.id] = kept
            results_file.write_text(json.dumps(results, indent=1))
        print(f"{mutant.id} ({mutant.file}): {told(kept)}", flush=True)
        if not expected(mutant, kept):
            unexpected.append(mutant.id)
    killed = sum(1 for mutant in mutants if results[mutant.id].get("killed_by"))
    print(f"{killed} of {len(mutants)} mutants killed ({100 * killed / max(1, len(mutants)):.1f} %)")
    if unexpected:
        print(f"not as expected: {', '.join(unexpected)}")
    return 1 if unexpected else 0


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def document(groups, options):
    results_file = options.work / "results.json"
    results = json.loads(results_file.read_text()) if results_file.is_file() else {}
    lines, killed, tried = [], 0, 0
    for group in groups:
        lines += ["", f"### {group.title}", "", "| id | file | what it breaks | killed by |", "|---|---|---|---|"]
        for mutant in group.mutants:
            result = results.get(mutant.id)
            fate = "not run"
            if result and result["built"] and result["digest"] == mutant.digest():
                tried += 1
                killed += bool(result["killed_by"])
                fate = f"`{result['killed_by'][0]}`" if result["killed_by"] else f"SURVIVES: {mutant.survives}"
            lines.append(f"| `{mutant.id}` | {mutant.file} | {cell(mutant.breaks)} | {cell(fate)} |")
    total = sum(len(group.mutants) for group in groups)
    head = f"{killed} of {tried} mutants that were run are killed ({100 * killed / max(1, tried):.1f} %)"
    head += "." if tried == total else f"; {total - tried} were not run."
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(before + BEGIN + "\n" + head + "\n" + "\n".join(lines) + "\n" + END + after)
    return 0


def main():
    parser = argparse.ArgumentParser(description="Mutants of the C++ models, and the tests that notice them.")
    parser.add_argument("ids", nargs="*", metavar="ID", help="mutants, or files of mutants without .toml; default: all")
    parser.add_argument("--verify", action="store_true", help="only tell whether every mutant applies")
    parser.add_argument("--document", action="store_true", help="write the table of docs/mutants.md")
    parser.add_argument("--tables", type=pathlib.Path, default=HERE, help="folder of the *.toml files")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "mutants", help="for copy and results")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="of build and tests")
    parser.add_argument("--resume", action="store_true", help="keep the results of earlier runs")
    parser.add_argument("--no-baseline", action="store_true", help="do not run the tests without a mutant first")
    options = parser.parse_args()
    groups, mutants = load(options.tables)
    if options.verify:
        return verify(mutants, ROOT, PAGE)
    if options.document:
        return document(groups, options)
    unknown = set(options.ids) - {mutant.id for mutant in mutants} - {group.name for group in groups}
    if unknown:
        raise SystemExit(f"no such mutant: {', '.join(sorted(unknown))}")
    chosen = [mutant for mutant in mutants
              if not options.ids or mutant.id in options.ids or mutant.group.name in options.ids]
    return run(groups, chosen, options)


if __name__ == "__main__":
    sys.exit(main())
