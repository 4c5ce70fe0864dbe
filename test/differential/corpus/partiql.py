"""Statements of PartiQL, made by chance but the same ones in every run: conditions of every kind on
partitions, on the whole table and on an index, and writes whose item is read back. What is not well
formed has words of its own on either side; here both have to refuse it."""

import random

from corpus.tables import INDEXED, SIMPLE, SORTED, n, put, s
from exchange import Request
from normalise import order_of
from scene import Scene, Seen, Unseen, scaled

SEED = 20201123
SELECTS = scaled(3600)
WRITES = scaled(1500)
BATCHES = scaled(200)
SCENE_ACTS = 500

ITEMS = [
    {"num": n(1), "str": s("apple"), "flag": {"BOOL": True}},
    {"num": n(2.5), "str": s("banana"), "tags": {"SS": ["x", "y"]}},
    {"num": n(-3), "str": s(""), "doc": {"M": {"a": n(1), "b": s("deep")}}},
    {"num": s("1"), "arr": {"L": [n(1), s("two"), {"M": {"c": n(3)}}]}},
    {"str": {"NULL": True}, "num": n(10), "nums": {"NS": ["1", "2"]}},
    {"str": s("apple pie"), "doc": {"M": {"a": n(7)}}, "flag": {"BOOL": False}},
    {},
    {"num": n(100), "arr": {"L": []}, "doc": {"M": {}}},
]
TABLE = [SORTED, INDEXED] + [
    put("sorted", pk=s(pk), sk=n(sk), **ITEMS[(sk + 3 * row) % len(ITEMS)])
    for row, pk in enumerate(["a", "b", "c"]) for sk in range(6)
] + [put("indexed", pk=s("a"), sk=s(f"s{row}"), at=n(row), kind=s(f"k{row % 2}"), num=n(row))
     for row in range(6)]

PATHS = ["num", "str", "flag", "tags", "nums", "arr", "doc", "doc.a", "doc.b", "arr[0]", "arr[2].c",
         "absent", "absent.deep"]
NUMBERS = ["1", "2.5", "-3", "10", "0", "1e2", ".5"]
STRINGS = ["'apple'", "'banana'", "''", "'z'", "'a'", "'it''s'"]
LITERALS = [*NUMBERS, *STRINGS, "true", "false", "NULL", "[1, 'two']", "{'a': 1}", "<<'x', 'y'>>"]
OPERATORS = ["=", "<>", "<", "<=", ">", ">=", "!="]
TYPES = ["'S'", "'N'", "'BOOL'", "'L'", "'M'", "'SS'", "'NULL'"]


def comparison(chance):
    path = chance.choice(PATHS)
    scalar = chance.choice([NUMBERS, STRINGS])
    return chance.choice([
        lambda: f"{path} {chance.choice(OPERATORS)} {chance.choice(scalar)}",
        lambda: f"{path} {chance.choice(['=', '<>'])} {chance.choice(LITERALS)}",
        lambda: "{} BETWEEN {} AND {}".format(path, *sorted(chance.sample(["0", "1", "3", "10"], 2),
                                                            key=float)),
        lambda: f"{path} IN [{', '.join(chance.sample(LITERALS[:13], chance.randint(1, 4)))}]",
        lambda: f"begins_with({path}, {chance.choice(STRINGS)})",
        lambda: f"contains({path}, {chance.choice([*NUMBERS, *STRINGS])})",
        lambda: f"size({path}) {chance.choice(OPERATORS[:6])} {chance.choice(['0', '1', '2', '5'])}",
        lambda: f"attribute_type({path}, {chance.choice(TYPES)})",
        lambda: f"{path} IS {chance.choice(['', 'NOT '])}MISSING",
        lambda: f"{path} IS {chance.choice(['', 'NOT '])}NULL",
    ])()


def condition(chance, depth=2):
    if depth == 0 or chance.random() < 0.5:
        return comparison(chance)
    kind = chance.random()
    if kind < 0.2:
        return f"NOT ({condition(chance, depth - 1)})"
    joint = " AND " if kind < 0.7 else " OR "
    return "(" + joint.join(condition(chance, depth - 1) for _ in range(2)) + ")"


def key_condition(chance):
    pk = chance.choice(["'a'", "'b'", "'c'", "'nobody'"])
    sk = chance.choice(["", "", " AND sk = 2", " AND sk > 1", " AND sk < 3", " AND sk <= 4",
                        " AND sk >= 2", " AND sk BETWEEN 1 AND 3"])
    return f"pk = {pk}{sk}"


def projection(chance):
    if chance.random() < 0.5:
        return "*"
    return ", ".join(chance.sample(["pk", "sk", "num", "str", "doc.a", "arr[0]", "tags", "absent"],
                                   chance.randint(1, 3)))


