"""What docs/entities.md promises: its examples are compiled."""

import pathlib
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


if __name__ == "__main__":
    unittest.main()
