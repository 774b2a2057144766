"""Pages with parts that programs write, between markers, and the figures beside them: renewed, or checked."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def page_with(page, parts):
    """The page's text with the text of each part between its markers."""
    text = page.read_text()
    for part, new in parts.items():
        begin, end = f"<!-- begin {part} -->\n", f"<!-- end {part} -->"
        head, rest = text.split(begin)
        text = head + begin + new + end + rest.split(end)[1]
    return text


def renew(script, page, parts, figures):
    """Writes the parts of the page and the figures, by name; with --check says what is not current. Returns the exit status."""
    wanted = {**{HERE / name: svg for name, svg in figures.items()}, page: page_with(page, parts)}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            print(f"not current: {path.relative_to(HERE.parent.parent)} (run docs/figures/{script})")
        return 1 if stale else 0
    for path, text in wanted.items():
        path.write_text(text)
    return 0
