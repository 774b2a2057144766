"""The house's style of figures, on matplotlib: bars in groups, whole or stacked, lines, rows of shades, claims beside the paper's.

Each function returns the text of an SVG file, the same bytes on every run with Debian 12's packages: no date, no version, salted
ids. Letters are text, laid out in DejaVu, which comes with matplotlib; what a reader has in its place is hardly wider. Widths are
those of a page; what is cut at a limit has its value above it. The paper's values are diamonds.
"""
import io
import os
import sys
import tempfile
import textwrap
from typing import NamedTuple, Optional, Sequence

with tempfile.TemporaryDirectory() as scratch:  # matplotlib keeps its cache of fonts there while it starts, and nothing in the user's home
    os.environ["MPLCONFIGDIR"] = scratch
    try:
        import matplotlib
    except ImportError:
        print("error: no matplotlib; expected Debian's package python3-matplotlib", file=sys.stderr)
        sys.exit(2)
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch, PathPatch
    from matplotlib.path import Path

from claims import band, name, number, paper, verdict

matplotlib.rcdefaults()  # nobody's matplotlibrc
matplotlib.rcParams.update({
    "svg.hashsalt": "syncline", "svg.fonttype": "none", "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Helvetica", "Arial"], "font.size": 9, "axes.labelsize": 9, "xtick.labelsize": 9,
    "ytick.labelsize": 9, "legend.fontsize": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6})

# Okabe and Ito's colours, told apart by the colour-blind; in this order neighbours differ in grey, too.
COLORS = ["#0072B2", "#F0E442", "#D55E00", "#56B4E9", "#333333", "#E69F00"]
PLAIN = "#AAAAAA"  # a mean of stacks, which has no parts
WIDTH, LEFT, RIGHT = 8.5, 0.62, 0.1  # inches
TITLE, LEGEND, ABOVE, HIGH = 0.34, 0.27, 0.13, 1.7  # and of a panel


class Bar(NamedTuple):
    parts: Sequence[float]           # from the bottom
    least: Optional[float] = None    # of the seeds, and the most
    most: Optional[float] = None
    paper: Optional[float] = None    # what the paper says of this bar


class Group(NamedTuple):
    name: str
    bars: Sequence[Optional[Bar]]    # as many as there are series; None: not measured
    mean: bool = False               # set off from the others
    highest: Optional[float] = None  # what the paper says of the group's highest bar, without saying which that is


class Panel(NamedTuple):
    groups: Sequence[Group]
    unit: str                        # of its axis
    limit: Optional[float] = None    # where bars are cut, else above all of them
    line: Optional[tuple] = None     # (value, what the paper says of it)
    beside: bool = False             # at the right of the panel before; one bar a group, of no series


def ramp(count):
    """Colours of an ordered series, light to dark."""
    return [matplotlib.colors.to_hex(matplotlib.colormaps["cividis"](1 - i / max(1, count - 1))) for i in range(count)]


