#!/usr/bin/env python3
"""Writes src/stores/events/unicode_tables.cc from the Unicode database of this Python."""

import pathlib
import unicodedata

FILE = pathlib.Path(__file__).resolve().parents[1] / "src/stores/events/unicode_tables.cc"
CODE_POINTS = range(0x110000)


def decompositions():
    """(code, first, second, whether the two compose to it again); second is 0 when there is one."""
    for code in CODE_POINTS:
        parts = unicodedata.decomposition(chr(code)).split()
        if parts and not parts[0].startswith("<"):
            first, second = (int(part, 16) for part in (parts + ["0"])[:2])
            composed = second and unicodedata.normalize("NFC", chr(first) + chr(second)) == chr(code)
            yield code, first, second, bool(composed)


def classes():
    """(first, last, combining class) of runs of code points whose class is not 0."""
    runs = []
    for code in CODE_POINTS:
        value = unicodedata.combining(chr(code))
        if value and runs and runs[-1][1:] == [code - 1, value]:
            runs[-1][1] = code
        elif value:
            runs.append([code, code, value])
    return runs


def table(name, kind, rows):
    lines, line = [], "   "
    for row in rows:
        entry = " {" + ",".join(str(int(number)) for number in row) + "},"
        if len(line) + len(entry) > 100:
            lines.append(line)
            line = "   "
        line += entry
    return f"constexpr {kind} {name}[] = {{\n" + "\n".join([*lines, line]) + "\n};\n"


def main():
    FILE.write_text(f"""\
// Written by tools/make_unicode_tables.py from the database of Unicode {unicodedata.unidata_version}.

#include "stores/events/unicode_tables.h"

namespace stator::events {{
namespace {{

// clang-format off
{table("kDecompositions", "UnicodeDecomposition", decompositions())}
{table("kClasses", "UnicodeClass", classes())}// clang-format on

}}  // namespace

std::span<const UnicodeDecomposition> UnicodeDecompositions() {{
  return kDecompositions;
}}
std::span<const UnicodeClass> UnicodeClasses() {{
  return kClasses;
}}

}}  // namespace stator::events
""")


if __name__ == "__main__":
    main()
