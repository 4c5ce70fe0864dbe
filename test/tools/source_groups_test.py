"""What tools/source_groups.py and tools/group_sources.py promise: files that can be read as one
translation unit are, and the compiler gets each of them once."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import group_sources
import source_groups

MOST = 5


class SourceGroups(unittest.TestCase):
    def groups(self, texts, flags=None, options=None):
        flags = {name: source_groups.flags_of(
            {"file": name, "command": f"c++ {(flags or {}).get(name, '')} -o x.o -c {name}"})
            for name in texts}
        made = source_groups.groups_of(flags, lambda name: (options or {}).get(name, []), texts.get,
                                       MOST)
        return [group.files for group in made]

    def test_strangers_are_read_together(self):
        self.assertEqual(self.groups({"a": "int A();", "b": "int B();", "c": "int C();"}),
                         [["a", "b", "c"]])

    def test_a_private_name_keeps_those_away_who_use_the_word(self):
        private = "namespace {\n%s\n}  // namespace\n"
        for declaration in ("int Count(int x) {", "constexpr int Count = 3;", "struct Count {",
                            "class Count final : public Base {", "using Count = int;",
                            "const std::map<int, int> Count{", "enum class Count {",
                            "std::pair<std::string, int> Count(std::string_view name) {"):
            texts = {"a": private % declaration, "b": "void F() { Count(3); }", "c": "x.Count();"}
            self.assertEqual(self.groups(texts), [["a", "c"], ["b"]], declaration)

    def test_what_is_public_may_be_used_by_the_others(self):
        self.assertEqual(self.groups({"a": "int Count(int x) {\n}\n", "b": "int x = Count(3);"}),
                         [["a", "b"]])

    def test_an_alias_may_be_repeated_but_not_meant_otherwise(self):
        private = "namespace {\nusing Kind = %s::Kind;\n}  // namespace\n"
        texts = {"a": private % "Token", "b": private % "Token" + "Kind x;", "c": private % "Path", "d": "Kind x;"}
        self.assertEqual(self.groups(texts), [["a", "b"], ["c"], ["d"]])

    def test_a_member_of_a_type_is_not_hidden(self):
        texts = {"a": "namespace {\nint Count(int x) {\n}  // namespace\n",
                 "b": "void Table::Count() { Kind::Count; }", "c": "void F() { engine::Count(); }"}
        self.assertEqual(self.groups(texts), [["a", "b"], ["c"]])

    def test_a_program_has_one_main(self):
        self.assertEqual(self.groups({"a": "int main() {", "b": "BENCHMARK_MAIN();", "c": "int x;"}),
                         [["a", "c"], ["b"]])

    def test_flags_are_joined_and_macros_must_agree(self):
        texts = {"a": "", "b": "", "c": ""}
        flags = {"a": "-DX=1 -Iq", "b": "-DX=2", "c": "-DX=1 -fPIC -Ir"}
        self.assertEqual(self.groups(texts, flags=flags), [["a", "c"], ["b"]])

    def test_only_those_with_the_same_checks_are_read_together(self):
        self.assertEqual(self.groups({"a": "", "b": ""}, options={"a": ["--deep"]}), [["a"], ["b"]])

    def test_groups_have_a_largest_size(self):
        texts = {f"{number:03}": "" for number in range(MOST + 1)}
        self.assertEqual([len(group) for group in self.groups(texts)], [MOST, 1])


class GroupSources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def run_with(self, texts, most=10):
        """Returns the printed files with what they include."""
        for name, text in texts.items():
            (self.root / name).write_text(text)
        files = [str(self.root / name) for name in texts]
        said = io.StringIO()
        with mock.patch.object(group_sources, "ROOT", self.root), contextlib.redirect_stdout(said), \
                mock.patch.object(sys, "argv", ["", str(self.root / "made"), str(most), *files]):
            group_sources.main()
        printed = [pathlib.Path(name) for name in said.getvalue().split(";")]
        return {str(path.relative_to(self.root)): path.read_text().splitlines()[1:] for path in printed}

    def test_a_group_includes_its_files_relative_to_the_project(self):
        self.assertEqual(self.run_with({"a.cc": "", "b.cc": ""}),
                         {"made/group_0.cc": ['#include "a.cc"', '#include "b.cc"']})

    def test_a_file_that_goes_with_no_other_is_compiled_itself(self):
        self.assertEqual(self.run_with({"a.cc": "", "b.cc": "", "c.cc": "int main() {", "d.cc": "int main() {"}),
                         {"made/group_0.cc": [f'#include "{name}.cc"' for name in "abc"], "d.cc": []})

    def test_a_group_has_no_more_than_it_may(self):
        self.assertEqual(self.run_with({"a.cc": "", "b.cc": "", "c.cc": ""}, most=2),
                         {"made/group_0.cc": ['#include "a.cc"', '#include "b.cc"'], "c.cc": []})

    def test_a_group_that_stays_is_not_written_again(self):
        self.run_with({"a.cc": "", "b.cc": ""})
        group = self.root / "made/group_0.cc"
        before = group.stat().st_mtime_ns
        self.run_with({"a.cc": "// changed", "b.cc": ""})
        self.assertEqual(group.stat().st_mtime_ns, before)


if __name__ == "__main__":
    unittest.main()
