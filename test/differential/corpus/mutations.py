"""Requests made by changing good ones in one place, by chance but the same ones in every run.

The good requests neither read nor return what an earlier one wrote: where only one side refuses a
changed request, what follows must not depend on it. Each request on tables gets one of its own.
"""

import copy
import random

from corpus.create_table import throughput
from corpus.tables import (EVERYTHING, INDEXED, SIMPLE, SORTED, attributes, create, index, n, put,
                           s, schema, settle)
from exchange import Request
from scene import Scene, Unseen

SEED = 20120810
VALUES = {":v": n(1), ":p": s("a")}
GOOD = {
    "GetItem": [
        {"TableName": "simple", "Key": {"pk": s("a")}, "ConsistentRead": True,
         "ReturnConsumedCapacity": "TOTAL",
         "ProjectionExpression": "#a, num", "ExpressionAttributeNames": {"#a": "str"}},
        {"TableName": "sorted", "Key": {"pk": s("a"), "sk": n(1)},
         "AttributesToGet": ["num", "str"]}],
    "PutItem": [
        {"TableName": "simple", "Item": {"pk": s("w"), **EVERYTHING}, "ReturnValues": "NONE",
         "ReturnConsumedCapacity": "NONE",
         "ReturnItemCollectionMetrics": "NONE"},
        {"TableName": "simple", "Item": {"pk": s("w")},
         "ConditionExpression": "attribute_not_exists(#n) OR num <> :v",
         "ExpressionAttributeNames": {"#n": "nothing"}, "ExpressionAttributeValues": {":v": n(5)}},
        {"TableName": "indexed", "Item": {"pk": s("w"), "sk": s("x"), "at": n(1), "kind": s("k")}}],
    "DeleteItem": [
        {"TableName": "simple", "Key": {"pk": s("d")},
         "ConditionExpression": "attribute_not_exists(pk)", "ReturnValues": "NONE",
         "ReturnConsumedCapacity": "TOTAL"},
        {"TableName": "simple", "Key": {"pk": s("d")},
         "Expected": {"num": {"ComparisonOperator": "NULL"}}, "ConditionalOperator": "AND"}],
    "UpdateItem": [
        {"TableName": "simple", "Key": {"pk": s("u")},
         "UpdateExpression": "SET #a = :v, b1 = if_not_exists(b2, :p) REMOVE c1",
         "ExpressionAttributeNames": {"#a": "a1"}, "ExpressionAttributeValues": VALUES,
         "ReturnValues": "NONE"},
        {"TableName": "simple", "Key": {"pk": s("u")},
         "AttributeUpdates": {"a1": {"Action": "PUT", "Value": n(1)}}}],
    "Query": [
        {"TableName": "sorted", "KeyConditionExpression": "pk = :p AND sk > :v",
         "FilterExpression": "num > :v", "Limit": 5, "ScanIndexForward": False,
         "ExpressionAttributeValues": VALUES, "ReturnConsumedCapacity": "NONE",
         "ExclusiveStartKey": {"pk": s("a"), "sk": n(9)}},
        {"TableName": "indexed", "IndexName": "global_all", "KeyConditionExpression": "kind = :p",
         "ExpressionAttributeValues": {":p": s("a")},
         "Select": "ALL_PROJECTED_ATTRIBUTES", "ConsistentRead": False},
        {"TableName": "sorted",
         "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [s("a")]}},
         "QueryFilter": {"num": {"ComparisonOperator": "GT", "AttributeValueList": [n(1)]}},
         "ConditionalOperator": "AND"}],
    "Scan": [
        {"TableName": "sorted", "FilterExpression": "num > :v",
         "ExpressionAttributeValues": {":v": n(0)}, "Segment": 0, "TotalSegments": 1,
         "Limit": 10, "ConsistentRead": True, "Select": "SPECIFIC_ATTRIBUTES",
         "ProjectionExpression": "num"},
        {"TableName": "sorted", "AttributesToGet": ["num"],
         "ScanFilter": {"num": {"ComparisonOperator": "IN", "AttributeValueList": [n(1), n(2)]}}}],
    "BatchGetItem": [
        {"RequestItems": {"simple": {"Keys": [{"pk": s("a")}, {"pk": s("nobody")}],
                                     "ProjectionExpression": "#a",
                                     "ExpressionAttributeNames": {"#a": "str"}},
                          "sorted": {"Keys": [{"pk": s("a"), "sk": n(1)}]}},
         "ReturnConsumedCapacity": "NONE"}],
    "BatchWriteItem": [
        {"RequestItems": {"simple": [{"PutRequest": {"Item": {"pk": s("w"), "v": n(1)}}},
                                     {"DeleteRequest": {"Key": {"pk": s("v")}}}]},
         "ReturnItemCollectionMetrics": "NONE"}],
    "TransactGetItems": [
        {"TransactItems": [{"Get": {"TableName": "simple", "Key": {"pk": s("a")},
                                    "ProjectionExpression": "num"}},
                           {"Get": {"TableName": "sorted", "Key": {"pk": s("a"), "sk": n(1)}}}]}],
    "TransactWriteItems": [
        {"TransactItems": [
            {"Put": {"TableName": "simple", "Item": {"pk": s("x"), "v": n(1)}}},
            {"Update": {"TableName": "simple", "Key": {"pk": s("y")},
                        "UpdateExpression": "SET a1 = :v",
                        "ExpressionAttributeValues": {":v": n(1)}}},
            {"ConditionCheck": {"TableName": "sorted", "Key": {"pk": s("a"), "sk": n(1)},
                                "ConditionExpression": "attribute_exists(pk)"}},
            {"Delete": {"TableName": "simple", "Key": {"pk": s("z")}}}],
         "ReturnConsumedCapacity": "NONE"}],
    "ListTables": [{"Limit": 5, "ExclusiveStartTableName": "abc"}],
    "DescribeTable": [{"TableName": "simple"}],
    "DescribeTimeToLive": [{"TableName": "simple"}],
}
OWN_TABLE = {
    "CreateTable": [
        {"TableName": "own", "KeySchema": schema("pk", "sk"),
         "AttributeDefinitions": attributes(pk="S", sk="N", g="S"),
         "BillingMode": "PAY_PER_REQUEST",
         "GlobalSecondaryIndexes": [index("gsi", "g", None,
                                          {"ProjectionType": "INCLUDE",
                                           "NonKeyAttributes": ["x"]})],
         "LocalSecondaryIndexes": [index("lsi", "pk", "g")],
         "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}},
        {"TableName": "own", "KeySchema": schema("pk"), "AttributeDefinitions": attributes(pk="S"),
         "ProvisionedThroughput": throughput(3, 4),
         "DeletionProtectionEnabled": False, "TableClass": "STANDARD"}],
    "UpdateTable": [
        {"TableName": "own", "BillingMode": "PROVISIONED",
         "ProvisionedThroughput": throughput(3, 4)},
        {"TableName": "own", "AttributeDefinitions": attributes(g="S"),
         "GlobalSecondaryIndexUpdates": [{"Create": index("gsi", "g")}]},
        {"TableName": "own", "DeletionProtectionEnabled": False,
         "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}}],
    "UpdateTimeToLive": [
        {"TableName": "own",
         "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}}],
}
COUNTS = {"ListTables": 15, "DescribeTable": 10, "DescribeTimeToLive": 8, "UpdateTimeToLive": 20,
          "CreateTable": 60, "UpdateTable": 60}
COUNT = 75

REPLACEMENTS = [None, 0, -1, 1.5, 2**31, 2**63, "", "x", "no such thing", True, [], {}, ["x"],
                {"x": "y"}, [[]], {"S": "x"}, {"N": "1"}, [None]]


def places(value, path=()):
    """The paths of everything inside of a JSON value."""
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    else:
        return
    for key, member in inside:
        yield (*path, key)
        yield from places(member, (*path, key))


def change(value, chance):
    """One of the ways to spoil a value."""
    ways = [lambda: chance.choice(REPLACEMENTS)] * 3
    if isinstance(value, str):
        ways += [lambda: value + "x", value.lower, lambda: value[:-1], lambda: value + " ",
                 lambda: value * 300]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        ways += [lambda: value + 1, lambda: -value, lambda: str(value), lambda: value * 10**9]
    if isinstance(value, list):
        ways += [lambda: value + value, lambda: value + [None], lambda: [], lambda: value * 60]
    if isinstance(value, dict):
        ways += [lambda: {**value, "Unknown": "x"}, lambda: {**value, "": s("x")}, lambda: {},
                 lambda: [value]]
    return chance.choice(ways)()


def mutated(body, chance):
    body = copy.deepcopy(body)
    *path, last = chance.choice(list(places(body)))
    holder = body
    for step in path:
        holder = holder[step]
    if chance.random() < 0.2:
        del holder[last]
    else:
        holder[last] = change(holder[last], chance)
    return body


def mutations(operation, bodies):
    """The good requests and different bad ones."""
    chance = random.Random(f"{SEED} {operation}")
    made = {repr(body): body for body in bodies}
    for _ in range(20 * COUNT):
        if len(made) >= COUNTS.get(operation, COUNT):
            break
        body = mutated(chance.choice(bodies), chance)
        made.setdefault(repr(body), body)
    return [Request(operation, body) for body in made.values()]


def with_own_table(request):
    def act():
        if request.operation != "CreateTable":
            yield Unseen(create("own", schema("pk"), {"pk": "S"}))
        yield request
        yield from settle("own")
        yield Unseen(Request("UpdateTable",
                             {"TableName": "own", "DeletionProtectionEnabled": False}))
        yield Unseen(Request("DeleteTable", {"TableName": "own"}))
    return act


TABLES = [SIMPLE, SORTED, INDEXED, put("simple", pk=s("a"), **EVERYTHING),
          put("sorted", pk=s("a"), sk=n(1), num=n(1)), put("sorted", pk=s("a"), sk=n(2), num=n(2))]
SCENES = [
    *[Scene(f"mutations.{operation}", TABLES,
            [[request] for request in mutations(operation, bodies)])
      for operation, bodies in GOOD.items()],
    *[Scene(f"mutations.{operation}", [],
            [with_own_table(request) for request in mutations(operation, bodies)])
      for operation, bodies in OWN_TABLE.items()],
]
