"""Query: key conditions on the table and its indexes, filters, projections, pages, refusals."""

from corpus.tables import EVERYTHING, INDEXED, SIMPLE, SORTED, n, put, s
from exchange import Request
from scene import Scene, Seen, one_by_one

VALUES = {":p": s("a"), ":q": s("nobody"), ":n": n(3), ":m": n(6), ":s": s("s3"), ":k": s("k1"),
          ":e": s(""),
          ":t": {"BOOL": True}, ":b": {"B": "AQ=="}, ":ss": {"SS": ["a"]}, ":nil": {"NULL": True},
          ":long": s("x" * 2049)}


def values_in(*texts):
    words = set("".join(c if c.isalnum() or c in ":_" else " " for c in " ".join(texts)).split())
    values = {name: value for name, value in VALUES.items() if name in words}
    return {"ExpressionAttributeValues": values} if values else {}


def query(text, table="sorted", filter_=None, **more):
    body = {"TableName": table, "KeyConditionExpression": text, **values_in(text, filter_ or "")}
    if filter_ is not None:
        body["FilterExpression"] = filter_
    return body | more


KEY_CONDITIONS = """
pk = :p|pk = :q|pk = :p AND sk = :n|pk = :p AND sk < :n|pk = :p AND sk <= :n|pk = :p AND sk > :n
pk = :p AND sk >= :n
pk = :p AND sk BETWEEN :n AND :m|sk > :n AND pk = :p|:p = pk|pk = :p and :n = sk
(pk = :p) AND (sk = :n)
(pk = :p AND sk = :n)|((pk = :p))|pk = :p AND :n < sk|pk = :p AND (sk BETWEEN :n AND :m)
pk=:p AND sk=:n
"""
REFUSED_KEY_CONDITIONS = """
|pk|pk = |pk = :zz|pk <> :p|pk > :p|pk BETWEEN :p AND :q|begins_with(pk, :p)|sk = :n
pk = :p AND sk <> :n
pk = :p AND sk IN (:n)|pk = :p OR sk = :n|NOT pk = :p|pk = :p AND NOT sk = :n
pk = :p AND sk = :n AND sk = :m
pk = :p AND pk = :p|pk = :p AND num = :n|num = :n|pk = :p AND attribute_exists(sk)
pk = :p AND size(sk) = :n
pk = :p AND begins_with(sk, :n)|pk = :p AND begins_with(sk, :s)|pk = :p AND contains(sk, :s)
pk = :n|pk = :p AND sk = :s
pk = :p AND sk BETWEEN :m AND :n|pk = :p AND sk BETWEEN :n AND :s|pk = :p AND sk BETWEEN :n|pk = sk
pk = pk|pk = :p AND sk = pk
:p = :p|pk = :e|pk = :p AND sk = :t|pk = :t|pk = :ss|pk = :nil|pk = :long|#zz = :p|name = :p
pk.x = :p|pk[0] = :p
pk = :p AND sk.x = :n|size(pk) = :n|pk = :p AND|AND pk = :p|pk = :p sk = :n|pk == :p
pk = :p AND sk > :n AND sk < :m
pk = :p AND (sk = :n|foo(pk)|pk = if_not_exists(pk, :p)|pk = :p AND sk = :e
pk = :p AND begins_with(:s, sk)|pk IN (:p)
attribute_exists(pk)|pk = :p AND begins_with(sk)|pk = :p AND sk BETWEEN :ss AND :ss
pk = :p AND sk > :t
"""
INDEX_CONDITIONS = [
    ("local_all", "pk = :p"), ("local_all", "pk = :p AND at > :n"),
    ("local_all", "pk = :p AND sk = :s"),
    ("local_keys", "pk = :p AND kind = :k"), ("local_keys", "pk = :p AND begins_with(kind, :k)"),
    ("global_all", "kind = :k"), ("global_all", "kind = :k AND at > :n"), ("global_all", "pk = :p"),
    ("global_keys", "kind = :k"), ("global_keys", "kind = :k AND sk = :s"),
    ("global_keys", "kind = :q"),
    ("global_some", "kind = :k AND sk > :s"), ("global_some", "kind = :k AND begins_with(sk, :s)"),
    ("missing_index", "pk = :p"), ("x", "pk = :p"), ("bad name", "pk = :p"), ("", "pk = :p"),
    ("global_all", "kind = :n"), ("global_all", "kind = :k AND at = :s"),
    ("local_all", "pk = :p AND at = :s"),
    ("global_all", "kind = :e"), ("local_all", "pk = :p AND begins_with(at, :n)"),
]
FILTERS = """
num > :n|num = :n|attribute_exists(odd)|attribute_not_exists(odd)|num BETWEEN :n AND :m
contains(str, :s)
begins_with(str, :s)|num IN (:n, :m)|NOT num > :n|num > :n AND num < :m|num = :n OR num = :m
size(str) > :n
attribute_type(num, :s)|pk = :p|sk = :n|num >|num > :zz|name = :s|num > num|foo(num)|size(num)
num > :ss|num > :t||num
contains(num, num)|begins_with(num, :n)|#zz = :n|attribute_exists(:n)|str BETWEEN :m AND :n
"""
SELECTS = ["ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT", "SOME", ""]

