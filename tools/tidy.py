#!/usr/bin/env python3
"""Runs clang-tidy over every source file of the `tidy` preset, skipping those found clean before.

Usage: tidy.py [--deep | --minutes N] BUILD_DIR [FILE...]

Two things are most of the cost. The path-sensitive analyzer looks at the product with a small
budget, which is three times faster than the full one that --deep gives it, and never at tests, where
it would follow the branches of assertion macros. The bugprone-* checks walk through everything that
a test library instantiates, which doubles the time for a test; tests get them with --deep only.

A file is found clean for one state of everything that clang-tidy reads: the file and the headers of
this project that it includes, directly or not; its compile command; .clang-tidy; the versions of
clang-tidy and of the packages whose headers we include. The hash of all this is the name of an
empty file under ${XDG_CACHE_HOME:-~/.cache}/stator/tidy, which any clone on the machine shares.

With --minutes no file is begun when that time is over, and only the checks are made that cost little
beside reading the headers. Files that changed last come first, so that what a commit brings is
checked in any case, and what is left is what was there before.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
TIDY = "clang-tidy-19"
INCLUDE_ROOTS = [ROOT / "include", ROOT / "src", ROOT / "test", ROOT]
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
PACKAGES = [
    "libc6-dev", "libstdc++-12-dev", "librocksdb-dev", "libsimdjson-dev", "libssl-dev", "zlib1g-dev",
    "libboost1.81-dev", "libcli11-dev", "libgtest-dev", "libgmock-dev", "librapidcheck-dev",
    "libbenchmark-dev",
]
NO_ANALYZER = ["--checks=-clang-analyzer-*"]
FEW_CHECKS = ["--checks=-clang-analyzer-*,-bugprone-*,bugprone-use-after-move"]
CHEAP_CHECKS = ["--checks=-*," + ",".join([
    "readability-identifier-naming", "readability-function-size", "readability-else-after-return",
    "readability-braces-around-statements", "modernize-use-override", "modernize-use-nodiscard",
    "google-explicit-constructor", "google-build-using-namespace", "cppcoreguidelines-slicing",
    "cppcoreguidelines-virtual-class-destructor", "misc-unused-using-decls"])]
QUICK_ANALYZER = [f"--extra-arg={word}" for word in
                  ["-Xclang", "-analyzer-config", "-Xclang", "mode=shallow"]]
UNUSED_DAYS_MAX = 30


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "stator" / "tidy"


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout


def with_headers(path, seen):
    """Adds `path` and every header of the project that it includes to `seen`, a map to contents."""
    if path in seen:
        return
    seen[path] = path.read_text()
    for name in INCLUDE.findall(seen[path]):
        for folder in [path.parent, *INCLUDE_ROOTS]:
            header = pathlib.Path(os.path.normpath(folder / name))
            if header.is_file():
                with_headers(header, seen)
                break


def options_for(file, deep, hurry):
    if hurry:
        return CHEAP_CHECKS
    if file.endswith("_test.cc") or not file.startswith(f"{ROOT}/src/"):
        return NO_ANALYZER if deep else FEW_CHECKS
    return [] if deep else QUICK_ANALYZER


def key_of(entry, build, common, options):
    """The hash that stands for everything clang-tidy reads when it checks `entry`."""
    seen = {}
    with_headers(pathlib.Path(entry["file"]), seen)
    words = entry.get("command") or shlex.join(entry["arguments"])
    digest = hashlib.sha256("\0".join([common, *options]).encode())
    digest.update(words.replace(str(build), "BUILD").replace(str(ROOT), "ROOT").encode())
    for path in sorted(seen):
        digest.update(f"\0{os.path.relpath(path, ROOT)}\0{seen[path]}".encode())
    return digest.hexdigest()


def check(build, file, options, end):
    """Runs clang-tidy on one file. Returns whether it is clean, what was said, and the seconds.
    After the moment `end` nobody knows whether it is clean."""
    start = time.monotonic()
    if end is not None and start > end:
        return None, "", 0
    command = [TIDY, "--quiet", "-p", str(build), *options, file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stdout if done.returncode == 0 or done.stdout else done.stderr
    return done.returncode == 0, said.strip(), time.monotonic() - start


def changed_last():
    """Where each file stands in the history, 0 for those that are not committed yet."""
    def git(*words):
        return output_of("git", "-C", str(ROOT), *words).splitlines()

    places = {line[3:].split(" -> ")[-1]: 0 for line in git("status", "--porcelain", "-uall")}
    for place, name in enumerate(git("log", "--name-only", "--pretty=format:"), 1):
        places.setdefault(name, place)
    return places


def in_order(files, minutes):
    """Large files first: otherwise the last one keeps one core busy and the others idle. When time
    is short, those that changed last first."""
    if minutes is None:
        return sorted(files, key=lambda file: -os.path.getsize(file))
    places = changed_last()
    return sorted(files, key=lambda file: places.get(os.path.relpath(file, ROOT), len(places)))


def forget_unused(cache):
    oldest = time.time() - UNUSED_DAYS_MAX * 24 * 3600
    for marker in cache.iterdir():
        if marker.stat().st_mtime < oldest:
            marker.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deep", action="store_true", help="let the analyzer follow all paths")
    parser.add_argument("--minutes", type=float, help="begin no file when this time is over")
    parser.add_argument("build", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("files", nargs="*", help="only these; without any, all of the build")
    arguments = parser.parse_args()
    build = arguments.build
    wanted = {str(pathlib.Path(name).resolve()) for name in arguments.files}
    entries = {e["file"]: e for e in json.loads((build / "compile_commands.json").read_text())}
    entries = {file: e for file, e in entries.items() if not wanted or file in wanted}

    common = output_of(TIDY, "--version") + (ROOT / ".clang-tidy").read_text()
    common += output_of("dpkg-query", "-W", *PACKAGES)
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    options = {file: options_for(file, arguments.deep, arguments.minutes) for file in entries}
    markers = {f: cache / key_of(e, build, common, options[f]) for f, e in entries.items()}
    unknown = [file for file in entries if not markers[file].exists()]
    for file in set(entries) - set(unknown):
        markers[file].touch()

    unknown = in_order(unknown, arguments.minutes)
    end = None if arguments.minutes is None else time.monotonic() + 60 * arguments.minutes
    failed, left = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(check, build, file, options[file], end): file for file in unknown}
        for done, run in enumerate(concurrent.futures.as_completed(runs), 1):
            file, (clean, said, seconds) = runs[run], run.result()
            if clean is None:
                left += 1
                continue
            shown = os.path.relpath(file, ROOT)
            print(f"[{done}/{len(unknown)}] {shown} {seconds:.1f} s", flush=True)
            if clean:
                markers[file].touch()
            else:
                failed.append(shown)
                print(said, flush=True)

    forget_unused(cache)
    print(f"clang-tidy: {len(entries)} files, {len(entries) - len(unknown)} known to be clean, "
          f"{len(unknown) - left} checked, {len(failed)} with findings")
    if left:
        print(f"  {left} were not looked at, because time was over; ./dev lint looks at all")
    for shown in sorted(failed):
        print(f"  {shown}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
