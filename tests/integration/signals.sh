#!/usr/bin/env bash
# A call that a signal ends leaves no file and no process behind, and ends by that signal: signals.sh SYNCLINE ... ROOT
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
cp "$3/tests/data/ptx/faults.ptx" spin.ptx
PATH=$scratch/bin:$PATH python3 - "$1" <<'PYTHON'
import os, resource, signal, subprocess, sys, time

syncline = sys.argv[1]
bad = []


def until(what, condition):
    """What is waited for comes, or has not come for so long that it never will."""
    for _ in range(6000):
        if condition():
            return True
        time.sleep(0.01)
    bad.append(f"it never happens: {what}")
    return False


def state(folder):
    found = {}
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            found[name] = (os.stat(path).st_mode, file.read())
    return found


def alive(group):
    """Processes of a group, without those that only wait to be noticed as ended."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        count += int(fields[2]) == group and fields[0] not in "ZX"
    return count


def ends_by(what, number, arguments, under_way, deliver=None, prepare=None, stdout=subprocess.DEVNULL):
    """Starts a call in a folder of results, ends it by a signal once it is under way, and looks at what is left."""
    folder = "results"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/kept.json", "w") as file:
        file.write("before")
    os.chmod(f"{folder}/kept.json", 0o640)
    before = state(folder)
    process = subprocess.Popen([syncline, *arguments], stdin=subprocess.DEVNULL, stdout=stdout,
                               stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=prepare)
    if until(f"{what}: under way", lambda: process.poll() is not None or under_way(process.pid)):
        if deliver:
            deliver(process)
        elif number is not None:
            process.send_signal(number)
    try:
        status = process.wait(timeout=100)
    except subprocess.TimeoutExpired:
        status = "never"
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if number is not None and status != -number:
        bad.append(f"{what}: ends with {status}, not by signal {number}")
    until(f"{what}: no process is left over", lambda: alive(process.pid) == 0)
    if state(folder) != before:
        bad.append(f"{what}: {sorted(state(folder))} in the folder of results, {sorted(before)} before")
        for name in set(os.listdir(folder)) - set(before):
            os.remove(f"{folder}/{name}")
    return status


def begun(_):
    return any(name.startswith(".syncline-") for name in os.listdir("results"))


spin = ["run", "tiny", "spin.ptx", "--no-progress", "--kernel", "spin", "--arg", "b=buf:u32:16:zero"]
results = ["--stats", "results/kept.json", "--series", "results/s.csv", "--wave", "results/w.vcd", "--dump", "b=results/b",
           "--dump-config", "results/c.yaml"]
ending = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE, signal.SIGALRM, signal.SIGTERM, signal.SIGUSR1,
          signal.SIGUSR2, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGABRT]
for number in ending:
    ends_by(f"run, {number.name}", number, spin + results, begun)
ends_by("run to FST", signal.SIGTERM, spin + ["--wave", "results/w.fst"], begun)
ends_by("functional run", signal.SIGTERM, spin + ["--functional", "--dump-config", "results/c.yaml"], begun)

# The same by their own causes: no more time, no more room, nobody who reads.
limit = lambda what, soft: lambda: resource.setrlimit(what, (soft, resource.RLIM_INFINITY))
ends_by("no more time", signal.SIGXCPU, spin + results, lambda _: False, prepare=limit(resource.RLIMIT_CPU, 1))
ends_by("no more room", signal.SIGXFSZ, ["run", "tiny", "saxpy", "--no-progress", *results[:6]], lambda _: False,
        prepare=limit(resource.RLIMIT_FSIZE, 4096))
reader, writer = os.pipe()
os.close(reader)
ends_by("nobody reads", signal.SIGPIPE, ["run", "tiny", "saxpy", "--no-progress", *results[:6]], lambda _: False, stdout=writer)
os.close(writer)

# A signal that the one who starts a call ignores does not end it.
ignore = lambda number: lambda: signal.signal(number, signal.SIG_IGN)
ends_by("SIGHUP is ignored", signal.SIGTERM, spin + results, begun, prepare=ignore(signal.SIGHUP),
        deliver=lambda process: [process.send_signal(number) for number in (signal.SIGHUP, signal.SIGTERM)])

# Calls of several processes.
children = lambda pid: alive(pid) > 2
compare = ["compare", "tiny", "--workloads", "bfs,nqueens", "--size", "large", "--jobs", "2", "--data", "results/kept.json"]
stress = ["stress", "none", "--operations", "1000000000", "--jobs", "2"]
mutate = ["check", "mesi", "--mutate", "--mutant", "L1 MMI, Inv: to I", "--program", "ld x", "--stress", "1000000000"]
for number in (signal.SIGINT, signal.SIGTERM):
    ends_by(f"compare, {number.name}", number, compare, children)
    ends_by(f"stress, {number.name}", number, stress, children)
ends_by("check with random tests", signal.SIGTERM, mutate, lambda pid: alive(pid) > 1)
ends_by("stress, SIGKILL", signal.SIGKILL, stress, children)
# Whoever ignores the end of his children hands that down.
status = ends_by("compare where ends of children are ignored", None,
                 ["compare", "tiny", "--workloads", "saxpy", "--policies", "none,rcc"], lambda _: False,
                 prepare=ignore(signal.SIGCHLD))
if status != 0:
    bad.append(f"compare where ends of children are ignored: {status}")

print("\n".join(bad) or "signals leave nothing behind")
sys.exit(len(bad) != 0)
PYTHON