COMBINED = [
    {}, {"TableName": "sorted"}, {"KeyConditionExpression": "pk = :p"},
    query("pk = :p", TableName="missing"),
    query("pk = ", TableName="missing"), query("pk = :p", TableName="x"),
    *[query("pk = :p", Limit=limit)
      for limit in (1, 2, 5, 100, 1000, 0, -1, "1", 1.5, 2147483647, 2147483648, None)],
    *[query("pk = :p", ScanIndexForward=value) for value in (True, False, "true", 1, None)],
    *[query("pk = :p", ConsistentRead=value) for value in (True, False, "false", 0)],
    *[query("pk = :p", Select=value) for value in SELECTS],
    *[query("pk = :p", Select=value, ProjectionExpression="num") for value in SELECTS],
    *[query("pk = :p", Select=value, AttributesToGet=["num"]) for value in SELECTS],
    *[query("pk = :p", ReturnConsumedCapacity=value)
      for value in ("NONE", "TOTAL", "INDEXES", "SOME")],
    *[query("pk = :p", ReturnConsumedCapacity="TOTAL", ConsistentRead=True, Limit=limit)
      for limit in (1, 3, 9)],
    *[query("pk = :q", ReturnConsumedCapacity="TOTAL", ConsistentRead=value)
      for value in (True, False)],
    query("pk = :p", ProjectionExpression="num, #s", ExpressionAttributeNames={"#s": "str"}),
    query("pk = :p", ProjectionExpression="num, num"), query("pk = :p", ProjectionExpression=""),
    query("pk = :p", ProjectionExpression="name"), query("pk = :p", AttributesToGet=["num", "num"]),
    query("pk = :p", AttributesToGet=[]), query("#p = :p", ExpressionAttributeNames={"#p": "pk"}),
    query("#p = :p", ExpressionAttributeNames={"#p": "pk", "#x": "y"}),
    query("pk = :p", ExpressionAttributeValues={":p": s("a"), ":unused": n(1)}),
    query("pk = :p", ExpressionAttributeValues={}), query("pk = :p", ExpressionAttributeNames={}),
    query("pk = :p", filter_="num > :n", ProjectionExpression="num"),
    query("pk = :p", filter_="num > :n", Select="COUNT"),
    query("pk = :p", filter_="num > :n", Limit=3), query("pk = :p", filter_="num = :q"),
    query("pk = :p", KeyConditions={"pk": {"ComparisonOperator": "EQ",
                                           "AttributeValueList": [s("a")]}}),
    query("pk = :p", QueryFilter={"num": {"ComparisonOperator": "EQ",
                                          "AttributeValueList": [n(1)]}}),
    query("pk = :p", ConditionalOperator="AND"),
    {"TableName": "sorted", "FilterExpression": "num > :n",
     "ExpressionAttributeValues": {":n": n(1)}},
    *[query("pk = :p", ExclusiveStartKey=key) for key in (
        {"pk": s("a"), "sk": n(3)}, {"pk": s("a"), "sk": n("3.5")}, {"pk": s("b"), "sk": n(3)},
        {"pk": s("a")}, {},
        {"pk": s("a"), "sk": s("3")}, {"pk": s("a"), "sk": n(3), "x": n(1)},
        {"pk": n(1), "sk": n(3)},
        {"pk": s("a"), "sk": {}}, {"pk": s("a"), "sk": n("x")}, {"pk": s("a"), "x": n(3)},
        {"pk": s(""), "sk": n(3)})],
    *[query("pk = :p AND sk > :n", ExclusiveStartKey={"pk": s("a"), "sk": n(at)})
      for at in (1, 3, 4, 99)],
    *[query("pk = :p AND sk > :n", ScanIndexForward=False,
            ExclusiveStartKey={"pk": s("a"), "sk": n(at)})
      for at in (1, 3, 4, 99)],
    query("pk = :p", "simple"), query("pk = :p AND sk = :n", "simple"),
    query("pk = :p", "simple", ExclusiveStartKey={"pk": s("a")}),
    query("pk = :p", "simple", IndexName="none"),
]
INDEX_COMBINED = [
    *[query("kind = :k", "indexed", IndexName=index, Select=select)
      for index in ("global_all", "global_keys", "global_some") for select in SELECTS[:4]],
    *[query("pk = :p", "indexed", IndexName=index, Select=select)
      for index in ("local_all", "local_keys") for select in SELECTS[:4]],
    *[query("kind = :k", "indexed", IndexName=index, ConsistentRead=True)
      for index in ("global_all", "global_keys")],
    query("pk = :p", "indexed", IndexName="local_all", ConsistentRead=True),
    query("pk = :p", "indexed", IndexName="local_keys", ConsistentRead=True,
          Select="ALL_ATTRIBUTES"),
    *[query("kind = :k", "indexed", IndexName=index, ProjectionExpression="extra, num")
      for index in ("global_all", "global_keys", "global_some")],
    query("pk = :p", "indexed", IndexName="local_keys", ProjectionExpression="extra, num"),
    *[query("pk = :p", "indexed", IndexName=index, ReturnConsumedCapacity=kind)
      for index in ("local_all", "local_keys") for kind in ("TOTAL", "INDEXES")],
    *[query("pk = :p", "indexed", IndexName="local_keys", Select="ALL_ATTRIBUTES",
            ReturnConsumedCapacity=kind)
      for kind in ("TOTAL", "INDEXES")],
    *[query("kind = :k", "indexed", IndexName=index, ReturnConsumedCapacity=kind)
      for index in ("global_all", "global_keys") for kind in ("TOTAL", "INDEXES")],
    query("kind = :k", "indexed", filter_="num > :n", IndexName="global_keys"),
    query("kind = :k", "indexed", filter_="at > :n", IndexName="global_all"),
    query("kind = :k AND at > :n", "indexed", filter_="kind = :k", IndexName="global_all"),
    *[query("kind = :k", "indexed", IndexName="global_all", ExclusiveStartKey=key) for key in (
        {"pk": s("a"), "sk": s("s3")}, {"pk": s("a"), "sk": s("s3"), "kind": s("k1"), "at": n(3)},
        {"pk": s("a"), "sk": s("s3"), "kind": s("k2"), "at": n(3)}, {"kind": s("k1"), "at": n(3)},
        {"pk": s("a"), "sk": s("s3"), "kind": s("k1"), "at": s("3")})],
]


