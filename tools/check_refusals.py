#!/usr/bin/env python3
"""Compiles a file that must not compile, and expects the words that it announces.

Usage: check_refusals.py FILE COMPILER [ARGUMENT...]

FILE says in comments "// refused: WORDS" what the compiler has to print. One run of the compiler
checks them all.
"""

import os
import pathlib
import re
import subprocess
import sys


def main():
    source, *command = sys.argv[1:]
    expected = re.findall(r"// refused: (.+)", pathlib.Path(source).read_text())
    if "clang" in os.path.basename(command[0]):
        command.append("-ferror-limit=0")
        # It shows names in template arguments as numbers.
        expected = [words for words in expected if "ShownName" not in words]
    done = subprocess.run([*command, "-fsyntax-only", source], capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"}, check=False)
    missing = [words for words in expected if words not in done.stderr]
    if done.returncode == 0:
        missing = expected
    for words in missing:
        print(f"{source}: the compiler does not say: {words}")
    if missing:
        print(done.stderr)
    print(f"{len(expected) - len(missing)} of {len(expected)} refusals")
    return 1 if missing or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
