"""Prints which tests a run left out: skipped_tests.py LOG...

A LOG is what ctest keeps of its last run (Testing/Temporary/LastTest.log), or what Python's unittest
or Node's test runner printed. Tests of one program that were skipped for the same reason are one
line; a test that is skipped on a machine where it should run is found by reading these lines.
"""

import collections
import pathlib
import re
import sys

PROGRAM = re.compile(r"^\d+/\d+ Testing: (\S+)")
REASON = re.compile(r"^\S+:\d+: Skipped$")
CASE = re.compile(r"^\[  SKIPPED \] (\S+) \(\d+ ms\)$")
UNITTEST = re.compile(r"^(\w+) \(([\w.]+)\)(?: \.\.\.)? .*skipped ['\"](.*)['\"]$")
NODE = re.compile(r"^\s*﹣ (.*?) \([\d.]+ms\) # (.*)$")


def skipped(lines):
    """Pairs of (program, reason) with the tests that were skipped."""
    found = collections.defaultdict(list)
    program, reason = "", ""
    lines = iter(lines)
    for line in lines:
        line = line.rstrip("\n")
        if match := PROGRAM.match(line):
            program = match[1]
        elif REASON.match(line):
            reason = next(lines, "").strip()
        elif match := CASE.match(line):
            found[program, reason].append(match[1])
            reason = ""
        elif match := UNITTEST.match(line):
            found[match[2], match[3]].append(match[1])
        elif match := NODE.match(line):
            found["node", match[2]].append(match[1])
    return found


def main(logs):
    for log in map(pathlib.Path, logs):
        if not log.exists():
            continue
        with log.open(encoding="utf-8", errors="replace") as lines:
            for (program, reason), tests in skipped(lines).items():
                names = tests[0] if len(tests) == 1 else f"{len(tests)} tests, {tests[0]} the first"
                print(f"skipped: {program}: {names}: {reason or 'no reason given'}")


if __name__ == "__main__":
    main(sys.argv[1:])
