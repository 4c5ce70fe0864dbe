"""Going back in place: checkpoints and rewinds by their addresses, by the commands, and as docs/history.md
shows them to pytest and Jest."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from boto3_support import TABLE, client, key, make_table, outcomes
from server_process import PROGRAM, ServerProcess

ROOT = pathlib.Path(__file__).resolve().parents[2]
JEST = ROOT / "build" / "npm" / "node_modules" / ".bin" / "jest"


def ask(endpoint, method, path, **headers):
    """Status and answer of a plain request."""
    request = urllib.request.Request(f"{endpoint}/_stator/{path}", method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def stator(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60,
                          check=False)


def figure(endpoint, name):
    with urllib.request.urlopen(f"{endpoint}/metrics", timeout=10) as answer:
        return int(re.search(rf"^{name} (\d+)$", answer.read().decode(), re.M)[1])


def count(dynamodb):
    return dynamodb.scan(TableName=TABLE, Select="COUNT")["Count"]


class AddressesTest(unittest.TestCase):
    def setUp(self):
        self.endpoint = self.enterContext(ServerProcess("--memory"))
        self.dynamodb = client(self.endpoint)
        make_table(self.dynamodb)
        self.dynamodb.put_item(TableName=TABLE, Item=key("a", 1))

    def ask(self, method, path, **headers):
        return ask(self.endpoint, method, path, **headers)

    def test_a_checkpoint_is_made_restored_listed_and_deleted(self):
        self.assertEqual(self.ask("POST", "checkpoints/fixtures")[0], 200)
        status, text = self.ask("POST", "checkpoints/fixtures")
        self.assertEqual(status, 409)
        self.assertIn("Checkpoint already exists: fixtures", text)
        self.assertEqual(self.ask("POST", "checkpoints/fixtures?replace=true")[0], 200)
        for _ in range(2):
            self.dynamodb.put_item(TableName=TABLE, Item=key("b", 1))
            self.dynamodb.delete_table(TableName=TABLE)
            status, text = self.ask("POST", "checkpoints/fixtures/restore")
            self.assertEqual(status, 200, text)
            self.assertEqual(json.loads(text)["TablesReturned"], 1)
            self.assertEqual(count(self.dynamodb), 1)
        status, text = self.ask("GET", "checkpoints")
        self.assertEqual(status, 200)
        self.assertEqual([each["CheckpointName"] for each in json.loads(text)["Checkpoints"]],
                         ["fixtures"])
        self.assertEqual(self.ask("DELETE", "checkpoints/fixtures")[0], 200)
        for method, path in (("DELETE", "checkpoints/fixtures"),
                             ("POST", "checkpoints/fixtures/restore")):
            status, text = self.ask(method, path)
            self.assertEqual(status, 404)
            self.assertIn("Checkpoint not found: fixtures", text)
        driven = outcomes(self.endpoint)
        for operation in ("CreateCheckpoint", "RestoreCheckpoint", "DeleteCheckpoint"):
            self.assertGreater(len(driven[operation]), 1, operation)
        self.assertEqual(driven["ListCheckpoints"], {"ok": 1})

    def test_what_is_wrong_is_said_and_nothing_changes(self):
        self.assertEqual(self.ask("POST", "checkpoints/fixtures")[0], 200)
        self.dynamodb.put_item(TableName=TABLE, Item=key("b", 1))
        for method, path, status in (
                ("POST", "checkpoints/fixtures?replace=yes", 400),
                ("POST", "checkpoints/fixtures?replaced=true", 400),
                ("POST", "checkpoints/fixtures/restore?x=y", 400),
                ("POST", "checkpoints/x", 400),  # too short
                ("POST", "checkpoints/..%2f..", 400),
                ("POST", "checkpoints/a%22b", 400),
                ("POST", "checkpoints/" + "a" * 256, 400),
                ("POST", "checkpoints", 404),
                ("PUT", "checkpoints/fixtures", 404),
                ("GET", "checkpoints/fixtures", 404),
                ("POST", f"tables/{TABLE}/rewind", 400),
                ("POST", f"tables/{TABLE}/rewind?to=yesterday", 400),
                ("POST", f"tables/{TABLE}/rewind?to=1", 400),  # without recovery
                ("POST", "tables/nowhere/rewind?to=1", 404)):
            answered, text = self.ask(method, path)
            self.assertEqual(answered, status, f"{method} {path}: {text}")
        # Pages of others cannot ask for it.
        self.assertEqual(self.ask("POST", "checkpoints/fixtures/restore",
                                  Origin="http://evil.example")[0], 403)
        self.assertEqual(self.ask("POST", "checkpoints/fixtures/restore", Host="evil.example")[0],
                         403)
        self.assertEqual(count(self.dynamodb), 2)

    def test_a_table_is_rewound(self):
        self.dynamodb.update_continuous_backups(
            TableName=TABLE, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        then = f"{time.time():.6f}"
        self.dynamodb.put_item(TableName=TABLE, Item=key("b", 1))
        status, text = self.ask("POST", f"tables/{TABLE}/rewind?to={then}")
        self.assertEqual(status, 200, text)
        self.assertEqual(json.loads(text)["ItemsChanged"], 1)
        self.assertEqual(count(self.dynamodb), 1)
        undo = json.loads(text)["UndoDateTime"]
        self.assertEqual(self.ask("POST", f"tables/{TABLE}/rewind?to={undo:.6f}")[0], 200)
        self.assertEqual(count(self.dynamodb), 2)

    def test_who_may_not_is_refused(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        file = folder / "credentials"
        file.write_text("[one]\naws_access_key_id = AKID\naws_secret_access_key = s\n")
        file.chmod(0o600)
        with ServerProcess("--memory", "--credentials", str(file)) as endpoint:
            for method, path in (("POST", "checkpoints/fixtures"), ("GET", "checkpoints"),
                                 ("POST", "checkpoints/nowhere/restore"), ("PUT", "checkpoints/x"),
                                 ("POST", "tables/nowhere/rewind?to=1")):
                status, text = ask(endpoint, method, path)
                self.assertEqual(status, 400, path)
                self.assertIn("MissingAuthenticationToken", text)


class CommandsTest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.data = os.path.join(self.folder, "data")

    def fill(self, endpoint):
        dynamodb = client(endpoint)
        make_table(dynamodb)
        dynamodb.update_continuous_backups(
            TableName=TABLE, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        dynamodb.put_item(TableName=TABLE, Item=key("a", 1))
        return dynamodb

    def run_stator(self, *arguments, code=0):
        done = stator(*arguments)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def test_checkpoints_at_a_server_and_in_a_directory(self):
        with ServerProcess("--data", self.data) as endpoint:
            dynamodb = self.fill(endpoint)
            here = ["--data", endpoint]
            self.assertEqual(self.run_stator("checkpoint", "create", "fixtures", *here),
                             "checkpoint fixtures has 1 tables\n")
            self.assertIn("already exists",
                          self.run_stator("checkpoint", "create", "fixtures", *here, code=1))
            self.run_stator("checkpoint", "create", "fixtures", "--replace", *here)
            dynamodb.put_item(TableName=TABLE, Item=key("b", 1))
            self.assertIn("1 items changed",
                          self.run_stator("checkpoint", "restore", "fixtures", *here))
            self.assertEqual(count(dynamodb), 1)
            dynamodb.put_item(TableName=TABLE, Item=key("b", 1))
        here = ["--data", self.data, "--json"]
        listed = json.loads(self.run_stator("checkpoint", "list", *here))
        self.assertEqual((listed["name"], listed["tables"]), ("fixtures", 1))
        restored = json.loads(self.run_stator("checkpoint", "restore", "fixtures", *here))
        self.assertEqual(restored["items_changed"], 1)
        self.assertEqual(json.loads(self.run_stator("check", self.data, "--json"))["checkpoints"], 1)
        self.run_stator("checkpoint", "delete", "fixtures", *here)
        self.assertIn("Checkpoint not found: fixtures",
                      self.run_stator("checkpoint", "restore", "fixtures", *here, code=1))
        self.assertEqual(self.run_stator("checkpoint", "list", *here), "")

    def test_a_rewind_tells_how_to_undo_it(self):
        with ServerProcess("--data", self.data) as endpoint:
            dynamodb = self.fill(endpoint)
            then = f"{time.time():.6f}"
            dynamodb.put_item(TableName=TABLE, Item=key("b", 1))
            said = self.run_stator("rewind", TABLE, "--to", then, "--data", endpoint)
            self.assertIn("1 items changed", said)
            self.assertEqual(count(dynamodb), 1)
            undo = re.search(r"to undo it: stator (.*)", said).group(1).split()
            self.run_stator(*undo)
            self.assertEqual(count(dynamodb), 2)
        done = json.loads(
            self.run_stator("rewind", TABLE, "--to", then, "--data", self.data, "--json"))
        self.assertEqual((done["table"], done["items"]), (TABLE, 1))

    def test_mistakes_are_errors(self):
        nowhere = os.path.join(self.folder, "nowhere")
        for arguments, code, words in (
                (["rewind", TABLE, "--to", "yesterday", "--data", nowhere], 1, "give seconds"),
                (["rewind", TABLE, "--to", "latest", "--data", nowhere], 1, "\"latest\" is no moment"),
                (["rewind", TABLE, "--data", nowhere], 2, "--to is required"),
                (["rewind", TABLE, "--to", "1", "--data", nowhere], 1, nowhere),
                (["history", TABLE, "--key", "pk=1", "--data", nowhere], 1, "--key must be"),
                (["history", TABLE, "--key", '{"pk":{"S":"a"}}', "--data", nowhere], 1, nowhere),
                (["checkpoint", "list", "--data", nowhere], 1, nowhere),
                (["checkpoint"], 2, "needs a command"),
                (["checkpoint", "remove", "x"], 2, "remove"),
                (["checkpoint", "create"], 2, "name is required")):
            self.assertIn(words, self.run_stator(*arguments, code=code), arguments)
        self.assertFalse(os.path.exists(nowhere))


class ReportsTest(unittest.TestCase):
    """What an operator sees of restores, rewinds and what is removed: on standard error, in /metrics."""

    ITEMS = 60
    BODY = "x" * 390_000  # so that all of them are too much for one batch of a rewind

    def setUp(self):
        self.data = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "data")

    def serve(self):
        """A server whose lines are read as they come."""
        server = ServerProcess("--data", self.data)
        return server, self.enterContext(server)

    def await_line(self, server, words):
        for line in server.lines():
            if words in line:
                return line
        return self.fail(f"it never said {words!r}")

    def test_a_restore_a_rewind_and_a_removal(self):
        server, endpoint = self.serve()
        dynamodb = client(endpoint)
        make_table(dynamodb)
        recovery = {"PointInTimeRecoveryEnabled": True}
        dynamodb.update_continuous_backups(TableName=TABLE,
                                           PointInTimeRecoverySpecification=recovery)
        then = f"{time.time():.6f}"
        for number in range(self.ITEMS):
            dynamodb.put_item(TableName=TABLE,
                              Item={**key("a", number), "body": {"S": self.BODY}})
        dynamodb.restore_table_to_point_in_time(SourceTableName=TABLE, TargetTableName="restored",
                                                UseLatestRestorableTime=True)
        self.await_line(server, "table restored is being restored: 0 items so far")
        self.await_line(server, f"table restored is restored: {self.ITEMS} items")
        self.assertEqual(figure(endpoint, "stator_restores_under_way"), 0)
        self.assertEqual(figure(endpoint, "stator_restored_items"), 0)

        status, text = ask(endpoint, "POST", f"tables/{TABLE}/rewind?to={then}")
        self.assertEqual(status, 200, text)
        self.assertTrue(json.loads(text)["RewindInProgress"])
        self.await_line(server, f"table {TABLE} is being rewound: 0 items so far")
        self.await_line(server, f"table {TABLE} is rewound: {self.ITEMS} items changed")
        self.assertEqual(figure(endpoint, "stator_rewinds_under_way"), 0)

        self.assertEqual(figure(endpoint, "stator_history_removed_rows_total"), 0)
        recovery["PointInTimeRecoveryEnabled"] = False
        dynamodb.update_continuous_backups(TableName=TABLE,
                                           PointInTimeRecoverySpecification=recovery)
        rows = 2 * self.ITEMS  # of the puts and of the rewind
        self.await_line(server, f"{rows} rows of history that nobody needs any more were removed")
        self.assertEqual(figure(endpoint, "stator_history_removed_rows_total"), rows)
        self.assertGreater(figure(endpoint, "stator_history_removed_bytes_total"),
                           self.ITEMS * len(self.BODY))

    def test_a_restore_that_is_under_way_when_the_server_is_killed(self):
        server, endpoint = self.serve()
        dynamodb = client(endpoint)
        make_table(dynamodb)
        dynamodb.update_continuous_backups(
            TableName=TABLE, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        for number in range(self.ITEMS):
            dynamodb.put_item(TableName=TABLE,
                              Item={**key("a", number), "body": {"S": self.BODY}})
        dynamodb.restore_table_to_point_in_time(SourceTableName=TABLE, TargetTableName="restored",
                                                UseLatestRestorableTime=True)
        server.kill()
        _, endpoint = self.serve()
        dynamodb = client(endpoint)
        dynamodb.get_waiter("table_exists").wait(TableName="restored",
                                                 WaiterConfig={"Delay": 1, "MaxAttempts": 60})
        items = []
        for page in dynamodb.get_paginator("scan").paginate(TableName="restored"):
            items += page["Items"]
        self.assertEqual(sorted(int(item["sk"]["N"]) for item in items), list(range(self.ITEMS)))
        self.assertTrue(all(item["body"]["S"] == self.BODY for item in items))


def block(language):
    """The block of docs/history.md that resets tables between tests."""
    text = (ROOT / "docs" / "history.md").read_text(encoding="utf-8")
    blocks = [found for found in re.findall(rf"```{language}\n(.*?)```", text, re.S)
              if "checkpoints/fixtures" in found]
    assert len(blocks) == 1, language
    return blocks[0]


class SnippetsTest(unittest.TestCase):
    """Each test finds what the snippet filled in, and leaves a mess to the next."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.endpoint = self.enterContext(ServerProcess("--memory"))

    def run_tests(self, *command, **environment):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, timeout=120,
                              capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_pytest(self):
        snippet = block("python")
        self.assertIn("http://127.0.0.1:8000", snippet)
        (self.folder / "conftest.py").write_text(
            snippet.replace("http://127.0.0.1:8000", self.endpoint), encoding="utf-8")
        (self.folder / "orders_test.py").write_text("""\
import pytest


@pytest.mark.parametrize("round", range(3))
def test_orders(dynamodb, round):
    assert dynamodb.list_tables()["TableNames"] == ["orders"]
    assert dynamodb.scan(TableName="orders")["Items"] == [
        {"id": {"S": "1"}, "state": {"S": "new"}}]
    dynamodb.put_item(TableName="orders", Item={"id": {"S": "1"}, "state": {"S": "sent"}})
    dynamodb.put_item(TableName="orders", Item={"id": {"S": "2"}})
    if round == 1:
        dynamodb.delete_table(TableName="orders")
""", encoding="utf-8")
        said = self.run_tests(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
        self.assertIn("3 passed", said)

    def test_jest(self):
        (self.folder / "orders.test.js").write_text(block("js") + """
const { DeleteTableCommand, ScanCommand } = require("@aws-sdk/client-dynamodb");

test.each([0, 1, 2])("orders %i", async (round) => {
  const { Items } = await client.send(new ScanCommand({ TableName: "orders" }));
  expect(Items).toEqual([{ id: { S: "1" }, state: { S: "new" } }]);
  await client.send(new PutItemCommand({ TableName: "orders",
    Item: { id: { S: "1" }, state: { S: "sent" } } }));
  await client.send(new PutItemCommand({ TableName: "orders", Item: { id: { S: "2" } } }));
  if (round === 1) await client.send(new DeleteTableCommand({ TableName: "orders" }));
});
""", encoding="utf-8")
        (self.folder / "jest.config.json").write_text(json.dumps({
            "modulePaths": [str(ROOT / "test" / "sdk" / "node_modules")], "watchman": False,
            "cacheDirectory": str(self.folder / "cache")}), encoding="utf-8")
        said = self.run_tests("node", JEST, STATOR_ENDPOINT=self.endpoint)
        self.assertRegex(said, r"Tests: +3 passed, 3 total")


if __name__ == "__main__":
    unittest.main()
