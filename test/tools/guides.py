"""For the tests of pages that promise compiled examples and tests that exist."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]


def examples_of_source(text):
    """The lines between "// example: NAME" and "// end", by name, without their common indent."""
    found, name = {}, None
    for line in text.splitlines():
        if started := re.fullmatch(r"\s*// example: (.+)", line):
            name = started[1]
            found[name] = []
        elif line.strip() == "// end":
            name = None
        elif name:
            found[name].append(line)
    return {name: without_indent(lines) for name, lines in found.items()}


def without_indent(lines):
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[indent:] for line in lines)


def examples_of_document(text):
    return dict(re.findall(r"```cpp\n// example: (.+)\n((?:.|\n)*?)\n```", text))


class Guide:
    """A page of docs/ whose examples are in an examples_test.cc and whose last table names tests. Mixed
    into a TestCase that says which page, which folders of tests, and how much of it there is."""

    page = ""
    folders = ()
    blocks_min = 0
    tests_min = 0

    def setUp(self):
        self.document = (ROOT / "docs" / self.page).read_text()

    def test_quotes_the_compiled_examples(self):
        source = (ROOT / self.folders[0] / "examples_test.cc").read_text()
        self.maxDiff = None
        self.assertEqual(examples_of_document(self.document), examples_of_source(source))

    def test_has_no_code_that_is_not_compiled(self):
        blocks = self.document.count("```cpp")
        self.assertEqual(blocks, len(examples_of_document(self.document)))
        self.assertGreater(blocks, self.blocks_min)

    def test_names_tests_that_exist(self):
        text = "".join(path.read_text() for folder in self.folders
                       for path in sorted((ROOT / folder).glob("*_test.cc")))
        tests = set(re.findall(r"TEST(?:_[FP])?\((\w+), (\w+)\)", text))
        suites = {suite for suite, _ in tests}
        tables = "\n".join(line for line in self.document.splitlines() if line.startswith("|"))
        rules = tables[tables.index("| rule | test |"):]
        self.assertGreater(len(re.findall(r"`(\w+)\.(\w+)`", rules)), self.tests_min)
        suite = None
        for words in re.findall(r"`([^`]+)`", rules):
            if "." in words:
                suite, name = words.split(".")
                self.assertIn((suite, name), tests)
            elif words in suites:
                suite = words
            else:
                self.assertIn((suite, words), tests)
