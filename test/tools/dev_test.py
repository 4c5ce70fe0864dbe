"""What ./dev promises apart from building: it says what it can do, names the step that failed, and
its exit code tells."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, **options):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **options)


class Steps(unittest.TestCase):
    def run_steps(self, script):
        with tempfile.TemporaryDirectory() as logs:
            head = f"set -euo pipefail; logs={logs}; say() {{ echo \"$*\"; }}; source tools/steps.sh\n"
            return run("bash", "-c", head + script)

    def test_all_passed(self):
        done = self.run_steps("step first true; step second true; summary")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("All steps passed", done.stdout)

    def test_names_what_failed_and_goes_on(self):
        done = self.run_steps("step first true; step 'debug tests' false; step last true; summary")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.endswith("FAILED: debug tests\n"), done.stdout)
        self.assertIn("ok      last", done.stdout)

    def test_a_step_ends_at_its_first_failure(self):
        done = self.run_steps("work() { false; echo reached; }; step build work; summary")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("reached", done.stdout)

    def test_is_silent_about_what_went_well_and_shows_what_did_not(self):
        script = "good() { echo fine; }; bad() { echo broken; false; }; step a good; step b bad"
        done = self.run_steps(script)
        self.assertNotIn("fine", done.stdout)
        self.assertIn("broken", done.stdout)

    def test_shows_how_far_a_step_is(self):
        done = self.run_steps("work() { echo '... half'; echo detail; }; step build work; summary")
        self.assertIn("... half\n", done.stdout)
        self.assertNotIn("detail", done.stdout)

    def test_repeats_the_last_words_of_ctest(self):
        words = "100% tests passed, 0 tests failed out of 3"
        done = self.run_steps(f"step 'debug tests' echo '{words}'; summary")
        self.assertIn(f"debug tests: {words}\n", done.stdout)


class Help(unittest.TestCase):
    def test_names_every_command(self):
        listed = run("./dev", "help").stdout
        for name in "run build install test lint fmt bench fuzz coverage clean help".split():
            self.assertIn(f"./dev {name}", listed)

    def test_explains_one_command(self):
        for command in (["./dev", "test", "--help"], ["./dev", "help", "test"]):
            self.assertTrue(run(*command).stdout.startswith("./dev test [--full]"))

    def test_refuses_what_it_does_not_know(self):
        self.assertEqual(run("./dev", "tset").returncode, 1)
        self.assertEqual(run("./dev", "test", "--fall").returncode, 2)


if __name__ == "__main__":
    unittest.main()
