"""The parameters from before expressions: Expected, AttributeUpdates, KeyConditions, filters."""

from corpus.query import NUMBERED
from corpus.tables import EVERYTHING, SIMPLE, SORTED, n, put, s
from exchange import Request
from scene import Scene, one_by_one

KEY = {"pk": s("a")}
ONE_VALUE = ["EQ", "NE", "LT", "LE", "GT", "GE", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"]
OPERANDS = [n("12.5"), n(99), s("text"), s("te"), {"B": "AAEC"}, {"SS": ["a", "b"]}, {"BOOL": True},
            {"L": [s("x")]}, {"NULL": True}]


def condition(operator, *values):
    return {"ComparisonOperator": operator, "AttributeValueList": list(values)}


def conditions(name):
    """Every operator with fitting and unfitting operands, on one attribute."""
    return [{name: condition(operator, value)} for operator in ONE_VALUE for value in OPERANDS]


OTHERS = [
    {"num": condition("BETWEEN", n(1), n(20))}, {"num": condition("BETWEEN", n(20), n(1))},
    {"num": condition("BETWEEN", n(1))},
    {"num": condition("BETWEEN", n(1), s("x"))},
    {"num": condition("BETWEEN", {"SS": ["a"]}, {"SS": ["b"]})}, {"num": condition("BETWEEN")},
    {"num": condition("IN", n(1), n("12.5"))}, {"num": condition("IN", n(1))},
    {"num": condition("IN")}, {"num": condition("IN", {"SS": ["a"]})},
    {"num": condition("IN", n(1), s("x"))}, {"num": condition("NULL")},
    {"num": condition("NOT_NULL")}, {"num": condition("NULL", n(1))},
    {"num": condition("EQ")}, {"num": condition("EQ", n(1), n(2))},
    {"num": condition("LIKE", n(1))}, {"num": {"AttributeValueList": [n(1)]}},
    {"num": {"ComparisonOperator": "EQ"}}, {"num": condition("EQ", {})},
    {"num": condition("EQ", {"N": "x"})}, {"num": condition("EQ", {"SS": []})},
    {"num": {"ComparisonOperator": "EQ", "AttributeValueList": None}},
    {"nothing": condition("NE", n(1))}, {"nothing": condition("NULL")},
    {"num": condition("GT", n(1)), "str": condition("EQ", s("text"))},
    {"num": condition("GT", n(1)), "str": condition("EQ", s("no"))}, {}, {"num": None},
    {"num": {}}, {"": condition("NULL")}, {"strs": condition("CONTAINS", s("a"))},
    {"lst": condition("CONTAINS", s("x"))},
    {"nums": condition("CONTAINS", n(1))}, {"strs": condition("EQ", {"SS": ["b", "a"]})},
    {"doc": condition("EQ", {"M": {}})},
]

EXPECTED = [
    {"num": {"Value": n("12.5")}}, {"num": {"Value": n(1)}},
    {"num": {"Exists": True, "Value": n("12.5")}}, {"num": {"Exists": False}},
    {"nothing": {"Exists": False}}, {"num": {"Exists": True}},
    {"num": {"Exists": False, "Value": n(1)}}, {"num": {"Value": {}}},
    {"num": {"Value": n(1), "ComparisonOperator": "EQ"}},
    {"num": {"Exists": True, "ComparisonOperator": "EQ", "AttributeValueList": [n(1)]}},
    {"num": {"Value": n(1), "AttributeValueList": [n(1)]}}, {"num": {"Exists": "maybe"}},
    {"num": {"AttributeValueList": [n(1)]}},
]

UPDATES = [
    {"v": {"Action": "PUT", "Value": n(1)}}, {"v": {"Value": n(1)}},
    {"num": {"Action": "ADD", "Value": n(1)}}, {"v": {"Action": "ADD", "Value": n(1)}},
    {"strs": {"Action": "ADD", "Value": {"SS": ["z"]}}},
    {"strs": {"Action": "DELETE", "Value": {"SS": ["a"]}}}, {"str": {"Action": "DELETE"}},
    {"nothing": {"Action": "DELETE"}}, {"lst": {"Action": "ADD", "Value": {"L": [n(1)]}}},
    {"v": {"Action": "ADD", "Value": {"L": [n(1)]}}},
    {"str": {"Action": "ADD", "Value": n(1)}}, {"num": {"Action": "ADD", "Value": {"SS": ["a"]}}},
    {"num": {"Action": "ADD", "Value": s("x")}},
    {"num": {"Action": "ADD"}}, {"num": {"Action": "PUT"}}, {"num": {}}, {"num": None},
    {"num": {"Action": "SET", "Value": n(1)}}, {},
    {"pk": {"Action": "PUT", "Value": s("b")}}, {"pk": {"Action": "DELETE"}},
    {"str": {"Action": "DELETE", "Value": s("text")}},
    {"strs": {"Action": "DELETE", "Value": {"NS": ["1"]}}},
    {"str": {"Action": "DELETE", "Value": {"SS": ["a"]}}}, {"v": {"Action": "PUT", "Value": {}}},
    {"v": {"Action": "PUT", "Value": {"N": "x"}}}, {"doc.x": {"Action": "PUT", "Value": n(1)}},
    {"v": {"Action": "PUT", "Value": {"SS": []}}},
    {"a1": {"Value": n(1)}, "a2": {"Value": n(2)}, "str": {"Action": "DELETE"}},
    {"v": {"Action": "ADD", "Value": {"M": {}}}},
    {"v": {"Action": "DELETE", "Value": {"L": []}}},
    {"num": {"Action": "ADD", "Value": {"BOOL": True}}},
]
KEY_CONDITIONS = [
    {"pk": condition("EQ", s("a"))}, {"pk": condition("EQ", s("a")), "sk": condition("GT", n(3))},
    {"pk": condition("EQ", s("a")), "sk": condition("BETWEEN", n(2), n(4))},
    {"pk": condition("EQ", s("a")), "sk": condition("EQ", n(3))},
    {"pk": condition("EQ", s("a")), "sk": condition("BEGINS_WITH", s("3"))},
    {"pk": condition("EQ", s("a")), "sk": condition("NE", n(3))},
    {"pk": condition("EQ", s("a")), "sk": condition("IN", n(3))},
    {"pk": condition("EQ", s("a")), "sk": condition("CONTAINS", n(3))},
    {"pk": condition("GT", s("a"))}, {"pk": condition("EQ", n(1))}, {"sk": condition("EQ", n(1))},
    {"pk": condition("EQ", s("a")), "num": condition("EQ", n(1))},
    {"pk": condition("EQ", s("a")), "sk": condition("EQ", n(1)), "num": condition("EQ", n(1))}, {},
    {"pk": condition("EQ", s("a"), s("b"))}, {"pk": condition("EQ")}, {"pk": {}}, {"pk": None},
    {"pk": condition("EQ", s(""))}, {"pk": condition("LIKE", s("a"))},
    {"pk": condition("EQ", s("a")), "sk": condition("BETWEEN", n(4), n(2))},
    {"pk": condition("EQ", s("a")), "sk": condition("NULL")},
    {"pk": condition("EQ", s("a")), "sk": condition("EQ", s("x"))}, {"pk": condition("EQ", {})},
    {"pk": condition("EQ", s("a")), "sk": condition("LE", n(3))},
]


def delete(expected, **more):
    return Request("DeleteItem", {"TableName": "simple", "Key": KEY, "Expected": expected, **more})


def with_item(request):
    return [put("simple", **KEY, **EVERYTHING), request]


def attribute_updates(updates, **more):
    return [*with_item(Request("UpdateItem",
                               {"TableName": "simple", "Key": KEY, "AttributeUpdates": updates,
                                "ReturnValues": "ALL_NEW", **more})),
            Request("GetItem", {"TableName": "simple", "Key": KEY})]


def query(keys, **more):
    return {"TableName": "sorted", "KeyConditions": keys, **more}


def scan(conditions_, **more):
    return {"TableName": "simple", "ScanFilter": conditions_, **more}


PARTITION = {"pk": condition("EQ", s("a"))}
TWO = {"num": condition("GT", n(3)), "odd": condition("NOT_NULL")}

SCENES = [
    Scene("legacy.expected", [SIMPLE], [
        *[with_item(delete(one)) for one in conditions("num") + conditions("str") + OTHERS
          + EXPECTED],
        *[with_item(delete({"num": condition("GT", n(1)), "str": condition("EQ", s("no"))},
                           ConditionalOperator=operator))
          for operator in ("AND", "OR", "XOR", "")],
        with_item(delete({"num": {"Value": n(1)}},
                         ReturnValuesOnConditionCheckFailure="ALL_OLD"))]),
    Scene("legacy.attribute_updates", [SIMPLE], [
        *[attribute_updates(one) for one in UPDATES],
        attribute_updates({"v": {"Value": n(1)}}, Expected={"num": {"Value": n("12.5")}}),
        attribute_updates({"v": {"Value": n(1)}}, Expected={"num": {"Value": n(1)}}),
        attribute_updates({"v": {"Value": n(1)}}, ConditionalOperator="OR"),
        [Request("UpdateItem", {"TableName": "simple", "Key": {"pk": s("new")},
                                "AttributeUpdates": {"v": {"Action": "DELETE"}}}),
         Request("GetItem", {"TableName": "simple", "Key": {"pk": s("new")}})]]),
    Scene("legacy.key_conditions", [SORTED, *NUMBERED], one_by_one("Query", [
        *[query(keys) for keys in KEY_CONDITIONS],
        *[query(PARTITION, QueryFilter=one) for one in OTHERS + conditions("num")],
        *[query(PARTITION, QueryFilter=TWO, ConditionalOperator=operator)
          for operator in ("AND", "OR", "XOR")],
        query(PARTITION, QueryFilter={"sk": condition("EQ", n(1))}),
        query(PARTITION, ConditionalOperator="AND"), query(PARTITION, AttributesToGet=["num"]),
        query(PARTITION, ProjectionExpression="num"),
        query(PARTITION, FilterExpression="num = :n", ExpressionAttributeValues={":n": n(1)}),
        {"TableName": "sorted", "QueryFilter": TWO},
        query(PARTITION, ExpressionAttributeNames={"#a": "b"})])),
    Scene("legacy.scan_filter",
          [SIMPLE, put("simple", **KEY, **EVERYTHING), put("simple", pk=s("b"), num=n(99))],
          one_by_one("Scan", [
              *[scan(one) for one in OTHERS + conditions("num") + conditions("strs")],
              *[scan({"num": condition("GT", n(50)), "str": condition("NOT_NULL")},
                     ConditionalOperator=operator) for operator in ("AND", "OR", "XOR")],
              scan({}, ConditionalOperator="AND"),
              scan({"num": condition("GT", n(50))}, ProjectionExpression="num")])),
]
