"""What docs/entities.md promises: its examples are compiled."""

import pathlib
import re
import unittest

from guides import examples_of_document, examples_of_source

ROOT = pathlib.Path(__file__).parents[2]


class EntitiesDocument(unittest.TestCase):
    def setUp(self):
        self.document = (ROOT / "docs/entities.md").read_text()

    def test_quotes_the_compiled_examples(self):
        source = (ROOT / "test/entities/examples_test.cc").read_text()
        self.maxDiff = None
        self.assertEqual(examples_of_document(self.document), examples_of_source(source))

    def test_has_no_code_that_is_not_compiled(self):
        blocks = self.document.count("```cpp")
        self.assertEqual(blocks, len(examples_of_document(self.document)))


class FiguresTest(unittest.TestCase):
    def test_what_it_costs_is_what_was_measured(self):
        """docs/entities.md repeats the instructions of docs/benchmarks.md, and no others."""
        measured = {}
        for operation, repository, plain, quotient in re.findall(
                r"\| typical: (\w+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \|",
                (ROOT / "docs/benchmarks.md").read_text()):
            measured[operation] = (plain, repository, quotient)
        told = {}
        for operation, *figures in re.findall(
                r"\| `(\w+)` \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \|",
                (ROOT / "docs/entities.md").read_text()):
            told[operation.lower()] = tuple(figures)
        self.assertEqual(set(told), {"read", "insert", "modify"})
        self.assertEqual(told, measured)


if __name__ == "__main__":
    unittest.main()
