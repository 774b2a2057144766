#!/usr/bin/env python3
"""Checks a trace of `--trace`: check_trace.py FILE [--from PS] [--to PS]

Valid JSON of the trace event format; the slices of a track in order of time and nested; an end for each beginning; each
arrow with both ends, each within a slice of its track, in order of time, and between an instruction and its own access;
processes and tracks with names. Prints the names of the processes and of all slices, how many arrows there are, and how
many of the line accesses an instruction's arrow leads to."""
import argparse
import bisect
import collections
import json
import sys

arguments = argparse.ArgumentParser()
arguments.add_argument("file")
arguments.add_argument("--from", dest="first", type=int, default=0)
arguments.add_argument("--to", dest="last", type=int, default=None)
options = arguments.parse_args()


def fail(what, event):
    sys.exit(f"{options.file}: {what}: {json.dumps(event)}")


def ps(event, key="ts"):
    value = round(event[key] * 1000)
    if abs(event[key] * 1000 - value) > 1e-3:
        fail("no whole number of picoseconds", event)
    return value


with open(options.file, encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]

processes, threads = {}, {}
slices = collections.defaultdict(list)  # by track: (begin, end, arguments), as they begin
stacks = collections.defaultdict(list)  # by track: ends of what is around; None: not known yet
begins = collections.defaultdict(list)
newest = collections.defaultdict(int)
arrows = collections.defaultdict(dict)
names = collections.Counter()
for event in events:
    track = (event["pid"], event["tid"])
    phase = event["ph"]
    if phase == "M":
        if event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
        elif event["name"] == "thread_name":
            threads[track] = event["args"]["name"]
        continue
    at = ps(event)
    if not options.first <= at or options.last is not None and at > options.last:
        fail("beyond the time that was asked for", event)
    if track[0] not in processes or track not in threads:
        fail("no name for the track of", event)
    if phase in "sf":
        if phase in arrows[event["id"]]:
            fail("a second end of an arrow", event)
        arrows[event["id"]][phase] = event
        continue
    if at < newest[track]:
        fail("goes back in time", event)
    newest[track] = at
    if phase in "BXi":
        names[event["name"]] += 1
        if not event["name"]:
            fail("no name", event)
    stack = stacks[track]
    while stack and stack[-1] is not None and stack[-1] <= at:
        stack.pop()
    if phase == "X":
        end = at + ps(event, "dur")
        if end <= at:
            fail("takes no time", event)
        if stack and stack[-1] is not None and end > stack[-1]:
            fail("not within the slice around it", event)
        stack.append(end)
        slices[track].append((at, end, event.get("args", {})))
    elif phase == "B":
        stack.append(None)
        begins[track].append(at)
    elif phase == "E":
        if not stack or stack.pop() is not None:
            fail("ends what has not begun, or before what lies in it", event)
        begins[track].pop()
    elif phase != "i":
        fail("an unknown phase", event)

for track, open_ones in begins.items():
    if open_ones:
        sys.exit(f"{options.file}: {threads[track]} of {processes[track[0]]} has a slice that does not end")
caused = set()
for identity, ends in arrows.items():
    met = {}
    if len(ends) != 2:
        fail("an arrow with one end", ends)
    for phase, event in ends.items():
        at = ps(event)
        track = slices[(event["pid"], event["tid"])]
        around = bisect.bisect_right(track, at, key=lambda piece: piece[0]) - 1  # slices with arrows overlap no other of their track
        if around < 0 or not track[around][0] <= at < track[around][1]:
            fail("an arrow's end is in no slice", event)
        met[phase] = (event["pid"], event["tid"], track[around][0], track[around][2])
    if ps(ends["s"]) > ps(ends["f"]):
        fail("an arrow back in time", ends["s"])
    if "lanes" in met["s"][3]:  # an instruction
        if not met["f"][3].get("ptx", "").startswith(met["s"][3]["ptx"] + ": "):
            fail("an arrow from an instruction to what another one asks for", ends)
        caused.add(met["f"][:3])

order = [processes[number] for number in sorted(processes)]
print("processes:", " ".join(order))
for name, count in sorted(names.items()):
    print(f"{count:8} {name}")
print(f"{len(arrows)} arrows")
accesses = sum("warp_slot" in piece[2] for track in slices.values() for piece in track)
print(f"{len(caused)} of {accesses} accesses")
