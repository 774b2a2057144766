#!/usr/bin/env python3
"""The runner of mutants tells mistakes in its tables, restores what it changed and knows killed from surviving."""
import contextlib
import io
import pathlib
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run  # noqa: E402

HEAD = """title = 'Some'
[[step]]
build = ['one']
tests = '^cheap'
[[step]]
build = ['two']
tests = '^dear'
except = 'slow'
"""


def entry(name, old="one", new="two", more=""):
    return f"[[mutant]]\nid = '{name}'\nfile = 'a.cpp'\nold = '{old}'\nnew = '{new}'\nbreaks = 'all'\n{more}\n"


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "a.cpp").write_text("one three three\n")
        self.page = self.root / "page.md"
        self.page.write_text("| `m` | a.cpp | all | not run |\n")

    def load(self, text):
        (self.root / "some.toml").write_text(HEAD + text)
        return run.load(self.root)

    def verified(self, text):
        _, mutants = self.load(text)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = run.verify(mutants, self.root, self.page)
        return status, out.getvalue()

    def test_a_table_that_applies(self):
        self.assertEqual(self.verified(entry("m")), (0, "1 mutants, 0 mistakes\n"))

    def test_text_that_is_not_there_once(self):
        for old, times in (("four", 0), ("three", 2)):
            status, out = self.verified(entry("m", old))
            self.assertEqual(status, 1)
            self.assertIn(f"mutant `m`: its old text occurs {times} times in a.cpp, expected once", out)

    def test_a_mutant_that_changes_nothing(self):
        self.assertIn("mutant `m` changes nothing", self.verified(entry("m", new="one"))[1])

    def test_a_file_that_is_gone(self):
        (self.root / "a.cpp").unlink()
        self.assertIn("mutant `m`: there is no file a.cpp", self.verified(entry("m"))[1])

    def test_a_page_that_lists_others(self):
        status, out = self.verified(entry("n"))
        self.assertEqual(status, 1)
        self.assertIn("mutant `n` is listed 0 times in page.md", out)
        self.assertIn("page.md lists `m`, which is no mutant", out)

    def test_keys_and_names(self):
        with self.assertRaisesRegex(SystemExit, r"mutant `m`: unknown \['survive'\], missing \[\]"):
            self.load(entry("m", more="survive = 'x'"))
        with self.assertRaisesRegex(SystemExit, r"unknown \[\], missing \['breaks', 'file', 'new', 'old'\]"):
            self.load("[[mutant]]\nid = 'm'\n")
        with self.assertRaisesRegex(SystemExit, "several mutants have one name: m"):
            self.load(entry("m") + entry("m"))

    def bench(self, why, failures):
        """A tree that does not build for a reason, or whose tests fail as told, and what it was asked to test."""
        seen = []

        def first_failures(_):
            seen.append((self.root / "a.cpp").read_text())
            return why, failures

        return types.SimpleNamespace(tree=self.root, first_failures=first_failures), seen

    def test_what_becomes_of_a_mutant(self):
        _, (mutant,) = self.load(entry("m"))
        for why, failures, wanted, text in (
                ("", ["cheap.A"], True, "killed by cheap.A"),
                ("", [], False, "SURVIVES"),
                ("why", [], False, "DOES NOT BUILD\nwhy")):
            bench, seen = self.bench(why, failures)
            result = run.measure(bench, mutant)
            self.assertEqual(seen, ["two three three\n"])
            self.assertEqual((self.root / "a.cpp").read_text(), "one three three\n")
            self.assertEqual(run.expected(mutant, result), wanted)
            self.assertEqual(run.told(result), text)

    def test_a_survivor_that_is_argued_for(self):
        _, (mutant,) = self.load(entry("m", more="survives = 'nobody can tell'"))
        self.assertTrue(run.expected(mutant, run.measure(self.bench("", [])[0], mutant)))
        self.assertFalse(run.expected(mutant, run.measure(self.bench("", ["cheap.A"])[0], mutant)))

    def test_the_first_step_that_fails_ends_it(self):
        (group,), _ = self.load(entry("m"))
        bench = run.Bench(self.root, 1)
        asked = []
        bench.make = lambda targets: asked.append(targets) or (0, "")
        bench.test = lambda step: asked.append(step["tests"]) or (["dear.B"] if "except" in step else [])
        self.assertEqual(bench.first_failures(group), ("", ["dear.B"]))
        self.assertEqual(asked, [["one"], "^cheap", ["two"], "^dear"])
        bench.make = lambda targets: (1 if targets == ["two"] else 0, "why")
        self.assertEqual(bench.first_failures(group), ("why", []))

    def test_a_step_that_tests_nothing(self):
        with self.assertRaisesRegex(SystemExit, r"some.toml: a step has `build`, `tests` and perhaps `except`, found"):
            self.load("[[step]]\nbuild = ['one']\n" + entry("m"))


if __name__ == "__main__":
    unittest.main()
