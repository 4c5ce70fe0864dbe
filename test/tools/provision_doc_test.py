"""What docs/schema.md and docs/provision.md promise: their examples are compiled and run."""

import pathlib
import unittest

from guides import examples_of_document, examples_of_source

ROOT = pathlib.Path(__file__).parents[2]


class ProvisionDocuments(unittest.TestCase):
    def test_quote_the_compiled_examples(self):
        source = (ROOT / "test/provision/examples_test.cc").read_text()
        quoted = {}
        for document in ("docs/schema.md", "docs/provision.md"):
            quoted.update(examples_of_document((ROOT / document).read_text()))
        self.maxDiff = None
        self.assertEqual(quoted, examples_of_source(source))


if __name__ == "__main__":
    unittest.main()
