#!/usr/bin/env python3
"""Stator's client beside boto3 and the AWS SDK for JavaScript. Run it as `./dev bench client`.

One caller of each makes calls one after the other to the same `stator serve --memory` on loopback.
They take turns, a short slice each, for several rounds; what counts is the median of the slices.
Processor time is that of the caller alone; the server's is the same for all of them.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test" / "sdk"))

import server_process  # noqa: E402  (the folder is known only now)

OPERATIONS = ("GetItem", "PutItem", "UpdateItem")
CLIENTS = ROOT / "bench" / "clients"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often every client has its turn")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a turn")
    parser.add_argument("--load", default=ROOT / "build" / "release" / "bench" / "client_load")
    return parser.parse_args()


def prepare(endpoint):
    import boto3
    client = boto3.client("dynamodb", endpoint_url=endpoint, region_name="us-east-1",
                          aws_access_key_id="any", aws_secret_access_key="any")
    client.create_table(TableName="bench", BillingMode="PAY_PER_REQUEST",
                        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
    client.get_waiter("table_exists").wait(TableName="bench")
    client.put_item(TableName="bench", Item={"pk": {"S": "read"}, "data": {"S": "x" * 1000}})


def measure(command, endpoint, operation, seconds):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    done = subprocess.run([*command, endpoint, operation, str(seconds)], check=True, text=True,
                          capture_output=True, timeout=seconds + 60, env=environment)
    figures = json.loads(done.stdout)
    return (figures["calls"] / figures["seconds"],
            figures["cpu_seconds"] / figures["calls"] * 1e6)


def main():
    arguments = parse_arguments()
    clients = {"Stator": [str(arguments.load)],
               "boto3": [sys.executable, str(CLIENTS / "boto3_load.py")]}
    if shutil.which("node") and (ROOT / "test" / "sdk" / "node_modules").is_dir():
        clients["AWS SDK for JavaScript"] = ["node", str(CLIENTS / "js_load.mjs")]
    slices = {}
    with server_process.ServerProcess("--memory") as endpoint:
        prepare(endpoint)
        for _ in range(arguments.rounds):
            for operation in OPERATIONS:
                for name, command in clients.items():
                    slices.setdefault((operation, name), []).append(
                        measure(command, endpoint, operation, arguments.seconds))
    print(f"Calls one after the other, medians of {arguments.rounds} turns of "
          f"{arguments.seconds} s; load average {os.getloadavg()[0]:.1f} at the end.\n")
    print("| operation | client | calls/s | processor time per call, µs | times Stator |")
    print("| --- | --- | --: | --: | --: |")
    for operation in OPERATIONS:
        medians = {name: [statistics.median(values) for values in zip(*slices[operation, name])]
                   for name in clients}
        for name, (rate, cpu) in medians.items():
            print(f"| {operation} | {name} | {rate:,.0f} | {cpu:,.0f} | "
                  f"{cpu / medians['Stator'][1]:.1f} |")


if __name__ == "__main__":
    main()
