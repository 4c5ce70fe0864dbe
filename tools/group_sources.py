#!/usr/bin/env python3
"""Writes source files that include others, a few each, and prints their names: what CMake compiles
instead of the others when STATOR_GROUPED is on.

Usage: group_sources.py FOLDER FILE...

FOLDER gets the new files. They name the FILEs relative to the project, so that ccache knows them
again in another clone; a file that would stay as it is is not touched. A FILE that goes with no
other is printed itself.
"""

import os
import pathlib
import sys

import source_groups

ROOT = pathlib.Path(__file__).resolve().parents[1]
# More save little, and make the change of one file dear.
GROUP_FILES_MAX = 10


def text_of(files):
    lines = [f'#include "{os.path.relpath(file, ROOT)}"\n' for file in files]
    return "// Made by tools/group_sources.py when CMake last ran.\n" + "".join(lines)


def write_group(folder, number, files):
    """Returns the file to compile for `files`."""
    if len(files) == 1:
        return files[0]
    path, text = folder / f"group_{number}.cc", text_of(files)
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(path)


def main():
    folder, files = pathlib.Path(sys.argv[1]), sys.argv[2:]
    groups = source_groups.groups_of({file: [] for file in files}, lambda file: [],
                                     lambda file: pathlib.Path(file).read_text(), GROUP_FILES_MAX)
    print(";".join(write_group(folder, number, group.files) for number, group in enumerate(groups)),
          end="")


if __name__ == "__main__":
    main()
