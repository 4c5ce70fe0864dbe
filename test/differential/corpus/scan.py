"""Scan: filters, segments, paging, indexes, what is refused."""

from corpus.query import FILTERS, ITEMS, NUMBERED, SELECTS, split, values_in
from corpus.tables import INDEXED, SIMPLE, SORTED, n, put, s
from exchange import Request
from normalise import order_of
from scene import Scene, Seen, Unseen, one_by_one


def scan(filter_=None, table="sorted", **more):
    body = {"TableName": table}
    if filter_ is not None:
        body |= {"FilterExpression": filter_, **values_in(filter_)}
    return body | more


COMBINED = [
    {}, scan(), scan(TableName="missing"), scan("num >", TableName="missing"), scan(TableName="x"),
    scan(Limit=0),
    scan(Limit=-5), scan(Limit="5"), *[scan(Limit=limit) for limit in (1, 3, 9, 10, 1000)],
    *[scan(Select=value) for value in SELECTS],
    *[scan(Select=value, ProjectionExpression="num") for value in SELECTS],
    *[scan(ReturnConsumedCapacity=value) for value in ("NONE", "TOTAL", "INDEXES", "SOME")],
    *[scan(ConsistentRead=value, ReturnConsumedCapacity="TOTAL") for value in (True, False)],
    *[scan(Segment=segment) for segment in (0, 1, -1, 1000000)],
    *[scan(TotalSegments=total) for total in (0, 1, 2, 1000000, 1000001, -1)],
    *[scan(Segment=segment, TotalSegments=total) for segment, total in (
        (0, 1), (1, 1), (2, 2), (5, 2), (-1, 2), (0, 0), (0, 1000001), (1000000, 1000000))],
    scan(ProjectionExpression="num"), scan(ProjectionExpression="num,"),
    scan(AttributesToGet=["num"]),
    scan(AttributesToGet=["num"], ProjectionExpression="num"),
    scan(AttributesToGet=["num"], FilterExpression="num = :n"),
    scan(ExpressionAttributeNames={"#a": "b"}), scan(ExpressionAttributeValues={":a": n(1)}),
    scan("num > :n", ProjectionExpression="str"), scan("num > :n", Select="COUNT"),
    scan("num > :n", Limit=4),
    scan("num > :n", ScanFilter={"num": {"ComparisonOperator": "EQ",
                                         "AttributeValueList": [n(1)]}}),
    scan("num > :n", ConditionalOperator="AND"), scan(ConditionalOperator="OR"),
    scan(ScanFilter={}),
    *[scan(ExclusiveStartKey=key) for key in (
        {"pk": s("a"), "sk": n(3)}, {"pk": s("a"), "sk": n("3.5")}, {"pk": s("a")}, {},
        {"pk": s("a"), "sk": s("3")},
        {"pk": s("a"), "sk": n(3), "x": n(1)}, {"pk": s("a"), "sk": n("x")})],
    *[scan(table="indexed", IndexName=index) for index in (
        "local_all", "local_keys", "global_all", "global_keys", "global_some", "missing_index", "x",
        "")],
    *[scan(table="indexed", IndexName=index, Select=select)
      for index in ("local_keys", "global_keys", "global_all") for select in SELECTS[:4]],
    *[scan(table="indexed", IndexName=index, ConsistentRead=True)
      for index in ("local_all", "global_all")],
    *[scan(table="indexed", IndexName=index, ReturnConsumedCapacity="INDEXES")
      for index in ("local_all", "global_all")],
    scan(table="indexed", IndexName="global_keys", ProjectionExpression="extra"),
    scan("num > :n", table="indexed", IndexName="global_keys"),
    scan(KeyConditionExpression="pk = :p"),
]


def whole(body, size):
    """What all pages of a scan have together: each side has its own order of partitions."""
    def act():
        items, start, count = [], {}, 0
        while start is not None and count < 100:
            answer = yield Unseen(Request("Scan", {
                **body, **({"ExclusiveStartKey": start} if start else {}), "Limit": size}))
            items += answer.get("Items") or []
            start, count = answer.get("LastEvaluatedKey"), count + 1
        yield Seen("items of all pages", sorted(items, key=order_of))
    return act


def segments(total):
    def act():
        items = []
        for segment in range(total):
            body = scan(table="simple", Segment=segment, TotalSegments=total)
            answer = yield Unseen(Request("Scan", body))
            items += answer.get("Items") or []
        yield Seen("items of all segments", sorted(items, key=order_of))
    return act


MANY = [put("simple", pk=s(f"p{i}"), num=n(i)) for i in range(12)]

SCENES = [
    Scene("scan.filters", [SORTED, *NUMBERED],
          one_by_one("Scan", [scan(text) for text in split(FILTERS)])),
    Scene("scan.combined", [SORTED, INDEXED, *NUMBERED, *ITEMS], one_by_one("Scan", COMBINED)),
    Scene("scan.pages", [SIMPLE, INDEXED, *MANY, *ITEMS], [
        *[whole(scan(table="simple"), size) for size in (1, 5, 12, 13)],
        *map(segments, (1, 2, 3, 7)),
        *[whole(scan(table="indexed", IndexName=name), 2)
          for name in ("local_all", "global_all", "global_keys")]]),
]
