#!/usr/bin/env python3
"""Compiles mistakes with entities, one by one, and compares what the compiler says.

Usage: compile_errors_test.py COMPILER [ARGUMENT...]

compile_errors/golden.txt has the mistakes ("== CODE") and the errors that g++ reports for each, without
places. An error is short: the compiler prints no more than LINES_MAX lines about a mistake, those
that lead to it included.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

LINES_MAX = 30
HERE = pathlib.Path(__file__).resolve().parent / "compile_errors"


def read_golden():
    mistakes = []
    for line in (HERE / "golden.txt").read_text().splitlines():
        if line.startswith("== "):
            mistakes.append((line[3:], []))
        elif line:
            mistakes[-1][1].append(line)
    return mistakes


def main():
    command = sys.argv[1:]
    mistakes = read_golden()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "mistake.cc"
        for code, expected in mistakes:
            source.write_text('#include "things.h"\nusing namespace stator::entities;\n'
                              f"void Use(const Things& things) {{\n  {code}\n}}\n")
            done = subprocess.run([*command, f"-I{HERE}", "-fsyntax-only", str(source)],
                                  capture_output=True, text=True, check=False,
                                  env={**os.environ, "LC_ALL": "C"})
            lines = done.stderr.splitlines()
            errors = [re.sub(r"^.*?: (error: .*)$", r"\1", line) for line in lines
                      if ": error: " in line]
            if errors != expected or len(lines) > LINES_MAX:
                failures += 1
                print(f"{code}\n  expected {expected}\n  got {errors}, {len(lines)} lines\n"
                      f"{done.stderr}")
    print(f"{len(mistakes) - failures} of {len(mistakes)} as recorded")
    return 1 if failures or not mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
