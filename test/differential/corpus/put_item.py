"""PutItem: every type of value, keys, conditions, what comes back, what may not be combined."""

from corpus.tables import EVERYTHING, INDEXED, SIMPLE, SORTED, n, put, s
from exchange import Request
from scene import Scene, one_by_one


def simple(item=None, **more):
    return {"TableName": "simple", "Item": {"pk": s("a"), **(item or {})}, **more}


def sorted_(**more):
    return {"TableName": "sorted", "Item": {"pk": s("a"), "sk": n(1)}, **more}


def indexed(**item):
    return {"TableName": "indexed", "Item": {"pk": s("a"), "sk": s("b"), **item}}


def kept(body):
    """Writes, and looks at what was kept."""
    key = {name: body["Item"][name] for name in ("pk", "sk") if name in body["Item"]}
    return [Request("PutItem", body),
            Request("GetItem", {"TableName": body["TableName"], "Key": key,
                                "ConsistentRead": True})]


VALUES = [
    s(""), s("x"), s("grüße 🙂 \u0000 \" \\ \n"), {"B": ""}, {"B": "AA=="}, {"BOOL": True},
    {"BOOL": False}, {"NULL": True}, {"L": []}, {"M": {}},
    {"L": [s(""), {"L": [{"M": {"x": n(1)}}]}]},
    {"M": {"": s("x")}}, {"SS": ["", "a"]}, {"SS": ["b", "a", "c"]}, {"NS": ["1", "2", "-3.5"]},
    {"NS": ["1e2", "0.001"]}, {"BS": ["AA==", "AQ=="]}, {"BS": [""]},
    *[n(text) for text in (
        "0", "-0", "0.0", "-0.00", "1", "-1", "+1", "1.0", "1.10", "001", "1e2", "1E2", "1e+2",
        "1e-2", "-1.5e3",
        "100", "1000000000000000000000", "0.000001", "0.0000000001", ".5", "5.", "-.5",
        "12345678901234567890",
        "99999999999999999999999999999999999999", "0.99999999999999999999999999999999999999",
        "9.9999999999999999999999999999999999999E+125",
        "-9.9999999999999999999999999999999999999E+125",
        "1E-130", "-1E-130", "1e125", "123e-5", "100000000000000000000000000000000000000000",
        "1234567890123456789012345678901234567800000")],
]

REFUSED_VALUES = [
    {}, {"S": "a", "N": "1"}, {"X": "a"}, {"S": None}, {"S": 1}, {"S": True}, {"S": []}, {"S": {}},
    {"N": 1}, {"N": 1.5}, {"N": None}, {"N": ""}, {"N": " 1"}, {"N": "1 "}, {"N": "abc"},
    {"N": "1.2.3"},
    {"N": "1e"}, {"N": "--1"}, {"N": "0x10"}, {"N": "NaN"}, {"N": "Infinity"}, {"N": "1e126"},
    {"N": "-1e126"},
    {"N": "1e-131"}, {"N": "1" * 39}, {"N": "1." + "1" * 38}, {"N": "1e1000000000000"},
    {"N": "1,000"},
    {"B": "!"}, {"B": "A"}, {"B": "AAA"}, {"B": "AB==="}, {"B": "AA=A"}, {"B": 1}, {"B": None},
    {"B": "AB=="},
    {"BOOL": "true"}, {"BOOL": "yes"}, {"BOOL": 1}, {"BOOL": None}, {"BOOL": []}, {"NULL": False},
    {"NULL": "true"}, {"NULL": None}, {"SS": []}, {"SS": ["a", "a"]}, {"SS": "a"}, {"SS": [1]},
    {"SS": [None]}, {"SS": None}, {"SS": {}}, {"NS": []}, {"NS": ["1", "1.0"]}, {"NS": ["a"]},
    {"NS": [1]},
    {"NS": ["1", ""]}, {"NS": ["1e999"]}, {"BS": []}, {"BS": ["AA==", "AA=="]}, {"BS": ["!"]},
    {"BS": [1]},
    {"L": [{}]}, {"L": [{"S": "a", "N": "1"}]}, {"L": [None]}, {"L": {}}, {"L": "a"}, {"L": [1]},
    {"L": [{"N": "x"}]}, {"L": [{"SS": []}]}, {"L": [{"NULL": False}]}, {"M": []}, {"M": "a"},
    {"M": {"a": {}}},
    {"M": {"a": None}}, {"M": {"a": "b"}}, {"M": {"a": {"N": "x"}}},
    {"M": {"a": {"SS": ["a", "a"]}}}, None, "a", 1, [], True,
]

GOOD = [
    simple(EVERYTHING), sorted_(), simple(ReturnValues="NONE"), simple(ReturnValues="ALL_OLD"),
    simple(Item={"pk": s("new")}, ReturnValues="ALL_OLD"), simple({"": s("x")}),
    *[simple(ReturnConsumedCapacity=kind, ReturnItemCollectionMetrics=metrics)
      for kind in ("NONE", "TOTAL", "INDEXES") for metrics in ("NONE", "SIZE")],
    *[sorted_(ReturnItemCollectionMetrics=metrics) for metrics in ("NONE", "SIZE")],
    simple(ConditionExpression="attribute_exists(pk)"),
    simple(ConditionExpression="attribute_not_exists(nothing)", ReturnValues="ALL_OLD"),
    simple(ConditionExpression="attribute_not_exists(pk)"),
    simple(ConditionExpression="attribute_not_exists(pk)",
           ReturnValuesOnConditionCheckFailure="ALL_OLD"),
    simple(ConditionExpression="attribute_not_exists(pk)",
           ReturnValuesOnConditionCheckFailure="NONE"),
    simple(Item={"pk": s("nobody")}, ConditionExpression="attribute_exists(pk)",
           ReturnValuesOnConditionCheckFailure="ALL_OLD"),
    simple(ConditionExpression="#a = :v", ExpressionAttributeNames={"#a": "pk"},
           ExpressionAttributeValues={":v": s("a")}),
]

