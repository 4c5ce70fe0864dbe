"""DeleteItem: keys, conditions, what comes back."""

from corpus.tables import EVERYTHING, SIMPLE, SORTED, n, put, s
from exchange import Request
from scene import Scene, one_by_one


def simple(**more):
    return {"TableName": "simple", "Key": {"pk": s("a")}, **more}


def again(body):
    """Deletes what is there, then what is no longer there."""
    return [put("simple", pk=s("a"), **EVERYTHING), Request("DeleteItem", body),
            Request("DeleteItem", body),
            Request("GetItem", {"TableName": "simple", "Key": {"pk": s("a")}})]


GOOD = [
    simple(), simple(ReturnValues="ALL_OLD"), simple(ReturnValues="NONE"),
    simple(ReturnConsumedCapacity="TOTAL"), simple(ReturnConsumedCapacity="INDEXES"),
    simple(ReturnItemCollectionMetrics="SIZE"), simple(ConditionExpression="attribute_exists(pk)"),
    simple(ConditionExpression="num > :n", ExpressionAttributeValues={":n": n(3)}),
    simple(ConditionExpression="num > :n", ExpressionAttributeValues={":n": n(30)},
           ReturnValuesOnConditionCheckFailure="ALL_OLD"),
    simple(ConditionExpression="num > :n", ExpressionAttributeValues={":n": n(30)}),
    simple(ConditionExpression="size(#l) = :n", ExpressionAttributeNames={"#l": "lst"},
           ExpressionAttributeValues={":n": n(3)}, ReturnValues="ALL_OLD"),
    simple(Expected={"num": {"Value": n("12.5")}}), simple(Expected={"num": {"Value": n("12")}}),
]

BAD = [
    {}, {"TableName": "simple"}, {"Key": {"pk": s("a")}}, simple(TableName="missing"),
    simple(Key={}), simple(Key={"pk": n(1)}), simple(Key={"pk": s("a"), "sk": n(1)}),
    simple(Key={"x": s("a")}),
    simple(Key={"pk": s("")}), simple(Key={"pk": {"BOOL": True}}),
    simple(Key={"pk": s("x" * 2049)}),
    {"TableName": "sorted", "Key": {"pk": s("a")}},
    {"TableName": "sorted", "Key": {"pk": s("a"), "sk": s("1")}},
    *[simple(ReturnValues=kind) for kind in ("ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "SOME")],
    simple(ReturnValuesOnConditionCheckFailure="UPDATED_OLD"), simple(ConditionExpression=""),
    simple(ConditionExpression="num >"), simple(ConditionExpression="num > :n"),
    simple(ConditionExpression="num > num"), simple(ConditionExpression="begins_with(num, :n)",
                                                    ExpressionAttributeValues={":n": n(1)}),
    simple(ExpressionAttributeValues={":n": n(1)}), simple(ExpressionAttributeNames={"#n": "num"}),
    simple(ConditionExpression="pk = :a", Expected={"pk": {"Value": s("a")}},
           ExpressionAttributeValues={":a": s("a")}),
    simple(ConditionExpression="num > :n", TableName="missing"),
    simple(ReturnItemCollectionMetrics="ALL", ReturnConsumedCapacity="ALL", ReturnValues="ALL"),
    simple(ConditionalOperator="OR"), simple(Expected={}, ConditionalOperator="OR"),
]

SCENES = [Scene("delete_item", [SIMPLE, SORTED],
                [again(body) for body in GOOD] + one_by_one("DeleteItem", BAD))]
