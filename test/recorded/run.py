#!/usr/bin/env python3
"""Sends what was once sent to Amazon DynamoDB to `stator serve` and compares the answers.

Usage: run.py [--only REGEX] [--show N]

answers.json has requests and the service's errors, statements.json those of PartiQL, facts.json what
the service did. Where regions differ, what most of them answer counts: a record that says
"elsewhere" must be contradicted by another one of the same request. There are no other exceptions.
--only takes the records whose operation and case match.

The program is the one that STATOR_PROGRAM names.
"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test" / "differential"), str(ROOT / "test" / "sdk")]

import tables
from exchange import Endpoint, Request
from server_process import ServerProcess

HERE = pathlib.Path(__file__).resolve().parent
CANCELED = "Transaction cancelled"


def named(value):
    """The request with the names of tables in place of {NAME}, and as many x as {x*5} says."""
    text = re.sub(r"\{([A-Z_0-9]+)\}", r"\1", json.dumps(value))
    return json.loads(re.sub(r"\{x\*(\d+)\}", lambda match: "x" * int(match[1]), text))


def matches(aws, message):
    if "exact" in aws:
        return message == aws["exact"]
    if "contains" in aws:
        return all(part in message for part in aws["contains"])
    if "oneOf" in aws:
        return message in aws["oneOf"]
    return re.search(aws["regex"], message) is not None


def name_and_message(answer):
    return (str(answer.get("__type")).rpartition("#")[2],
            answer.get("message") or answer.get("Message") or "")


def is_refused_as_recorded(record, answer):
    name, message = name_and_message(answer)
    wanted = ("TransactionCanceledException" if message.startswith(CANCELED)
              else "ValidationException")
    return answer.status == 400 and name == wanted and matches(named(record["aws"]), message)


def reasons_of(answer):
    return [[reason.get("Code"), reason.get("Message")]
            for reason in answer.get("CancellationReasons") or []]


def is_as_recorded(record, answer):
    if "aws" in record:
        return is_refused_as_recorded(record, answer)
    if "answer" in record:
        return answer.status == 200 and all(answer.get(member) == value for member, value
                                            in named(record["answer"]).items())
    name, message = name_and_message(answer)
    return (answer.status == 400 and name == record["error"]
            and message == record.get("message", message)
            and reasons_of(answer) == record.get("reasons", reasons_of(answer)))


def question(record):
    return json.dumps([record["operation"], record["request"]], sort_keys=True)


def set_up(endpoint):
    for table in tables.TABLES:
        answer = endpoint.send(Request("CreateTable", table))
        if answer.status != 200:
            raise RuntimeError(f"{table['TableName']}: {answer.outcome()}")
    for name, item in tables.ITEMS:
        endpoint.send(Request("PutItem", {"TableName": name, "Item": item}))


def shorten(value, limit=400):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


def play(records):
    """The records that were answered otherwise, each with the answer."""
    wrong = []
    with ServerProcess("--memory") as url:
        endpoint = Endpoint(url)
        set_up(endpoint)
        for record in records:
            answer = endpoint.send(Request(record["operation"], named(record["request"])))
            if not is_as_recorded(record, answer):
                wrong.append((record, answer))
        endpoint.close()
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="REGEX", help="operations and cases")
    parser.add_argument("--show", type=int, default=40, help="answers at most")
    arguments = parser.parse_args()
    records = [record for name in ("answers.json", "statements.json", "facts.json")
               for record in json.loads((HERE / name).read_text())["records"]]
    elsewhere = [record for record in records if "elsewhere" in record]
    records = [record for record in records if "elsewhere" not in record]
    alone = {question(record) for record in elsewhere} - {question(record) for record in records}
    if arguments.only:
        records = [record for record in records
                   if re.search(arguments.only, f"{record['operation']} {record['case']}")]
    wrong = play(records)
    for record, answer in wrong[:arguments.show]:
        wanted = record.get("aws") or record.get("answer") or {
            member: record[member] for member in ("error", "message", "reasons")
            if member in record}
        print(f"{record['operation']}: {record['case']}\n"
              f"  request {shorten(record['request'])}\n"
              f"  aws     {shorten(wanted)}\n  stator  {shorten(answer.outcome())}\n")
    print(f"{len(records)} recorded requests, {len(wrong)} answered otherwise; "
          f"{len(elsewhere)} records of other regions")
    for request in alone:
        print(f"Only said to be answered elsewhere, not what most regions answer: {request}")
    return 1 if wrong or alone else 0


if __name__ == "__main__":
    sys.exit(main())
