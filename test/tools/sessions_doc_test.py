"""What docs/sessions.md promises: its examples are compiled, and the tests that it names exist."""

import unittest

import guides


class SessionsDocument(guides.Guide, unittest.TestCase):
    page = "sessions.md"
    folders = ("test/sessions", "src/stores/sessions")
    blocks_min = 5
    tests_min = 20


if __name__ == "__main__":
    unittest.main()
