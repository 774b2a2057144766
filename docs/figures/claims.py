"""The tables of claims of the pages, read from their text, and what their values are made with."""
import math
import re

PAPER = ("paper", "thesis")


def tables(page):
    """The rows of each table of claims in a page or a part of one, as a dictionary by the heads of its columns."""
    rows, head = [], None
    for line in page.splitlines():
        if not line.startswith("|"):
            head = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if head is None:
            head = cells if cells[:2] == ["claim", "what"] else []
        elif head and not set(line) <= set("|-: "):
            rows.append(dict(zip(head, cells)))
    return rows


def gmean(values):
    """The geometric mean; None of nothing."""
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def number(text):
    return float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text or "") else None


def band(row):
    """(low, high), or nothing where the claim has no band."""
    low, dots, high = row.get("band", "").partition("..")
    return (float(low), float(high)) if dots else None


def paper(row):
    return next((row[name] for name in PAPER if name in row), "")


def verdict(row):
    """Whether the mean of ours is in the band, as the table has it; None without a band."""
    return row.get("", "") == "in band" if band(row) else None


def name(row):
    what = row["what"].replace("`", "")
    inputs = row.get("inputs", "paper")  # the default; a link is none
    inputs = f" ({inputs})" if re.fullmatch(r"[\w, ]+", inputs) and inputs != "paper" else ""
    return f"{row['claim']} {what}{inputs}".strip()


def of_band(low, high):
    """A band as tables have it."""
    return "" if low is None else f"{low:g}..{high:g}"


def judge(low, high, mean):
    """The last column of a table."""
    return "" if low is None else "in band" if low <= mean <= high else "**out**"


def changes_table(changes, value_of, before):
    """One change at a time. `changes`: (what was changed, the runs with it, rows of claims, those that were looked at: the name of a
    claim and a part of what it says); rows begin as a table does, with the band as two numbers, and end with the claim's function."""
    lines = ["| one change | claim | band | seed 1 | with it |", "|---|---|---|---:|---:|"]
    for change, after, rows, wanted in changes:
        for claim, what, _, low, high, *_, function in rows:
            if any(claim == one and part in what for one, part in wanted):
                lines.append(f"| {change} | {claim}: {what} | {of_band(low, high)} | {value_of(function, before):.2f} | {value_of(function, after):.2f} |")
                change = ""
    return "\n".join(lines) + "\n"
