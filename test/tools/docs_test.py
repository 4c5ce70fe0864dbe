"""The C++ in the guides is the C++ that the tests compile and run."""

import pathlib
import re
import textwrap
import unittest

ROOT = pathlib.Path(__file__).parents[2]
# guide: the test that has its code
GUIDES = {
    "docs/mapping.md": "src/mapping/guide_test.cc",
}


def squeezed(code):
    """Lines without their indentation, which differs with the place."""
    return "\n".join(line.strip() for line in textwrap.dedent(code).strip().splitlines())


class Guides(unittest.TestCase):
    def test_each_block_of_cpp_is_in_the_test_of_its_guide(self):
        for guide, test in GUIDES.items():
            blocks = re.findall(r"^```cpp\n(.*?)^```", (ROOT / guide).read_text(), re.M | re.S)
            self.assertTrue(blocks, guide)
            code = squeezed((ROOT / test).read_text())
            for block in blocks:
                if squeezed(block) not in code:
                    self.fail(f"{guide}: this is not in {test}:\n{block}")


if __name__ == "__main__":
    unittest.main()
