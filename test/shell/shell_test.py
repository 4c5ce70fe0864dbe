"""`stator shell` in a terminal: a prompt with editing, history and completion, Ctrl-C, hostile items,
and the same program fed by a pipe."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

import pexpect

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test" / "sdk"), str(ROOT / "test" / "differential")]

from exchange import Endpoint, Request
from server_process import PROGRAM, ServerProcess

PROMPT = "stator> "
SECONDS_MAX = 300
TABLE = {
    "TableName": "orders", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                             {"AttributeName": "sk", "AttributeType": "N"},
                             {"AttributeName": "at", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                  {"AttributeName": "sk", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "by_time", "KeySchema": [{"AttributeName": "at", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"}
    }],
}


def make_table(url):
    endpoint = Endpoint(url)
    answer = endpoint.send(Request("CreateTable", TABLE))
    endpoint.close()
    assert answer.status == 200, answer


class ShellTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.endpoint = cls.enterClassContext(ServerProcess("--memory"))
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        make_table(cls.endpoint)

    def setUp(self):
        self.history = os.path.join(self.folder, self.id())
        self.environment = {
            **os.environ, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1", "STATOR_HISTORY": self.history, "HOME": self.folder,
            "TERM": "xterm", "LC_ALL": "C.UTF-8"
        }

    def start(self, location=None, width=100):
        shell = pexpect.spawn(PROGRAM, ["shell", location or self.endpoint], env=self.environment,
                              encoding="utf-8", timeout=SECONDS_MAX, dimensions=(40, width))
        self.addCleanup(shell.close)
        shell.expect_exact(PROMPT)
        return shell

    def run_piped(self, *arguments, text="", location=None, **options):
        return subprocess.run([PROGRAM, "shell", location or self.endpoint, *arguments], input=text,
                              text=True, env=self.environment, timeout=SECONDS_MAX, check=False,
                              stderr=subprocess.PIPE, **{"stdout": subprocess.PIPE, **options})

    def leave(self, shell):
        shell.sendline("\\q")
        shell.expect(pexpect.EOF)
        shell.wait()
        self.assertEqual(shell.exitstatus, 0)

    # ---- at a prompt ----

    def test_statements_are_typed_over_several_lines(self):
        shell = self.start()
        shell.sendline("INSERT INTO orders")
        shell.expect_exact("...> ")
        shell.sendline("VALUE {'pk': 'typed', 'sk': 1, 'note': 'hello'};")
        shell.expect_exact("(0 items; PutItem on orders; 1 write units)")
        shell.expect_exact(PROMPT)
        shell.sendline("SELECT * FROM orders WHERE pk = 'typed';")
        shell.expect("pk +\\| sk \\| note")
        shell.expect("typed \\| 1 +\\| hello")
        shell.expect_exact("(1 item; Query on orders; 0.5 read units)")
        shell.expect_exact(PROMPT)
        shell.sendline('SELECT * FROM "orders"."by_time" WHERE "at" = \'x\';')
        shell.expect_exact("(0 items; Query on orders.by_time; 0.5 read units)")
        shell.expect_exact(PROMPT)
        shell.sendline("EXPLAIN SELECT * FROM orders WHERE note = 'hello';")
        shell.expect("Scan on orders\r\n +filter +on note\r\n +cost +reads all")
        shell.expect_exact(PROMPT)
        self.leave(shell)

    def test_errors_do_not_end_it(self):
        shell = self.start()
        shell.sendline("SELECT * FROM nowhere;")
        shell.expect_exact("ERROR TableNotFound: Requested resource not found")
        shell.expect_exact(PROMPT)
        shell.sendline("\\d")
        shell.expect("orders +\\| pk S")
        shell.expect_exact(PROMPT)
        shell.sendline("\\d orders")
        shell.expect("by_time +\\| global \\| at S")
        shell.expect_exact(PROMPT)
        shell.sendline("\\?")
        shell.expect_exact("Statements of PartiQL end with a semicolon.")
        shell.expect_exact(PROMPT)
        shell.sendline("\\timing")
        shell.expect_exact("Timing is on.")
        shell.expect_exact(PROMPT)
        shell.sendline("SELECT * FROM orders WHERE pk = 'none';")
        shell.expect("Time: [0-9.]+ ms")
        shell.expect_exact(PROMPT)
        shell.sendcontrol("d")
        shell.expect(pexpect.EOF)

    def test_control_c_forgets_what_was_typed(self):
        shell = self.start()
        shell.sendline("SELECT * FROM orders")
        shell.expect_exact("...> ")
        shell.send("WHERE (((")
        shell.sendcontrol("c")
        shell.expect_exact(PROMPT)
        shell.sendline("SELECT * FROM orders WHERE pk = 'none';")
        shell.expect_exact("(0 items; Query on orders")
        shell.expect_exact(PROMPT)
        os.kill(shell.pid, signal.SIGINT)  # Not as a key.
        shell.sendline("SELECT sk FROM orders WHERE pk = 'none';")
        shell.expect_exact("(0 items; Query on orders")
        shell.expect_exact(PROMPT)
        self.leave(shell)

    def test_control_c_ends_a_statement_and_not_the_shell(self):
        for statement in ("SELECT * FROM orders;", "\\d", "EXPLAIN DELETE FROM orders WHERE pk = 'a';"):
            with self.subTest(statement), socket.create_server(("127.0.0.1", 0)) as deaf:
                deaf.settimeout(SECONDS_MAX)
                shell = self.start(f"http://127.0.0.1:{deaf.getsockname()[1]}")
                shell.sendline(statement)
                connection, _ = deaf.accept()  # It has asked, and gets no answer.
                with connection:
                    shell.sendcontrol("c")
                    shell.expect_exact("ERROR Unavailable: canceled")
                    shell.expect_exact(PROMPT)
                    shell.sendline("\\timing")
                    shell.expect_exact("Timing is on.")
                    shell.close()

    def test_words_are_completed(self):
        shell = self.start()
        shell.send("sel\t* FROM ord")
        for _ in range(60):  # A server that is too busy to name its tables is not waited for.
            shell.send("\t")
            if shell.expect_exact(["ers ", pexpect.TIMEOUT], timeout=5) == 0:
                break
        shell.send(";\r")
        shell.expect_exact("Scan on orders")
        shell.expect_exact(PROMPT)
        shell.send("SELECT * FROM orders WHERE set_\t")
        shell.expect_exact("set_add  set_delete")
        shell.sendcontrol("c")
        shell.expect_exact(PROMPT)
        shell.send("\\tim\t\r")
        shell.expect_exact("Timing is on.")

    def test_history_comes_back(self):
        shell = self.start()
        shell.sendline("SELECT sk FROM orders WHERE pk = 'history';")
        shell.expect_exact("(0 items; Query on orders")
        shell.expect_exact(PROMPT)
        self.leave(shell)
        self.assertEqual(os.stat(self.history).st_mode & 0o777, 0o600)
        again = self.start()
        again.send("\x1b[A\x1b[A\r")
        again.expect_exact("(0 items; Query on orders")

    def test_items_cannot_reach_the_terminal(self):
        evil = "\x1b]0;pwned\x07\x1b[2J\u009b31m\u202e"
        endpoint = Endpoint(self.endpoint)
        answer = endpoint.send(Request("PutItem", {"TableName": "orders", "Item": {
            "pk": {"S": "evil"}, "sk": {"N": "1"}, "n" + evil: {"S": evil}, "long": {"S": "x" * 5000},
            "m": {"M": {evil: {"L": [{"S": evil}]}}}}}))
        endpoint.close()
        self.assertEqual(answer.status, 200, answer)
        shell = self.start(width=60)
        for form in ("\\table", "\\json"):
            shell.sendline(form)
            shell.expect_exact(PROMPT)
            shell.sendline("SELECT * FROM orders WHERE pk = 'evil';")
            shell.expect_exact("(1 item; Query on orders; ")
            drawn = shell.before
            self.assertIn("evil", drawn)
            for character in "\x07\u009b\u202e":
                self.assertNotIn(character, drawn)
            self.assertNotIn("\x1b]0", drawn)
            self.assertNotIn("\x1b[2J", drawn)
            if form == "\\table":
                rows = [row for row in drawn.split("\r\n") if " | " in row]
                self.assertEqual(len(rows), 2, drawn)
                self.assertLessEqual(max(map(len, rows)), 60)
                self.assertIn("…", drawn)
            shell.expect_exact(PROMPT)

    # ---- without a terminal ----

    def test_a_script_says_in_which_line_it_failed(self):
        done = self.run_piped(text="-- a comment\nSELECT * FROM orders WHERE pk = 'none';\n\n"
                                   "SELECT *\nFROM nowhere;\nINSERT INTO orders VALUE "
                                   "{'pk': 'never', 'sk': 1};\n")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "(0 items; Query on orders; 0.5 read units)\n")
        self.assertIn("stator: line 4: TableNotFound: Requested resource not found", done.stderr)
        after = self.run_piped("--json", "-c", "SELECT * FROM orders WHERE pk = 'never'")
        self.assertEqual((after.stdout, after.returncode), ("", 0))
        self.assertFalse(os.path.exists(self.history))

    def test_a_script_may_end_without_semicolon_or_early(self):
        done = self.run_piped("--json", text="SELECT * FROM orders WHERE pk = 'none'")
        self.assertEqual((done.stdout, done.returncode), ("", 0), done.stderr)
        done = self.run_piped(text="\\q\nSELECT * FROM nowhere;")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))
        done = self.run_piped(text="")
        self.assertEqual((done.stdout, done.returncode), ("", 0), done.stderr)

    def test_commands_print_json_and_csv(self):
        insert = "INSERT INTO orders VALUE {'pk': 'printed', 'sk': 1, 'text': 'a,b'}"
        select = "SELECT * FROM orders WHERE pk = 'printed'"
        done = self.run_piped("--json", "-c", insert, "-c", select)
        self.assertEqual(done.stdout, '{"pk":"printed","sk":1,"text":"a,b"}\n', done.stderr)
        done = self.run_piped("--csv", "-c", select)
        self.assertEqual(done.stdout.splitlines(), ["pk,sk,text", 'printed,1,"a,b"'])
        done = self.run_piped("-c", insert)
        self.assertEqual(done.returncode, 1)
        self.assertIn("stator: line 1: DuplicateItem: ", done.stderr)
        self.assertEqual(self.run_piped("--json", "--csv", "-c", select).returncode, 2)

    def test_output_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.run_piped("-c", "\\d", stdout=full)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the output cannot be written", done.stderr)

    def test_every_home_is_opened(self):
        path = os.path.join(self.folder, "data")
        missing = self.run_piped("-c", "\\d", location=path)
        self.assertEqual(missing.returncode, 1)
        self.assertFalse(os.path.exists(path))
        with ServerProcess("--data", path) as endpoint:
            make_table(endpoint)
            in_use = self.run_piped("-c", "\\d", location=path)
            self.assertEqual(in_use.returncode, 1)
        found = self.run_piped("-c", "\\d", location=path)
        self.assertIn("orders", found.stdout, found.stderr)
        memory = self.run_piped("-c", "\\d", location="memory:")
        self.assertEqual((memory.stdout, memory.returncode), ("There are no tables.\n", 0))
        nowhere = self.run_piped("-c", "\\d", location="ftp://nowhere")
        self.assertEqual(nowhere.returncode, 1)


if __name__ == "__main__":
    unittest.main()
