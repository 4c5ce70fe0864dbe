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
            head = f"set -euo pipefail; jobs=2; logs={logs}; say() {{ echo \"$*\"; }}; source tools/steps.sh\n"
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

    def test_goes_on_beside_a_step_until_it_is_waited_for(self):
        script = ("fifo=$logs/fifo; mkfifo $fifo; reads() { read -r word <$fifo; echo \"got $word\"; false; }; "
                  "begin installs reads; step other echo; echo go >$fifo; join installs; summary")
        done = self.run_steps(script)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("got go\n--- installs FAILED", done.stdout)
        self.assertLess(done.stdout.index("--- other"), done.stdout.index("got go"))
        self.assertIn("FAILED: installs", done.stdout)
        good = self.run_steps("begin installs echo fine; join installs; summary")
        self.assertEqual(good.returncode, 0, good.stderr)
        self.assertNotIn("fine", good.stdout)

    def test_steps_that_do_not_need_each_other_run_together(self):
        work = "".join(f"work{n}() {{ echo {n} said; }}; " for n in range(5))
        done = self.run_steps(work + "together " +
                              " ".join(f"'{n} tests' work{n}" for n in range(5)) + "; summary")
        self.assertEqual(done.returncode, 0, done.stderr)
        for n in range(5):
            self.assertIn(f"{n} said", done.stdout)
            self.assertIn(f"ok      {n} tests", done.stdout)

    def test_repeats_the_last_words_of_ctest(self):
        words = "100% tests passed, 0 tests failed out of 3"
        done = self.run_steps(f"step 'debug tests' echo '{words}'; summary")
        self.assertIn(f"debug tests: {words}\n", done.stdout)


class ProgramsOfTests(unittest.TestCase):
    def test_are_found_in_the_command_and_in_the_environment(self):
        with tempfile.TemporaryDirectory() as clone:
            tree = pathlib.Path(clone) / "build" / "debug"
            tree.mkdir(parents=True)
            (tree / "CTestTestfile.cmake").write_text(
                f'add_test([=[plain_test]=] "{tree}/src/plain_test")\n'
                f'add_test([=[home_test]=] "{tree}/test/suite" "--home=memory")\n'
                'add_test([=[other_test]=] "/usr/bin/python3" "/somewhere/other_test.py")\n'
                f'set_tests_properties([=[other_test]=] PROPERTIES  ENVIRONMENT "A={tree}/a;B={tree}/b")\n')
            script = "source <(sed -n '/^programs_of_tests/,/^}/p' " + f"{ROOT}/dev); programs_of_tests debug"
            done = subprocess.run(["bash", "-c", script], cwd=clone, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout.splitlines(), [
            "plain_test src/plain_test", "home_test test/suite", "other_test a", "other_test b"])


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
