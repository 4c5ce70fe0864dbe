"""What the tests of boto3 share: clients that neither retry nor check parameters, and one table
with everything."""

import contextlib
import json
import re
import unittest
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from server_process import ServerProcess

TABLE = "orders"

# What every operation is called on the wire; the tests prove by the server's own count that each
# was driven, good and bad.
ITEM_OPERATIONS = {
    "PutItem", "GetItem", "UpdateItem", "DeleteItem", "Query", "Scan", "BatchWriteItem",
    "BatchGetItem", "TransactWriteItems", "TransactGetItems"
}
STATEMENT_OPERATIONS = {"ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"}
STREAM_OPERATIONS = {"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"}
TABLE_OPERATIONS = {
    "CreateTable", "DescribeTable", "ListTables", "UpdateTable", "DeleteTable", "UpdateTimeToLive",
    "DescribeTimeToLive", "TagResource", "UntagResource", "ListTagsOfResource",
    "UpdateContinuousBackups", "DescribeContinuousBackups", "CreateBackup", "DescribeBackup",
    "ListBackups", "DeleteBackup", "RestoreTableFromBackup", "RestoreTableToPointInTime",
    "ExportTableToPointInTime", "DescribeExport", "ListExports", "ImportTable", "DescribeImport",
    "ListImports"
}
# Older SDKs do not have all of these; plain requests do.
NEWER_OPERATIONS = {
    "PutResourcePolicy", "GetResourcePolicy", "DeleteResourcePolicy", "UpdateContributorInsights",
    "DescribeContributorInsights", "ListContributorInsights"
}
KINESIS_OPERATIONS = {
    "EnableKinesisStreamingDestination", "DisableKinesisStreamingDestination",
    "UpdateKinesisStreamingDestination", "DescribeKinesisStreamingDestination"
}
# Without parameters, so only who asks can be wrong.
ACCOUNT_OPERATIONS = {"DescribeLimits", "DescribeEndpoints"}


def settings(endpoint, key="test", secret="test", **options):
    return {
        "endpoint_url": endpoint, "region_name": "us-east-1", "aws_access_key_id": key,
        "aws_secret_access_key": secret, "config": Config(retries={"max_attempts": 1},
                                                          parameter_validation=False), **options
    }


def client(endpoint, service="dynamodb", **options):
    return boto3.client(service, **settings(endpoint, **options))


def key_schema(*names):
    return [{"AttributeName": name, "KeyType": kind}
            for name, kind in zip(names, ("HASH", "RANGE"))]


def attributes(**kinds):
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in kinds.items()]


def make_table(dynamodb, name=TABLE):
    """A table with a sort key, a local and a global index, and a stream."""
    dynamodb.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=attributes(pk="S", sk="N", at="S"),
        KeySchema=key_schema("pk", "sk"),
        LocalSecondaryIndexes=[{
            "IndexName": "by_time", "KeySchema": key_schema("pk", "at"),
            "Projection": {"ProjectionType": "KEYS_ONLY"}
        }],
        GlobalSecondaryIndexes=[{
            "IndexName": "all_by_time", "KeySchema": key_schema("at"),
            "Projection": {"ProjectionType": "ALL"}
        }],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
    dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})


def key(partition, sort):
    return {"pk": {"S": partition}, "sk": {"N": str(sort)}}


def outcomes(endpoint):
    """How often each operation ended in each way: {"GetItem": {"ok": 3}, ...}. Whatever they were,
    no thread that serves clients has waited for one of them."""
    with urllib.request.urlopen(f"{endpoint}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    assert "\nstator_io_thread_waits_total 0\n" in text, "a serving thread waited"
    counts = {}
    for operation, outcome, count in re.findall(
            r'^stator_requests_total\{operation="(\w*)",outcome="(\w+)"\} (\d+)$', text, re.M):
        counts.setdefault(operation, {})[outcome] = int(count)
    return counts


class ServerTest(unittest.TestCase):
    """One server in memory for the tests of a class, with the table that `make_table` makes."""

    @classmethod
    def setUpClass(cls):
        cls.endpoint = cls.enterClassContext(ServerProcess("--memory"))
        cls.dynamodb = client(cls.endpoint)
        make_table(cls.dynamodb)

    def check_driven_both_ways(self, operations):
        """For the last test of a class: by the server's count each was driven, good and bad."""
        counts = outcomes(self.endpoint)
        for operation in operations:
            self.assertIn("ok", counts.get(operation, {}), operation)
            self.assertGreater(len(counts[operation]), 1, operation)

    def plain(self, operation, request):
        """Status and answer of a request that boto3 has no part in."""
        return post(self.endpoint, f"DynamoDB_20120810.{operation}", json.dumps(request))

    @contextlib.contextmanager
    def refused(self, code, message=""):
        """The block must end in that error, with a message that contains the given words."""
        with self.assertRaises(ClientError) as caught:
            yield caught
        error = caught.exception.response["Error"]
        self.assertEqual(error["Code"], code, error)
        self.assertIn(message, error.get("Message", ""))


def post(endpoint, target, body, headers=()):
    """A request without an SDK: the status and the answer's JSON."""
    request = urllib.request.Request(endpoint,
                                     data=body.encode(),
                                     method="POST",
                                     headers={
                                         "X-Amz-Target": target,
                                         "Content-Type": "application/x-amz-json-1.0",
                                         **dict(headers)
                                     })
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.loads(answer.read() or "{}")  # tagging says nothing
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())
