"""What tools/check_refusals.py promises, with a compiler that says what it is told to."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).parents[2] / "tools/check_refusals.py"
SOURCE = "// refused: two fields\n// refused: no form\n"


class CheckRefusals(unittest.TestCase):
    def run_tool(self, says, code, source=SOURCE):
        """How the tool ends when the compiler writes `says` and ends with `code`."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "wrong.cc")
            file.write_text(source)
            compiler = f"import sys; sys.stderr.write({says!r}); sys.exit({code})"
            return subprocess.run([sys.executable, TOOL, file, sys.executable, "-c", compiler],
                                  capture_output=True, text=True, check=False)

    def test_passes_when_every_refusal_is_said(self):
        done = self.run_tool("error: two fields\nerror: no form here\n", 1)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("2 of 2 refusals", done.stdout)

    def test_names_what_is_not_said(self):
        done = self.run_tool("error: two fields\n", 1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not say: no form", done.stdout)

    def test_fails_when_the_file_compiles(self):
        self.assertEqual(self.run_tool("two fields, no form", 0).returncode, 1)

    def test_fails_when_nothing_is_announced(self):
        self.assertEqual(self.run_tool("error", 1, source="int a;\n").returncode, 1)


if __name__ == "__main__":
    unittest.main()
