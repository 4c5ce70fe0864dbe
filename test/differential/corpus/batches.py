"""BatchGetItem and BatchWriteItem."""

from corpus.tables import EVERYTHING, INDEXED, SIMPLE, SORTED, n, put, s
from exchange import Request
from scene import Scene, one_by_one


def get(keys=None, table="simple", **more):
    keys = [{"pk": s("a")}] if keys is None else keys
    return {"RequestItems": {table: {"Keys": keys, **more}}}


def write(*requests, table="simple"):
    return {"RequestItems": {table: list(requests)}}


def putting(**item):
    return {"PutRequest": {"Item": item}}


def deleting(**key):
    return {"DeleteRequest": {"Key": key}}


KEYS = [{"pk": s(f"p{i}")} for i in range(101)]
GETS = [
    get(), get([{"pk": s("a")}, {"pk": s("b")}, {"pk": s("nobody")}]), get([{"pk": s("nobody")}]),
    get(ConsistentRead=True), get(ProjectionExpression="str, doc.x"), get(AttributesToGet=["str"]),
    get(ProjectionExpression="#a", ExpressionAttributeNames={"#a": "str"}),
    {"RequestItems": {"simple": {"Keys": [{"pk": s("a")}]},
                      "sorted": {"Keys": [{"pk": s("a"), "sk": n(1)}]}}},
    *[get() | {"ReturnConsumedCapacity": kind} for kind in ("NONE", "TOTAL", "INDEXES", "SOME")],
    *[get([{"pk": s("a")}, {"pk": s("b")}], ConsistentRead=value)
      | {"ReturnConsumedCapacity": "TOTAL"}
      for value in (True, False)],
    get([{"pk": s("nobody")}]) | {"ReturnConsumedCapacity": "TOTAL"},
    get(KEYS[:100]), get(KEYS), {}, {"RequestItems": {}}, {"RequestItems": None},
    {"RequestItems": []},
    {"RequestItems": {"simple": {}}}, {"RequestItems": {"simple": []}},
    {"RequestItems": {"simple": None}}, get([]),
    get([{}]), get([{"pk": n(1)}]), get([{"x": s("a")}]), get([{"pk": s("a"), "x": s("a")}]),
    get([{"pk": s("")}]),
    get([{"pk": s("a")}, {"pk": s("a")}]), get([{"pk": {}}]), get([{"pk": {"N": "x"}}]),
    get([None]), get(["a"]),
    get(table="missing"), get(table="x"), get(table="bad name"), get(ProjectionExpression=""),
    get(ProjectionExpression="str,"), get(ProjectionExpression="name"),
    get(ProjectionExpression="#a"),
    get(ProjectionExpression="str", ExpressionAttributeNames={"#a": "b"}),
    get(ExpressionAttributeNames={"#a": "b"}),
    get(AttributesToGet=["str"], ProjectionExpression="str"), get(AttributesToGet=[]),
    get(AttributesToGet=["a", "a"]),
    {"RequestItems": {"simple": {"Keys": [{"pk": s("a")}]}, "missing": {"Keys": [{"pk": s("a")}]}}},
    {"RequestItems": {"sorted": {"Keys": [{"pk": s("a")}]}}}, get([{"pk": s("x" * 2049)}]),
    {"RequestItems": {"sorted": {"Keys": [{"pk": s("a"), "sk": n(1)},
                                          {"pk": s("a"), "sk": n("1.0")}]}}},
    {"RequestItems": {f"table{i}": {"Keys": [{"pk": s("a")}]} for i in range(101)}},
]

WRITES = [
    write(putting(pk=s("w"))), write(deleting(pk=s("w"))),
    write(putting(pk=s("w1"), **EVERYTHING), deleting(pk=s("w2"))),
    {"RequestItems": {"simple": [putting(pk=s("w"))], "sorted": [putting(pk=s("w"), sk=n(1))]}},
    *[write(putting(pk=s("w")))
      | {"ReturnConsumedCapacity": kind} for kind in ("NONE", "TOTAL", "INDEXES", "SOME")],
    *[write(putting(pk=s("w")))
      | {"ReturnItemCollectionMetrics": kind} for kind in ("NONE", "SIZE", "SOME")],
    write(deleting(pk=s("nobody"))) | {"ReturnConsumedCapacity": "TOTAL"},
    write(putting(pk=s("i"), sk=s("j"), at=n(1), kind=s("k")), table="indexed") | {
        "ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE"},
    write(*[putting(pk=s(f"w{i}")) for i in range(25)]),
    write(*[putting(pk=s(f"w{i}")) for i in range(26)]),
    {}, {"RequestItems": {}}, {"RequestItems": None}, {"RequestItems": {"simple": []}},
    {"RequestItems": {"simple": {}}},
    {"RequestItems": {"simple": None}}, write({}), write(None), write("a"),
    write({"PutRequest": {}}),
    write({"DeleteRequest": {}}), write({"PutRequest": None}),
    write({"PutRequest": {"Item": None}}),
    write({"PutRequest": {"Item": {"pk": s("w")}}, "DeleteRequest": {"Key": {"pk": s("w")}}}),
    write({"UpdateRequest": {}}), write(putting()), write(deleting()), write(putting(x=s("w"))),
    write(deleting(x=s("w"))),
    write(putting(pk=n(1))), write(deleting(pk=n(1))), write(putting(pk=s(""))),
    write(deleting(pk=s(""))),
    write(deleting(pk=s("w"), x=s("w"))), write(putting(pk=s("w")), putting(pk=s("w"))),
    write(putting(pk=s("w")), deleting(pk=s("w"))), write(deleting(pk=s("w")), deleting(pk=s("w"))),
    write(putting(pk=s("w"), v={})), write(putting(pk=s("w"), v={"N": "x"})),
    write(putting(pk=s("w"), v={"SS": []})),
    write(putting(pk=s("w")), table="missing"), write(putting(pk=s("w")), table="x"),
    {"RequestItems": {"simple": [putting(pk=s("w"))], "missing": [putting(pk=s("w"))]}},
    write(putting(pk=s("w")), putting(pk=n(1))), write(putting(pk=s("w"), big=s("x" * 400 * 1024))),
    write(putting(pk=s("w")), table="sorted"), write(putting(pk=s("w"), sk=s("w")), table="sorted"),
    write(putting(pk=s("w"), sk=n(1)), putting(pk=s("w"), sk=n("1.0")), table="sorted"),
    write(putting(pk=s("i"), sk=s("j"), at=s("1")), table="indexed"),
    write(putting(pk=s("i"), sk=s("j"), kind=s("")), table="indexed"),
    {"RequestItems": {"x": [], "simple": [{}]}, "ReturnConsumedCapacity": "SOME",
     "ReturnItemCollectionMetrics": "ALL"},
]

TABLES = [SIMPLE, SORTED, INDEXED, put("simple", pk=s("a"), **EVERYTHING),
          put("simple", pk=s("b"), num=n(1)),
          put("sorted", pk=s("a"), sk=n(1), num=n(1))]
SCENES = [
    Scene("batches.get", TABLES, one_by_one("BatchGetItem", GETS)),
    Scene("batches.write", TABLES, [[Request("BatchWriteItem", body)] for body in WRITES]),
]
