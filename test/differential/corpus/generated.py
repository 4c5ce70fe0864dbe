"""Reads and writes with expressions made by chance, the same ones in every run: filters, projections
and pages on a fixed table, and updates and conditions whose item is read back."""

import random

from corpus.partiql import ITEMS, TABLE
from corpus.tables import n, s
from exchange import Request
from scene import Scene, Unseen, scaled

SEED = 20120118
READS = scaled(2500)
WRITES = scaled(1200)
SCENE_ACTS = 1000

NAMES = ["num", "str", "flag", "tags", "nums", "arr", "doc", "absent"]
PATHS = [["num"], ["str"], ["flag"], ["tags"], ["nums"], ["arr"], ["doc"], ["doc", "a"], ["doc", "b"],
         ["arr", 0], ["arr", 2, "c"], ["absent"], ["absent", "deep"]]
SCALARS = [n(1), n("2.5"), n(-3), n(10), s("apple"), s("banana"), s("z"), {"BOOL": True}]
ORDERED = SCALARS[:7]
VALUES = [*SCALARS, {"NULL": True}, {"L": [n(1), s("two")]}, {"M": {"a": n(1)}}, {"SS": ["x", "y"]}]
TYPES = ["S", "N", "BOOL", "L", "M", "SS", "NULL"]
OPERATORS = ["=", "<>", "<", "<=", ">", ">="]


class Expression:
    """Text with its names and values, which are all used."""

    def __init__(self, chance):
        self.chance = chance
        self.names = {}
        self.values = {}

    def path(self, steps=None):
        text = ""
        for step in steps or self.chance.choice(PATHS):
            if isinstance(step, int):
                text += f"[{step}]"
                continue
            self.names[f"#{step}"] = step
            text += f".#{step}" if text else f"#{step}"
        return text

    def value(self, value):
        name = f":v{len(self.values)}"
        self.values[name] = value
        return name

    def comparison(self):
        choose = self.chance.choice
        return choose([
            lambda: f"{self.path()} {choose(['=', '<>'])} {self.value(choose(VALUES))}",
            lambda: f"{self.path()} {choose(OPERATORS)} {self.value(choose(ORDERED))}",
            lambda: f"{self.path()} BETWEEN {self.value(n(1))} AND {self.value(n(10))}",
            lambda: f"{self.path()} IN ({self.value(choose(VALUES))}, {self.value(choose(VALUES))})",
            lambda: f"begins_with({self.path()}, {self.value(choose([s('a'), s('apple'), s('z')]))})",
            lambda: f"contains({self.path()}, {self.value(choose(SCALARS))})",
            lambda: f"size({self.path()}) {choose(OPERATORS)} {self.value(n(choose([0, 1, 2, 5])))}",
            lambda: f"attribute_type({self.path()}, {self.value(s(choose(TYPES)))})",
            lambda: f"attribute_exists({self.path()})",
            lambda: f"attribute_not_exists({self.path()})",
        ])()

    def condition(self, depth=2):
        if depth == 0 or self.chance.random() < 0.5:
            return self.comparison()
        kind = self.chance.random()
        if kind < 0.2:
            return f"NOT ({self.condition(depth - 1)})"
        joint = " AND " if kind < 0.65 else " OR "
        return f"({self.condition(depth - 1)}){joint}({self.condition(depth - 1)})"

    def projection(self):
        tops = self.chance.sample(["pk", "sk", *NAMES], self.chance.randint(1, 4))
        return ", ".join(self.path([top]) for top in tops)

    def parameters(self):
        given = {}
        if self.names:
            given["ExpressionAttributeNames"] = self.names
        if self.values:
            given["ExpressionAttributeValues"] = self.values
        return given


