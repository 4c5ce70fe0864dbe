#!/usr/bin/env python3
"""Writes source files that include others, a few each, and prints their names: what CMake compiles
instead of the others when STATOR_GROUP_FILES is more than one.

Usage: group_sources.py FOLDER MOST FILE...

FOLDER gets the new files, each of which includes MOST at most. They name the FILEs relative to the
project, so that ccache knows them again in another clone; a file that would stay as it is is not
touched. A FILE that goes with no other is printed itself.
"""

import os
import pathlib
import sys

import source_groups

ROOT = pathlib.Path(__file__).resolve().parents[1]


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
    folder, most, files = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    groups = source_groups.groups_of({file: [] for file in files}, lambda file: [],
                                     lambda file: pathlib.Path(file).read_text(), most)
    print(";".join(write_group(folder, number, group.files) for number, group in enumerate(groups)),
          end="")


if __name__ == "__main__":
    main()
