"""Sizes of keys, items, names, expressions and nesting; what reads and writes of them consume."""

from corpus.tables import INDEXED, SIMPLE, SORTED, n, put, s
from exchange import Request
from scene import Scene, one_by_one

KB = 1024


def nested(depth):
    value = s("x")
    for level in range(depth):
        value = {"M": {"m": value}} if level % 2 else {"L": [value]}
    return value


def item(size, pk="a"):
    """An item of that many bytes: names and values count."""
    return {"TableName": "simple",
            "Item": {"pk": s(pk), "v": s("x" * (size - len("pk") - len(pk) - len("v")))}}


SIZES = [1, 500, KB - 1, KB, KB + 1, 4 * KB, 4 * KB + 1, 10 * KB]


def capacity(size):
    """The same item through every operation, with what it costs."""
    key, kind = {"pk": s("a")}, {"ReturnConsumedCapacity": "INDEXES"}
    body = item(max(size, 10))
    one = {"TableName": "simple", "Key": key}
    return [
        Request("DeleteItem", {**one, **kind}), Request("PutItem", {**body, **kind}),
        Request("PutItem", {**body, **kind}),
        Request("GetItem", {**one, **kind}),
        Request("GetItem", {**one, **kind, "ConsistentRead": True}),
        Request("GetItem", {**one, **kind, "ProjectionExpression": "pk"}),
        Request("Scan", {"TableName": "simple", **kind}),
        Request("Scan", {"TableName": "simple", **kind, "ConsistentRead": True, "Select": "COUNT"}),
        Request("Query", {"TableName": "simple", "KeyConditionExpression": "pk = :p",
                          "ExpressionAttributeValues": {":p": s("a")}, **kind}),
        Request("BatchGetItem", {"RequestItems": {"simple": {"Keys": [key]}}, **kind}),
        Request("BatchWriteItem",
                {"RequestItems": {"simple": [{"PutRequest": {"Item": body["Item"]}}]}, **kind}),
        Request("TransactGetItems", {"TransactItems": [{"Get": one}], **kind}),
        Request("TransactWriteItems", {"TransactItems": [{"Put": body}], **kind}),
        Request("UpdateItem", {**one, "UpdateExpression": "SET w = :w",
                               "ExpressionAttributeValues": {":w": n(1)}, **kind}),
        Request("UpdateItem", {**one, "UpdateExpression": "REMOVE v", **kind}),
        Request("DeleteItem", {**one, **kind})]


def index_capacity(*items):
    """Writes that add, move, keep and remove index rows."""
    key = {"pk": s("a"), "sk": s("b")}
    asked = {"TableName": "indexed", "ReturnConsumedCapacity": "INDEXES"}
    return [*[Request("PutItem", {**asked, "Item": {**key, **one}}) for one in items],
            Request("DeleteItem", {**asked, "Key": key})]


INDEX_CAPACITY = [
    index_capacity({}, {"x": n(1)}),
    index_capacity({"kind": s("k")}, {"kind": s("k")}, {"kind": s("l")}, {}),
    index_capacity({"kind": s("k"), "at": n(1)}, {"kind": s("k"), "at": n(2)}, {"at": n(2)}),
    index_capacity({"kind": s("k"), "extra": s("x" * 3000)},
                   {"kind": s("k"), "extra": s("y" * 100)}),
]

WRITES = [
    item(400 * KB), item(400 * KB + 1), item(409 * KB),
    {"TableName": "simple", "Item": {"pk": s("x" * 2048)}},
    {"TableName": "simple", "Item": {"pk": s("ä" * 1025)}},
    {"TableName": "simple", "Item": {"pk": s("ä" * 1024)}},
    {"TableName": "simple", "Item": {"pk": s("a"), "x" * 65535: n(1)}},
    {"TableName": "simple", "Item": {"pk": s("a"), "x" * 65536: n(1)}},
    {"TableName": "simple", "Item": {"pk": s("a"), "m": {"M": {"x" * 65536: n(1)}}}},
    *[{"TableName": "simple", "Item": {"pk": s("a"), "deep": nested(depth)}}
      for depth in (30, 31, 32, 33, 40)],
    {"TableName": "sorted", "Item": {"pk": s("a"), "sk": n("1" * 38)}},
    {"TableName": "sorted", "Item": {"pk": s("a"), "sk": n("0." + "0" * 129 + "1")}},
]


