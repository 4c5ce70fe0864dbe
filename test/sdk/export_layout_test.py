"""The files of an export, one by one, as Amazon DynamoDB leaves them: names, members, checksums."""

import base64
import gzip
import hashlib
import json
import os
import pathlib
import re
import tempfile
import time
import unittest

from boto3_support import TABLE, client, key, make_table
from server_process import ServerProcess

ITEMS = 40
NAME = r"[a-z2-7]{26}\.json\.gz"
MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
SUMMARY = [
    "version", "exportArn", "startTime", "endTime", "tableArn", "tableId", "exportTime", "s3Bucket",
    "s3Prefix", "s3SseAlgorithm", "s3SseKmsKeyId", "manifestFilesS3Key", "billedSizeBytes", "itemCount",
    "outputFormat"
]
LISTED = ["itemCount", "md5Checksum", "etag", "dataFileS3Key"]
# What comes before the packed bytes of every file, and the whole of one that has no item.
HEAD = bytes.fromhex("1f8b0800")
EMPTY = bytes.fromhex("1f8b08000000000000ff0300" + 16 * "0")


def md5(content):
    return base64.b64encode(hashlib.md5(content).digest())


class ExportLayoutTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.bucket = folder / "buckets" / "bucket"
        cls.dynamodb = client(cls.enterClassContext(
            ServerProcess("--data", str(folder / "data"), "--buckets", str(folder / "buckets"))))
        make_table(cls.dynamodb)
        cls.dynamodb.update_continuous_backups(
            TableName=TABLE, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        for number in range(ITEMS):
            cls.dynamodb.put_item(TableName=TABLE, Item=key(f"p{number}", number))

    def export(self, **further):
        arn = self.dynamodb.describe_table(TableName=TABLE)["Table"]["TableArn"]
        started = self.dynamodb.export_table_to_point_in_time(TableArn=arn, S3Bucket="bucket",
                                                              **further)["ExportDescription"]
        for _ in range(600):
            seen = self.dynamodb.describe_export(ExportArn=started["ExportArn"])["ExportDescription"]
            if seen["ExportStatus"] != "IN_PROGRESS":
                self.assertEqual(seen["ExportStatus"], "COMPLETED", seen)
                return seen
            time.sleep(0.1)
        return self.fail("the export does not end")

    def files_of(self, root):
        """Every file below, by its key."""
        return {str(path.relative_to(self.bucket)): path.read_bytes()
                for path in (self.bucket / root).rglob("*") if path.is_file()}

    def check(self, description, prefix):
        folder = os.path.dirname(description["ExportManifest"])
        identifier = description["ExportArn"].rpartition("/")[2]
        self.assertEqual(folder, f"{prefix}AWSDynamoDB/{identifier}")
        self.assertRegex(identifier, r"^\d{14}-[0-9a-f]{8}$")
        files = self.files_of(folder)
        listed = self.check_list(files, folder)
        self.assertEqual(set(files), {
            f"{folder}/_started", f"{folder}/manifest-summary.json",
            f"{folder}/manifest-summary.md5", f"{folder}/manifest-files.json",
            f"{folder}/manifest-files.md5", *listed
        })
        self.assertEqual(files[f"{folder}/_started"], b"")
        for name in ("manifest-summary", "manifest-files"):
            self.assertEqual(files[f"{folder}/{name}.md5"], md5(files[f"{folder}/{name}.json"]))
        self.check_summary(files[f"{folder}/manifest-summary.json"].decode(), description, prefix,
                           folder)

    def check_list(self, files, folder):
        """The data files, each as its line says."""
        text = files[f"{folder}/manifest-files.json"].decode()
        self.assertTrue(text.endswith("}\n"))
        records = []
        keys = []
        for line in text.splitlines():
            listed = json.loads(line)
            self.assertEqual(list(listed), LISTED)
            self.assertEqual(line, json.dumps(listed, separators=(",", ":")))
            self.assertRegex(listed["dataFileS3Key"], f"^{re.escape(folder)}/data/{NAME}$")
            packed = files[listed["dataFileS3Key"]]
            self.assertEqual(listed["md5Checksum"].encode(), md5(packed))
            digest = hashlib.md5(hashlib.md5(packed).digest()).hexdigest()
            self.assertEqual(listed["etag"], f"{digest}-1")
            self.assertEqual(packed[:4], HEAD)
            self.assertEqual(packed[4:8], bytes(4), "the time of the file is not told")
            content = gzip.decompress(packed).decode()
            self.assertEqual(len(content.splitlines()), listed["itemCount"])
            self.assertTrue(content.endswith("\n") if listed["itemCount"] else packed == EMPTY)
            records += [json.loads(record) for record in content.splitlines()]
            keys.append(listed["dataFileS3Key"])
        self.assertEqual(len(set(keys)), len(keys))
        self.assertGreaterEqual(len(keys), 4)
        self.assertTrue(all(list(record) == ["Item"] for record in records))
        self.assertEqual(sorted(int(record["Item"]["sk"]["N"]) for record in records),
                         list(range(ITEMS)))
        return keys

    def check_summary(self, text, description, prefix, folder):
        self.assertNotIn("\n", text)
        summary = json.loads(text)
        self.assertEqual(list(summary), SUMMARY)
        self.assertEqual(text, json.dumps(summary, separators=(",", ":")))
        for name in ("startTime", "endTime", "exportTime"):
            self.assertRegex(summary.pop(name), f"^{MOMENT}$")
        self.assertEqual(summary, {
            "version": "2020-06-30",
            "exportArn": description["ExportArn"],
            "tableArn": description["TableArn"],
            "tableId": description["TableId"],
            "s3Bucket": "bucket",
            "s3Prefix": description.get("S3Prefix"),
            "s3SseAlgorithm": "AES256",
            "s3SseKmsKeyId": None,
            "manifestFilesS3Key": f"{folder}/manifest-files.json",
            "billedSizeBytes": description["BilledSizeBytes"],
            "itemCount": ITEMS,
            "outputFormat": "DYNAMODB_JSON"
        })
        self.assertEqual(description["ItemCount"], ITEMS)
        self.assertEqual(prefix, f"{summary['s3Prefix']}/" if summary["s3Prefix"] else "")

    def test_without_a_prefix(self):
        self.check(self.export(), "")

    def test_with_a_prefix(self):
        self.check(self.export(S3Prefix="a/b"), "a/b/")


if __name__ == "__main__":
    unittest.main()
