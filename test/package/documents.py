"""The programs of the documents: blocks of C++ that are whole and can be run.

A block whose first line is `// program NAME, links PART...` is one; PART is a part of the package
(`database`, `events database`). What it prints stands in the block of `text` that follows. A program
that is given the address of a server as its first argument says `// program NAME, links PART...,
asks a server`.
"""

import dataclasses
import pathlib
import re

BLOCK = re.compile(r"^```cpp\n(// program (\w+), links ([\w ]+?)(, asks a server)?\n.*?)^```\n"
                   r"(?:(?!```).)*?^```text\n(.*?)^```$", re.M | re.S)
OPENING = re.compile(r"^// program ", re.M)


@dataclasses.dataclass
class Program:
    name: str
    part: str
    needs_server: bool
    code: str
    output: str
    place: str


def programs_of(text, place):
    found = [Program(name, part, bool(server), code, output, place)
             for code, name, part, server, output in BLOCK.findall(text)]
    if len(found) != len(OPENING.findall(text)):
        raise ValueError(f"{place}: a program has no block of text with what it prints behind it")
    return found


def programs(root):
    found = []
    for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        found += programs_of(page.read_text(encoding="utf-8"),
                             str(page.relative_to(pathlib.Path(root))))
    names = [program.name for program in found]
    if len(set(names)) != len(names):
        raise ValueError(f"two programs of the documents have one name: {names}")
    return found