def read(chance):
    expression = Expression(chance)
    body = {"TableName": "sorted"}
    kind = chance.random()
    if kind < 0.2:
        body |= {"Key": {"pk": s(chance.choice("abcz")), "sk": n(chance.randint(0, 7))},
                 "ProjectionExpression": expression.projection()}
        return Request("GetItem", body | expression.parameters())
    if chance.random() < 0.8:
        body["FilterExpression"] = expression.condition()
    if chance.random() < 0.3:
        body["ProjectionExpression"] = expression.projection()
    if chance.random() < 0.3:
        body["ReturnConsumedCapacity"] = chance.choice(["TOTAL", "INDEXES"])
        body["ConsistentRead"] = chance.choice([True, False])
    if kind < 0.5:
        return Request("Scan", body | expression.parameters())
    condition = f"{expression.path(['pk'])} = {expression.value(s(chance.choice('abc')))}"
    if chance.random() < 0.5:
        condition += (f" AND {expression.path(['sk'])} {chance.choice(OPERATORS[2:] + ['='])} "
                      f"{expression.value(n(chance.randint(1, 4)))}")
    body["KeyConditionExpression"] = condition
    if chance.random() < 0.4:
        body["ScanIndexForward"] = False
    if chance.random() < 0.4:
        body["Limit"] = chance.randint(1, 4)
    return Request("Query", body | expression.parameters())


def change(expression):
    """A SET, a REMOVE, an ADD or a DELETE of one attribute; several would overlap."""
    choose = expression.chance.choice
    target = choose([["num"], ["str"], ["fresh"], ["doc", "a"], ["doc", "z"], ["arr", 0], ["arr", 9]])
    return choose([
        lambda: f"SET {expression.path(target)} = {expression.value(choose(VALUES))}",
        lambda: "SET {0} = {0} {1} {2}".format(expression.path(["num"]), choose("+-"),
                                               expression.value(n(choose([1, 10])))),
        lambda: "SET {0} = if_not_exists({1}, {2})".format(
            expression.path(target), expression.path(), expression.value(choose(VALUES))),
        lambda: "SET {0} = list_append({0}, {1})".format(expression.path(["arr"]),
                                                         expression.value({"L": [n(9)]})),
        lambda: f"REMOVE {expression.path(target)}",
        lambda: f"ADD {expression.path(['num'])} {expression.value(n(5))}",
        lambda: f"ADD {expression.path(['tags'])} {expression.value({'SS': ['z']})}",
        lambda: f"DELETE {expression.path(['tags'])} {expression.value({'SS': ['x', 'q']})}",
    ])()


def write_act(chance):
    key = {"pk": s("w"), "sk": n(1)}
    before = key | chance.choice(ITEMS)
    expression = Expression(chance)
    body = {"TableName": "sorted"}
    operation = chance.choice(["UpdateItem"] * 3 + ["PutItem", "DeleteItem"])
    if operation == "UpdateItem":
        body |= {"Key": key, "UpdateExpression": change(expression),
                 "ReturnValues": chance.choice(["NONE", "ALL_OLD", "ALL_NEW"])}
    elif operation == "PutItem":
        body |= {"Item": key | chance.choice(ITEMS),
                 "ReturnValues": chance.choice(["NONE", "ALL_OLD"])}
    else:
        body |= {"Key": key, "ReturnValues": chance.choice(["NONE", "ALL_OLD"])}
    if chance.random() < 0.5:
        body["ConditionExpression"] = expression.condition(1)
        body["ReturnValuesOnConditionCheckFailure"] = chance.choice(["NONE", "ALL_OLD"])
    request = Request(operation, body | expression.parameters())

    def act():
        yield Unseen(Request("PutItem", {"TableName": "sorted", "Item": before}))
        yield request
        yield Request("GetItem", {"TableName": "sorted", "Key": key})
    return act


def scenes(name, acts):
    return [Scene(f"generated.{name}{at // SCENE_ACTS}", TABLE, acts[at:at + SCENE_ACTS])
            for at in range(0, len(acts), SCENE_ACTS)]


CHANCE = random.Random(SEED)
SCENES = [*scenes("read", [[read(CHANCE)] for _ in range(READS)]),
          *scenes("write", [write_act(CHANCE) for _ in range(WRITES)])]
