"""`stator new-entity`, `stator schema` and `stator tables` on files, as people use them.

Usage: STATOR_PROGRAM=PATH python3 cli_test.py
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["STATOR_PROGRAM"]
KEY = "arn:aws:kms:eu-central-1:123456789012:key/1"


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.run_program("new-entity", "--pk", "ACCOUNT#{id}", "--ttl", "ttl", "--field",
                         "balance:integer", "account")

    def run_program(self, *arguments, code=0):
        """What the program prints; its exit code has to be `code`."""
        environment = {name: value for name, value in os.environ.items()
                       if name != "STATOR_DATABASE"}
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=environment,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def generate(self, change, folder="other"):
        """A generated snapshot that differs from the recorded one by `change`."""
        other = self.folder / folder
        subprocess.run([PROGRAM, "new-entity", "account", *change, "--folder", str(other)],
                       check=True, capture_output=True, timeout=120)
        return str(other / "schema")

    def test_a_new_entity_passes_and_is_not_overwritten(self):
        self.assertIn("account: stored as recorded", self.run_program("schema", "check"))
        again = self.run_program("new-entity", "account", "--pk", "{id}", code=1)
        self.assertIn("exists already", again)

    def test_a_compatible_change_is_recorded(self):
        generated = self.generate(["--pk", "ACCOUNT#{id}", "--ttl", "ttl", "--field",
                                   "balance:integer", "--field", "note:text?"])
        refused = self.run_program("schema", "check", "--generated", generated, code=1)
        self.assertIn("note: optional field added (text)", refused)
        self.run_program("schema", "update", "account", "--generated", generated)
        self.run_program("schema", "check", "--generated", generated)
        self.assertIn("note", (self.folder / "schema/account.schema.json").read_text())

    def test_a_breaking_change_is_refused_and_nothing_is_written(self):
        before = (self.folder / "schema/account.schema.json").read_bytes()
        generated = self.generate(["--pk", "ACCOUNT#{id}", "--ttl", "ttl"])
        line = self.run_program("schema", "update", "--generated", generated, "--json", code=1)
        verdict = json.loads(line)
        self.assertFalse(verdict["passes"])
        self.assertIn("set kDataVersion to 2", verdict["toDo"])
        self.assertEqual((self.folder / "schema/account.schema.json").read_bytes(), before)
        shown = self.run_program("schema", "diff", "--generated", generated)
        self.assertIn("balance: field removed", shown)
        self.assertIn("old program, new item: fails if it was required", shown)

    def test_another_key_needs_a_plan(self):
        generated = self.generate(["--pk", "A#{id}", "--ttl", "ttl", "--field", "balance:integer"])
        self.run_program("schema", "update", "--generated", generated, code=1)
        self.run_program("schema", "plan", "account", "--generated", generated)
        self.run_program("schema", "update", "--generated", generated, code=1)
        plan = self.folder / "schema/plans/account.copy.json"
        content = json.loads(plan.read_text())
        self.assertEqual(list(content["from"]), ["x-keys"])  # what stays is not planned
        content["plan"] = "Stop writes, export, import under the new keys."
        plan.write_text(json.dumps(content))
        self.assertIn("stays as it is",
                      self.run_program("schema", "plan", "account", "--generated", generated))
        other = self.generate(["--pk", "B#{id}", "--ttl", "ttl", "--field", "balance:integer"],
                              "another")
        self.assertIn("not overwritten", self.run_program("schema", "plan", "--generated", other,
                                                          code=1))
        self.assertEqual(json.loads(plan.read_text()), content)
        self.run_program("schema", "update", "--generated", generated)

    def test_what_can_be_added_to_a_table_needs_no_plan(self):
        self.run_program("new-entity", "--pk", "NOTE#{id}", "note")
        subprocess.run([PROGRAM, "new-entity", "note", "--pk", "NOTE#{id}", "--ttl", "until",
                        "--folder", str(self.folder / "later")],
                       check=True, capture_output=True, timeout=120)
        generated = str(self.folder / "later/schema")
        self.assertIn("nothing to plan",
                      self.run_program("schema", "plan", "--generated", generated))
        self.assertFalse((self.folder / "schema/plans").exists())
        said = self.run_program("schema", "update", "--generated", generated)
        self.assertIn("stator tables apply --for entity note", said)
        here = ("--for", "entity", "note", "--data", "db", "--no-recovery")
        self.run_program("tables", "create", *here)
        self.run_program("schema", "check", "--generated", generated)

    def test_typing_mistakes_are_errors(self):
        said = self.run_program("schema", "check", "acount", code=1)
        self.assertIn("there is no entity acount", said)
        self.assertIn("account", said)
        for command in ("history", "lint", "diff"):
            self.run_program("schema", command, "acount", code=1)
        self.run_program("schema", "check", "--folder", "shcema", code=2)
        self.run_program("schema", "update", "--generated", "genreated", code=2)
        (self.folder / "empty").mkdir()
        self.assertIn("no snapshot", self.run_program("schema", "check", "--folder", "empty",
                                                      code=1))
        self.run_program("schema", "diff", "--from", "7", code=1)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.is_dir()),
                         ["empty", "schema"])

    def test_history_and_lint_look_at_files(self):
        self.assertIn("account version 1", self.run_program("schema", "history"))
        self.assertEqual(self.run_program("schema", "lint"), "")
        snapshot = self.folder / "schema/account.schema.json"
        content = json.loads(snapshot.read_text())
        content["properties"]["Balance"] = {"type": "number", "format": "double"}
        snapshot.write_text(json.dumps(content))
        found = self.run_program("schema", "lint", code=1)
        self.assertIn("[names-alike]", found)
        self.assertIn("[money-as-float]", found)

    def test_the_table_is_printed_in_four_ways(self):
        calls = self.run_program("tables", "print", "--for", "entity", "account")
        for operation in ("CreateTable", "UpdateTimeToLive", "UpdateContinuousBackups"):
            self.assertIn(f'"operation": "{operation}"', calls)
        formation = json.loads(self.run_program("tables", "print", "--for", "entity", "account",
                                                "--as", "cloudformation"))
        self.assertTrue(formation["Resources"]["AccountTable"]["Properties"][
            "PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"])
        terraform = json.loads(self.run_program("tables", "print", "--for", "entity", "account",
                                                "--as", "terraform"))
        self.assertEqual(terraform["resource"]["aws_dynamodb_table"]["account"]["hash_key"], "pk")
        cdk = self.run_program("tables", "print", "--for", "entity", "account", "--as", "cdk")
        self.assertIn('new CfnTable(scope, "AccountTable", {', cdk)
        self.assertIn('"tableName":"account"', cdk)

    def test_the_table_is_made_and_verified(self):
        self.run_program("tables", "verify", "--for", "entity", "account", "--data", "db", code=1)
        self.assertFalse((self.folder / "db").exists())
        here = ("--for", "entity", "account", "--data", "db", "--no-recovery")
        self.assertIn("is made", self.run_program("tables", "create", *here))
        self.assertIn("as it should be", self.run_program("tables", "verify", *here))
        differs = self.run_program("tables", "verify", *here, "--no-deletion-protection", "--json",
                                   code=1)
        self.assertEqual(json.loads(differs)["kind"], "deletion-protection")

    def test_recovery_is_on_unless_told_otherwise(self):
        here = ("--for", "entity", "account", "--data", "db")
        self.assertIn("is made", self.run_program("tables", "create", *here))
        self.assertIn("as it should be", self.run_program("tables", "verify", *here))
        other = ("--for", "entity", "account", "--data", "other")
        self.run_program("tables", "create", *other, "--no-recovery")
        differs = json.loads(self.run_program("tables", "verify", *other, "--json", code=1))
        self.assertEqual((differs["kind"], differs["wanted"], differs["found"]),
                         ("recovery", "35 days", "off"))

    def test_every_store_has_its_tables_and_its_policy(self):
        for store, tables in (("tasks", 1), ("sessions", 1), ("events", 3)):
            formation = json.loads(self.run_program("tables", "print", "--for", store, "--as",
                                                    "cloudformation"))
            self.assertEqual(len(formation["Resources"]), tables)
            here = ("--for", store, "--data", f"{store}-db", "--no-recovery")
            self.run_program("tables", "verify", *here, code=1)
            self.run_program("tables", "create", *here)
            self.assertIn("as it should be", self.run_program("tables", "apply", *here))
            policy = json.loads(self.run_program("tables", "policy", "--for", store, "--blobs",
                                                 "s3://files/below", "--kms-key", KEY))
            actions = [action for statement in policy["Statement"]
                       for action in statement["Action"]]
            for action in ("dynamodb:PutItem", "s3:GetObject", "kms:Decrypt"):
                self.assertIn(action, actions)
            self.assertIn("arn:aws:s3:::files/below/*", json.dumps(policy))
        for wrong in (("chairs",), ("entity",), ("tasks", "account")):
            self.run_program("tables", "print", "--for", *wrong, code=2)
        self.run_program("tables", "policy", "--for", "tasks", "--blobs", "/a/folder", code=1)

    def test_the_policy_has_what_the_verbs_need(self):
        wanted = ("tables", "policy", "--region", "eu-central-1", "--verbs", "read,insert", "--for",
                  "entity", "account")
        self.run_program(*wanted, "--index", "unused", code=1)
        policy = json.loads(self.run_program(*wanted))
        self.assertEqual(policy["Statement"], [{
            "Effect": "Allow",
            "Action": ["dynamodb:GetItem", "dynamodb:PutItem"],
            "Resource": ["arn:aws:dynamodb:eu-central-1:*:table/account"]}])
        self.run_program("tables", "policy", "--for", "entity", "account", "--verbs", "fly", code=2)
        self.run_program("tables", "policy", "--for", "entity", "account", code=2)
        provisioning = json.loads(self.run_program("tables", "policy", "--for", "entity", "account",
                                                   "--provisioning"))
        self.assertEqual(provisioning["Statement"][0]["Action"], [
            f"dynamodb:{action}" for action in (
                "CreateTable", "DescribeContinuousBackups", "DescribeTable", "DescribeTimeToLive",
                "UpdateContinuousBackups", "UpdateTimeToLive")])

    def test_the_key_of_the_policy_is_that_of_the_table(self):
        use = ("tables", "policy", "--for", "entity", "account", "--verbs", "read")
        here = ("--for", "entity", "account", "--data", "db", "--no-recovery")
        self.run_program("tables", "create", *here, "--kms-key", KEY)
        self.assertIn("as it should be",
                      self.run_program("tables", "verify", *here, "--kms-key", KEY))
        self.assertIn("another key", self.run_program("tables", "verify", *here, code=1))
        self.assertNotIn("kms:", self.run_program(*use))
        policy = json.loads(self.run_program(*use, "--data", "db"))
        self.assertEqual(policy["Statement"][1]["Action"],
                         ["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey"])
        self.assertEqual(policy["Statement"][1]["Resource"], [KEY])
        self.run_program("tables", "create", "--for", "tasks", "--data", "db", "--no-recovery")
        self.assertNotIn("kms:", self.run_program("tables", "policy", "--for", "tasks", "--data",
                                                  "db"))
        self.run_program(*use, "--data", "missing", code=1)
        self.run_program(*use, "--kms-key", "alias/mine", code=2)
        template = self.run_program("tables", "print", "--for", "tasks", "--as", "cloudformation",
                                    "--kms-key", KEY)
        self.assertIn(KEY, template)
        self.assertIn("kms:CreateGrant", self.run_program(
            "tables", "policy", "--for", "tasks", "--provisioning", "--kms-key", KEY))

    def test_entities_of_one_table_are_told_apart_by_their_keys(self):
        self.run_program("new-entity", "--pk", "NOTE#{id}", "note")
        self.run_program("new-entity", "--pk", "{id}", "anything")
        shared = ("tables", "policy", "--for", "entity", "--table", "shop", "--repository",
                  "note:read", "--repository")
        self.assertIn("table/shop", self.run_program(*shared, "account:read"))
        self.assertIn("may have the same key", self.run_program(*shared, "anything:read", code=1))

    def test_one_policy_covers_several_entities(self):
        self.run_program("new-entity", "--pk", "NOTE#{id}", "note")
        several = ("tables", "policy", "--for", "entity", "--repository", "account:read")
        policy = json.loads(self.run_program(*several, "--repository", "note:read,insert"))
        self.assertEqual([statement["Action"] for statement in policy["Statement"]],
                         [["dynamodb:GetItem"], ["dynamodb:GetItem", "dynamodb:PutItem"]])
        self.assertIn("table/note", json.dumps(policy["Statement"][1]["Resource"]))
        for wrong, word in (("nothing:read", "nothing"), ("note:fly", "fly"), ("note", "note"),
                            ("note:read:by_day", "by_day")):
            said = self.run_program(*several, "--repository", wrong, code=1)
            self.assertIn(word, said)


if __name__ == "__main__":
    unittest.main()
