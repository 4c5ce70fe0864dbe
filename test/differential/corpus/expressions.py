"""The expressions of tools/expression_cases.py, sent through the server: as conditions, filters,
updates, projections and key conditions. What DynamoDB Local says to them is also on record in
test/golden, with which src/expression is compared without a server."""

import re

import expression_cases as cases
from corpus.tables import create, put, schema
from exchange import Request
from scene import Scene

TABLE = create("simple", schema("pk"), {"pk": "S"})
SORTED = create("sorted", schema("pk", "sk"), {"pk": "S", "sk": "S"})
COMPOSITE = create(
    "composite", schema("pk"), {"pk": "S", "h1": "S", "h2": "N", "r1": "S", "r2": "N", "r3": "B"},
    GlobalSecondaryIndexes=[{
        "IndexName": "by_many", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in (
            ("h1", "HASH"), ("h2", "HASH"), ("r1", "RANGE"), ("r2", "RANGE"), ("r3", "RANGE"))]}])
ITEM = put("simple", **cases.ITEM)
KEY = {"pk": cases.ITEM["pk"]}


def mentioned(table, text):
    """The entries of a table of placeholders that the text has."""
    return {name: value for name, value in table.items()
            if re.search(re.escape(name) + r"(?![A-Za-z0-9_])", text)}


def with_placeholders(body, text):
    placeholders = {"ExpressionAttributeNames": mentioned(cases.NAMES, text),
                    "ExpressionAttributeValues": mentioned(cases.VALUES, text)}
    return body | {name: entries for name, entries in placeholders.items() if entries}


def texts(*blocks):
    return [text for block in blocks for text in cases.texts(block)]


def condition(text):
    """As a condition of a write that changes nothing else."""
    return [Request("PutItem", with_placeholders(
        {"TableName": "simple", "Item": cases.ITEM, "ConditionExpression": text}, text))]


def filter_(text):
    return [Request("Scan", with_placeholders(
        {"TableName": "simple", "FilterExpression": text}, text))]


def update(text):
    """On the whole item, and what becomes of it."""
    return [ITEM, Request("UpdateItem", with_placeholders(
        {"TableName": "simple", "Key": KEY, "UpdateExpression": text, "ReturnValues": "ALL_NEW"},
        text))]


def projection(text):
    return [Request("GetItem", with_placeholders(
        {"TableName": "simple", "Key": KEY, "ProjectionExpression": text}, text))]


def key_condition(table, text):
    return [Request("Query", with_placeholders({**table, "KeyConditionExpression": text}, text))]


CONDITIONS = texts(cases.CONDITION_SYNTAX, cases.CONDITION_PARENTHESES, cases.CONDITION_NAMES,
                   cases.CONDITION_BINDING, cases.CONDITION_TRUTH)
UPDATES = texts(cases.UPDATE_SYNTAX, cases.UPDATE_BINDING, cases.UPDATE_RESULTS)

SCENES = [
    Scene("expressions.conditions", [TABLE, ITEM], [condition(text) for text in CONDITIONS]),
    Scene("expressions.filters", [TABLE, ITEM], [filter_(text) for text in CONDITIONS[::3]]),
    Scene("expressions.updates", [TABLE, ITEM], [update(text) for text in UPDATES]),
    Scene("expressions.projections", [TABLE, ITEM],
          [projection(text) for text in texts(cases.PROJECTIONS)]),
    Scene("expressions.keys", [SORTED], [
        key_condition({"TableName": "sorted"}, text) for text in texts(cases.KEY_CONDITIONS)]),
    Scene("expressions.keys_of_many_attributes", [COMPOSITE], [
        key_condition({"TableName": "composite", "IndexName": "by_many"}, text)
        for text in texts(cases.KEY_CONDITIONS_COMPOSITE)]),
]
