"""The server as boto3 sees it: client and resource, waiters, paginators, the batch writer, errors."""

import tempfile
import unittest
from decimal import Decimal

import boto3
from botocore.config import Config

from server_process import ServerProcess

KEYS = {"region_name": "us-east-1", "aws_access_key_id": "test", "aws_secret_access_key": "test",
        "config": Config(retries={"max_attempts": 1})}


def client(endpoint, service="dynamodb"):
    return boto3.client(service, endpoint_url=endpoint, **KEYS)


def make_orders(dynamodb):
    """A table with everything: a sort key, a local and a global index, a stream."""
    dynamodb.create_table(
        TableName="orders", BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                              for name, kind in [("pk", "S"), ("sk", "N"), ("at", "S")]],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"},
                   {"AttributeName": "sk", "KeyType": "RANGE"}],
        LocalSecondaryIndexes=[{
            "IndexName": "by_time", "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                          {"AttributeName": "at", "KeyType": "RANGE"}]}],
        GlobalSecondaryIndexes=[{
            "IndexName": "all_by_time", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "at", "KeyType": "HASH"}]}],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
    dynamodb.get_waiter("table_exists").wait(TableName="orders")


class Boto3Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.endpoint = cls.enterClassContext(ServerProcess("--memory"))

    def setUp(self):
        self.dynamodb = client(self.endpoint)
        make_orders(self.dynamodb)
        self.addCleanup(self.dynamodb.delete_table, TableName="orders")
        self.table = boto3.resource("dynamodb", endpoint_url=self.endpoint, **KEYS).Table("orders")

    def test_values_of_every_type_come_back(self):
        item = {"pk": "a", "sk": Decimal("1.5"), "text": "grüße", "bytes": b"\x00\xff", "flag": True,
                "nothing": None, "list": [Decimal(1), "two"], "map": {"deep": {"er": Decimal(3)}},
                "names": {"x", "y"}, "numbers": {Decimal(1), Decimal(2)}, "blobs": {b"1"}}
        self.table.put_item(Item=item)
        read = self.table.get_item(Key={"pk": "a", "sk": Decimal("1.5")}, ConsistentRead=True)["Item"]
        read["bytes"] = read["bytes"].value
        read["blobs"] = {blob.value for blob in read["blobs"]}
        self.assertEqual(read, item)

    def test_batch_writer_and_paginators_see_everything_once(self):
        with self.table.batch_writer() as batch:
            for number in range(60):
                batch.put_item(Item={"pk": "p", "sk": number, "at": "now"})
        for index, condition in [(None, "pk = :v"), ("by_time", "pk = :v"), ("all_by_time", "#at = :v")]:
            arguments = {"TableName": "orders", "KeyConditionExpression": condition, "Limit": 7,
                         "ExpressionAttributeValues": {":v": {"S": "now" if "#" in condition else "p"}}}
            if index:
                arguments["IndexName"] = index
            if "#" in condition:
                arguments["ExpressionAttributeNames"] = {"#at": "at"}
            for forward in (True, False):
                pages = self.dynamodb.get_paginator("query").paginate(
                    ScanIndexForward=forward, **arguments)
                keys = [int(item["sk"]["N"]) for page in pages for item in page["Items"]]
                self.assertEqual(sorted(keys), list(range(60)), (index, forward))

    def test_a_failed_condition_carries_the_item(self):
        self.table.put_item(Item={"pk": "a", "sk": 1, "rev": 4})
        with self.assertRaises(self.dynamodb.exceptions.ConditionalCheckFailedException) as caught:
            self.dynamodb.put_item(
                TableName="orders", Item={"pk": {"S": "a"}, "sk": {"N": "1"}},
                ConditionExpression="rev = :expected",
                ExpressionAttributeValues={":expected": {"N": "3"}},
                ReturnValuesOnConditionCheckFailure="ALL_OLD")
        self.assertEqual(caught.exception.response["Item"]["rev"], {"N": "4"})

    def test_transactions_are_all_or_nothing(self):
        actions = [
            {"Put": {"TableName": "orders", "Item": {"pk": {"S": "t"}, "sk": {"N": "1"}}}},
            {"ConditionCheck": {"TableName": "orders", "Key": {"pk": {"S": "u"}, "sk": {"N": "1"}},
                                "ConditionExpression": "attribute_exists(pk)"}}]
        with self.assertRaises(self.dynamodb.exceptions.TransactionCanceledException) as caught:
            self.dynamodb.transact_write_items(TransactItems=actions)
        reasons = [reason["Code"] for reason in caught.exception.response["CancellationReasons"]]
        self.assertEqual(reasons, ["None", "ConditionalCheckFailed"])
        self.assertNotIn("Item", self.table.get_item(Key={"pk": "t", "sk": 1}))
        self.dynamodb.transact_write_items(TransactItems=actions[:1], ClientRequestToken="token")
        self.dynamodb.transact_write_items(TransactItems=actions[:1], ClientRequestToken="token")
        self.assertIn("Item", self.table.get_item(Key={"pk": "t", "sk": 1}))

    def test_streams_tell_every_change_in_order(self):
        self.table.put_item(Item={"pk": "a", "sk": 1})
        self.table.update_item(Key={"pk": "a", "sk": 1}, UpdateExpression="SET n = :n",
                               ExpressionAttributeValues={":n": 1})
        self.table.delete_item(Key={"pk": "a", "sk": 1})
        streams = client(self.endpoint, "dynamodbstreams")
        arn = self.table.latest_stream_arn
        shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
        iterator = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        records = streams.get_records(ShardIterator=iterator)["Records"]
        self.assertEqual([record["eventName"] for record in records], ["INSERT", "MODIFY", "REMOVE"])
        self.assertEqual(records[1]["dynamodb"]["NewImage"]["n"], {"N": "1"})

    def test_errors_have_the_names_and_words_of_the_service(self):
        with self.assertRaises(self.dynamodb.exceptions.ResourceNotFoundException):
            self.dynamodb.get_item(TableName="nobody", Key={"pk": {"S": "a"}})
        with self.assertRaises(self.dynamodb.exceptions.ClientError) as caught:
            self.dynamodb.get_item(TableName="orders", Key={"pk": {"S": "a"}})
        self.assertEqual(caught.exception.response["Error"],
                         {"Code": "ValidationException",
                          "Message": "The provided key element does not match the schema"})


class DurabilityTest(unittest.TestCase):
    def test_acknowledged_writes_survive_a_killed_server(self):
        with tempfile.TemporaryDirectory() as folder:
            server = ServerProcess("--data", folder)
            with server as endpoint:
                dynamodb = client(endpoint)
                make_orders(dynamodb)
                for number in range(20):
                    dynamodb.put_item(TableName="orders",
                                      Item={"pk": {"S": "a"}, "sk": {"N": str(number)}})
                server.kill()
            with ServerProcess("--data", folder) as endpoint:
                answer = client(endpoint).scan(TableName="orders", Select="COUNT")
                self.assertEqual(answer["Count"], 20)


if __name__ == "__main__":
    unittest.main()
