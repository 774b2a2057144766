#!/usr/bin/env python3
"""A random graph and a workload script that searches it with races: random_graph.py NODES EDGES NUMBER MODULE FOLDER.

Every edge joins two nodes drawn uniformly and can be taken both ways. The search begins in the largest component, or most graphs with
few edges would have nothing to search. MODULE is the path of bfs_racy.ptx; NUMBER tells graphs of one size apart.
"""
import pathlib
import random
import struct
import sys


def largest_component(neighbours):
    """Lowest node of the largest component."""
    seen, best_size, best = [False] * len(neighbours), 0, 0
    for start in range(len(neighbours)):
        if seen[start]:
            continue
        seen[start], queue = True, [start]
        for node in queue:
            for other in neighbours[node]:
                if not seen[other]:
                    seen[other] = True
                    queue.append(other)
        if len(queue) > best_size:
            best_size, best = len(queue), start
    return best


def main():
    nodes, edges, number = map(int, sys.argv[1:4])
    module, folder = pathlib.Path(sys.argv[4]).resolve(), pathlib.Path(sys.argv[5])
    draw = random.Random(f"{nodes} {edges} {number}")
    neighbours = [[] for _ in range(nodes)]
    for _ in range(edges):
        one, other = draw.randrange(nodes), draw.randrange(nodes)
        neighbours[one].append(other)
        neighbours[other].append(one)
    source = largest_component(neighbours)
    rows = [0]
    for node in neighbours:
        rows.append(rows[-1] + len(node))

    folder.mkdir(parents=True, exist_ok=True)
    for name, values in (("rows", rows), ("neighbours", [other for node in neighbours for other in node]),
                         ("flags", [int(node == source) for node in range(nodes)]),
                         ("cost", [0 if node == source else -1 for node in range(nodes)])):
        (folder / f"{name}.bin").write_bytes(struct.pack(f"<{len(values)}i", *values))
    (folder / "bfs.yaml").write_text(f"""\
module: {module}
buffers:
  rows: {{type: u32, count: {nodes + 1}, from: rows.bin}}
  neighbours: {{type: u32, count: {2 * edges}, from: neighbours.bin}}
  active: {{type: u32, count: {nodes}, from: flags.bin}}
  visited: {{type: u32, count: {nodes}, from: flags.bin}}
  cost: {{type: i32, count: {nodes}, from: cost.bin}}
  over: {{type: u32, count: 1}}
steps:
  - repeat:
      while_nonzero: {{buffer: over, type: u32, index: 0}}
      limit: {2 * nodes}
      steps:
        - write: {{buffer: over, fill: 0}}
        - launch:
            kernel: bfs_racy
            grid: [{(nodes + 255) // 256}, 1, 1]
            block: [256, 1, 1]
            shared: 0
            args: [{{ptr: rows}}, {{ptr: neighbours}}, {{ptr: active}}, {{ptr: visited}}, {{ptr: cost}}, {{ptr: over}}, {{u32: {nodes}}}]
""")


main()
