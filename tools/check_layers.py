#!/usr/bin/env python3
"""Fails when an #include crosses a border that layers.txt does not open.

Usage: check_layers.py [ROOT]

  - A file of src/<folder>/ or include/stator/<folder>/ includes only from its own folder and from
    those that layers.txt names behind it.
  - include/ never includes from src/, nor a header of a third party that is not "public" at home.
  - A header of a third party is included only where layers.txt says it is at home.
  - A header of our own whose homes layers.txt names is included only there, and by tests.
  - A header that opens with "For tests" is included by tests only.
  - layers.txt itself names only folders further up, so the folders cannot form a circle.
"""

import dataclasses
import pathlib
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = (".h", ".cc", ".inc")


class Layers:
    """What layers.txt says."""

    def __init__(self, text):
        self.allowed = {}  # folder: the set of folders it may include from, itself among them
        self.homes = {}  # beginning of a third-party header: the set of folders it is at home in
        self.own_homes = {}  # header of our own: the only folders that may include it
        self.problems = []
        for number, line in enumerate(text.splitlines(), 1):
            line = line.partition("#")[0].strip()
            if not line:
                continue
            name, _, rest = line.partition(":")
            names = set(rest.split())
            if name.startswith('"'):
                self.own_homes[name.strip('"')] = names
                continue
            if name.startswith("<"):
                self.homes[name[1:]] = names
                continue
            for unknown in sorted(names - set(self.allowed)):
                self.problems.append(f"layers.txt:{number}: {unknown} is not a folder further up")
            self.allowed[name] = names | {name}

    def folder_of(self, path):
        """The folder of layers.txt that holds `path`, which may be one of several levels."""
        parts = path.split("/")[:-1]
        for length in range(len(parts), 0, -1):
            folder = "/".join(parts[:length])
            if folder in self.allowed:
                return folder
        return None

    def home_of(self, header):
        """Where the third-party `header` is at home, or None when nothing is said about it."""
        fitting = [start for start in self.homes if header.startswith(start)]
        return self.homes[max(fitting, key=len)] if fitting else None


@dataclasses.dataclass
class File:
    """What decides about the includes of a file."""

    folder: str  # None for a header directly in include/stator, which gathers others for users
    public: bool
    test: bool


def is_test(path):
    """Test programs, and headers that say in their first words that they are for tests."""
    return path.stem.endswith("_test") or path.read_text().startswith("// For tests")


def is_standard(header):
    return re.fullmatch(r"[a-z_0-9]+", header) is not None


def problem_with_library(layers, file, header):
    if is_standard(header):
        return None
    home = layers.home_of(header)
    if file.public and "public" not in (home or ()):
        return f"a public header includes <{header}>; only the standard library may be here"
    if home is None:
        return f"<{header}> has no home in layers.txt"
    if file.folder in home or (file.test and "tests" in home):
        return None
    return f"<{header}> is at home in {', '.join(sorted(home - {'public'}))} only"


def problem_with_own(layers, file, header, test_headers):
    if file.public and not header.startswith("stator/"):
        return f'a public header includes "{header}" of src/'
    if re.fullmatch(r"stator/[^/]+", header):
        return None if file.test else f'"{header}" is for users; include what is needed of it'
    target = layers.folder_of(header.removeprefix("stator/"))
    if target is None:
        return f'"{header}" does not begin with a folder of layers.txt'
    if file.folder is not None and target not in layers.allowed[file.folder]:
        return f"{file.folder} may not include from {target}"
    homes = layers.own_homes.get(header)
    if homes is not None and file.folder not in homes and not file.test:
        return f'"{header}" is of {", ".join(sorted(homes))} alone'
    if header in test_headers and not file.test:
        return f'"{header}" is for tests only'
    return None


def check(root):
    """All violations under `root`, as lines for a reader."""
    layers = Layers((root / "layers.txt").read_text())
    problems = list(layers.problems)
    sources = [(path, base) for base in (root / "src", root / "include" / "stator")
               for path in sorted(base.rglob("*")) if path.suffix in SOURCES]
    test_headers = {str(path.relative_to(base)) for path, base in sources if is_test(path)}
    for path, base in sources:
        folder = layers.folder_of(str(path.relative_to(base)))
        file = File(folder, public=base.name == "stator", test=is_test(path))
        shown = path.relative_to(root)
        if folder is None and not (file.public and path.parent == base):
            problems.append(f"{shown}: its folder is not in layers.txt")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            if found[1] == "<":
                problem = problem_with_library(layers, file, found[2])
            else:
                problem = problem_with_own(layers, file, found[2], test_headers)
            if problem:
                problems.append(f"{shown}:{number}: {problem}")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    problems = check(root)
    print("\n".join(problems) or "layers hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