def conditional(text, names=None, values=None):
    body = {"TableName": "simple", "Item": {"pk": s("a")}, "ConditionExpression": text}
    placeholders = {"ExpressionAttributeNames": names, "ExpressionAttributeValues": values}
    return body | {name: entries for name, entries in placeholders.items() if entries}


EXPRESSIONS = [
    conditional(" OR ".join(["attribute_exists(pk)"] * 10)),
    conditional("attribute_exists(pk)" + " " * 4076),
    conditional("attribute_exists(pk)" + " " * 4077),
    conditional("(" * 20 + "pk = :v" + ")" * 20, values={":v": s("a")}),
    conditional("NOT " * 40 + "attribute_exists(nope)"),
    conditional(" OR ".join(["attribute_exists(a)"] * 100)),
    conditional(" AND ".join(["attribute_exists(a)"] * 150)),
    conditional("pk IN (" + ", ".join(f":v{i}" for i in range(100)) + ")",
                values={f":v{i}": s(str(i)) for i in range(100)}),
    conditional("pk IN (" + ", ".join(f":v{i}" for i in range(101)) + ")",
                values={f":v{i}": s(str(i)) for i in range(101)}),
    conditional("attribute_exists(#" + "n" * 254 + ")", names={"#" + "n" * 254: "pk"}),
    conditional("attribute_exists(#" + "n" * 255 + ")", names={"#" + "n" * 255: "pk"}),
    conditional("attribute_exists(a" + ".b" * 31 + ")"),
    conditional("attribute_exists(a" + ".b" * 32 + ")"),
    conditional("attribute_exists(a" + "[0]" * 32 + ")"),
    conditional("attribute_exists(" + "a" * 255 + ")"),
    conditional("attribute_exists(" + "a" * 256 + ")"),
    conditional("attribute_exists(m." + "a" * 300 + ")"),
    conditional("pk = :v", values={":v": s("x" * 70000)}),
]

def nested_values(depth):
    """A value of that depth, compared by a transaction, written by one, and compared by a Scan."""
    of = {"TableName": "simple", "Key": {"pk": s("a")},
          "ExpressionAttributeValues": {":v": nested(depth)}}
    return [
        Request("TransactWriteItems", {"TransactItems": [
            {"ConditionCheck": {**of, "ConditionExpression": "v = :v"}}]}),
        Request("TransactWriteItems", {"TransactItems": [
            {"Update": {**of, "UpdateExpression": "SET v = :v"}}]}),
        Request("Scan", {"TableName": "simple", "FilterExpression": "v = :v",
                         "ExpressionAttributeValues": of["ExpressionAttributeValues"]})]


SCENES = [
    Scene("limits.nested_values", [SIMPLE, put("simple", pk=s("a"))],
          [nested_values(depth) for depth in (30, 31, 32, 33, 40)]),
    Scene("limits.capacity", [SIMPLE], [capacity(size) for size in SIZES]),
    Scene("limits.index_capacity", [INDEXED], INDEX_CAPACITY),
    Scene("limits.writes", [SIMPLE, SORTED], one_by_one("PutItem", WRITES)),
    Scene("limits.expressions", [SIMPLE, put("simple", pk=s("a"))],
          one_by_one("PutItem", EXPRESSIONS)),
    Scene("limits.page", [SORTED,
                          *[put("sorted", pk=s("a"), sk=n(i), big=s("x" * 300 * KB))
                            for i in range(5)]], one_by_one("Query", [
        {"TableName": "sorted", "KeyConditionExpression": "pk = :p",
         "ExpressionAttributeValues": {":p": s("a")}, **more} for more in (
            {}, {"ScanIndexForward": False}, {"Select": "COUNT"}, {"ProjectionExpression": "sk"},
            {"Limit": 4}, {"Limit": 5}, {"ReturnConsumedCapacity": "TOTAL"})])),
]
