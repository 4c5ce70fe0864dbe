"""GetItem: keys, projections, what may not be combined."""

from corpus.tables import EVERYTHING, SIMPLE, SORTED, n, put, s
from scene import Scene, one_by_one


def simple(**more):
    return {"TableName": "simple", "Key": {"pk": s("a")}, **more}


def sorted_(**more):
    return {"TableName": "sorted", "Key": {"pk": s("a"), "sk": n(1)}, **more}


GOOD = [
    simple(), simple(ConsistentRead=True), simple(ConsistentRead=False), sorted_(),
    simple(Key={"pk": s("nobody")}), sorted_(Key={"pk": s("a"), "sk": n("1.0")}),
    simple(Key={"pk": s("nobody")}, ReturnConsumedCapacity="TOTAL"),
    *[simple(ReturnConsumedCapacity=kind, ConsistentRead=consistent)
      for kind in ("NONE", "TOTAL", "INDEXES") for consistent in (True, False)],
    *[simple(ProjectionExpression=text) for text in (
        "str", "pk", "str, num", "doc.x", "doc.y[1]", "lst[2].z", "lst[0], lst[2]",
        "lst[2], lst[0]", "doc.y[0], doc.x", "nothing", "lst[9]", "str.x", "doc[0]",
        "bin, yes, strs",
        "  str  ,num ", "lst[1],lst[1].z")],
    simple(ProjectionExpression="#a.#b", ExpressionAttributeNames={"#a": "doc", "#b": "x"}),
    simple(ProjectionExpression="#a", ExpressionAttributeNames={"#a": "nil"}),
    simple(AttributesToGet=["str", "num"]), simple(AttributesToGet=["nothing"]),
    simple(AttributesToGet=["doc.x"]), simple(AttributesToGet=["pk"]),
]

BAD = [
    {}, {"TableName": "simple"}, {"Key": {"pk": s("a")}}, simple(TableName="missing"),
    simple(TableName="ab"), simple(TableName="a"), simple(TableName=""),
    simple(TableName="bad name"),
    simple(TableName="x" * 255), simple(TableName="x" * 256), simple(TableName="x" * 1025),
    simple(TableName="arn:aws:dynamodb:ddblocal:000000000000:table/simple"),
    simple(TableName="arn:aws:dynamodb:ddblocal:000000000000:table/missing"),
    simple(TableName="arn:aws:s3:ddblocal:000000000000:table/simple"),
    simple(Key={}), simple(Key={"pk": n(1)}), simple(Key={"other": s("a")}),
    simple(Key={"pk": s("a"), "sk": n(1)}), simple(Key={"pk": s("")}),
    simple(Key={"pk": {"B": ""}}),
    simple(Key={"pk": {"NULL": True}}), simple(Key={"pk": {"SS": ["a"]}}), simple(Key={"pk": {}}),
    simple(Key={"pk": {"M": {}}}), simple(Key={"pk": {"S": "a", "N": "1"}}),
    simple(Key={"pk": {"X": "a"}}),
    simple(Key={"pk": s("x" * 2048)}), simple(Key={"pk": s("x" * 2049)}),
    sorted_(Key={"pk": s("a")}), sorted_(Key={"sk": n(1)}),
    sorted_(Key={"pk": s("a"), "sk": s("1")}),
    sorted_(Key={"pk": s(""), "sk": n(1)}), sorted_(Key={"pk": s("a"), "sk": n("one")}),
    sorted_(Key={"pk": s("a"), "sk": n("")}), sorted_(Key={"pk": s("a"), "sk": n("1e999")}),
    sorted_(Key={"pk": s("a"), "sk": n("1" * 39)}), sorted_(Key={"pk": s("a"), "sk": n("1e-131")}),
    sorted_(Key={"pk": s("a"), "sk": n(1), "more": n(1)}),
    *[simple(ProjectionExpression=text) for text in (
        "", " ", "str,", ",str", "str num", "str, str", "doc, doc.x", "doc.x, doc", "name", "#a",
        "str.", "lst[", "lst[a]", "lst[-1]", "lst[1], lst", "size(str)", ":v", "a b c", "str;",
        "lst[0], lst.x", "1a", "doc..x", "[0]", "str, str.x", "lst[99999999999]")],
    simple(ProjectionExpression="str", ExpressionAttributeNames={"#a": "b"}),
    simple(ProjectionExpression="#a", ExpressionAttributeNames={"#b": "b"}),
    simple(ProjectionExpression="#a", ExpressionAttributeNames={}),
    simple(ProjectionExpression="#a", ExpressionAttributeNames={"a": "b"}),
    simple(ProjectionExpression="#a", ExpressionAttributeNames={"#": "b"}),
    simple(ProjectionExpression="#a", ExpressionAttributeNames={"#a": ""}),
    simple(ProjectionExpression="#a", ExpressionAttributeNames={"#a": "x" * 65536}),
    simple(ProjectionExpression="#a, #b", ExpressionAttributeNames={"#a": "x", "#b": "x"}),
    simple(ExpressionAttributeNames={"#a": "b"}), simple(ExpressionAttributeNames={}),
    simple(AttributesToGet=["str"], ProjectionExpression="str"),
    simple(AttributesToGet=["str"], ExpressionAttributeNames={"#a": "b"}),
    simple(AttributesToGet=[]), simple(AttributesToGet=[""]), simple(AttributesToGet=["a", "a"]),
    simple(AttributesToGet=["x" * 65536]), simple(ReturnConsumedCapacity="SOME"),
    simple(ReturnConsumedCapacity=""), simple(ReturnConsumedCapacity="SOME", TableName="x", Key={}),
    simple(TableName="bad name", AttributesToGet=[], ReturnConsumedCapacity="all"),
    simple(ProjectionExpression="", Key={"pk": n(1)}),
    simple(ProjectionExpression="a b", TableName="missing"),
    simple(ProjectionExpression="a b", Key={"pk": n(1)}), simple(Unknown=1),
]

SCENES = [Scene("get_item", [
    SIMPLE, SORTED, put("simple", pk=s("a"), **EVERYTHING),
    put("sorted", pk=s("a"), sk=n(1), **EVERYTHING)], one_by_one("GetItem", GOOD + BAD))]
