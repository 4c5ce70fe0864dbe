"""Requests as an object mapper for Python sends them that is tested against DynamoDB Local: PynamoDB's
forms of tables, expressions, versions and transactions, on Stator started with DynamoDB Local's own
flags, on Stator as it is, and on DynamoDB Local. What comes back is the same but for the words."""

import pathlib
import sys
import unittest

from botocore.exceptions import ClientError

from boto3_support import attributes, client, key_schema
from server_process import ServerProcess

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

from dynamodb_local import DynamoDbLocal

THROUGHPUT = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
REPORTS = {"ReturnConsumedCapacity": "TOTAL"}
FAILED = "The conditional request failed"


def index(name, *keys, kind="ALL", **more):
    return {"IndexName": name, "KeySchema": key_schema(*keys),
            "Projection": {"ProjectionType": kind}, **more}


class Mapper:
    """The programs; what each server says otherwise is in its class below."""

    region_is_a_database = True
    tolerates_unused = False
    named_twice = "Cannot have two attributes with the same name"
    check_failed = FAILED + "."

    @classmethod
    def setUpClass(cls):
        cls.server = cls.start()
        cls.dynamodb = client(cls.server.__enter__())

    @classmethod
    def tearDownClass(cls):
        cls.dynamodb.close()
        cls.server.__exit__(None, None, None)

    def make(self, name, dynamodb=None, keys=("id",), **definitions):
        dynamodb = dynamodb or self.dynamodb
        dynamodb.create_table(TableName=name, KeySchema=key_schema(*keys),
                              ProvisionedThroughput=THROUGHPUT,
                              AttributeDefinitions=attributes(**definitions))
        while dynamodb.describe_table(TableName=name)["Table"]["TableStatus"] != "ACTIVE":
            pass

    def refused(self, code, call, **parameters):
        with self.assertRaises(ClientError) as raised:
            call(**parameters)
        self.assertEqual(raised.exception.response["Error"]["Code"], code)
        return raised.exception.response

    def test_a_table_with_a_definition_that_no_key_uses(self):
        definitions = attributes(Forum="S", Thread="S", AltKey="S", number="N")
        parameters = {
            "TableName": "forums", "ProvisionedThroughput": THROUGHPUT,
            "KeySchema": key_schema("Forum", "Thread"),
            "GlobalSecondaryIndexes": [index("alt", "AltKey", kind="KEYS_ONLY",
                                             ProvisionedThroughput=THROUGHPUT)],
            "LocalSecondaryIndexes": [index("view", "Forum", "AltKey", kind="KEYS_ONLY")]}
        if not self.tolerates_unused:
            self.refused("ValidationException", self.dynamodb.create_table,
                         AttributeDefinitions=definitions, **parameters)
            definitions = definitions[:3]
        self.dynamodb.create_table(AttributeDefinitions=definitions, **parameters)
        self.dynamodb.update_table(TableName="forums", ProvisionedThroughput={
            "ReadCapacityUnits": 2, "WriteCapacityUnits": 2})
        table = self.dynamodb.describe_table(TableName="forums")["Table"]
        self.assertEqual(table["ProvisionedThroughput"]["ReadCapacityUnits"], 2)
        items = [{"Forum": {"S": "f"}, "Thread": {"S": f"thread-{n}"}} for n in range(10)]
        answer = self.dynamodb.batch_write_item(
            RequestItems={"forums": [{"PutRequest": {"Item": item}} for item in items]}, **REPORTS)
        self.assertEqual(answer["UnprocessedItems"], {})
        answer = self.dynamodb.batch_get_item(RequestItems={"forums": {"Keys": items}})
        self.assertEqual(len(answer["Responses"]["forums"]), 10)
        answer = self.dynamodb.query(
            TableName="forums", KeyConditionExpression="(#0 = :0 AND begins_with (#1, :1))",
            ExpressionAttributeNames={"#0": "Forum", "#1": "Thread"},
            ExpressionAttributeValues={":0": {"S": "f"}, ":1": {"S": "thread"}}, **REPORTS)
        self.assertEqual(answer["Items"], items)
        self.dynamodb.delete_table(TableName="forums")

    def test_an_attribute_of_two_types(self):
        answer = self.refused(
            "ValidationException", self.dynamodb.create_table, TableName="incompatible",
            ProvisionedThroughput=THROUGHPUT, KeySchema=key_schema("id"),
            AttributeDefinitions=attributes(id="S", key="S") + attributes(key="N"),
            GlobalSecondaryIndexes=[index("one", "key", ProvisionedThroughput=THROUGHPUT),
                                    index("two", "key", ProvisionedThroughput=THROUGHPUT)])
        self.assertRegex(answer["Error"]["Message"], self.named_twice)

    def test_versions_guard_what_is_saved(self):
        self.make("versioned", id="N")
        key = {"id": {"N": "1"}}
        new = {"ConditionExpression": "attribute_not_exists (#0)",
               "ExpressionAttributeNames": {"#0": "version"}}

        def update(version):
            return self.dynamodb.update_item(
                TableName="versioned", Key=key, ReturnValues="ALL_NEW",
                UpdateExpression="SET #0 = :0, #1 = :1 ADD #2 :2",
                ConditionExpression="#1 = :3",
                ExpressionAttributeNames={"#0": "star", "#1": "version", "#2": "scores"},
                ExpressionAttributeValues={":0": {"S": "s"}, ":1": {"N": str(version + 1)},
                                           ":2": {"NS": ["1", "2.1"]}, ":3": {"N": str(version)}},
                **REPORTS)

        put = {"TableName": "versioned", "Item": {**key, "version": {"N": "1"}}, **REPORTS, **new}
        self.dynamodb.put_item(**put)
        # Debian's boto3 is older than the parameter.
        model = self.dynamodb.meta.service_model.operation_model("PutItem").input_shape.members
        asked = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        asked = {name: value for name, value in asked.items() if name in model}
        answer = self.refused("ConditionalCheckFailedException", self.dynamodb.put_item, **put,
                              **asked)
        self.assertEqual(answer["Error"]["Message"], FAILED)
        if asked:
            self.assertEqual(answer["Item"]["version"], {"N": "1"})
        item = update(1)["Attributes"]
        self.assertEqual((item["version"], set(item["scores"]["NS"])), ({"N": "2"}, {"1", "2.1"}))
        self.refused("ConditionalCheckFailedException", lambda: update(1))
        self.refused("ConditionalCheckFailedException", self.dynamodb.delete_item,
                     TableName="versioned", Key=key, ConditionExpression="#0 = :0",
                     ExpressionAttributeNames={"#0": "version"},
                     ExpressionAttributeValues={":0": {"N": "1"}})

    def test_binaries_are_updated(self):
        self.make("binaries", id="B")
        key = {"id": {"B": bytes(range(256))}}
        self.dynamodb.update_item(
            TableName="binaries", Key=key, UpdateExpression="SET #0 = :0 ADD #1 :1",
            ExpressionAttributeNames={"#0": "one", "#1": "set"},
            ExpressionAttributeValues={":0": {"B": b"\x00\xff"}, ":1": {"BS": [b"a", b"\xff"]}})
        item = self.dynamodb.get_item(TableName="binaries", Key=key)["Item"]
        self.assertEqual((item["one"]["B"], set(item["set"]["BS"])), (b"\x00\xff", {b"a", b"\xff"}))

    def reasons(self, *actions, **more):
        answer = self.refused("TransactionCanceledException", self.dynamodb.transact_write_items,
                              TransactItems=list(actions), **more)
        return [(reason["Code"], reason.get("Message"), reason.get("Item"))
                for reason in answer["CancellationReasons"]]

    def test_transactions(self):
        self.make("statements", id="N")

        def of(number):
            return {"id": {"N": str(number)}}

        def save(number, **more):
            return {"Put": {"TableName": "statements", "Item": of(number), **more}}

        def checked(number, condition="attribute_exists (#0)"):
            return {"TableName": "statements", "Key": of(number), "ConditionExpression": condition,
                    "ExpressionAttributeNames": {"#0": "id"}}

        absent = {"ConditionExpression": "attribute_not_exists (#0)",
                  "ExpressionAttributeNames": {"#0": "id"}}
        write = self.dynamodb.transact_write_items
        write(TransactItems=[save(1), save(2)], ClientRequestToken="token-1")
        self.refused("IdempotentParameterMismatchException", write, TransactItems=[save(3)],
                     ClientRequestToken="token-1")
        self.assertNotIn("Item", self.dynamodb.get_item(TableName="statements", Key=of(3)))
        failed = ("ConditionalCheckFailed", FAILED, None)
        self.assertEqual(self.reasons(save(1, **absent), save(2, **absent)), [failed, failed])
        self.assertEqual(
            self.reasons(save(3, **absent),
                         save(1, ReturnValuesOnConditionCheckFailure="ALL_OLD", **absent)),
            [("None", None, None), ("ConditionalCheckFailed", FAILED, of(1))])
        self.assertEqual(self.reasons({"ConditionCheck": checked(4)}, save(3)),
                         [("ConditionalCheckFailed", self.check_failed, None),
                          ("None", None, None)])
        self.refused("ValidationException", write, TransactItems=[save(1), {"Delete": checked(1)}])
        write(TransactItems=[
            {"ConditionCheck": checked(1)}, {"Delete": checked(2)}, save(4, **absent),
            {"Update": {**checked(5, "attribute_not_exists (#0)"),
                        "UpdateExpression": "ADD #1 :0",
                        "ExpressionAttributeNames": {"#0": "id", "#1": "balance"},
                        "ExpressionAttributeValues": {":0": {"N": "-50"}}}}])
        answer = self.dynamodb.transact_get_items(TransactItems=[
            {"Get": {"TableName": "statements", "Key": of(number)}} for number in (2, 4, 5)])
        self.assertEqual([response.get("Item") for response in answer["Responses"]],
                         [None, of(4), {**of(5), "balance": {"N": "-50"}}])

    def test_a_region_has_tables_of_its_own(self):
        elsewhere = client(self.dynamodb.meta.endpoint_url, region_name="us-east-2")
        self.make("here", id="N")
        self.make("there", elsewhere, id="N")
        put = {"Put": {"TableName": "there", "Item": {"id": {"N": "0"}}}}
        if self.region_is_a_database:
            self.refused("ResourceNotFoundException", self.dynamodb.transact_write_items,
                         TransactItems=[put])
        else:
            self.dynamodb.transact_write_items(TransactItems=[put])
        elsewhere.close()


class OnStatorWithTheFlagsOfDynamoDbLocal(Mapper, unittest.TestCase):
    tolerates_unused = True

    @staticmethod
    def start():
        return ServerProcess("-inMemory")


class OnStator(Mapper, unittest.TestCase):
    region_is_a_database = False
    named_twice = "uplicate"
    check_failed = FAILED

    @staticmethod
    def start():
        return ServerProcess("--memory")


class OnDynamoDbLocal(Mapper, unittest.TestCase):
    tolerates_unused = True

    @staticmethod
    def start():
        return DynamoDbLocal(separate=True)


if __name__ == "__main__":
    unittest.main()
