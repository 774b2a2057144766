"""Grouped and stacked bars as SVG, for the figures of the pages."""


def bars(title, series, groups, limit):
    """SVG of grouped bars; each bar is a list of (height, color) from the bottom, cut at `limit` with its value above."""
    width, height, left, top = 70 + len(groups) * (14 * len(series) + 16), 260, 44, 34
    scale = (height - top - 44) / limit
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
           f'<rect width="{width}" height="{height}" fill="white"/>', f'<text x="{left}" y="14">{title}</text>']
    base = height - 44
    for step in range(int(limit / (limit / 4)) + 1):
        value = step * limit / 4
        y = base - value * scale
        out.append(f'<path d="M{left} {y:.1f}H{width - 8}" stroke="#ddd"/><text x="{left - 4}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    for g, (name, stacks) in enumerate(groups):
        x = left + 10 + g * (14 * len(series) + 16)
        for i, stack in enumerate(stacks):
            y, total = base, sum(h for h, _ in stack)
            for h, color in stack:
                h = max(0.0, min(h, (y - (base - limit * scale)) / scale))
                out.append(f'<rect x="{x + 14 * i}" y="{y - h * scale:.1f}" width="12" height="{h * scale:.1f}" fill="{color}"/>')
                y -= h * scale
            if total > limit:
                out.append(f'<text x="{x + 14 * i + 6}" y="{top - 4}" text-anchor="middle" font-size="9">{total:.1f}</text>')
        out.append(f'<text x="{x + 7 * len(series)}" y="{base + 14}" text-anchor="middle">{name}</text>')
    x = left
    for name, color in series if isinstance(series[0], tuple) else []:
        out.append(f'<rect x="{x}" y="{height - 18}" width="10" height="10" fill="{color}"/><text x="{x + 14}" y="{height - 9}">{name}</text>')
        x += 24 + 7 * len(name)
    return "\n".join(out + ["</svg>", ""])
