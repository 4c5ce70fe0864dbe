"""The event store used by real processes at the same time, and by processes that are killed."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sdk"))

from server_process import PROGRAM, ServerProcess  # noqa: E402


class ProcessesTest(unittest.TestCase):
    def setUp(self):
        self.server = ServerProcess("--memory")
        self.endpoint = self.server.__enter__()
        self.environment = {**os.environ, "STATOR_DATABASE": self.endpoint,
                            "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"}

    def tearDown(self):
        self.server.__exit__()

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, "events", *arguments], env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def run_command(self, *arguments):
        process = self.start(*arguments)
        output, _ = process.communicate()
        self.assertEqual(process.returncode, 0, output)
        return output

    def lines(self, *arguments):
        return [json.loads(line) for line in self.run_command(*arguments).splitlines()]

    def verify(self):
        report = self.lines("verify", "--json")[0]
        self.assertTrue(report["clean"], report["problems"])
        return report["events"]

    def test_of_many_first_appends_exactly_one_is_accepted(self):
        for user in range(4):
            tag = f"user:{user}"
            rivals = [self.start("append", "Created", "--tag", tag, "--if-none")
                      for _ in range(5)]
            for rival in rivals:
                rival.communicate()
            self.assertEqual(sum(rival.returncode == 0 for rival in rivals), 1)
        self.assertEqual(self.verify(), 4)

    def test_a_killed_append_is_done_or_not_and_its_repetition_answers_the_same(self):
        self.run_command("append", "Before", "--tag", "x:1")
        for number in range(12):
            append = ("append", "Changed", "--tag", "x:1", "--tag", f"y:{number}",
                      "--append-id", f"append {number}", "--json")
            victim = self.start(*append)
            time.sleep(number * 0.005)  # somewhere on its way, or behind it
            victim.kill()
            victim.communicate()
            seen = self.lines("ls", "--tag", f"y:{number}", "--json")
            self.assertLessEqual(len(seen), 1)
            again = self.lines(*append)
            self.assertTrue(not seen or seen[0]["id"] == again[0]["id"])
            self.assertEqual(self.lines("ls", "--tag", f"y:{number}", "--json"), again)
        self.assertEqual(self.verify(), 13)

    def test_a_killed_import_goes_on_where_it_was(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for number in range(60):
                file.write(json.dumps({"id": str(number), "type": "A", "tags": ["x:1"],
                                       "payload": str(number)}) + "\n")
            file.flush()
            for attempt in range(3):
                victim = self.start("import", file.name)
                time.sleep(0.02 * (attempt + 1))
                victim.kill()
                victim.communicate()
            self.run_command("import", file.name)
        events = self.lines("ls", "--limit", "100", "--json")
        self.assertEqual([event["payload"] for event in events], [str(n) for n in range(60)])
        self.assertEqual(self.verify(), 60)


if __name__ == "__main__":
    unittest.main()