BAD = [
    {}, {"TableName": "simple"}, {"Item": {"pk": s("a")}}, simple(TableName="missing"),
    simple(TableName="x"), simple(TableName="bad name"), simple(Item={}),
    simple(Item={"other": s("a")}),
    simple(Item={"pk": n(1)}), simple(Item={"pk": s("")}), simple(Item={"pk": {"NULL": True}}),
    simple(Item={"pk": {"L": []}}), simple(Item={"pk": {"BOOL": True}}),
    simple(Item={"pk": s("x" * 2049)}), sorted_(Item={"pk": s("a")}), sorted_(Item={"sk": n(1)}),
    sorted_(Item={"pk": s("a"), "sk": s("1")}), sorted_(Item={"pk": n(1), "sk": s("1")}),
    sorted_(Item={"pk": s(""), "sk": s("")}),
    *[simple(ReturnValues=kind)
      for kind in ("ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "SOME", "", "none")],
    simple(ReturnConsumedCapacity="SOME"), simple(ReturnItemCollectionMetrics="SOME"),
    simple(ReturnValuesOnConditionCheckFailure="ALL_NEW"),
    simple(ReturnValuesOnConditionCheckFailure="ALL_OLD"), simple(ConditionalOperator="AND"),
    simple(ConditionalOperator="XOR"), simple(Expected={}),
    simple(ConditionExpression=""), simple(ConditionExpression="pk ="),
    simple(ConditionExpression="pk = :v"), simple(ConditionExpression="#p = pk"),
    simple(ConditionExpression="name = pk"), simple(ConditionExpression="pk = pk"),
    simple(ConditionExpression="foo(pk)"),
    simple(ConditionExpression="attribute_exists(pk", TableName="missing"),
    simple(ConditionExpression="attribute_exists(pk)", ExpressionAttributeNames={"#a": "b"}),
    simple(ConditionExpression="attribute_exists(pk)", ExpressionAttributeValues={":v": s("b")}),
    simple(ConditionExpression="pk = :v", ExpressionAttributeValues={"v": s("b")}),
    simple(ConditionExpression="pk = :v", ExpressionAttributeValues={":v": {}}),
    simple(ConditionExpression="pk = :v", ExpressionAttributeValues={":v": {"N": "x"}}),
    simple(ConditionExpression="pk = :v", ExpressionAttributeValues={}),
    simple(ConditionExpression="pk = :v", ExpressionAttributeValues={":v-1": s("b")}),
    simple(ConditionExpression="attribute_exists(pk)", ExpressionAttributeNames={"a": "b"}),
    simple(ExpressionAttributeNames={"#a": "b"}), simple(ExpressionAttributeValues={":a": s("b")}),
    simple(ExpressionAttributeNames={}, ExpressionAttributeValues={}),
    simple(ConditionExpression="attribute_exists(pk)", Expected={"pk": {"Exists": False}}),
    simple(Expected={"pk": {"Exists": False}}, ExpressionAttributeNames={"#a": "b"}),
    simple(Expected={"pk": {"Exists": False}}, ExpressionAttributeValues={":a": s("b")}),
    simple(ConditionExpression="pk ==", Item={"pk": n(1)}),
    simple(ConditionExpression="pk = :v", ExpressionAttributeValues={":v": s("b")},
           Item={"pk": n(1)}),
    simple({"big": s("x" * (400 * 1024))}),
    {"TableName": "x", "Item": {}, "ReturnValues": "SOME", "ReturnConsumedCapacity": "ALL"},
    {"TableName": 1, "Item": {"pk": s("a")}}, {"TableName": None, "Item": None},
    {"TableName": "simple", "Item": []}, {"TableName": "simple", "Item": "a"},
    {"TableName": ["simple"]},
]

INDEX_KEYS = [
    indexed(), indexed(at=n(1)), indexed(at=s("1")), indexed(kind=n(1)), indexed(kind=s("")),
    indexed(kind={"NULL": True}), indexed(at={"NULL": True}), indexed(at={"L": []}),
    indexed(kind={"SS": ["a"]}), indexed(at=s("x"), kind=n(1)), indexed(kind=s("x" * 2048)),
    indexed(kind=s("x" * 2049)), indexed(kind=s("x" * 1025)),
    indexed(at=n(1), kind=s("k"), extra=n(1)),
    {"TableName": "indexed", "Item": {"pk": s("a"), "sk": s("")}},
    {"TableName": "indexed", "Item": {"pk": s("a"), "sk": s("x" * 1025)}},
    {"TableName": "indexed", "Item": {"pk": s("a"), "sk": s("x" * 1024)}},
]

SCENES = [
    Scene("put_item.values", [SIMPLE], [kept(simple({"v": value})) for value in VALUES]),
    Scene("put_item.refused_values", [SIMPLE],
          one_by_one("PutItem", [simple({"v": value}) for value in REFUSED_VALUES])),
    Scene("put_item", [SIMPLE, SORTED, put("simple", pk=s("a"), **EVERYTHING)],
          one_by_one("PutItem", GOOD + BAD)),
    Scene("put_item.index_keys", [INDEXED], one_by_one("PutItem", INDEX_KEYS)),
]
