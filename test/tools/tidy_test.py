"""What tools/tidy.py promises: a file is looked at again exactly when something it reads changed."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import tidy


def write_tree(root):
    for name, text in {
        "src/a/a.cc": '#include "a/a.h"\n#include <vector>\n',
        "src/a/a.h": '#pragma once\n#include "stator/b/b.h"\n',
        "include/stator/b/b.h": "#pragma once\n",
        "src/a/unrelated.h": "#pragma once\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


class TidyKey(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        write_tree(self.root)

    def key(self, root=None, flags="-O1", common="clang-tidy 19", options=()):
        root = root or self.root
        entry = {"file": str(root / "src/a/a.cc"), "command": f"c++ {flags} -I{root}/src"}
        roots = [root / "include", root / "src"]
        with mock.patch.multiple(tidy, ROOT=root, INCLUDE_ROOTS=roots):
            return tidy.key_of(entry, root / "build", common, list(options))

    def test_changes_with_the_file_and_with_every_header_it_reaches(self):
        for name in ("src/a/a.cc", "src/a/a.h", "include/stator/b/b.h"):
            before = self.key()
            with (self.root / name).open("a") as file:
                file.write("// more\n")
            self.assertNotEqual(self.key(), before, name)

    def test_stays_when_an_unrelated_header_changes(self):
        before = self.key()
        (self.root / "src/a/unrelated.h").write_text("// other\n")
        self.assertEqual(self.key(), before)

    def test_changes_with_flags_options_and_versions(self):
        keys = {self.key(), self.key(flags="-O2"), self.key(common="clang-tidy 20"),
                self.key(options=tidy.NO_ANALYZER)}
        self.assertEqual(len(keys), 4)

    def test_is_the_same_in_another_clone(self):
        other = self.root / "deeper" / "clone"
        write_tree(other)
        self.assertEqual(self.key(root=other), self.key())


class TidyOrder(unittest.TestCase):
    def test_when_time_is_short_the_newest_files_come_first(self):
        said = {"status": ["?? src/new.cc", "R  src/was.cc -> src/is.cc"],
                "log": ["src/late.cc", "", "src/early.cc", "src/late.cc"]}
        names = ["src/early.cc", "src/unknown.cc", "src/late.cc", "src/is.cc", "src/new.cc"]
        with mock.patch.object(tidy, "output_of", lambda *words: "\n".join(said[words[3]])):
            ordered = tidy.in_order([f"{tidy.ROOT}/{name}" for name in names], minutes=1)
        self.assertEqual({pathlib.Path(file).name for file in ordered[:2]}, {"is.cc", "new.cc"})
        self.assertEqual([pathlib.Path(file).name for file in ordered[2:]],
                         ["late.cc", "early.cc", "unknown.cc"])

    def test_nothing_is_begun_when_time_is_over(self):
        self.assertEqual(tidy.check(pathlib.Path("build"), "no-such-file.cc", [], end=0)[0], None)


class TidyOptions(unittest.TestCase):
    def test_the_analyzer_stays_away_from_tests(self):
        source, test = f"{tidy.ROOT}/src/base/a.cc", f"{tidy.ROOT}/src/base/a_test.cc"
        self.assertEqual(tidy.options_for(source, deep=True, hurry=None), [])
        self.assertEqual(tidy.options_for(source, deep=False, hurry=None), tidy.QUICK_ANALYZER)
        self.assertEqual(tidy.options_for(test, deep=True, hurry=None), tidy.NO_ANALYZER)
        self.assertEqual(tidy.options_for(test, deep=False, hurry=None), tidy.FEW_CHECKS)

    def test_only_cheap_checks_are_made_in_a_hurry(self):
        for name in ("a.cc", "a_test.cc"):
            options = tidy.options_for(f"{tidy.ROOT}/src/base/{name}", deep=False, hurry=4)
            self.assertEqual(options, tidy.CHEAP_CHECKS)


if __name__ == "__main__":
    unittest.main()
