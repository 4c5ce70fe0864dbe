#!/usr/bin/env python3
"""What the console costs a GetItem while nobody looks: instructions of the server's process, as callgrind counts
them, with its request inspector and without (--no-console).

Environment: STATOR_PROGRAM, the program. A count is the difference between runs of a few and of many requests
on one connection, so what the start and the end of the process take is not in it. Ends with 1 above 2 %.
"""

import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

PROGRAM = os.environ.get("STATOR_PROGRAM",
                         str(pathlib.Path(__file__).resolve().parents[1] / "build" / "stator"))
FEW = 500
MANY = 2500  # the ring of a worker is full and goes round
COST_MAX_PERCENT = 2.0


def call(connection, operation, body):
    connection.request("POST", "/", json.dumps(body),
                       {"Content-Type": "application/x-amz-json-1.0",
                        "X-Amz-Target": f"DynamoDB_20120810.{operation}"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        sys.exit(f"{operation} failed: {text}")


def ask(endpoint, requests):
    address = urllib.parse.urlsplit(endpoint)
    connection = http.client.HTTPConnection(address.hostname, address.port)
    call(connection, "CreateTable",
         {"TableName": "bench", "BillingMode": "PAY_PER_REQUEST",
          "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
          "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})
    call(connection, "PutItem", {"TableName": "bench",
                                 "Item": {"pk": {"S": "one"}, "body": {"S": "b" * 1000}}})
    for _ in range(requests):
        call(connection, "GetItem", {"TableName": "bench", "Key": {"pk": {"S": "one"}}})
    connection.close()


def instructions(flags, requests):
    """Of a whole process that answers so many requests."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", PROGRAM, "serve",
             "--memory", "--port", "0", "--die-with-parent", *flags],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in server.stdout:
            found = re.search(r"endpoint\s+(\S+)", line)
            if found:
                break
        else:
            sys.exit(f"the server ended:\n{server.stderr.read()}")
        ask(found.group(1), requests)
        server.terminate()
        _, said = server.communicate()
    return int(re.search(r"Collected : (\d+)", said).group(1))


def each(flags):
    return (instructions(flags, MANY) - instructions(flags, FEW)) / (MANY - FEW)


def main():
    without = each(["--no-console"])
    with_console = each([])
    cost = 100 * (with_console - without) / without
    print(f"GetItem without the console {without:>9,.0f} instructions")
    print(f"GetItem with it, unwatched  {with_console:>9,.0f} instructions  {cost:+.2f} %")
    return 1 if cost > COST_MAX_PERCENT else 0


sys.exit(main())
