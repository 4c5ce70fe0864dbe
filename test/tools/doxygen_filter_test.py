"""What tools/doxygen_filter.py makes of comments."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import doxygen_filter  # noqa: E402

HEADER = """\
// What it is for.
//
//   Open("memory:");
//
// COST: little.

#pragma once

// Divides.

// Says what <T> is.
struct T {
  int count;  // how many
};
"""


class DoxygenFilter(unittest.TestCase):
    def test_comments_become_documentation(self):
        self.assertEqual(
            doxygen_filter.filtered(HEADER), """\
/// \\file
/// What it is for.
///
/// \\verbatim
///   Open("memory:");
///
/// \\endverbatim
/// COST: little.

#pragma once

// Divides.

/// Says what \\<T\\> is.
struct T {
  int count;  ///< how many
};
""")


if __name__ == "__main__":
    unittest.main()
