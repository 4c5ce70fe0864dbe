#!/usr/bin/env python3
"""Runs clang-tidy over every source file of the `tidy` preset, skipping those found clean before.

Usage: tidy.py [--deep] [--product] BUILD_DIR [FILE...]

Files are read in groups (source_groups.py), because reading headers is most of the cost; a group
that does not compile is halved. With --deep
the path-sensitive analyzer looks at the product, never at tests, where it would follow the branches
of assertion macros; and tests get the bugprone-* checks, which walk through everything that a test
library instantiates. What helps a program to be fast or a caller to be careful is not asked of tests.

A group is found clean for one state of everything that clang-tidy reads: its files and the headers
of this project that they include, directly or not; the compile command; .clang-tidy; the versions of
clang-tidy and of the packages whose headers we include. The hash of all this is the name of an
empty file under ${XDG_CACHE_HOME:-~/.cache}/stator/tidy, which any clone on the machine shares.
"""

import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import source_groups

ROOT = pathlib.Path(__file__).resolve().parents[1]
TIDY = "clang-tidy-19"
COMPILER = "clang++-19"
INCLUDE_ROOTS = [ROOT / "include", ROOT / "src", ROOT / "test", ROOT]
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
PACKAGES = [
    "libc6-dev", "libstdc++-12-dev", "librocksdb-dev", "libsimdjson-dev", "libssl-dev", "zlib1g-dev",
    "libboost1.81-dev", "libcli11-dev", "libgtest-dev", "libgmock-dev", "librapidcheck-dev",
    "libbenchmark-dev", "libcurl4-openssl-dev", "libedit-dev", "libnghttp2-dev",
]
# In a group every file is included, and what one file declares has namesakes in its neighbours.
NOT_IN_A_GROUP = "-bugprone-suspicious-include,-bugprone-forward-declaration-namespace"
NO_ANALYZER = [f"--checks=-clang-analyzer-*,{NOT_IN_A_GROUP}"]
WITH_ANALYZER = [f"--checks={NOT_IN_A_GROUP}"]
FOR_TESTS = ("--checks=-clang-analyzer-*,-performance-*,-modernize-use-nodiscard,-misc-const-correctness,"
             f"-cppcoreguidelines-virtual-class-destructor,{NOT_IN_A_GROUP}")
FEW_CHECKS = [FOR_TESTS + ",-bugprone-*,bugprone-use-after-move"]
MORE_CHECKS = [FOR_TESTS]
# Warnings are the build's business; here a neighbour's names would cause some.
IN_A_GROUP = ["-w"]
GROUP_FILES_MAX = 60
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


def is_product(file):
    return file.startswith(f"{ROOT}/src/") and not file.endswith("_test.cc")


def options_for(file, deep):
    if not is_product(file):
        return MORE_CHECKS if deep else FEW_CHECKS
    return WITH_ANALYZER if deep else NO_ANALYZER


def key_of(group, build, common):
    """The hash that stands for everything clang-tidy reads when it checks the group."""
    seen = {}
    for file in group.files:
        with_headers(pathlib.Path(file), seen)
    digest = hashlib.sha256("\0".join([common, *group.options]).encode())
    flags = "\0".join(group.flags)
    digest.update(flags.replace(str(build), "BUILD").replace(str(ROOT), "ROOT").encode())
    for path in sorted(seen):
        digest.update(f"\0{os.path.relpath(path, ROOT)}\0{seen[path]}".encode())
    return digest.hexdigest()


@dataclasses.dataclass
class Run:
    passed: bool
    said: str


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return Run(done.returncode == 0, (done.stdout or done.stderr).strip())


def check_tidy(group, source, build):
    """What `check` returns, by clang-tidy."""
    flags = [*group.flags, *IN_A_GROUP]
    if len(group.files) > 1 and not run([COMPILER, "-fsyntax-only", *flags, str(source)], build).passed:
        return None
    tidied = run([TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", *group.options, str(source),
                  "--", *flags], build)
    return "" if tidied.passed else tidied.said


def check(group, build):
    """Returns what was found, nothing if the files are clean, or None if they cannot be read together;
    and the seconds."""
    start = time.monotonic()
    name = hashlib.sha256("\0".join([*group.options, *group.files]).encode()).hexdigest()[:16]
    source = build / "groups" / (name + ".cc")
    source.parent.mkdir(exist_ok=True)
    source.write_text("".join(f'#include "{file}"\n' for file in group.files))
    return check_tidy(group, source, build), time.monotonic() - start


def groups_for(build, is_wanted, options_of):
    entries = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        # As its own folder compiles it: a test may do so again, with other headers before ours.
        entries.setdefault(entry["file"], entry)
    flags = {file: source_groups.flags_of(e) for file, e in entries.items()
             if is_wanted(file) and not file.startswith(f"{build}/")}  # What the build makes is not ours.
    return source_groups.groups_of(flags, options_of,
                                   lambda file: pathlib.Path(file).read_text(), GROUP_FILES_MAX)


def forget_unused(cache):
    oldest = time.time() - UNUSED_DAYS_MAX * 24 * 3600
    for marker in cache.iterdir():
        if marker.stat().st_mtime < oldest:
            marker.unlink()


def run_all(build, groups, common):
    """Checks groups until none is left. Returns what was found: a list of texts."""
    findings = []
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # Large groups first: otherwise the last one keeps one core busy and the others idle.
        waiting = {pool.submit(check, group, build): group
                   for group in sorted(groups, key=lambda group: -len(group.files))}
        while waiting:
            done, _ = concurrent.futures.wait(waiting, return_when="FIRST_COMPLETED")
            for task in done:
                group, (said, seconds) = waiting.pop(task), task.result()
                first = os.path.relpath(group.files[0], ROOT)
                print(f"{first} and {len(group.files) - 1} more, {seconds:.1f} s", flush=True)
                if said is None:
                    print("  do not go together", flush=True)
                    waiting |= {pool.submit(check, half, build): half for half in group.halves()}
                elif said:
                    findings.append(said)
                    print(said, flush=True)
                else:
                    (cache / key_of(group, build, common)).touch()
    forget_unused(cache)
    return findings


def known_clean(group, build, common):
    """Whether the group was found clean as a whole, or in the halves that it had to be read in."""
    marker = cache_folder() / key_of(group, build, common)
    if marker.exists():
        marker.touch()
        return True
    return len(group.files) > 1 and all(known_clean(half, build, common) for half in group.halves())


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deep", action="store_true", help="let the analyzer follow all paths")
    parser.add_argument("--product", action="store_true", help="no tests, benchmarks and examples")
    parser.add_argument("build", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("files", nargs="*", help="only these; without any, all of the build")
    arguments = parser.parse_args()
    build = arguments.build
    wanted = {str(pathlib.Path(name).resolve()) for name in arguments.files}
    groups = groups_for(build, lambda file: (not wanted or file in wanted) and
                        (not arguments.product or is_product(file)),
                        lambda file: options_for(file, arguments.deep))

    common = output_of(TIDY, "--version") + (ROOT / ".clang-tidy").read_text()
    common += output_of("dpkg-query", "-W", *PACKAGES)
    unknown = [group for group in groups if not known_clean(group, build, common)]
    findings = run_all(build, unknown, common)

    files, left = (sum(len(group.files) for group in some) for some in (groups, unknown))
    print(f"clang-tidy: {files} files in {len(groups)} groups, {files - left} known to be clean, "
          f"{left} checked, {len(findings)} groups with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
