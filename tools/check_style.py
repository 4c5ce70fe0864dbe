#!/usr/bin/env python3
"""Fails on what clang-format and clang-tidy do not see; each finding names what to do instead.

Usage: check_style.py [ROOT]

Most rules are in BANNED. One that is wrong for a file is changed here, not worked around there.
"""

import fnmatch
import os
import pathlib
import re
import sys

LINES_MAX = 600
CODE = (".h", ".cc", ".py", ".sh", ".js", ".mjs", ".ts", ".cmake")
BINARY = (".png", ".ico", ".gz", ".zip", ".sst", ".bin", ".woff2")
SKIPPED = ("build", "build-*", "node_modules", "__pycache__", ".*")
# These name what they forbid.
EXEMPT = ("tools/check_style.py", "test/tools/check_style_test.py")
TESTS = ("*_test.cc", "test/*")

# (what, files it concerns, files it does not, what to do instead)
BANNED = [
    (r"\b(TODO|FIXME)\b", ["*"], [], "do it, or open an issue"),
    (r"^\s*using namespace\b", ["*.h"], [], "write the namespace out"),
    (r"\bstd::endl\b", ["*.h", "*.cc"], [], "use '\\n'; flush where it matters"),
    (r"\bstd::regex\b", ["*.h", "*.cc"], [], "write a small parser; std::regex overflows the stack"),
    (r"\bs?rand\(|\bstd::random_device\b", ["*.h", "*.cc"],
     ["src/base/random.cc"], "take a stator::Random"),
    (r"\bgettimeofday\b|\bclock_gettime\b|\b(std::)?time\((nullptr|NULL|0)\)", ["*.h", "*.cc"], [],
     "take a stator::Clock"),
    (r"\b(system|high_resolution)_clock::now\b", ["*.h", "*.cc"],
     ["src/base/clock.cc", "src/base/clock_test.cc"], "take a stator::Clock"),
    (r"\bsteady_clock::now\b", ["src/*", "include/*"], ["src/base/clock.cc", *TESTS],
     "take a stator::Clock"),
    (r"\bsleep_(for|until)\b|\b(u|nano)sleep\(", ["*.h", "*.cc"], ["src/base/clock.cc", *TESTS],
     "use Clock::SleepFor"),
    (r"\bstd::(recursive_|shared_|timed_|recursive_timed_)?mutex\b|\bstd::condition_variable|"
     r"\bstd::(lock_guard|unique_lock|scoped_lock|shared_lock)\b", ["src/*", "include/*"],
     ["include/stator/base/mutex.h", "include/stator/base/condition_variable.h",
      "src/base/shared_mutex.h",
      "src/stores/tasks/task_store.cc",  # recursive, which clang cannot follow
      *TESTS], "use the Mutex of stator/base/mutex.h, which clang checks"),
    (r"\bmessage\.(contains|starts_with|ends_with|r?find\w*|compare)\(|\bmessage [!=]= \"",
     ["src/*", "include/*"], ["src/wire/service_words.cc", *TESTS],
     "messages are for people; ask for the ErrorCode or FindDetail"),
    (r"\bRC_(ASSERT|PRE)\((?!\().*(\|\||&&)", ["*.h", "*.cc"], [],
     "RapidCheck evaluates both sides; put the whole condition into parentheses"),
    (r"(?<![\w./-])/(work|root|home)/|/tmp/(build|brief|oracle)\b", ["*"], [],
     "no paths of one machine; ask CMake, git or the environment"),
    (r"registry\.(npmjs|yarnpkg)\.|\bpypi\.org|pythonhosted\.org|\bdeb\.debian\.org", ["*"], [],
     "name the package only; the machine knows its registry"),
    (r'^\s*"resolved":', ["*package-lock.json"], [],
     "run npm with omit-lockfile-registry-resolved=true"),
    (r"\b(inner|outer)HTML\b|insertAdjacentHTML|dangerouslySet|document\.write|\beval\(|new Function|"
     r"javascript:", ["console/src/*"], [], "what comes from a table is text; give it to Preact as such"),
    (r"[ \t]+$", ["*"], ["*.md", "test/golden/*"], "remove the white space at the end"),
    (r"\t", ["*.h", "*.cc", "*.py", "*.cmake", "*CMakeLists.txt"], [], "indent with spaces"),
]
BANNED = [(re.compile(what), only, but, instead) for what, only, but, instead in BANNED]


def matches(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def check_shape(name, lines):
    """What concerns a file as a whole."""
    if name.endswith(CODE) and len(lines) > LINES_MAX:
        yield 1, f"{len(lines)} lines; split it, the limit is {LINES_MAX}"
    if name.endswith(".h"):
        if not lines or not lines[0].startswith("//"):
            yield 1, "a header opens with a comment that says what it is for"
        if "#pragma once" not in lines:
            yield 1, "no #pragma once"


def check_file(name, text):
    """All findings in the file called `name`, relative to the root, as (line number, what)."""
    if name in EXEMPT:
        return
    lines = text.splitlines()
    yield from check_shape(name, lines)
    for pattern, only, but, instead in BANNED:
        if not matches(name, only) or matches(name, but):
            continue
        for number, line in enumerate(lines, 1):
            if found := pattern.search(line):
                yield number, f"'{found[0].strip() or 'white space'}': {instead}"


def listed_sources(name, text):
    """The .cc files that the CMakeLists.txt called `name` names, relative to the root.

    A benchmark or fuzz target may be named without its ending, as its program is.
    """
    folder = os.path.dirname(name)
    for line in text.splitlines():
        line = re.sub(r"\b(\w+_(bench|fuzz))\b(?!\.cc)", r"\1.cc", line.partition("#")[0])
        for word in re.findall(r"[^\s()\";]+\.cc\b", line):
            word = word.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")
            inside = "" if word.startswith("${PROJECT_SOURCE_DIR}/") else folder
            yield os.path.normpath(os.path.join(inside, word.replace("${PROJECT_SOURCE_DIR}/", "")))


def check(files):
    """All findings in `files`, a map of name to text, as lines for a reader."""
    listed = set()
    for name, text in files.items():
        if os.path.basename(name) == "CMakeLists.txt":
            listed.update(listed_sources(name, text))
    for name, text in sorted(files.items()):
        if matches(name, ["src/*.cc", "test/*.cc", "bench/*.cc", "fuzz/*.cc"]) and name not in listed:
            yield f"{name}:1: no CMakeLists.txt lists this file, so nothing builds it"
        for number, what in check_file(name, text):
            yield f"{name}:{number}: {what}"


def read_tree(root):
    """All text files under `root` by name, without what is built, installed or hidden."""
    files = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name == ".ci" or not matches(name, SKIPPED)]
        # In a worktree of git, .git is a file.
        names = [name for name in names if name != ".git" and not name.endswith(BINARY)]
        for path in (pathlib.Path(folder, name) for name in names):
            files[str(path.relative_to(root))] = path.read_text(errors="replace")
    return files


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    files = read_tree(root)
    problems = list(check(files))
    print("\n".join(problems) or f"style holds in {len(files)} files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
