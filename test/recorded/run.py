#!/usr/bin/env python3
"""Sends what was once sent to Amazon DynamoDB to `stator serve` and compares the error.

Usage: run.py [--only REGEX] [--show N]

answers.json has the requests and the service's answers, statements.json those of PartiQL. An answer that Stator does not give must be
in exceptions.toml with the reason, and what is there must occur. --only takes the records whose
operation and case match.

The program is the one that STATOR_PROGRAM names.
"""

import argparse
import json
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test" / "differential"), str(ROOT / "test" / "sdk")]

import tables
from exchange import Endpoint, Request
from server_process import ServerProcess

HERE = pathlib.Path(__file__).resolve().parent
CANCELED = "Transaction cancelled"


class Exceptions:
    """What is deliberately not answered as recorded."""

    def __init__(self, path):
        self._entries = tomllib.loads(path.read_text()).get("exception", [])
        self._used = set()

    def excuses(self, record):
        expected = json.dumps(record["aws"], ensure_ascii=False)
        for number, entry in enumerate(self._entries):
            if (entry["operation"] == record["operation"]
                    and re.search(entry["case"], record["case"])
                    and re.search(entry["aws"], expected)):
                self._used.add(number)
                return True
        return False

    def unused(self):
        return [entry for number, entry in enumerate(self._entries) if number not in self._used]


def named(value):
    """The request with the names of tables in place of {NAME}."""
    return json.loads(re.sub(r"\{([A-Z_0-9]+)\}", r"\1", json.dumps(value)))


def matches(aws, message):
    if "exact" in aws:
        return message == aws["exact"]
    if "contains" in aws:
        return all(part in message for part in aws["contains"])
    if "oneOf" in aws:
        return message in aws["oneOf"]
    return re.search(aws["regex"], message) is not None


def is_as_recorded(record, answer):
    message = answer.get("message") or answer.get("Message") or ""
    wanted = ("TransactionCanceledException" if message.startswith(CANCELED)
              else "ValidationException")
    name = str(answer.get("__type")).rpartition("#")[2]
    return answer.status == 400 and name == wanted and matches(named(record["aws"]), message)


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


def play(records, exceptions):
    """The records that were answered otherwise, without an excuse, each with the answer."""
    wrong, excused = [], 0
    with ServerProcess("--memory") as url:
        endpoint = Endpoint(url)
        set_up(endpoint)
        for record in records:
            answer = endpoint.send(Request(record["operation"], named(record["request"])))
            if is_as_recorded(record, answer):
                continue
            if exceptions.excuses(record):
                excused += 1
            else:
                wrong.append((record, answer))
        endpoint.close()
    return wrong, excused


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="REGEX", help="operations and cases")
    parser.add_argument("--show", type=int, default=40, help="answers at most")
    arguments = parser.parse_args()
    records = [record for name in ("answers.json", "statements.json")
               for record in json.loads((HERE / name).read_text())["records"]]
    exceptions = Exceptions(HERE / "exceptions.toml")
    if arguments.only:
        records = [record for record in records
                   if re.search(arguments.only, f"{record['operation']} {record['case']}")]
    wrong, excused = play(records, exceptions)
    for record, answer in wrong[:arguments.show]:
        print(f"{record['operation']}: {record['case']}\n"
              f"  request {shorten(record['request'])}\n"
              f"  aws     {shorten(record['aws'])}\n  stator  {shorten(answer.outcome())}\n")
    print(f"{len(records)} recorded requests, {len(wrong)} answered otherwise, "
          f"{excused} deliberate exceptions")
    unused = [] if arguments.only else exceptions.unused()
    for entry in unused:
        print(f"This exception does not occur; take it out: {entry}")
    return 1 if wrong or unused else 0


if __name__ == "__main__":
    sys.exit(main())
