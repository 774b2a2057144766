#!/usr/bin/env bash
# Waves of a part of a run are that part of all waves, in VCD and in FST: windows.sh SYNCLINE
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
python3 - "$1" <<'PYTHON'
import bisect, re, shutil, subprocess, sys

syncline = sys.argv[1]
bad = []


class Waves:
    """A VCD: the values of each signal as (time, value), and when the file ends."""

    def __init__(self, text):
        head, body = text.split("$enddefinitions", 1)
        self.signals, scopes = {}, []
        for line in head.splitlines():
            word = line.split()
            if word[:1] == ["$scope"]:
                scopes.append(word[2])
            elif word[:1] == ["$upscope"]:
                scopes.pop()
            elif word[:1] == ["$var"]:
                self.signals[word[3]] = ".".join(scopes + [word[4]])
        self.values = {name: [] for name in self.signals.values()}
        self.begin, self.end = None, 0
        for line in body.splitlines():
            if line.startswith("#"):
                self.end = int(line[1:])
                self.begin = self.end if self.begin is None else self.begin
            elif match := re.fullmatch(r"b([01x]+) (\S+)|([01x])(\S+)", line):
                value, identifier = (match[1], match[2]) if match[1] else (match[3], match[4])
                if self.begin is None:
                    self.begin = 0
                self.values[self.signals[identifier]].append((self.end, value.lstrip("0") or "0"))

    def at(self, name, time):
        place = bisect.bisect(self.values[name], time, key=lambda change: change[0])
        return self.values[name][place - 1][1] if place else None

    def count(self):
        return sum(map(len, self.values.values()))


def run(what, *options, file="w.vcd", program="matmul"):
    call = [syncline, "run", "tiny", program, "--no-progress", "--wave", file, *options]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{what}: status {done.returncode}: {done.stderr}")
    if file.endswith(".fst"):
        subprocess.run(["fst2vcd", "-f", file, "-o", file + ".vcd"], check=True, capture_output=True)
        file += ".vcd"
    with open(file) as text:
        return Waves(text.read()), done.stdout


def check(what, good):
    if not good:
        bad.append(what)


def is_part(what, part, whole, begin, end):
    """The same signals have the same values from `begin` to `end`, and nothing is said of other times."""
    check(f"{what}: begins at {part.begin} and not {begin}", part.begin == begin)
    check(f"{what}: ends at {part.end} and not {end}", part.end == end)
    check(f"{what}: no signals", part.values)
    for name in part.values:
        wanted = [change for change in whole.values[name] if begin < change[0] <= end]
        first = [(begin, whole.at(name, begin))]
        if [change for change in part.values[name] if change[0] <= end] != first + wanted:
            bad.append(f"{what}: {name} is {part.values[name][:4]}, and not {(first + wanted)[:4]}")
            return


period = 1e12 / 1.4e9  # of the SM clock of `tiny`
cycle = lambda number: int(number * 1e12) // 1_400_000_000
whole, _ = run("all")
check("hardly anything happens", whole.count() > 1000)
busy = "SystemC.gpu.sm0.active_warps"
first = next(time for time, value in whole.values[busy] if value != "0")
middle = whole.values[busy][len(whole.values[busy]) // 2][0]
number = round(middle / period)

part, _ = run("cycles", "--wave-from", str(number), "--wave-to", str(number + 500))
is_part("cycles", part, whole, cycle(number), cycle(number + 500))
part, _ = run("times", "--wave-from", f"{cycle(number)}ps".replace("ps", "e-3 ns"), "--wave-blocks", "gpu.sm0*,gpu.part?_l2.hits")
is_part("times", part, whole, cycle(number), whole.end)
check("blocks", {name.split(".")[2] for name in part.values} == {"sm0", "sm0_l1", "part0_l2", "part1_l2"})
check("signals", [name for name in part.values if "part0" in name] == ["SystemC.gpu.part0_l2.hits"])

# Kernels: the host launches two at a time here, which run one after the other.
several, _ = run("kernels", program="bfs")
flight = several.values["SystemC.gpu.distributor.grids_in_flight"]
begun = [time for time, value in flight if value == "1"]
over = [time for time, value in flight if value == "0" and time > 0]
third, _ = run("third kernel", "--wave-kernel", "3", program="bfs")
fourth, _ = run("fourth kernel", "--wave-kernel", "4", "--wave-from", "1", program="bfs")
near = lambda a, b: abs(a - b) < 2 * period
check(f"third kernel: {third.begin} to {third.end}", near(third.begin, begun[1]) and third.end > third.begin + 100 * period)
check(f"fourth kernel: {fourth.begin} to {fourth.end}", near(fourth.begin, third.end) and near(fourth.end, over[1]))
is_part("kernel", third, several, third.begin, third.end)

# A trigger, with what was before.
trigger = next(time for time, value in whole.values["SystemC.gpu.sm0_l1.mshrs_in_use"] if int(value, 2) >= 3)
part, _ = run("trigger", "--wave-trigger", "gpu.sm0_l1.mshrs_in_use >= 3 && !(gpu.sm0.active_warps == 0)")
is_part("trigger", part, whole, trigger, whole.end)
part, _ = run("before", "--wave-trigger", "gpu.sm?_l1.mshrs_in_use >= 0x7fff || changed(gpu.sm0_l1.mshrs_in_use)", "--wave-before", "100",
              "--wave-groups", "sm")
changed = whole.values["SystemC.gpu.sm0_l1.mshrs_in_use"][1][0]
is_part("before", part, whole, cycle(round(changed / period) - 100), whole.end)

# A budget.
for limit in (20000, 100000):
    part, told = run("limit", "--wave-limit", f"{limit}B")
    check(f"limit of {limit}", "where --wave-limit is reached" in told)
    with open("w.vcd", "rb") as file:
        check(f"limit of {limit}: size", limit * 0.9 < len(file.read()) <= limit)
    is_part("limit", part, whole, 0, part.end)

# What never comes.
for options, why in ((["--wave-kernel", "9"], "the run launched 1 kernel (--wave-kernel 9)"),
                     (["--wave-from", "10 s"], "before cycle 14000000000 (--wave-from 10 s)"),
                     (["--wave-trigger", "gpu.sm0.active_warps > 1000"], "--wave-trigger never held")):
    part, told = run("never", *options)
    check(f"{options}: {told}", "holds names and no values" in told and why in told)
    check(f"{options}: values", part.count() == 0 and len(part.values) == len(whole.values))

# FST says the same.
probe = subprocess.run([syncline, "run", "tiny", "saxpy", "--no-progress", "--wave", "probe.fst"], capture_output=True, text=True)
if "this build writes no FST" in probe.stderr or not shutil.which("fst2vcd"):
    print("skipped: FST, which this build does not write, or nobody here reads (fst2vcd)")
else:
    part, _ = run("FST", file="w.fst")
    is_part("FST", part, whole, 0, whole.end)
    part, _ = run("FST", "--wave-from", str(number), "--wave-to", str(number + 500), "--wave-groups", "l1", file="w.fst")
    is_part("FST from, to", part, whole, cycle(number), cycle(number + 500))
    part, told = run("FST limit", "--wave-limit", "8000B", file="w.fst")
    check("FST limit", "where --wave-limit is reached" in told)
    with open("w.fst", "rb") as file:
        check("FST limit: size", len(file.read()) <= 8000)
    is_part("FST limit", part, whole, 0, part.end)

print("\n".join(bad) or "parts of waves are parts of all waves")
sys.exit(len(bad) != 0)
PYTHON
