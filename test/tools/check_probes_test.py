"""tools/check_probes.py: a probe that no test reaches is found."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_probes.py"


class CheckProbesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "src" / "engine").mkdir(parents=True)

    def check(self, reached, **files):
        for name, text in files.items():
            (self.root / "src" / "engine" / f"{name}.cc").write_text(text)
        lines = self.root / "reached"
        if reached is not None:
            lines.write_text(reached)
        run = subprocess.run([sys.executable, TOOL, lines, self.root], capture_output=True, text=True)
        return run.returncode, run.stdout

    def test_passes_when_each_was_reached(self):
        code, said = self.check("b\na\n", one='PROBE("a");', two='  PROBE("b");\n')
        self.assertEqual(code, 0)
        self.assertIn("2 probes", said)

    def test_names_the_place_of_one_that_was_not(self):
        code, said = self.check("a\n", one='\nPROBE("never");', two='PROBE("a");')
        self.assertEqual(code, 1)
        self.assertEqual(said, 'src/engine/one.cc:2: no test reaches "never"\n')

    def test_a_run_that_left_no_lines_reached_none(self):
        code, _ = self.check(None, one='PROBE("a");')
        self.assertEqual(code, 1)

    def test_a_name_stands_once(self):
        code, said = self.check("a\n", one='PROBE("a");', two='PROBE("a");')
        self.assertEqual(code, 1)
        self.assertIn("stands at src/engine/one.cc:1, too", said)

    def test_probes_of_tests_do_not_count(self):
        code, _ = self.check("", one_test='PROBE("a");')
        self.assertEqual(code, 0)


if __name__ == "__main__":
    unittest.main()
