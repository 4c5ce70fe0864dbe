#!/usr/bin/env python3
"""Asks DynamoDB Local about every case of expression_cases.py and writes down what it answers.

Usage: record_expression_errors.py [--endpoint URL] [OUTPUT]

Without an endpoint it starts DynamoDB Local (see dynamodb_local.py for where it looks). OUTPUT is
test/golden/expression_errors.json unless given. src/expression/recorded_test.cc reads the file and
expects the same answers of Stator, except where a case has an "aws" part: then it expects that.
"""

import argparse
import http.client
import json
import pathlib
import re
import sys
import urllib.parse

import expression_cases as cases
from dynamodb_local import DynamoDbLocal

ROOT = pathlib.Path(__file__).resolve().parents[1]
AUTHORIZATION = ("AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
                 "SignedHeaders=host, Signature=0")
TABLE, SORTED, COMPOSITE, INDEX = "simple", "sorted", "composite", "by_many"
KEY = {"pk": {"S": "k"}}


class Oracle:
    def __init__(self, endpoint):
        parts = urllib.parse.urlsplit(endpoint)
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)

    def call(self, operation, body):
        self._connection.request("POST", "/", json.dumps(body), {
            "X-Amz-Target": "DynamoDB_20120810." + operation,
            "Content-Type": "application/x-amz-json-1.0", "Authorization": AUTHORIZATION})
        return json.loads(self._connection.getresponse().read() or b"{}")

    def create(self, name, hash_keys, range_keys, index=None):
        def schema(hashes, ranges):
            return ([{"AttributeName": key, "KeyType": "HASH"} for key, _ in hashes] +
                    [{"AttributeName": key, "KeyType": "RANGE"} for key, _ in ranges])
        attributes = hash_keys + range_keys + (index[0] + index[1] if index else [])
        body = {"TableName": name, "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": schema(hash_keys, range_keys),
                "AttributeDefinitions": [{"AttributeName": key, "AttributeType": kind}
                                         for key, kind in attributes]}
        if index:
            body["GlobalSecondaryIndexes"] = [{"IndexName": INDEX, "KeySchema": schema(*index),
                                               "Projection": {"ProjectionType": "ALL"}}]
        self.call("DeleteTable", {"TableName": name})
        self.call("CreateTable", body)

    def put(self, item):
        if item is None:
            self.call("DeleteItem", {"TableName": TABLE, "Key": KEY})
        else:
            self.call("PutItem", {"TableName": TABLE, "Item": item})


def mentioned(table, text):
    """The entries of a table of placeholders that the text has."""
    return {name: value for name, value in table.items()
            if re.search(re.escape(name) + r"(?![A-Za-z0-9_])", text)}


def placeholders(text):
    names, values = mentioned(cases.NAMES, text), mentioned(cases.VALUES, text)
    body = {}
    if names:
        body["ExpressionAttributeNames"] = names
    if values:
        body["ExpressionAttributeValues"] = values
    return body


def failure(answer):
    """The error of an answer; None when it is none."""
    if "__type" not in answer:
        return None
    return {"error": answer["__type"].partition("#")[2],
            "message": answer.get("message", answer.get("Message"))}


def update(oracle, item, body, return_values):
    oracle.put(item)
    return oracle.call("UpdateItem", {"TableName": TABLE, "Key": KEY, "ReturnValues": return_values,
                                      **body})


def matches(oracle, body):
    """Whether a conditional update goes through."""
    answer = update(oracle, cases.ITEM, body, "NONE")
    error = failure(answer)
    if error and error["error"] == "ConditionalCheckFailedException":
        return {"matches": False}
    return error or {"matches": True}


def scanned(oracle, body):
    answer = oracle.call("Scan", {"TableName": TABLE, **body})
    return failure(answer) or {"matches": answer["Count"] == 1}


def updated(oracle, item, body):
    answer = update(oracle, item, body, "ALL_NEW")
    return failure(answer) or {"item": answer["Attributes"]}


def returned(oracle, body):
    old = update(oracle, cases.ITEM, body, "UPDATED_OLD")
    new = update(oracle, cases.ITEM, body, "UPDATED_NEW")
    return failure(old) or {"updated_old": old.get("Attributes", {}),
                            "updated_new": new.get("Attributes", {})}


def queried(oracle, schema, body):
    table = {"hash": {"TableName": TABLE}, "sorted": {"TableName": SORTED},
             "composite": {"TableName": COMPOSITE, "IndexName": INDEX}}[schema]
    return failure(oracle.call("Query", {**table, **body})) or {"accepted": True}


