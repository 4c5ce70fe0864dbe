#!/usr/bin/env python3
"""Fails when a probe of the source was reached by no test (src/base/probe.h).

Usage: check_probes.py REACHED [ROOT]

REACHED is the file to which the tests of a run have added the names of the probes that they passed
(STATOR_PROBES). ROOT is the source tree, by default this one.
"""

import pathlib
import re
import sys

PROBE = re.compile(r'\bPROBE\(\s*"((?:[^"\\]|\\.)*)"\s*\)')


def probes_of(root):
    """name: the places where it stands, of everything below root/src that is no test."""
    found = {}
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".h", ".cc") or path.stem.endswith("_test"):
            continue
        if path.name == "probe.h":  # Its comment shows one.
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in PROBE.findall(line):
                found.setdefault(name, []).append(f"{path.relative_to(root)}:{number}")
    return found


def problems_of(probes, reached):
    problems = []
    for name, places in probes.items():
        if len(places) > 1:
            problems.append(f"{places[1]}: \"{name}\" stands at {places[0]}, too")
        if name not in reached:
            problems.append(f"{places[0]}: no test reaches \"{name}\"")
    return problems


def main(arguments):
    if not 1 <= len(arguments) <= 2:
        sys.exit(__doc__.strip())
    root = pathlib.Path(arguments[1] if len(arguments) == 2 else pathlib.Path(__file__).parents[1])
    path = pathlib.Path(arguments[0])
    reached = set(path.read_text().splitlines()) if path.exists() else set()
    probes = probes_of(root)
    problems = problems_of(probes, reached)
    print("\n".join(problems) if problems else f"{len(probes)} probes, each reached by a test")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
