#!/usr/bin/env python3
"""How costs grow with the number of items: 10 thousand to 100 million items of 100 bytes, embedded, over
the server, and beside a RocksDB with the same settings and rows. Run it as `./dev bench growth`.

Every size is the one before and more; items are asked for at random. At one size the same calls come
from 1, 2 and 16 threads, and it is noted where threads wait for each other. Each step is a process of
its own, so memory is that of a program that has just opened the database and answered for a while.
The report goes to docs/benchmarks.md (between its two marks) and docs/growth.svg, the figures to
build/bench/growth.json, from which `--report-only` writes the report again.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import time

from side_by_side import growth_report, subjects, work

ROOT = pathlib.Path(__file__).resolve().parents[1]
SMALLEST = 10_000
PARTITION = 20  # items, see growth_bench.cc
BYTES_PER_ITEM = 250  # on disk, before compaction has come by
REQUESTS = 20_000
CONNECTIONS = 16


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=100_000_000, help="the largest size")
    parser.add_argument("--disk-gb", type=float, default=30, help="no size that may need more disk")
    parser.add_argument("--seconds", type=float, default=2, help="for each kind of call")
    parser.add_argument("--threads-at", type=int, default=1_000_000, metavar="ITEMS",
                        help="the size at which 1, 2 and 16 threads are compared")
    parser.add_argument("--no-server", action="store_true", help="embedded and RocksDB only")
    parser.add_argument("--no-report", action="store_true", help="leave docs/ alone")
    parser.add_argument("--report-only", action="store_true", help="from the figures of the last run")
    parser.add_argument("--program",
                        default=os.environ.get("STATOR_PROGRAM", ROOT / "build" / "stator"))
    parser.add_argument("--path", type=pathlib.Path, default=ROOT / "build" / "bench" / "growth",
                        help="where the databases are made, and removed afterwards")
    return parser.parse_args()


def sizes_of(arguments):
    """Each ten times the one before, as far as there is room."""
    room = min(arguments.disk_gb * 1e9, shutil.disk_usage(arguments.path).free * 0.8)
    sizes, size = [], SMALLEST
    while size <= arguments.items and size * BYTES_PER_ITEM <= room:
        sizes.append(size)
        size *= 10
    return sizes


def measure(subject, folder, before, items, arguments):
    threads = "1,2,16" if items == arguments.threads_at else "1"
    done = subprocess.run(
        [ROOT / "build" / "release" / "bench" / "growth_bench", subject, folder, str(before),
         str(items), str(arguments.seconds), threads], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def requests(operation, items):
    chance = random.Random(items)

    def key(number):
        return {"pk": {"S": f"p{number // PARTITION:012}"}, "sk": {"S": f"i{number % PARTITION:02}"}}

    for version in range(REQUESTS):
        number = chance.randrange(items)
        if operation == "GetItem":
            body = {"Key": key(number)}
        elif operation == "PutItem":
            body = {"Item": {**key(number), "body": {"S": f"s{version:059}"}, "n": {"N": "4711"}}}
        else:
            body = {"KeyConditionExpression": "pk = :pk",
                    "ExpressionAttributeValues": {":pk": key(number)["pk"]}}
        yield work.request(operation, {"TableName": work.TABLE, **body})


def measure_server(folder, items, arguments):
    """The same over the server, on the same directory."""
    command = [str(arguments.program), "serve", "--die-with-parent", "--data", str(folder), "--relaxed"]
    subject = subjects.Subject("Stator", lambda port: [*command, "--port", str(port)])
    figures = {}
    with subject.running() as seconds:
        figures["open_ms"] = 1000 * seconds
        file = arguments.path / "requests"
        for operation in ("GetItem", "Query", "PutItem"):
            work.write_file(file, requests(operation, items))
            done = subprocess.run(
                [ROOT / "build" / "release" / "bench" / "http_load", str(subject.port),
                 str(CONNECTIONS), str(arguments.seconds), file, *subject.pids],
                check=True, capture_output=True, text=True)
            turn = json.loads(done.stdout)
            if turn["failures"]:
                raise RuntimeError(f"the server refuses: {turn}\n{done.stderr}")
            figures[operation] = {"per_second": turn["answers"] / turn["seconds"],
                                  "cpu_us": 1e6 * turn["cpu_seconds"] / turn["answers"]}
        figures["memory"] = subject.memory_bytes
    return figures


def measure_all(arguments):
    arguments.path.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    results = {"seconds": arguments.seconds, "threads_at": arguments.threads_at,
               "engine": [], "server": [], "rocksdb": []}
    for subject in ("engine", "rocksdb"):
        folder = arguments.path / subject
        shutil.rmtree(folder, ignore_errors=True)
        before = 0
        for items in sizes_of(arguments):
            print(f"  {subject}, {items:,} items", flush=True)
            results[subject].append(measure(subject, folder, before, items, arguments))
            if subject == "engine" and not arguments.no_server:
                results["server"].append({"items": items, **measure_server(folder, items, arguments)})
            before = items
        shutil.rmtree(folder)
    results["minutes"] = round((time.monotonic() - begun) / 60, 1)
    results["machine"] = growth_report.machine()
    return results


def main():
    arguments = parse_arguments()
    saved = ROOT / "build" / "bench" / "growth.json"
    if arguments.report_only:
        results = json.loads(saved.read_text(encoding="utf-8"))
    else:
        results = measure_all(arguments)
        saved.parent.mkdir(parents=True, exist_ok=True)
        saved.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    print(growth_report.tables(results))
    if not arguments.no_report:
        growth_report.write(results, ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "growth.svg")
        print("docs/benchmarks.md and docs/growth.svg were written")


if __name__ == "__main__":
    main()
