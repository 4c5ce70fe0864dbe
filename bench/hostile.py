#!/usr/bin/env python3
"""What a stranger notices while somebody else misbehaves: latency of GetItem and of the health page
under each of a list of attacks, for Stator and for Amazon's DynamoDB Local. Run it as
`./dev bench hostile`.

One server at a time, on loopback. Each attack runs in processes of its own for some seconds; a
stranger sends GetItem of a small item, one after the other on one connection, and looks at /healthz
(at / of DynamoDB Local) ten times a second on another. The table goes to standard output, the
figures to build/bench/hostile.json. Nothing is asserted: other work on the machine shows.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import socket
import statistics
import tempfile
import threading
import time

from side_by_side import subjects

ROOT = pathlib.Path(__file__).resolve().parents[1]
PATIENCE_SECONDS = 20
GONE = (ConnectionError, socket.timeout, TimeoutError, ValueError)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=8.0, help="length of each attack")
    parser.add_argument("--page-megabytes", type=int, default=100,
                        help="size of the items behind the local index")
    parser.add_argument("--only", action="append", help="only this attack")
    parser.add_argument("--subject", action="append", choices=["stator", "local"])
    parser.add_argument("--program",
                        default=os.environ.get("STATOR_PROGRAM", ROOT / "build" / "stator"))
    return parser.parse_args()


def request(operation, body):
    """The bytes of one request; signed by nobody, which both servers take from loopback."""
    payload = json.dumps(body).encode()
    head = ("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-amz-json-1.0\r\n"
            f"X-Amz-Target: DynamoDB_20120810.{operation}\r\n"
            "Authorization: AWS4-HMAC-SHA256 Credential=key/20261116/us-east-1/dynamodb/"
            "aws4_request, SignedHeaders=host, Signature=0\r\n"
            "X-Amz-Date: 20261116T000000Z\r\n"
            f"Content-Length: {len(payload)}\r\n\r\n")
    return head.encode() + payload


class Connection:
    """Keeps alive, sends prepared bytes, reads whole answers."""

    def __init__(self, port, seconds_max=120):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=seconds_max)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""

    def ask(self, request_bytes):
        """The status and the body of the answer."""
        self._socket.sendall(request_bytes)
        while b"\r\n\r\n" not in self._rest:
            self._more()
        head, _, body = self._rest.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        pieces, have = [body], len(body)
        while have < length:
            pieces.append(self._socket.recv(1 << 20))
            if not pieces[-1]:
                raise ConnectionError("closed")
            have += len(pieces[-1])
        body = b"".join(pieces)
        self._rest = body[length:]
        return int(head.split(b" ", 2)[1]), body[:length]

    def _more(self):
        piece = self._socket.recv(1 << 16)
        if not piece:
            raise ConnectionError("closed")
        self._rest += piece


def must(port, operation, body):
    status, answer = Connection(port).ask(request(operation, body))
    if status != 200:
        raise RuntimeError(f"{operation}: {status} {answer[:300]}")
    return json.loads(answer)


def create(port, name, attributes, keys, **indexes):
    must(port, "CreateTable", {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": each, "AttributeType": kind}
                                 for each, kind in attributes.items()],
        "KeySchema": schema(keys), **indexes})


def schema(keys):
    kinds = ("HASH", "RANGE")
    return [{"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, kinds)]


def put_all(port, table, items, batch):
    for at in range(0, len(items), batch):
        puts = [{"PutRequest": {"Item": item}} for item in items[at:at + batch]]
        must(port, "BatchWriteItem", {"RequestItems": {table: puts}})


# Each attack: how many processes it has, what it needs, and what each of them sends for ever.

def prepare_counter(_port, _arguments):
    body = {"TableName": "small", "Key": {"pk": {"S": "counter"}},
            "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}
    return [request("UpdateItem", body)]


def prepare_contains(port, _arguments):
    create(port, "texts", {"pk": "S"}, ["pk"])
    must(port, "PutItem", {"TableName": "texts", "Item": {
        "pk": {"S": "1"}, "t": {"S": "a" * 200_000}}})
    body = {"TableName": "texts", "FilterExpression": " OR ".join(["contains(t,:v)"] * 149),
            "ExpressionAttributeValues": {":v": {"S": "a" * 100_000 + "b"}}}
    return [request("Scan", body)]


def prepare_comparisons(port, _arguments):
    create(port, "rows", {"pk": "S"}, ["pk"])
    put_all(port, "rows", [{"pk": {"S": str(number)}, "a": {"S": "x" * 60}}
                           for number in range(8_000)], 25)
    body = {"TableName": "rows", "FilterExpression": " OR ".join(["a=:v"] * 150),
            "ExpressionAttributeValues": {":v": {"S": "x" * 59 + "y"}}}
    return [request("Scan", body)]


def prepare_batch(port, _arguments):
    names = [f"k{number}" for number in range(20)]
    create(port, "wide", {"pk": "S", **{name: "S" for name in names}}, ["pk"],
           GlobalSecondaryIndexes=[{
               "IndexName": f"by_{name}", "KeySchema": schema([name]),
               "Projection": {"ProjectionType": "ALL"}} for name in names])
    puts = [{"PutRequest": {"Item": {"pk": {"S": str(number)}, "t": {"S": "x" * 380_000},
                                     **{name: {"S": str(number)} for name in names}}}}
            for number in range(25)]
    return [request("BatchWriteItem", {"RequestItems": {"wide": puts}})]


def prepare_page(port, arguments):
    create(port, "pages", {"pk": "S", "sk": "N", "other": "N"}, ["pk", "sk"],
           LocalSecondaryIndexes=[{"IndexName": "local", "KeySchema": schema(["pk", "other"]),
                                   "Projection": {"ProjectionType": "KEYS_ONLY"}}])
    count = arguments.page_megabytes * 1_000_000 // 390_000
    for number in range(count):
        must(port, "PutItem", {"TableName": "pages", "Item": {
            "pk": {"S": "p"}, "sk": {"N": str(number)}, "other": {"N": str(number)},
            "t": {"S": "x" * 390_000}}})
    body = {"TableName": "pages", "IndexName": "local", "Select": "ALL_ATTRIBUTES",
            "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "p"}}}
    return [request("Query", body)]


ATTACKS = {
    "nobody": (0, lambda _port, _arguments: []),
    "8 on one counter": (8, prepare_counter),
    "4 scans, 149 contains": (4, prepare_contains),
    "4 scans, 150 comparisons": (4, prepare_comparisons),
    "2 batches, 25 x 380 KB, 20 indexes": (2, prepare_batch),
    "2 pages of a local index": (2, prepare_page),
}


def attack(port, requests, stop):
    while not stop.is_set():
        try:
            connection = Connection(port)
            while not stop.is_set():
                for each in requests:
                    connection.ask(each)
        except GONE:
            time.sleep(0.05)


def look(port, path, stop, seconds):
    """Appends how long each look at the health page took."""
    page = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    while not stop.is_set():
        begun = time.perf_counter()
        try:
            Connection(port, PATIENCE_SECONDS).ask(page)
        except GONE:
            pass
        seconds.append(time.perf_counter() - begun)
        time.sleep(0.1)


def measure(port, path, requests, processes, length):
    context = multiprocessing.get_context("fork")
    stop = context.Event()
    attackers = [context.Process(target=attack, args=(port, requests, stop), daemon=True)
                 for _ in range(processes)]
    for attacker in attackers:
        attacker.start()
    time.sleep(0.5 if attackers else 0)
    health, done = [], threading.Event()
    looker = threading.Thread(target=look, args=(port, path, done, health))
    looker.start()
    stranger = Connection(port, PATIENCE_SECONDS)
    get = request("GetItem", {"TableName": "small", "Key": {"pk": {"S": "stranger"}}})
    latencies, until = [], time.perf_counter() + length
    while (begun := time.perf_counter()) < until:
        try:
            stranger.ask(get)
        except GONE:  # Counts for as long as the stranger had patience.
            stranger = Connection(port, PATIENCE_SECONDS)
        latencies.append(time.perf_counter() - begun)
        time.sleep(0.001)
    done.set()
    stop.set()
    looker.join()
    for attacker in attackers:
        attacker.join(60)
        if attacker.is_alive():
            attacker.kill()
    return latencies, health


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def run(subject, path, arguments):
    figures = {}
    with subject.running():
        create(subject.port, "small", {"pk": "S"}, ["pk"])
        must(subject.port, "PutItem", {"TableName": "small", "Item": {
            "pk": {"S": "stranger"}, "t": {"S": "x" * 200}}})
        for name, (processes, prepare) in ATTACKS.items():
            if arguments.only and name not in arguments.only and name != "nobody":
                continue
            requests = prepare(subject.port, arguments)
            latencies, health = measure(subject.port, path, requests, processes,
                                        arguments.seconds)
            figures[name] = {
                "count": len(latencies), "p50": statistics.median(latencies),
                "p99": percentile(latencies, 0.99), "health": max(health),
                "memory": subject.memory_bytes}
            print_row(subject.name, name, figures[name], figures["nobody"])
    return figures


def print_row(subject, name, row, idle):
    milli = {key: 1000 * row[key] for key in ("p50", "p99", "health")}
    print(f"| {subject} | {name} | {row['count']} | {milli['p50']:.2f} | {milli['p99']:.2f} "
          f"| {row['p99'] / idle['p99']:.1f} | {milli['health']:.1f} "
          f"| {row['memory'] / 1e6:.0f} |", flush=True)


def main():
    arguments = parse_arguments()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="stator-hostile-"))
    chosen = arguments.subject or ["stator", "local"]
    candidates = []
    if "stator" in chosen:
        candidates.append((subjects.stator(arguments.program, scratch)[2], "/healthz"))
    if "local" in chosen:
        candidates.append((subjects.local(scratch)[0], "/"))
    print("| server | attack | GetItem calls | p50 ms | p99 ms | p99 : nobody | health page max ms "
          "| RSS MB |\n|---|---|---|---|---|---|---|---|")
    figures = {subject.name: run(subject, path, arguments) for subject, path in candidates}
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hostile.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
