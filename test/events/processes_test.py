"""The event store used by real processes at the same time, and by processes that are killed."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

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

    def start_worker(self, *arguments):
        return subprocess.Popen([os.environ["STATOR_TEST_EVENTS_WORKER"], *arguments],
                                env=self.environment, stdout=subprocess.PIPE, text=True)

    def test_replaying_the_log_shows_that_every_answer_was_true(self):
        count = "150" if "STATOR_TEST_FULL" in os.environ else "25"
        workers = [self.start_worker("random", str(seed), count) for seed in range(6)]
        answers = []
        for worker in workers:
            output, _ = worker.communicate()
            self.assertEqual(worker.returncode, 0)
            answers += [json.loads(line) for line in output.splitlines()]
        log = self.lines("ls", "--limit", "100000", "--json")
        self.assertEqual([event["position"] for event in log], list(range(1, len(log) + 1)))
        by_id = {event["id"]: event for event in log}

        def matches(answer, event):
            return (event["sortableId"] > answer["after"]
                    and (not answer["types"] or event["type"] in answer["types"])
                    and set(answer["tags"]) <= set(event["tags"]))

        accepted = [answer for answer in answers if "accepted" in answer]
        rejected = [answer for answer in answers if "match" in answer]
        self.assertEqual({answer["accepted"] for answer in accepted}, set(by_id))
        self.assertEqual(len(accepted), len(log))
        self.assertTrue(rejected, "nobody met anybody")
        for answer in accepted:
            place = by_id[answer["accepted"]]["position"]
            self.assertFalse([event["id"] for event in log[:place - 1] if matches(answer, event)])
        for answer in rejected:
            self.assertTrue(matches(answer, by_id[answer["match"]]))
        self.assertEqual(self.verify(), len(log))

    def test_each_append_of_many_processes_was_decided_on_everything_before_it(self):
        # A million in the full run.
        count, processes = (125_000, 8) if "STATOR_TEST_FULL" in os.environ else (60, 4)
        workers = [self.start_worker("oracle", str(seed), str(count))
                   for seed in range(processes)]
        accepted = refused = 0
        for worker in workers:
            output, _ = worker.communicate()
            self.assertEqual(worker.returncode, 0)
            answer = json.loads(output)
            accepted += answer["accepted"]
            refused += answer["refused"]
        self.assertEqual(accepted + refused, count * processes)
        self.assertGreater(refused, 0, "nobody met anybody")
        output, _ = self.start_worker("check", "-", "-").communicate()
        self.assertEqual(json.loads(output), {"events": accepted, "wrong": 0})

    def test_a_server_for_events_answers_programs_of_any_language(self):
        server = subprocess.Popen([PROGRAM, "events", "serve", "--port", "0"],
                                  env=self.environment, stdout=subprocess.PIPE, text=True)
        try:
            endpoint = server.stdout.readline().strip()

            def ask(path, body=None):
                request = urllib.request.Request(
                    endpoint + path, data=None if body is None else json.dumps(body).encode(),
                    headers={"Content-Type": "application/json"})
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)

            def read(query, **options):
                return ask("/read?" + urllib.parse.urlencode(
                    {"query": json.dumps(query), "options": json.dumps(options)}))

            def write(writer):
                query = {"items": [{"tags": [f"hot:{writer % 2}"]}]}
                refused = 0
                for _ in range(10):
                    last = read(query, backwards=True, limit=1)
                    after = last[0]["position"] if last else 0
                    answer = ask("/append", {
                        "events": [{"type": "A", "data": str(after), "tags": [f"hot:{writer % 2}"]}],
                        "condition": {"failIfEventsMatch": query, "after": after}})
                    refused += answer["appendConditionFailed"]
                return refused

            with concurrent.futures.ThreadPoolExecutor(6) as threads:
                refused = sum(threads.map(write, range(6)))
            log = read({})
            self.assertEqual(len(log) + refused, 60)
            self.assertEqual([event["position"] for event in log], list(range(1, len(log) + 1)))
            last = {}
            for event in log:
                self.assertEqual(event["data"], str(last.get(event["tags"][0], 0)))
                last[event["tags"][0]] = event["position"]
            with self.assertRaises(urllib.error.HTTPError) as wrong:
                ask("/append", {"event": []})
            self.assertEqual(wrong.exception.code, 400)
            self.assertIn("unknown member event", json.load(wrong.exception)["error"])
        finally:
            server.terminate()
            server.communicate()
        self.assertEqual(server.returncode, 0)

    def test_an_append_may_die_at_each_of_its_requests(self):
        # One that is a transaction, and one that is staged and published.
        for count in (2, 60):
            for after in ((), ("--after",)):
                survived = False
                for request in range(1, 100):
                    append = ("append", f"{count}{len(after)}-{request}", str(count))
                    victim = self.start_worker(*append, "--kill-at", str(request), *after)
                    output, _ = victim.communicate()
                    survived = victim.returncode == 0
                    self.check_append(append, output if survived else "")
                    if survived:
                        break
                    self.assertEqual(victim.returncode, -9)
                self.assertTrue(survived)
                self.assertGreater(request, 2)
        self.verify()

    def check_append(self, append, answer):
        """All of it is there or nothing, and a repetition gives the answer of the first."""
        tag = ("--tag", "append:" + append[1], "--limit", "1000", "--json")
        seen = self.lines("ls", *tag)
        self.assertIn(len(seen), (0, int(append[2])))
        again, _ = self.start_worker(*append).communicate()
        given = json.loads(again)["events"]
        now = self.lines("ls", *tag)
        self.assertEqual([f"{event['id']} {event['sortableId']} {event['position']}"
                          for event in now], given)
        self.assertTrue(not seen or seen == now)
        self.assertTrue(not answer or json.loads(answer)["events"] == given)

    def test_a_killed_import_goes_on_where_it_was(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for number in range(60):
                file.write(json.dumps({"id": str(number), "type": "A", "tags": ["x:1"],
                                       "payload": str(number)}) + "\n")
            file.flush()
            for attempt in range(3):
                victim = self.start("import", file.name, "--without-end")
                time.sleep(0.02 * (attempt + 1))
                victim.kill()
                victim.communicate()
            self.run_command("import", file.name, "--without-end")
        events = self.lines("ls", "--limit", "100", "--json")
        self.assertEqual([event["payload"] for event in events], [str(n) for n in range(60)])
        self.assertEqual(self.verify(), 60)


if __name__ == "__main__":
    unittest.main()
