"""`stator copy-table` as a user calls it: between a server and directories, interrupted, refused."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import boto3

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sdk"))

from server_process import PROGRAM, ServerProcess  # noqa: E402

ENVIRONMENT = {**os.environ, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
               "AWS_REGION": "us-east-1"}
ENVIRONMENT.pop("STATOR_DATABASE", None)


def copy_table(*arguments):
    return subprocess.run([PROGRAM, "copy-table", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT, timeout=300)


class CopyTableCommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        server = ServerProcess("--memory")
        cls.endpoint = server.__enter__()
        cls.addClassCleanup(server.__exit__)
        cls.client = boto3.client("dynamodb", endpoint_url=cls.endpoint, region_name="us-east-1",
                                  aws_access_key_id="key", aws_secret_access_key="secret")
        cls.client.create_table(
            TableName="orders", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        for number in range(50):
            cls.client.put_item(TableName="orders", Item={
                "id": {"S": f"{number}"}, "set": {"NS": ["1", "2.50"]}, "bytes": {"B": b"\0\xff"}})

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_to_a_directory_and_back(self):
        data = str(self.folder / "data")
        there = copy_table("orders", "--from", self.endpoint, "--to", data, "--create",
                           "--catch-up", "--verify")
        self.assertEqual(there.returncode, 0, there.stdout)
        self.assertIn("50 items copied", there.stdout)
        self.assertIn("verified: 50 items are the same", there.stdout)
        back = copy_table("orders", "--from", data, "--to", self.endpoint, "--as", "again",
                          "--create", "--verify", "--json")
        self.assertEqual(back.returncode, 0, back.stdout)
        self.assertEqual(json.loads(back.stdout.splitlines()[-1]),
                         {"items": 50, "changes": 0, "same": True})
        item = self.client.get_item(TableName="again", Key={"id": {"S": "7"}})["Item"]
        self.assertEqual(sorted(item["set"]["NS"]), ["1", "2.5"])
        self.assertEqual(item["bytes"]["B"], b"\0\xff")

    def test_what_is_there_is_not_overwritten_unasked(self):
        data = str(self.folder / "data")
        arguments = ["orders", "--from", self.endpoint, "--to", data]
        missing = copy_table(*arguments, "--create", "--as", "copy")
        self.assertEqual(missing.returncode, 0, missing.stdout)
        again = copy_table(*arguments, "--as", "copy")
        self.assertEqual(again.returncode, 1)
        self.assertIn("is not empty", again.stdout)
        self.assertEqual(copy_table(*arguments, "--as", "copy", "--overwrite").returncode, 0)

    def test_a_finished_copy_is_known_by_its_progress(self):
        progress = str(self.folder / "progress.json")
        arguments = ["orders", "--from", self.endpoint, "--to", str(self.folder / "data"),
                     "--create", "--progress", progress]
        self.assertEqual(copy_table(*arguments).returncode, 0)
        again = copy_table(*arguments)
        self.assertEqual(again.returncode, 0, again.stdout)
        self.assertIn("0 items copied, 50 before", again.stdout)
        other = copy_table("orders", "--from", self.endpoint, "--to", str(self.folder / "data"),
                           "--as", "other", "--create", "--progress", progress)
        self.assertEqual(other.returncode, 1)
        self.assertIn("is of another copy", other.stdout)

    def test_mistakes_are_told(self):
        data = str(self.folder / "data")
        for arguments, words in [
                (["nothing", "--from", self.endpoint, "--to", data, "--create"], "nothing"),
                (["orders", "--from", self.endpoint], "onto itself"),
                (["orders", "--from", str(self.folder / "typo"), "--to", data], "typo"),
                (["orders", "--from", self.endpoint, "--as", "none"], "--create makes it"),
                (["orders"], "--from"),
        ]:
            with self.subTest(arguments=arguments):
                failed = copy_table(*arguments)
                self.assertNotEqual(failed.returncode, 0)
                self.assertIn(words, failed.stdout)
        self.assertFalse((self.folder / "typo").exists())
        self.assertFalse((self.folder / "data").exists())

    def test_differences_are_an_exit_code(self):
        data = str(self.folder / "data")
        self.assertEqual(copy_table("orders", "--from", self.endpoint, "--to", data,
                                    "--create").returncode, 0)
        self.client.put_item(TableName="orders", Item={"id": {"S": "extra"}})
        self.addCleanup(self.client.delete_item, TableName="orders", Key={"id": {"S": "extra"}})
        seen = copy_table("orders", "--from", self.endpoint, "--to", data, "--only-verify")
        self.assertEqual(seen.returncode, 1, seen.stdout)
        self.assertIn("1 missing, 0 different, 0 extra", seen.stdout)


if __name__ == "__main__":
    unittest.main()
