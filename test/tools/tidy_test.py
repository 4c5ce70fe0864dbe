"""What tools/tidy.py promises: files are read in groups that compile, and looked at again exactly
when something they read has changed."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import tidy
import source_groups


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
        group = source_groups.Group(list(options))
        group.files, group.flags = [str(root / "src/a/a.cc")], [flags, f"-I{root}/src"]
        roots = [root / "include", root / "src"]
        with mock.patch.multiple(tidy, ROOT=root, INCLUDE_ROOTS=roots):
            return tidy.key_of(group, root / "build", common)

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
    def test_the_analyzer_looks_at_the_product_when_asked_and_never_at_tests(self):
        source, test = f"{tidy.ROOT}/src/base/a.cc", f"{tidy.ROOT}/src/base/a_test.cc"
        self.assertEqual(tidy.options_for(source, deep=True), tidy.WITH_ANALYZER)
        self.assertEqual(tidy.options_for(source, deep=False), tidy.NO_ANALYZER)
        self.assertEqual(tidy.options_for(test, deep=True), tidy.MORE_CHECKS)
        self.assertEqual(tidy.options_for(test, deep=False), tidy.FEW_CHECKS)


class TidyGroups(unittest.TestCase):
    def test_a_file_is_read_as_its_own_folder_compiles_it(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            write_tree(root)
            file, build = str(root / "src/a/a.cc"), root / "build"
            build.mkdir()
            entries = [{"file": file, "command": f"g++ {flags} -c {file}"}
                       for flags in ("-Iinclude", "-Ioverlay -Iinclude")]
            (build / "compile_commands.json").write_text(json.dumps(entries))
            groups = tidy.groups_for(build, lambda file: True, lambda file: [])
        self.assertEqual([group.flags for group in groups], [["-Iinclude"]])


class TidyRun(unittest.TestCase):
    """Groups run until each is known to be clean or not; clang-tidy itself is played."""

    def run_with(self, answer):
        group = source_groups.Group([])
        group.files = ["a", "b", "c", "d"]
        asked = []

        def check(group, _build):
            asked.append("".join(group.files))
            return answer(group.files), 0.0

        with tempfile.TemporaryDirectory() as cache, mock.patch.multiple(
                tidy, check=check, cache_folder=lambda: pathlib.Path(cache),
                key_of=lambda group, build, common: "".join(group.files)), \
                contextlib.redirect_stdout(io.StringIO()):
            findings = tidy.run_all(pathlib.Path("build"), [group], "")
            known = tidy.known_clean(group, pathlib.Path("build"), "")
        return findings, known, asked

    def test_a_clean_group_is_remembered(self):
        self.assertEqual(self.run_with(lambda files: ""), ([], True, ["abcd"]))

    def test_a_group_that_does_not_compile_is_halved_and_its_parts_remembered(self):
        findings, known, asked = self.run_with(lambda files: None if {"a", "b"} <= set(files) else "")
        self.assertEqual((findings, known), ([], True))
        self.assertEqual(sorted(asked), ["a", "ab", "abcd", "b", "cd"])

    def test_findings_are_told_and_not_remembered(self):
        self.assertEqual(self.run_with(lambda files: "bad"), (["bad"], False, ["abcd"]))


if __name__ == "__main__":
    unittest.main()