def select(chance):
    """Of one partition, whose order is defined, or of everything."""
    what = projection(chance)
    kind = chance.random()
    if kind < 0.45:
        more = f" AND {condition(chance)}" if chance.random() < 0.7 else ""
        order = chance.choice(["", "", "", " ORDER BY sk", " ORDER BY sk ASC"])
        return {"Statement": f"SELECT {what} FROM sorted WHERE {key_condition(chance)}{more}{order}"}
    if kind < 0.55:
        partitions = ", ".join(chance.sample(["'a'", "'b'", "'c'", "'d'"], chance.randint(1, 3)))
        more = f" AND {comparison(chance)}" if chance.random() < 0.5 else ""
        return {"Statement": f"SELECT {what} FROM sorted WHERE pk IN [{partitions}]{more}"}
    if kind < 0.65:
        return {"Statement": "SELECT * FROM \"indexed\".\"global_all\" WHERE kind = "
                             f"'k{chance.randint(0, 2)}'"}
    if kind < 0.75:
        values = [n(1), s("apple"), {"BOOL": True}, n(10)]
        return {"Statement": f"SELECT * FROM sorted WHERE pk = ? AND "
                             f"{chance.choice(['num', 'str', 'flag'])} "
                             f"{chance.choice(['=', '<>'])} ?",
                "Parameters": [s(chance.choice("abc")), chance.choice(values)]}
    return {"Statement": f"SELECT {what} FROM sorted WHERE {condition(chance)}"}


def all_pages(body):
    """The service's pages over several partitions are short, and where they end is its own business."""
    def act():
        items = []
        token = {}
        for _ in range(20):
            answer = yield Unseen(Request("ExecuteStatement", body | token))
            items += answer.get("Items") or []
            if not answer.get("NextToken"):
                break
            token = {"NextToken": answer.get("NextToken")}
        yield Seen("ExecuteStatement", sorted(items, key=order_of))
    return act


def select_act(body):
    if "WHERE pk IN [" in body["Statement"]:
        return all_pages(body)
    return [Request("ExecuteStatement", body)]


def assignment(chance):
    target = chance.choice(["num", "str", "new", "doc.a", "doc.z", "arr[0]", "arr[9]", "tags"])
    return chance.choice([
        lambda: f"SET {target} = {chance.choice(LITERALS)}",
        lambda: f"SET num = num {chance.choice('+-')} {chance.choice(['1', '10', '0'])}",
        lambda: "SET arr = list_append(arr, [9])",
        lambda: f"SET tags = set_add(tags, <<'{chance.choice('xyz')}'>>)",
        lambda: f"SET tags = set_delete(tags, <<'{chance.choice('xyz')}'>>)",
        lambda: f"REMOVE {target}",
    ])()


def write(chance):
    """A statement, and the request for the item that it is about."""
    where = f"pk = 'w' AND sk = {chance.choice(['1', '2'])}"
    more = f" AND {comparison(chance)}" if chance.random() < 0.4 else ""
    kind = chance.random()
    if kind < 0.15:
        value = ", ".join(f"'v{at}': {chance.choice(LITERALS)}" for at in range(chance.randint(0, 3)))
        value = f", {value}" if value else ""
        return f"INSERT INTO sorted VALUE {{'pk': 'w', 'sk': {chance.choice('123')}{value}}}"
    if kind < 0.3:
        returning = chance.choice(["", " RETURNING ALL OLD *"])
        return f"DELETE FROM sorted WHERE {where}{more}{returning}"
    changes = " ".join(assignment(chance) for _ in range(chance.choice([1, 1, 1, 2])))
    returning = chance.choice(["", "", " RETURNING ALL OLD *", " RETURNING ALL NEW *"])
    return f"UPDATE sorted {changes} WHERE {where}{more}{returning}"


def write_act(chance):
    before = {"pk": s("w"), "sk": n(1), **chance.choice(ITEMS)}
    statement = write(chance)

    def act():
        for sk in (2, 3):
            yield Unseen(Request("DeleteItem",
                                 {"TableName": "sorted", "Key": {"pk": s("w"), "sk": n(sk)}}))
        yield Unseen(Request("PutItem", {"TableName": "sorted", "Item": before}))
        yield Request("ExecuteStatement", {"Statement": statement})
        yield Request("Query", {"TableName": "sorted", "KeyConditionExpression": "pk = :p",
                                "ExpressionAttributeValues": {":p": s("w")}})
    return act


def batch(chance):
    statements = [{"Statement": f"SELECT {projection(chance)} FROM sorted "
                                f"WHERE pk = '{chance.choice('abcz')}' AND sk = {chance.randint(0, 7)}"}
                  for _ in range(chance.randint(1, 5))]
    if chance.random() < 0.5:
        return Request("BatchExecuteStatement", {"Statements": statements})
    return Request("ExecuteTransaction", {"TransactStatements": statements})


def scenes(name, acts, setup):
    return [Scene(f"partiql.{name}{at // SCENE_ACTS}", setup, acts[at:at + SCENE_ACTS])
            for at in range(0, len(acts), SCENE_ACTS)]


def different(make, count):
    """So many requests, each once."""
    made = {}
    while len(made) < count:
        request = make()
        made.setdefault(repr(request), request)
    return list(made.values())


CHANCE = random.Random(SEED)
SCENES = [
    *scenes("select", [select_act(body) for body in different(lambda: select(CHANCE), SELECTS)],
            TABLE),
    *scenes("write", [write_act(CHANCE) for _ in range(WRITES)], TABLE),
    *scenes("several", [[batch(CHANCE)] for _ in range(BATCHES)], [SIMPLE, *TABLE]),
]