def svg(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", facecolor="white", metadata={"Date": None, "Creator": None})
    png = os.environ.get("PLOT_PNG")  # a folder: each figure is written there as PNG as well, to look at
    if png:
        figure.savefig(f"{png}/{figure.get_label()}.png", dpi=100, facecolor="white")
    pyplot.close(figure)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _legend_rows(legend):
    """The entries that fit beside each other, by what their letters are wide in the mean."""
    rows, used = [], 0.0
    for entry in legend:
        wide = len(entry.get_label()) * 4.7 + 27
        if not rows or used + wide > 72 * (WIDTH - LEFT):
            rows.append([])
            used = 0.0
        rows[-1].append(entry)
        used += wide
    return rows


def _head(figure, title, legend, left):
    high = figure.get_size_inches()[1]
    figure.text(left / WIDTH, 1 - 0.2 / high, title, size=10.5, weight="bold", va="center")
    for i, row in enumerate(_legend_rows(legend)):
        figure.legend(handles=row, loc="upper left", bbox_to_anchor=((left - 0.06) / WIDTH, 1 - (TITLE + i * LEGEND) / high), ncol=len(row),
                      frameon=False, borderaxespad=0, borderpad=0.2, handlelength=1.1, handleheight=0.8, columnspacing=1.4, handletextpad=0.5)


def _figure(title, below, legend, above=ABOVE):
    """A figure of panels, with `above` and `below` inches over and beneath each; its axes from the top."""
    top = TITLE + len(_legend_rows(legend)) * LEGEND
    high = top + sum(above + HIGH + b for b in below)
    figure = pyplot.figure(figsize=(WIDTH, high), num=title, clear=True)
    _head(figure, title, legend, LEFT)
    axes = []
    for b in below:
        top += above + HIGH
        axes.append(figure.add_axes([LEFT / WIDTH, 1 - top / high, (WIDTH - LEFT - RIGHT) / WIDTH, HIGH / high]))
        top += b
    return figure, axes


def _diamond(label=None):
    return {"marker": "D", "markersize": 5.5, "markerfacecolor": "white", "markeredgecolor": "black", "markeredgewidth": 1.1,
            "linestyle": "none", "label": label, "zorder": 6}


def _axis(axes, unit, limit):
    axes.set_ylim(0, limit)
    axes.set_ylabel(unit)
    axes.yaxis.set_label_coords(-0.405 / (WIDTH * axes.get_position().width), 0.5)
    axes.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    axes.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    axes.set_axisbelow(True)


def _highest(panel):
    marks = [v for g in panel.groups for v in [g.highest] + [x for b in g.bars if b for x in (sum(b.parts), b.most, b.paper)]]
    return max([v for v in marks + [panel.line[0] if panel.line else None] if v is not None])


def _bars(axes, panel, colors, names, stacked, span):
    limit = panel.limit or 1.06 * _highest(panel)
    _axis(axes, panel.unit, limit)
    axes.set_xlim(0, span)
    axes.tick_params(axis="x", length=0, pad=3)
    points = axes.get_window_extent().width / 100 * 72 / span  # of the width of a bar; figures have 100 pixels an inch
    upright = {"rotation": 90, "rotation_mode": "anchor", "ha": "left", "va": "center"} if points < 26 else {"ha": "center", "va": "bottom"}
    x, ticks, minor = 0.5, [], []
    for group in panel.groups:
        wide = len(group.bars)
        if group.mean:
            axes.axvspan(x - 0.3, x + wide + 0.3, color="#EFEFEF", linewidth=0, zorder=0)
        for i, bar in enumerate(group.bars):
            center, bottom = x + i + 0.5, 0.0
            minor.append((center, names[i]))
            if bar is None:
                axes.text(center, 0.02 * limit, "not run", rotation=90, rotation_mode="anchor", ha="left", va="center")
                continue
            for k, part in enumerate(bar.parts):
                color = colors[i] if not stacked else colors[k] if len(bar.parts) > 1 else PLAIN
                shown = max(0.0, min(part, limit - bottom))
                if shown > 0:
                    axes.bar(center, shown, 0.88, bottom, color=color, edgecolor="black", linewidth=0.4, zorder=2)
                bottom += part
            if bottom > limit:
                axes.text(center, limit * 1.02, f"{bottom:.3g}", size=9, zorder=7, **upright)
            elif bar.least is not None and bar.most > bar.least:
                axes.plot([center] * 2, [bar.least, min(bar.most, limit)], color="black", linewidth=1.0, marker="_", markersize=4, zorder=4)
            if bar.paper is not None:
                axes.plot([center], [min(bar.paper, limit)], clip_on=False, **_diamond())
                if bar.paper > limit:
                    axes.annotate(f"{bar.paper:.3g}", (center, limit), (0, 6), textcoords="offset points", ha="center", size=9)
        if group.highest is not None:
            axes.plot([x, x + wide], [group.highest] * 2, color="black", linewidth=1.6, linestyle=(0, (2, 1)), zorder=5)
        ticks.append((x + wide / 2, group.name))
        x += wide + 1
    if panel.line:
        end = x - 0.5 - sum(len(g.bars) + 1 for g in panel.groups if g.mean)
        axes.plot([0, end], [panel.line[0]] * 2, color="black", linewidth=1.0, linestyle=(0, (5, 3)), zorder=5)
    if stacked and len(names) > 1:
        axes.set_xticks([m for m, _ in minor], [n for _, n in minor], rotation=90, rotation_mode="anchor", ha="right", va="center")
        below = -(max(len(n) for n in names) * 5.2 + 8)
        for center, name in ticks:
            axes.annotate(name, (center, 0), (0, below), textcoords="offset points", ha="center", va="top", annotation_clip=False)
    else:
        axes.set_xticks([t for t, _ in ticks], [n for _, n in ticks])
    return axes


def bars(title, series, panels, parts=None):
    """Bars in groups; `series` and `parts`: (name, color). With `parts` each bar is a stack of them, and its series stands beneath it."""
    stacked = parts is not None
    legend = [Patch(facecolor=c, edgecolor="black", linewidth=0.4, label=n) for n, c in (parts if stacked else series if len(series) > 1 else [])]
    every = [b for p in panels for g in p.groups for b in g.bars if b]
    if any(b.most is not None and b.most > b.least for b in every):
        legend.append(Line2D([], [], color="black", linewidth=1.0, marker="_", markersize=4, linestyle="none", label="least, most of the seeds"))
    if any(b.paper is not None for b in every):
        legend.append(Line2D([], [], **_diamond("thesis")))
    if any(g.highest is not None for p in panels for g in p.groups):
        legend.append(Line2D([], [], color="black", linewidth=1.6, linestyle=(0, (2, 1)), label="thesis, one bar of the group"))
    for line in {p.line for p in panels if p.line}:
        legend.append(Line2D([], [], color="black", linewidth=1.0, linestyle=(0, (5, 3)), label=line[1]))
    def beneath(panel):
        if stacked and len(series) > 1 and not panel.beside:
            return (max(len(n) for n, _ in series) * 5.2 + 26) / 72
        return 0.25 + 0.15 * max(g.name.count("\n") for g in panel.groups)
    cut = any(sum(b.parts) > p.limit for p in panels if p.limit for g in p.groups for b in g.bars if b)
    rows = [[p] for p in panels if not p.beside]
    for before, panel in zip(panels, panels[1:]):
        if panel.beside:
            next(row for row in rows if row[0] is before).append(panel)
    figure, axes = _figure(title, [max(map(beneath, row)) for row in rows], legend, 0.4 if cut else ABOVE)
    span = max(sum(len(g.bars) + 1 for g in row[0].groups) for row in rows)
    for ax, (panel, *beside) in zip(axes, rows):
        used = span
        if beside:
            used = sum(len(g.bars) + 1 for g in panel.groups)
            place = ax.get_position()
            right = place.x0 + place.width * min(used / span, 0.6)
            ax.set_position([place.x0, place.y0, right - place.x0, place.height])
            other = figure.add_axes([right + LEFT / WIDTH, place.y0, place.x1 - right - LEFT / WIDTH, place.height])
            _bars(other, beside[0], [PLAIN], [""], False, 2 * max(2, len(beside[0].groups)))
        _bars(ax, panel, [c for _, c in (parts if stacked else series)], [n for n, _ in series], stacked, used)
    return svg(figure)


def points(title, across, unit, lines, ticks=None):
    """Lines and points; `lines`: (name, x, y, style of matplotlib or "paper" for the paper's, [(least, most), ...] of the seeds or None)."""
    legend = [Line2D([], [], **(_diamond(name) if style == "paper" else {"label": name, **style})) for name, _, _, style, _ in lines]
    figure, (axes,) = _figure(title, [0.45], legend)
    for name, x, y, style, spread in lines:
        axes.plot(x, y, clip_on=False, **(_diamond() if style == "paper" else style))
        for place, (least, most) in zip(x, spread or []):
            if most > least:
                axes.plot([place] * 2, [least, most], color="black", linewidth=1.0, marker="_", markersize=4)
    _axis(axes, unit, 1.06 * max(v for _, _, y, _, _ in lines for v in y))
    axes.set_xlabel(across)
    if ticks:
        axes.set_xticks(ticks)
    return svg(figure)


SHADES = 12


def rows_of_shades(title, names, values, across, first, step, marks, dark, mark):
    """A row for each name: the darker, the greater the value; columns from `first` on, `step` wide, and lines at `marks`.

    `dark` and `mark` say what black and the lines mean. Columns narrower than what can be seen are put together, by their mean."""
    wide = WIDTH - LEFT - 0.3  # the last tick may stand at the end
    together = -(-len(values[0]) // int(wide * 72 / 1.2))
    values = [[sum(row[i:i + together]) / len(row[i:i + together]) for i in range(0, len(row), together)] for row in values]
    most = max(map(max, values))
    high = TITLE + LEGEND + 0.145 * len(names) + 0.55
    figure = pyplot.figure(figsize=(WIDTH, high), num=title, clear=True)
    legend = [Patch(facecolor="black", label=dark.format(most)), Patch(facecolor="white", edgecolor="black", linewidth=0.4, label="none")]
    if marks:
        legend.append(Line2D([], [], color=COLORS[2], linewidth=0.8, label=mark))
    _head(figure, title, legend, LEFT)
    axes = figure.add_axes([LEFT / WIDTH, 0.45 / high, wide / WIDTH, 0.145 * len(names) / high])
    boxes = {}  # of each shade: a path for all of them, neighbours in one
    for row, line in enumerate(values):
        shades = [round(v / most * SHADES) for v in line]
        start = 0
        for i in range(1, len(shades) + 1):
            if i < len(shades) and shades[i] == shades[start]:
                continue
            if shades[start]:
                left, right = first + start * together * step, first + min(i * together * step, len(line) * together * step)
                boxes.setdefault(shades[start], []).append([(left, row), (right, row), (right, row + 1), (left, row + 1), (left, row)])
            start = i
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    for shade in sorted(boxes):
        path = Path([p for box in boxes[shade] for p in box], codes * len(boxes[shade]))
        axes.add_patch(PathPatch(path, facecolor=str(1 - shade / SHADES), linewidth=0, antialiased=False))
    if marks:
        axes.add_patch(PathPatch(Path([p for m in marks for p in ((m, 0), (m, len(names)))], [Path.MOVETO, Path.LINETO] * len(marks)),
                                 fill=False, edgecolor=COLORS[2], linewidth=0.8))
    axes.set_xlim(first, first + len(values[0]) * together * step)
    axes.set_ylim(len(names), 0)
    axes.set_yticks([i + 0.5 for i in range(len(names))], names)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%d"))
    axes.set_xlabel(across)
    return svg(figure)


RANGE = 8  # claims are drawn from an eighth to eightfold


def claims(title, rows, whose="thesis"):
    """Ours over the paper's value, for each row of a table of claims that has both, with its band; the numbers stand beside."""
    rows = [r for r in rows if number(paper(r)) and number(r["ours"]) is not None]
    names = [textwrap.wrap(name(r), 56) for r in rows]
    line, left, right = 0.165, 4.0, 1.15
    places, y = [], 0.0
    for text in names:
        places.append(y + len(text) * line / 2 + 0.03)
        y += len(text) * line + 0.06
    top = TITLE + LEGEND + 0.12
    high = top + y + 0.45
    figure = pyplot.figure(figsize=(WIDTH, high), num=title, clear=True)
    axes = figure.add_axes([left / WIDTH, 0.45 / high, (WIDTH - left - right) / WIDTH, y / high])

    def across(value):
        return min(max(value, 1 / RANGE), RANGE)

    def beside(text, place, inches, align):
        axes.annotate(text, (0 if inches < 0 else 1, place), (72 * inches, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                      va="center", ha=align, annotation_clip=False)
    beside(whose, -0.1, 0.5, "right")
    beside("ours", -0.1, 1.05, "right")
    marks = {True: ("o", COLORS[3], "ours, in band"), False: ("X", COLORS[2], "ours, out"), None: ("s", PLAIN, "ours, without a band")}
    for row, text, place in zip(rows, names, places):
        theirs, ours = number(paper(row)), number(row["ours"])
        if band(row):
            axes.plot([across(v / theirs) for v in band(row)], [place] * 2, color="#CFE3EE", linewidth=9, solid_capstyle="butt", zorder=1)
        least, dots, most = row.get("least..most", "").partition("..")
        if dots:
            axes.plot([across(float(least) / theirs), across(float(most) / theirs)], [place] * 2, color="black", linewidth=1.0, zorder=3)
        axes.plot([1], [place], **_diamond())
        mark, color, _ = marks[verdict(row)]
        beyond = "<" if ours / theirs < 1 / RANGE else ">" if ours / theirs > RANGE else mark
        axes.plot([across(ours / theirs)], [place], marker=beyond, markersize=6.5, color=color, markeredgecolor="black", markeredgewidth=0.6,
                  linestyle="none", clip_on=False, zorder=7)
        beside("\n".join(text), place, 0.1 - left, "left")
        beside(paper(row), place, 0.5, "right")
        beside(row["ours"], place, 1.05, "right")
    axes.set_xscale("log", base=2)
    axes.set_xlim(1 / RANGE, RANGE)
    axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    axes.set_xlabel(f"ours over the {whose}'s value")
    axes.set_ylim(y, 0)
    axes.set_yticks([])
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.6)
    axes.axvline(1, color="black", linewidth=0.6)
    axes.set_axisbelow(True)
    used = {verdict(r) for r in rows}
    handles = [Line2D([], [], **_diamond(whose)), Patch(facecolor="#CFE3EE", label="band")] + [
        Line2D([], [], marker=m, markersize=6.5, color=c, markeredgecolor="black", markeredgewidth=0.6, linestyle="none", label=n)
        for v, (m, c, n) in marks.items() if v in used]
    _head(figure, title, handles, 0.1)
    return svg(figure)
