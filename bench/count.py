#!/usr/bin/env python3
"""Counts the instructions of requests and compares them with those on record.

Usage: count.py [--update] [--only REGEX] [--tolerance PERCENT]

Runs every case of request_bench under callgrind (valgrind), which counts the same in every run of the
same program on whatever machine, and prints it beside bench/counts.txt. Ends with 1 when a case costs
more than PERCENT (by default 3) more than is on record. --update writes the record anew: whoever makes
something dearer, or cheaper, commits it with the reason.

A write may meet a moment at which the store does something else; the counts of writes therefore differ
by some tenths of a percent.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "build" / "release" / "bench" / "request_bench"
RECORD = ROOT / "bench" / "counts.txt"
ITERATIONS = 200


def cases():
    listed = subprocess.run([PROGRAM, "--benchmark_list_tests"], check=True, capture_output=True, text=True)
    return listed.stdout.split()


def count(case):
    """Instructions of one call."""
    with tempfile.NamedTemporaryFile() as out:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=*RunCounted*",
             f"--callgrind-out-file={out.name}", PROGRAM, "count", case, str(ITERATIONS)],
            capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not collected:
        sys.exit(f"{case} failed:\n{run.stderr}")
    return int(collected.group(1)) // ITERATIONS


def read_record():
    if not RECORD.exists():
        return {}
    lines = (line.partition("#")[0].split() for line in RECORD.read_text().splitlines())
    return {line[0]: int(line[1]) for line in lines if line}


def write_record(counts):
    text = "# Instructions of one call, by `./dev bench count --update`; see bench/count.py.\n"
    text += "".join(f"{case:42} {number:>9}\n" for case, number in counts.items())
    RECORD.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--tolerance", type=float, default=3.0, metavar="PERCENT")
    arguments = parser.parse_args()
    chosen = [case for case in cases() if re.search(arguments.only, case)]
    if not chosen:
        parser.error(f"no case matches {arguments.only}")
    record = read_record()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(chosen, pool.map(count, chosen)))
    dearer = []
    for case, number in counts.items():
        known = record.get(case)
        change = 100.0 * (number - known) / known if known else 0.0
        print(f"{case:42} {number:>9}  " + (f"{change:+6.1f} %" if known else "   new"))
        if change > arguments.tolerance:
            dearer.append(case)
    if arguments.update:
        write_record({**record, **counts})
    elif dearer:
        sys.exit("dearer than on record: " + ", ".join(dearer))


if __name__ == "__main__":
    main()
