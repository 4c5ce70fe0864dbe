"""TransactWriteItems and TransactGetItems."""

from corpus.tables import EVERYTHING, INDEXED, SIMPLE, SORTED, n, put, s
from exchange import Request
from scene import Scene, one_by_one

KEY = {"pk": s("a")}


def get(*gets, **more):
    return {"TransactItems": [{"Get": one} for one in gets], **more}


def getting(table="simple", key=None, **more):
    return {"TableName": table, "Key": KEY if key is None else key, **more}


def write(*actions, **more):
    return {"TransactItems": list(actions), **more}


def putting(pk="t", table="simple", item=None, **more):
    return {"Put": {"TableName": table, "Item": {"pk": s(pk), **(item or {})}, **more}}


def updating(text, pk="t", values=None, **more):
    body = {"TableName": "simple", "Key": {"pk": s(pk)}, "UpdateExpression": text, **more}
    if values:
        body["ExpressionAttributeValues"] = values
    return {"Update": body}


def deleting(pk="t", **more):
    return {"Delete": {"TableName": "simple", "Key": {"pk": s(pk)}, **more}}


def checking(condition, pk="t", **more):
    return {"ConditionCheck": {"TableName": "simple", "Key": {"pk": s(pk)},
                               "ConditionExpression": condition, **more}}


GETS = [
    get(getting()), get(getting(), getting(key={"pk": s("nobody")})), get(getting(), getting()),
    get(getting(ProjectionExpression="str, doc.x")),
    get(getting(), getting("sorted", {"pk": s("a"), "sk": n(1)})),
    *[get(getting(), getting(key={"pk": s("nobody")}), ReturnConsumedCapacity=kind)
      for kind in ("NONE", "TOTAL", "INDEXES", "SOME")],
    get(getting(ProjectionExpression="#a", ExpressionAttributeNames={"#a": "str"})),
    {}, {"TransactItems": []}, {"TransactItems": None}, {"TransactItems": {}},
    {"TransactItems": [{}]},
    {"TransactItems": [None]}, {"TransactItems": [{"Get": {}}]},
    {"TransactItems": [{"Get": {"TableName": "simple"}}]},
    {"TransactItems": [{"Get": {"Key": KEY}}]}, {"TransactItems": [{"Put": {}}]},
    {"TransactItems": ["a"]},
    get(getting("missing")), get(getting(), getting("missing")), get(getting("x")),
    get(getting(key={})),
    get(getting(key={"pk": n(1)})), get(getting(key={"x": s("a")})),
    get(getting(key={"pk": s("a"), "x": n(1)})),
    get(getting(key={"pk": s("")})), get(getting("sorted")), get(getting(ProjectionExpression="")),
    get(getting(ProjectionExpression="str,")), get(getting(ProjectionExpression="name")),
    get(getting(ExpressionAttributeNames={"#a": "b"})), get(getting(ProjectionExpression="#zz")),
    get(*[getting(key={"pk": s(f"p{i}")}) for i in range(100)]),
    get(*[getting(key={"pk": s(f"p{i}")}) for i in range(101)]),
]

