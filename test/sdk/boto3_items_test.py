"""The operations on items, as boto3's client sees them: good answers and every kind of refusal."""

import unittest

from boto3_support import ITEM_OPERATIONS, TABLE, ServerTest, key


class ItemsTest(ServerTest):
    def put(self, item, **further):
        return self.dynamodb.put_item(TableName=TABLE, Item=item, **further)

    def read(self, wanted):
        return self.dynamodb.get_item(TableName=TABLE, Key=wanted, ConsistentRead=True).get("Item")

    def test_put_item_replaces_and_returns_what_was_there(self):
        first = {**key("put", 1), "rev": {"N": "1"}}
        self.assertNotIn("Attributes", self.put(first, ReturnValues="ALL_OLD"))
        answer = self.put({**key("put", 1), "rev": {"N": "2"}},
                          ReturnValues="ALL_OLD",
                          ReturnConsumedCapacity="INDEXES",
                          ConditionExpression="rev = :seen",
                          ExpressionAttributeValues={":seen": {"N": "1"}})
        self.assertEqual(answer["Attributes"], first)
        self.assertEqual(answer["ConsumedCapacity"]["Table"]["CapacityUnits"], 1)
        self.assertTrue(answer["ResponseMetadata"]["RequestId"])

    def test_a_failed_condition_carries_the_item(self):
        self.put({**key("condition", 1), "rev": {"N": "4"}})
        # As a plain request: Debian's boto3 is older than the parameter.
        status, answer = self.plain("PutItem", {
            "TableName": TABLE, "Item": key("condition", 1),
            "ConditionExpression": "rev = :expected",
            "ExpressionAttributeValues": {":expected": {"N": "3"}},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
        self.assertEqual(status, 400)
        self.assertTrue(answer["__type"].endswith("ConditionalCheckFailedException"), answer)
        self.assertEqual(answer["Item"]["rev"], {"N": "4"})

    def test_put_item_refuses_what_is_no_item(self):
        for item, words in [
            ({"pk": {"S": "a"}}, "Missing the key sk in the item"),
            ({"pk": {"N": "1"}, "sk": {"N": "1"}}, "Type mismatch for key pk"),
            (key("", 1), "empty string value. Key: pk"),
            (key("a", "many"), "cannot be converted to a numeric value: many"),
            (key("a", "9" * 39), "38 significant digits"),
            ({**key("a", 1), "big": {"S": "x" * 410_000}}, "Item size has exceeded"),
            ({**key("a", 1), "two": {"S": "x", "N": "1"}}, "more than one datatypes set"),
            ({**key("a", 1), "same": {"SS": ["x", "x"]}}, "contains duplicates")
        ]:
            with self.subTest(words), self.refused("ValidationException", words):
                self.put(item)
        with self.refused("ResourceNotFoundException"):
            self.dynamodb.put_item(TableName="nowhere", Item=key("a", 1))
        with self.refused("ConditionalCheckFailedException"):
            self.put(key("a", 1), ConditionExpression="attribute_exists(pk)")

    def test_get_item_projects(self):
        self.put({**key("get", 1), "a": {"L": [{"N": "1"}, {"N": "2"}]}, "b": {"S": "x"}})
        item = self.dynamodb.get_item(TableName=TABLE,
                                      Key=key("get", 1),
                                      ProjectionExpression="#a[1], sk",
                                      ExpressionAttributeNames={"#a": "a"})["Item"]
        self.assertEqual(item, {"sk": {"N": "1"}, "a": {"L": [{"N": "2"}]}})
        self.assertIsNone(self.read(key("get", 2)))
        with self.refused("ValidationException",
                          "The provided key element does not match the schema"):
            self.read({"pk": {"S": "get"}})
        with self.refused("ResourceNotFoundException", "Requested resource not found"):
            self.dynamodb.get_item(TableName="nowhere", Key=key("a", 1))

    def test_update_item_edits_and_says_what_changed(self):
        def update(expression, **further):
            return self.dynamodb.update_item(TableName=TABLE,
                                             Key=key("update", 1),
                                             UpdateExpression=expression,
                                             ExpressionAttributeValues={":v": {"N": "5"}},
                                             **further)

        self.assertEqual(
            update("ADD n :v", ReturnValues="UPDATED_NEW")["Attributes"], {"n": {"N": "5"}})
        self.assertEqual(
            update("SET n = n - :v", ReturnValues="UPDATED_OLD")["Attributes"], {"n": {"N": "5"}})
        with self.refused("ConditionalCheckFailedException"):
            update("SET n = :v", ConditionExpression="n > :v")
        for expression, words in [
            ("SET pk = :v", "Cannot update attribute pk. This attribute is part of the key"),
            ("SET a.b = :v", "The document path provided in the update expression is invalid"),
            ("SET n = :v, n = :v", "Two document paths overlap"), ("SET n = :w", ":w"),
            ("CHANGE n :v", "Syntax error"), ("SET size = :v", "reserved keyword")
        ]:
            with self.subTest(expression), self.refused("ValidationException", words):
                update(expression)

    def test_legacy_parameters_still_work(self):
        self.dynamodb.update_item(TableName=TABLE,
                                  Key=key("legacy", 1),
                                  AttributeUpdates={"n": {"Action": "ADD", "Value": {"N": "2"}}})
        answer = self.dynamodb.query(
            TableName=TABLE,
            AttributesToGet=["n"],
            KeyConditions={
                "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "legacy"}]}
            },
            QueryFilter={"n": {"ComparisonOperator": "GE", "AttributeValueList": [{"N": "2"}]}})
        self.assertEqual(answer["Items"], [{"n": {"N": "2"}}])
        with self.refused("ConditionalCheckFailedException"):
            self.dynamodb.delete_item(TableName=TABLE,
                                      Key=key("legacy", 1),
                                      Expected={"n": {"Value": {"N": "3"}}})
        with self.refused("ValidationException", "Can not use both expression and non-expression"):
            self.put(key("legacy", 2),
                     ConditionExpression="attribute_exists(pk)",
                     Expected={"n": {"Exists": False}})

    def test_delete_item_returns_what_it_took_away(self):
        item = {**key("delete", 1), "v": {"BOOL": True}}
        self.put(item)
        take = lambda **further: self.dynamodb.delete_item(
            TableName=TABLE, Key=key("delete", 1), **further)
        with self.refused("ConditionalCheckFailedException"):
            take(ConditionExpression="v <> :v", ExpressionAttributeValues={":v": {"BOOL": True}})
        self.assertEqual(take(ReturnValues="ALL_OLD")["Attributes"], item)
        self.assertNotIn("Attributes", take(ReturnValues="ALL_OLD"))

    def test_query_and_scan_find_what_is_there(self):
        for number in range(5):
            self.put({**key("find", number), "at": {"S": "noon"}})
        answer = self.dynamodb.query(
            TableName=TABLE,
            KeyConditionExpression="pk = :v AND sk > :n",
            ExpressionAttributeValues={":v": {"S": "find"}, ":n": {"N": "2"}})
        self.assertEqual([item["sk"]["N"] for item in answer["Items"]], ["3", "4"])
        answer = self.dynamodb.query(
            TableName=TABLE,
            IndexName="by_time",
            KeyConditionExpression="pk = :v AND #at = :at",
            ExpressionAttributeNames={"#at": "at"},
            Select="COUNT",
            ExpressionAttributeValues={":v": {"S": "find"}, ":at": {"S": "noon"}})
        self.assertEqual(answer["Count"], 5)
        answer = self.dynamodb.scan(TableName=TABLE,
                                    FilterExpression="pk = :v",
                                    ExpressionAttributeValues={":v": {"S": "find"}})
        self.assertEqual(answer["Count"], 5)
        self.assertGreaterEqual(answer["ScannedCount"], 5)

    def test_query_and_scan_refuse_what_makes_no_sense(self):
        values = {":v": {"S": "a"}}
        for arguments, words in [
            ({"KeyConditionExpression": "sk = :v", "ExpressionAttributeValues": values},
             "Query condition missed key schema element: pk"),
            ({"KeyConditionExpression": "pk > :v",
              "ExpressionAttributeValues": values}, "Query key condition not supported"),
            ({
                "KeyConditionExpression": "pk = :v", "ExpressionAttributeValues": values,
                "IndexName": "none"
            }, "The table does not have the specified index: none"),
            ({
                "KeyConditionExpression": "pk = :v", "ExpressionAttributeValues": values,
                "IndexName": "all_by_time", "ConsistentRead": True
            }, "Consistent reads"),
            ({
                "KeyConditionExpression": "pk = :v", "ExpressionAttributeValues": values,
                "ExclusiveStartKey": {"pk": {"S": "b"}}
            }, "The provided starting key is")
        ]:
            with self.subTest(words), self.refused("ValidationException", words):
                self.dynamodb.query(TableName=TABLE, **arguments)
        with self.refused("ValidationException", "'limit' failed to satisfy constraint"):
            self.dynamodb.scan(TableName=TABLE, Limit=0)
        with self.refused("ResourceNotFoundException"):
            self.dynamodb.scan(TableName="nowhere")

    def test_batches_write_and_read_each_item_once(self):
        keys = [key("batch", number) for number in range(25)]
        answer = self.dynamodb.batch_write_item(
            RequestItems={TABLE: [{"PutRequest": {"Item": item}} for item in keys]})
        self.assertEqual(answer["UnprocessedItems"], {})
        answer = self.dynamodb.batch_get_item(RequestItems={TABLE: {"Keys": keys}})
        self.assertEqual(sorted(item["sk"]["N"] for item in answer["Responses"][TABLE]),
                         sorted(item["sk"]["N"] for item in keys))
        self.dynamodb.batch_write_item(
            RequestItems={TABLE: [{"DeleteRequest": {"Key": item}} for item in keys[:20]]})
        answer = self.dynamodb.batch_get_item(RequestItems={TABLE: {"Keys": keys}})
        self.assertEqual(len(answer["Responses"][TABLE]), 5)
        duplicates = "Provided list of item keys contains duplicates"
        with self.refused("ValidationException", duplicates):
            self.dynamodb.batch_get_item(RequestItems={TABLE: {"Keys": keys[:1] * 2}})
        with self.refused("ValidationException", duplicates):
            self.dynamodb.batch_write_item(
                RequestItems={TABLE: [{"DeleteRequest": {"Key": keys[0]}}] * 2})

    def test_transactions_are_all_or_nothing(self):
        puts = [{"Put": {"TableName": TABLE, "Item": key("transaction", 1)}}]
        check = {
            "ConditionCheck": {
                "TableName": TABLE, "Key": key("transaction", 2),
                "ConditionExpression": "attribute_exists(pk)"
            }
        }
        with self.refused("TransactionCanceledException",
                          "[None, ConditionalCheckFailed]") as caught:
            self.dynamodb.transact_write_items(TransactItems=[*puts, check])
        reasons = [reason["Code"] for reason in caught.exception.response["CancellationReasons"]]
        self.assertEqual(reasons, ["None", "ConditionalCheckFailed"])
        self.assertIsNone(self.read(key("transaction", 1)))
        for _ in range(2):  # The second time is recognised.
            self.dynamodb.transact_write_items(TransactItems=puts, ClientRequestToken="token")
        with self.refused("IdempotentParameterMismatchException"):
            self.dynamodb.transact_write_items(
                TransactItems=[{"Delete": {"TableName": TABLE, "Key": key("transaction", 1)}}],
                ClientRequestToken="token")
        gets = [{"Get": {"TableName": TABLE, "Key": key("transaction", sort)}} for sort in (1, 2)]
        answer = self.dynamodb.transact_get_items(TransactItems=gets)
        self.assertEqual(answer["Responses"], [{"Item": key("transaction", 1)}, {}])
        with self.refused("ValidationException", "multiple operations on one item"):
            self.dynamodb.transact_get_items(TransactItems=gets[:1] * 2)

    def test_zz_every_operation_was_driven_both_ways(self):
        self.check_driven_both_ways(ITEM_OPERATIONS)


if __name__ == "__main__":
    unittest.main()
