#!/usr/bin/env python3
"""Sends a corpus of requests to `stator serve` and to DynamoDB Local and compares the answers.

Usage: run.py [--full] [--seed N] [--requests N] [--only REGEX] [--show N] [--list]

Every difference must be known: known_differences.toml has a pattern for it and names the row of
docs/compatibility.md that explains it. Without --full (or STATOR_TEST_FULL in the environment) a
seeded sample of the corpus is played; --full plays all of it, and then a known difference that did
not occur is a failure too. --only takes the scenes whose names match, completely.

The program is the one that STATOR_PROGRAM names; tools/dynamodb_local.py says where DynamoDB Local
comes from.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import sys
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "test" / "sdk")]

import difference
import scene
from dynamodb_local import DynamoDbLocal
from exchange import Endpoint, Request
from server_process import ServerProcess

SAMPLE_REQUESTS = 800
SHOWN = 40
# Of a sample they shall be a part.
EFFORTS = {"sample": 0.1, "only": 1, "full": 8}
# The region in the names that DynamoDB Local gives.
REGION = "ddblocal"


class Comparison:
    """Plays scenes on both sides and collects what differs."""

    def __init__(self, stator, local, known):
        self._sides = [stator, local]
        self._known = known
        self.requests = collections.Counter()
        self.found = 0
        self.unexplained = []

    def play(self, scene_):
        for side in self._sides:
            delete_tables(side)
        for act in [scene_.setup, *scene_.acts]:
            self._play_act(scene_.name, act)

    def _play_act(self, name, act):
        stator, local = (scene.play(act, side.send) for side in self._sides)
        if len(stator) != len(local):
            self._note(name, [difference.Difference(
                "(act)", "", "requests", str(len(stator)), str(len(local)))])
        for (request, one), (_, other) in zip(stator, local):
            if isinstance(request, scene.Seen):
                found = difference.differences_of_values(request.what, one, other)
            else:
                self.requests[request.operation] += 1
                found = difference.differences(request, one, other)
            self._note(name, found)

    def _note(self, name, found):
        self.found += len(found)
        self.unexplained += [(name, one) for one in difference.unexplained(found, self._known)]


def delete_tables(side):
    for _ in range(100):
        names = side.send(Request("ListTables", {})).get("TableNames")
        if not names:
            return
        for name in names:
            side.send(Request("UpdateTable",
                              {"TableName": name, "DeletionProtectionEnabled": False}))
            side.send(Request("DeleteTable", {"TableName": name}))
    raise RuntimeError(f"these tables cannot be deleted: {names}")


def sample(scenes, seed, requests):
    """Acts chosen by chance until there are about so many requests; each stays in its scene."""
    chance = random.Random(seed)
    acts = [(index, act) for index, one in enumerate(scenes) for act in one.acts]
    chance.shuffle(acts)
    chosen = collections.defaultdict(list)
    count = 0
    for index, act in acts:
        if count >= requests:
            break
        count += len(act) if isinstance(act, list) else 5
        if not chosen[index]:
            count += len(scenes[index].setup)
        chosen[index].append(act)
    return [scene.Scene(scenes[index].name, scenes[index].setup, chosen[index])
            for index in sorted(chosen)]


def shorten(text, limit=300):
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


def report(unexplained, shown):
    """Alike differences once, with an example of the request."""
    groups = collections.defaultdict(list)
    for name, one in unexplained:
        path = re.sub(r"\[\d+\]", "[]", one.path)
        groups[(one.operation, path, one.stator, one.local)].append((name, one))
    for (operation, path, stator, local), examples in list(groups.items())[:shown]:
        name, example = examples[0]
        print(f"\n{operation}, {path} ({len(examples)} times; scene {name})")
        print(textwrap.indent(f"request {shorten(example.request)}\n"
                              f"stator  {shorten(stator)}\nlocal   {shorten(local)}", "  "))
    if len(groups) > shown:
        print(f"\n... and {len(groups) - shown} more")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--full", action="store_true",
                        default=bool(os.environ.get("STATOR_TEST_FULL")))
    parser.add_argument("--seed", type=int, help="of the sample; by chance unless given")
    parser.add_argument("--requests", type=int, default=SAMPLE_REQUESTS, help="in the sample")
    parser.add_argument("--only", metavar="REGEX", help="scenes")
    parser.add_argument("--show", type=int, default=SHOWN, help="kinds of differences at most")
    parser.add_argument("--list", action="store_true", help="print the scenes and their size")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    scene.EFFORT = EFFORTS["full" if arguments.full else "only" if arguments.only else "sample"]
    scenes = scene.all_scenes()
    if arguments.only:
        scenes = [one for one in scenes if re.search(arguments.only, one.name)]
    elif not arguments.full:
        seed = random.randrange(1_000_000) if arguments.seed is None else arguments.seed
        print(f"A sample; --seed {seed} repeats it.")
        scenes = sample(scenes, seed, arguments.requests)
    if arguments.list:
        for one in scenes:
            print(f"{one.name:40} {len(one.acts):5} acts")
        return 0

    known = difference.read_known()
    start = time.monotonic()
    with ServerProcess("--memory", "--region", REGION) as stator, DynamoDbLocal() as local:
        sides = Endpoint(stator), Endpoint(local)
        comparison = Comparison(*sides, known)
        for one in scenes:
            comparison.play(one)
        for side in sides:
            side.close()

    report(comparison.unexplained, arguments.show)
    print(f"\n{sum(comparison.requests.values())} requests in {len(scenes)} scenes, "
          f"{time.monotonic() - start:.0f} s:")
    print(textwrap.fill(", ".join(f"{name} {count}" for name, count
                                  in sorted(comparison.requests.items())), 100))
    print(f"{comparison.found} differences, {len(comparison.unexplained)} of them unexplained")
    unused = []
    if arguments.full and not arguments.only:
        unused = [pattern for one in known for pattern in one.unused()]
        for pattern in unused:
            print(f"This known difference no longer occurs; take it out: {pattern}")
    return 1 if comparison.unexplained or unused else 0


if __name__ == "__main__":
    sys.exit(main())
