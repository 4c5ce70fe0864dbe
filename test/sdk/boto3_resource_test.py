"""The server as boto3's resources see it: tables as objects, plain Python values, the batch writer,
collections, waiters and paginators."""

import unittest
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary

from boto3_support import TABLE, ServerTest, attributes, key_schema, settings


class ResourceTest(ServerTest):
    def setUp(self):
        self.resource = boto3.resource("dynamodb", **settings(self.endpoint))
        self.table = self.resource.Table(TABLE)

    def test_values_of_every_type_come_back(self):
        item = {
            "pk": "types", "sk": Decimal("1.5"), "text": "grüße \U0001f680", "bytes": b"\x00\xff",
            "flag": True, "nothing": None, "list": [Decimal(1), "two",
                                                    []], "map": {"deep": {"er": Decimal("1E-100")}},
            "names": {"x", "y"}, "numbers": {Decimal(1),
                                             Decimal("-2.5")}, "blobs": {b"1"}, "empty": ""
        }
        self.table.put_item(Item=item)
        read = self.table.get_item(Key={"pk": "types", "sk": Decimal("1.5")},
                                   ConsistentRead=True)["Item"]
        self.assertIsInstance(read["bytes"], Binary)
        read["bytes"] = read["bytes"].value
        read["blobs"] = {blob.value for blob in read["blobs"]}
        self.assertEqual(read, item)

    def test_the_table_knows_itself(self):
        self.table.load()
        self.assertEqual(self.table.table_status, "ACTIVE")
        self.assertEqual(self.table.key_schema, key_schema("pk", "sk"))
        self.assertTrue(self.table.latest_stream_arn)
        self.assertIn(TABLE, [table.name for table in self.resource.tables.all()])
        with self.refused("ResourceNotFoundException"):
            self.resource.Table("nowhere").load()

    def test_a_table_is_made_waited_for_and_deleted(self):
        table = self.resource.create_table(
            TableName="made",
            KeySchema=key_schema("id"),
            AttributeDefinitions=attributes(id="B"),
            ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
        table.wait_until_exists()
        table.put_item(Item={"id": b"\x01"})
        table.update(BillingMode="PAY_PER_REQUEST")
        table.reload()
        self.assertEqual(table.billing_mode_summary["BillingMode"], "PAY_PER_REQUEST")
        table.delete()
        table.wait_until_not_exists()
        with self.refused("ResourceNotFoundException"):
            table.get_item(Key={"id": b"\x01"})

    def test_conditions_are_built_from_objects(self):
        for number in range(10):
            self.table.put_item(Item={"pk": "built", "sk": number, "kind": "ab"[number % 2]})
        found = self.table.query(KeyConditionExpression=Key("pk").eq("built")
                                 & Key("sk").between(2, 8),
                                 FilterExpression=Attr("kind").eq("a") & ~Attr("missing").exists(),
                                 ProjectionExpression="sk",
                                 ScanIndexForward=False)["Items"]
        self.assertEqual([item["sk"] for item in found], [8, 6, 4, 2])
        scanned = self.table.scan(FilterExpression=Attr("pk").begins_with("bui")
                                  & Attr("sk").is_in([1, 2]))
        self.assertEqual(scanned["Count"], 2)
        with self.refused("ConditionalCheckFailedException"):
            self.table.delete_item(Key={"pk": "built", "sk": 1},
                                   ConditionExpression=Attr("kind").size().gt(1))

    def test_update_item_takes_and_returns_python_values(self):
        changed = self.table.update_item(
            Key={"pk": "update", "sk": 1},
            UpdateExpression="SET a = :a ADD n :n",
            ExpressionAttributeValues={":a": {"b": [None]}, ":n": Decimal("0.1")},
            ReturnValues="ALL_NEW")["Attributes"]
        self.assertEqual(changed,
                         {"pk": "update", "sk": 1, "a": {"b": [None]}, "n": Decimal("0.1")})

    def test_the_batch_writer_and_paginators_see_everything_once(self):
        with self.table.batch_writer(overwrite_by_pkeys=["pk", "sk"]) as batch:
            for number in [*range(60), *range(60)]:
                batch.put_item(Item={"pk": "p", "sk": number, "at": "now"})
            batch.delete_item(Key={"pk": "p", "sk": 59})
        for index, condition in [(None, "pk = :v"), ("by_time", "pk = :v"),
                                 ("all_by_time", "#at = :v")]:
            arguments = {
                "TableName": TABLE, "KeyConditionExpression": condition,
                "ExpressionAttributeValues": {":v": {"S": "now" if "#" in condition else "p"}}
            }
            if index:
                arguments["IndexName"] = index
            if "#" in condition:
                arguments["ExpressionAttributeNames"] = {"#at": "at"}
            for forward in (True, False):
                pages = self.dynamodb.get_paginator("query").paginate(
                    ScanIndexForward=forward, PaginationConfig={"PageSize": 7}, **arguments)
                keys = [int(item["sk"]["N"]) for page in pages for item in page["Items"]]
                self.assertEqual(sorted(keys), list(range(59)), (index, forward))
        pages = self.dynamodb.get_paginator("scan").paginate(
            TableName=TABLE,
            FilterExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "p"}},
            PaginationConfig={"PageSize": 10, "MaxItems": 25})
        first = pages.build_full_result()
        self.assertEqual(len(first["Items"]), 25)
        rest = self.dynamodb.get_paginator("scan").paginate(
            TableName=TABLE,
            FilterExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "p"}},
            PaginationConfig={"StartingToken": first["NextToken"]}).build_full_result()
        together = [item["sk"]["N"] for item in first["Items"] + rest["Items"]]
        self.assertEqual(sorted(together, key=int), [str(number) for number in range(59)])

    def test_batch_get_item_of_the_resource(self):
        self.table.put_item(Item={"pk": "batch", "sk": 1})
        answer = self.resource.batch_get_item(
            RequestItems={TABLE: {"Keys": [{"pk": "batch", "sk": 1}, {"pk": "batch", "sk": 2}]}})
        self.assertEqual(answer["Responses"][TABLE], [{"pk": "batch", "sk": 1}])
        with self.refused("ValidationException"):
            self.resource.batch_write_item(RequestItems={})


if __name__ == "__main__":
    unittest.main()
