"""`stator backup`, `restore`, `export` and `import` as a user calls them, beside a server that writes."""

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


def stator(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT, timeout=300)


def dynamodb(endpoint):
    return boto3.client("dynamodb", endpoint_url=endpoint, region_name="us-east-1",
                        aws_access_key_id="key", aws_secret_access_key="secret")


class TransferCommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        cls.data = cls.root / "data"
        server = ServerProcess("--data", str(cls.data))
        cls.endpoint = server.__enter__()
        cls.addClassCleanup(server.__exit__)
        cls.client = dynamodb(cls.endpoint)
        cls.client.create_table(
            TableName="orders", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])
        for number in range(40):
            cls.client.put_item(TableName="orders", Item={
                "id": {"S": f"{number}"}, "set": {"NS": ["1", "2.5"]}, "bytes": {"B": b"\0\xff"}})

    def check(self, done, code=0, says=""):
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertIn(says, done.stdout)
        return done.stdout

    def test_a_directory_in_use_is_copied_and_put_back(self):
        copy = self.root / "copy"
        self.check(stator("backup", copy, "--data", self.data), says="clean: 1 tables, 40 items")
        self.check(stator("backup", copy, "--data", self.data), 1, "is there and not empty")
        self.check(stator("backup", self.root / "x", "--data", self.root / "nowhere"), 1, "nowhere")
        self.assertFalse((self.root / "x").exists())
        back = self.root / "back"
        report = self.check(stator("restore", copy, "--data", back, "--json"))
        self.assertEqual(json.loads(report)["items"], 40)
        with ServerProcess("--data", str(back)) as endpoint:
            self.assertEqual(dynamodb(endpoint).scan(TableName="orders")["Count"], 40)

    def test_a_table_goes_through_an_export(self):
        exports = self.root / "exports"
        done = self.check(stator("export", "orders", exports, "--from", self.endpoint),
                          says="40 items exported to ")
        export = done.split(" exported to ")[1].strip()
        target = self.root / "imported"
        imported = ["import", "s3-export", export, "--table", "orders", "--to", target]
        self.check(stator(*imported), 1)
        self.assertFalse(target.exists(), "a mistake leaves no database behind")
        self.check(stator(*imported, "--keys", "id"), 1, "with their types")
        self.check(stator(*imported, "--keys", "id:S"), says="40 items put")
        self.check(stator(*imported), 1, "--overwrite")
        self.check(stator(*imported, "--overwrite", "--json"), says='"put":40')
        with ServerProcess("--data", str(target)) as endpoint:
            item = dynamodb(endpoint).get_item(TableName="orders", Key={"id": {"S": "7"}})["Item"]
            self.assertEqual(item["bytes"]["B"], b"\0\xff")
            self.assertEqual(sorted(item["set"]["NS"]), ["1", "2.5"])

    def test_an_export_is_of_one_moment(self):
        exports = self.root / "moments"
        arguments = ["export", "orders", exports, "--from", self.endpoint, "--as-of"]
        self.check(stator(*arguments, "latest"), 1, "recovery is not enabled")
        self.check(stator(*arguments, "yesterday"), 1, "must be")
        self.client.create_table(
            TableName="kept", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])
        self.client.update_continuous_backups(
            TableName="kept", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        self.client.put_item(TableName="kept", Item={"id": {"S": "a"}})
        self.check(stator("export", "kept", exports, "--from", self.endpoint, "--as-of", "latest"),
                   says="1 items exported")

    def test_what_is_no_export_is_told_so(self):
        self.check(stator("import", "s3-export", self.root, "--table", "orders", "--to",
                          self.endpoint), 1, "there is no manifest-summary.json")
        self.check(stator("import"), 2)
        self.check(stator("export", "nowhere", self.root / "e", "--from", self.endpoint), 1, "nowhere")


if __name__ == "__main__":
    unittest.main()
