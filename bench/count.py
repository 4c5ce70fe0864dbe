#!/usr/bin/env python3
"""Counts the instructions of requests and compares them with those on record.

Usage: count.py [--update] [--only REGEX] [--tolerance PERCENT]
       count.py --plot FILE --since REVISION

Runs every case of request_bench under callgrind (valgrind), which counts the same in every run of the
same program on whatever machine, and prints it beside bench/counts.txt. Ends with 1 when a case costs
more than PERCENT (by default 3) more than is on record. --update writes the record anew: whoever makes
something dearer, or cheaper, commits it with the reason. --plot counts nothing: it draws the record
beside the one of an earlier revision.

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

from side_by_side import counts_plot

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


def parse_record(text):
    lines = (line.partition("#")[0].split() for line in text.splitlines())
    return {line[0]: int(line[1]) for line in lines if line}


def read_record():
    return parse_record(RECORD.read_text()) if RECORD.exists() else {}


def read_record_of(revision):
    name = f"{revision}:{RECORD.relative_to(ROOT)}"
    shown = subprocess.run(["git", "show", name], cwd=ROOT, capture_output=True, text=True)
    if shown.returncode != 0:
        sys.exit(f"there is no record of {revision}: {shown.stderr}")
    return parse_record(shown.stdout)


def write_record(counts):
    text = "# Instructions of one call, by `./dev bench count --update`; see bench/count.py.\n"
    text += "".join(f"{case:42} {number:>9}\n" for case, number in counts.items())
    RECORD.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--tolerance", type=float, default=3.0, metavar="PERCENT")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--since", metavar="REVISION")
    arguments = parser.parse_args()
    if bool(arguments.plot) != bool(arguments.since):
        parser.error("--plot and --since belong together")
    if arguments.plot:
        arguments.plot.write_text(counts_plot.draw(read_record_of(arguments.since), read_record()))
        return
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