def pages(body, size):
    """Every page of a query, and all items together."""
    def act():
        items, start, count = [], {}, 0
        while start is not None and count < 30:
            answer = yield Request("Query",
                                   {**body, **({"ExclusiveStartKey": start} if start else {}),
                                    "Limit": size})
            items += answer.get("Items") or []
            start, count = answer.get("LastEvaluatedKey"), count + 1
        yield Seen("items of all pages", items)
    return act


def split(lines):
    return [text for line in lines.strip("\n").split("\n") for text in line.split("|")]


NUMBERED = [put("sorted", pk=s("a"), sk=n(i), num=n(i), str=s(f"s{i}"),
                **({"odd": n(1)} if i % 2 else {}))
            for i in range(1, 10)]
ITEMS = [put("indexed", pk=s("a"), sk=s(f"s{i}"), at=n(i), kind=s(f"k{i % 2}"), num=n(i),
             extra=s("e"))
         for i in range(1, 10)] + [put("indexed", pk=s("a"), sk=s("plain"))]

SCENES = [
    Scene("query.key_conditions", [SORTED, *NUMBERED],
          one_by_one("Query", [query(text) for text in split(KEY_CONDITIONS) +
                               split(REFUSED_KEY_CONDITIONS)])),
    Scene("query.filters", [SORTED, *NUMBERED],
          one_by_one("Query", [query("pk = :p", filter_=text) for text in split(FILTERS)])),
    Scene("query.combined", [SORTED, SIMPLE, *NUMBERED, put("simple", pk=s("a"), **EVERYTHING)],
          one_by_one("Query", COMBINED)),
    Scene("query.indexes", [INDEXED, *ITEMS], one_by_one("Query", [
        query(text, "indexed", IndexName=name) for name, text in INDEX_CONDITIONS]
                                                         + INDEX_COMBINED)),
    Scene("query.pages", [SORTED, INDEXED, *NUMBERED, *ITEMS], [
        *[pages(query(text, ScanIndexForward=forward), size) for forward in (True, False)
          for size in (1, 2, 4, 9, 10)
          for text in ("pk = :p", "pk = :p AND sk > :n")],
        *[pages(query(text, "indexed", IndexName=name, ScanIndexForward=forward), 2)
          for forward in (True, False)
          for name, text in (("local_all", "pk = :p"), ("global_all", "kind = :k"),
                             ("global_some", "kind = :k"))],
        pages(query("pk = :p", filter_="num > :n"), 2)]),
]