WRITES = [
    write(putting()), write(putting(), putting("u")), write(deleting()), write(deleting("nobody")),
    write(updating("SET v = :v", values={":v": n(1)})),
    write(updating("ADD v :v", values={":v": n(1)})),
    write(checking("attribute_exists(pk)", "a"), putting()),
    write(checking("attribute_exists(pk)", "nobody"), putting()),
    write(checking("attribute_not_exists(pk)", "a", ReturnValuesOnConditionCheckFailure="ALL_OLD"),
          putting()),
    write(putting("a", ConditionExpression="attribute_not_exists(pk)",
                  ReturnValuesOnConditionCheckFailure="ALL_OLD")),
    write(putting("a", ConditionExpression="attribute_not_exists(pk)"),
          deleting("b", ConditionExpression="attribute_exists(pk)")),
    write(putting("t"), putting("a", ConditionExpression="attribute_not_exists(pk)"), putting("u")),
    write(updating("SET v = :v", "nobody", {":v": n(1)},
                   ConditionExpression="attribute_exists(pk)")),
    write(deleting("a", ConditionExpression="num = :n", ExpressionAttributeValues={":n": n(1)})),
    *[write(putting(), deleting("nobody"), ReturnConsumedCapacity=kind)
      for kind in ("NONE", "TOTAL", "INDEXES")],
    *[write(putting(), ReturnItemCollectionMetrics=kind) for kind in ("NONE", "SIZE")],
    {}, {"TransactItems": []}, {"TransactItems": None}, {"TransactItems": {}}, write({}),
    write(None), write("a"),
    write({"Put": {}}), write({"Update": {}}), write({"Delete": {}}), write({"ConditionCheck": {}}),
    write({"Get": getting()}),
    write({**putting(), **deleting()}), write(putting(), putting()), write(putting(), deleting()),
    write(checking("attribute_exists(pk)"), putting()), write(putting(table="missing")),
    write(putting(), putting(table="missing")),
    write(putting(table="x")), write({"Put": {"TableName": "simple", "Item": {"x": s("a")}}}),
    write({"Put": {"TableName": "simple", "Item": {"pk": n(1)}}}),
    write({"Put": {"TableName": "simple", "Item": {"pk": s("")}}}),
    write({"Delete": {"TableName": "simple", "Key": {}}}),
    write({"Delete": {"TableName": "simple", "Key": {"x": s("a")}}}),
    write({"Delete": {"TableName": "simple", "Key": {"pk": n(1)}}}),
    write({"Update": {"TableName": "simple", "Key": {"pk": n(1)}, "UpdateExpression": "REMOVE x"}}),
    write({"Update": {"TableName": "simple", "Key": KEY}}),
    write({"ConditionCheck": {"TableName": "simple", "Key": KEY}}),
    write(updating("")), write(updating("SET")),
    write(updating("SET pk = :v", values={":v": s("x")})),
    write(updating("SET v = :v")), write(updating("SET v = :v", values={":v": n(1), ":w": n(1)})),
    write(updating("SET v = v + :v", "t2", {":v": n(1)})),
    write(updating("ADD str :v", "a", {":v": n(1)})),
    write(updating("SET str.x = :v", "a", {":v": n(1)})),
    write(updating("SET lst[0].y = :v", "a", {":v": n(1)})),
    write(checking("")), write(checking("num =")), write(checking("num = :zz")),
    write(checking("name = name")),
    write(putting(ConditionExpression="attribute_exists(pk"), putting("u")),
    write(putting(ExpressionAttributeNames={"#a": "b"})),
    write(putting(item={"v": {}})), write(putting(item={"v": {"N": "x"}})),
    write(putting(item={"v": {"SS": []}})),
    write(putting(item={"big": s("x" * 400 * 1024)})),
    write({"Put": {"TableName": "indexed", "Item": {"pk": s("a"), "sk": s("b"), "at": s("x")}}}),
    write({"Put": {"TableName": "indexed",
                   "Item": {"pk": s("a"), "sk": s("b"), "at": n(1), "kind": s("k")}}},
          ReturnConsumedCapacity="INDEXES", ReturnItemCollectionMetrics="SIZE"),
    write(*[putting(f"t{i}") for i in range(100)]), write(*[putting(f"t{i}") for i in range(101)]),
    write(putting(), ClientRequestToken="x" * 37),
]


# DynamoDB Local accepts these and writes.
ACCEPTED_BY_LOCAL = [
    write(putting(), ClientRequestToken=""),
    write(putting(), ReturnConsumedCapacity="SOME"),
    write(putting(), ReturnItemCollectionMetrics="SOME"),
    write(putting(ReturnValuesOnConditionCheckFailure="SOME")),
]


def token(*bodies):
    """Writes with the same token."""
    return [Request("TransactWriteItems", {**body, "ClientRequestToken": "token-" + str(number)})
            for body, number in bodies]


TOKENS = [
    token((write(putting("i1")), 1), (write(putting("i1")), 1)),
    token((write(putting("i2")), 2), (write(putting("i3")), 2)),
    token((write(updating("ADD v :v", "i4", {":v": n(1)})), 3),
          (write(updating("ADD v :v", "i4", {":v": n(1)})), 3)) +
    [Request("GetItem", {"TableName": "simple", "Key": {"pk": s("i4")}})],
    token((write(checking("attribute_exists(pk)", "nobody"), putting("i5")), 4),
          (write(checking("attribute_exists(pk)", "nobody"), putting("i5")), 4)),
    token((write(putting("i6"), ReturnConsumedCapacity="TOTAL"), 5),
          (write(putting("i6"), ReturnConsumedCapacity="TOTAL"), 5)),
]

TABLES = [SIMPLE, SORTED, INDEXED, put("simple", pk=s("a"), **EVERYTHING),
          put("sorted", pk=s("a"), sk=n(1))]
SCENES = [
    Scene("transactions.get", TABLES, one_by_one("TransactGetItems", GETS)),
    Scene("transactions.write", TABLES, [
        [Request("TransactWriteItems", body),
         Request("TransactGetItems",
                 get(getting(), getting(key={"pk": s("t")}), getting(key={"pk": s("u")}))),
         Request("DeleteItem", {"TableName": "simple", "Key": {"pk": s("t")}})]
        for body in WRITES]),
    Scene("transactions.accepted", TABLES, one_by_one("TransactWriteItems", ACCEPTED_BY_LOCAL)),
    Scene("transactions.tokens", TABLES, TOKENS),
]