def expression_cases(oracle):
    """(kind, extra fields, text, outcome) of everything that is a text."""
    truth = cases.texts(cases.CONDITION_TRUTH)
    wrong = [text for block in (cases.CONDITION_SYNTAX, cases.CONDITION_PARENTHESES,
                                cases.CONDITION_NAMES, cases.CONDITION_BINDING)
             for text in cases.texts(block)]
    for text in ["", *wrong, *truth, *cases.LIMITS]:
        yield "condition", {}, text, matches(
            oracle, {"ConditionExpression": text, **placeholders(text)})
    oracle.put(cases.ITEM)
    for text in ["", *wrong[::4], *truth]:
        yield "filter", {}, text, scanned(oracle, {"FilterExpression": text, **placeholders(text)})
    for text in ["", *cases.texts(cases.PROJECTIONS), *cases.PROJECTION_LIMITS]:
        answer = oracle.call("GetItem", {"TableName": TABLE, "Key": KEY, "ProjectionExpression": text,
                                         **placeholders(text)})
        yield "projection", {}, text, failure(answer) or {"item": answer["Item"]}
    for schema, block in (("sorted", cases.KEY_CONDITIONS), ("hash", cases.KEY_CONDITIONS_HASH_ONLY),
                          ("composite", cases.KEY_CONDITIONS_COMPOSITE)):
        for text in ["", *cases.texts(block)]:
            yield "key_condition", {"schema": schema}, text, queried(
                oracle, schema, {"KeyConditionExpression": text, **placeholders(text)})
    changes = [*cases.texts(cases.UPDATE_SYNTAX), *cases.texts(cases.UPDATE_BINDING),
               *cases.texts(cases.UPDATE_RESULTS), *cases.UPDATE_LIMITS]
    for text in ["", *changes]:
        yield "update", {}, text, updated(
            oracle, cases.ITEM, {"UpdateExpression": text, **placeholders(text)})
    for text in cases.texts(cases.UPDATE_OF_NOTHING):
        yield "update_of_nothing", {}, text, updated(
            oracle, None, {"UpdateExpression": text, **placeholders(text)})
    for text in cases.texts(cases.UPDATE_RETURNS):
        yield "update_returns", {}, text, returned(
            oracle, {"UpdateExpression": text, **placeholders(text)})


def joins(parameter):
    """The ways to join the conditions of a parameter; the service refuses to join one alone."""
    if len(parameter) < 2:
        return [{}]
    return [{}, {"ConditionalOperator": "AND"}, {"ConditionalOperator": "OR"}]


def legacy_cases(oracle):
    """(kind, extra fields, parameter, outcome) of everything that is a legacy parameter."""
    for parameter in cases.EXPECTED:
        for join in joins(parameter):
            yield "expected", join, parameter, matches(oracle, {"Expected": parameter, **join})
    oracle.put(cases.ITEM)
    for parameter in cases.FILTERS:
        for join in joins(parameter):
            yield "scan_filter", join, parameter, scanned(oracle, {"ScanFilter": parameter, **join})
    for parameter in cases.LEGACY_KEY_CONDITIONS:
        yield "key_conditions", {"schema": "sorted"}, parameter, queried(
            oracle, "sorted", {"KeyConditions": parameter})
    for parameter in cases.ATTRIBUTE_UPDATES:
        yield "attribute_updates", {}, parameter, updated(
            oracle, cases.ITEM, {"AttributeUpdates": parameter})


def request_cases(oracle):
    for request in cases.REQUESTS:
        body = {}
        for name, field in (("condition", "ConditionExpression"), ("update", "UpdateExpression"),
                            ("names", "ExpressionAttributeNames"),
                            ("values", "ExpressionAttributeValues")):
            if name in request:
                body[field] = request[name]
        outcome = matches(oracle, body)
        yield "request", request, None, outcome if "error" in outcome else {"accepted": True}


def record(oracle):
    oracle.create(TABLE, [("pk", "S")], [])
    oracle.create(SORTED, [("pk", "S")], [("sk", "S")])
    oracle.create(COMPOSITE, [("pk", "S")], [], index=(
        [("h1", "S"), ("h2", "N")], [("r1", "S"), ("r2", "N"), ("r3", "B")]))
    for kind, extra, text, outcome in expression_cases(oracle):
        body = placeholders(text)
        yield complete({"kind": kind, "expression": text, **extra,
                        "names": body.get("ExpressionAttributeNames"),
                        "values": body.get("ExpressionAttributeValues"), "outcome": outcome}, text)
    for kind, extra, parameter, outcome in legacy_cases(oracle):
        yield complete({"kind": kind, "parameter": parameter, **extra, "outcome": outcome},
                       json.dumps(parameter, sort_keys=True))
    for kind, request, _, outcome in request_cases(oracle):
        yield complete({"kind": kind, **request, "outcome": outcome}, "")


def complete(case, text):
    differs = cases.aws_differs(case["kind"], text, case["outcome"])
    if differs:
        case["aws"] = {**differs[0], "reason": differs[1]}
    return {key: value for key, value in case.items() if value is not None}


def write(recorded, output):
    """One case per line, so that a change of an answer is a change of a line."""
    lines = ",\n".join(json.dumps(case, sort_keys=True, ensure_ascii=False) for case in recorded)
    item = json.dumps(cases.ITEM, sort_keys=True, ensure_ascii=False)
    output.write_text(f'{{"item": {item},\n"cases": [\n{lines}\n]}}\n', encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--endpoint", metavar="URL", help="of a DynamoDB Local that runs already")
    parser.add_argument("output", nargs="?", type=pathlib.Path,
                        default=ROOT / "test" / "golden" / "expression_errors.json")
    arguments = parser.parse_args()
    if arguments.endpoint:
        recorded = list(record(Oracle(arguments.endpoint)))
    else:
        with DynamoDbLocal() as endpoint:
            recorded = list(record(Oracle(endpoint)))
    write(recorded, arguments.output)
    print(f"{len(recorded)} cases in {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
