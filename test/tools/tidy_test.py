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


class TidyOptions(unittest.TestCase):
    def test_the_analyzer_stays_away_from_tests(self):
        source, test = f"{tidy.ROOT}/src/base/a.cc", f"{tidy.ROOT}/src/base/a_test.cc"
        self.assertEqual(tidy.options_for(source, deep=True), [])
        self.assertEqual(tidy.options_for(source, deep=False), tidy.QUICK_ANALYZER)
        self.assertEqual(tidy.options_for(test, deep=True), tidy.NO_ANALYZER)
        self.assertEqual(tidy.options_for(test, deep=False), tidy.FEW_CHECKS)


if __name__ == "__main__":
    unittest.main()
