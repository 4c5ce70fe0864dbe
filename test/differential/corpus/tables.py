"""The tables and items that most scenes use."""

import time

from exchange import Request
from scene import Unseen

WAITS_MAX = 500
WAIT_SECONDS = 0.02


def schema(hash_key, range_key=None):
    keys = [{"AttributeName": hash_key, "KeyType": "HASH"}]
    if range_key:
        keys.append({"AttributeName": range_key, "KeyType": "RANGE"})
    return keys


def attributes(**types):
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def index(name, hash_key, range_key=None, projection=None):
    return {"IndexName": name, "KeySchema": schema(hash_key, range_key),
            "Projection": projection or {"ProjectionType": "ALL"}}


def create(name, keys, types, **more):
    """A CreateTable request; `types` are of the key attributes."""
    return Request("CreateTable", {"TableName": name, "KeySchema": keys,
                                   "AttributeDefinitions": attributes(**types),
                                   "BillingMode": "PAY_PER_REQUEST", **more})


def put(table, **item):
    return Request("PutItem", {"TableName": table, "Item": item})


def settle(name):
    """A part of an act: waits until the table is active and its indexes are, or it is not there."""
    for _ in range(WAITS_MAX):
        answer = yield Unseen(Request("DescribeTable", {"TableName": name}))
        states = {answer.get("Table", "TableStatus")}
        states |= {one["IndexStatus"]
                   for one in answer.get("Table", "GlobalSecondaryIndexes") or []}
        if states <= {None, "ACTIVE"}:
            return
        time.sleep(WAIT_SECONDS)


def s(text):
    return {"S": text}


def n(number):
    return {"N": str(number)}


SIMPLE = create("simple", schema("pk"), {"pk": "S"})
SORTED = create("sorted", schema("pk", "sk"), {"pk": "S", "sk": "N"})
INDEXED = create(
    "indexed", schema("pk", "sk"), {"pk": "S", "sk": "S", "at": "N", "kind": "S"},
    LocalSecondaryIndexes=[
        index("local_all", "pk", "at"),
        index("local_keys", "pk", "kind", {"ProjectionType": "KEYS_ONLY"})],
    GlobalSecondaryIndexes=[
        index("global_all", "kind", "at"),
        index("global_keys", "kind", None, {"ProjectionType": "KEYS_ONLY"}),
        index("global_some", "kind", "sk",
              {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["extra"]})])

# An item with a value of every type.
EVERYTHING = {
    "str": s("text"), "num": n("12.5"), "bin": {"B": "AAEC"}, "yes": {"BOOL": True},
    "nil": {"NULL": True}, "strs": {"SS": ["b", "a"]}, "nums": {"NS": ["2", "1"]},
    "bins": {"BS": ["Ag==", "AQ=="]}, "lst": {"L": [s("x"), n(2), {"M": {"z": n(1)}}]},
    "doc": {"M": {"x": s("in"), "y": {"L": [n(1), n(7)]}}},
}
