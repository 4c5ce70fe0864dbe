"""What docs/patterns.md promises: its examples are compiled, and the tests that it names exist."""

import unittest

import guides


class PatternsDocument(guides.Guide, unittest.TestCase):
    page = "patterns.md"
    folders = ("test/patterns", "src/patterns", "src/base")
    blocks_min = 10
    tests_min = 30


if __name__ == "__main__":
    unittest.main()
