"""Makes the comments of a header known to Doxygen, which reads only those with a third slash.

The comment at the top of a file describes the file; one that stands directly before a declaration
describes it; one behind a declaration on the same line describes that. Comments between blank lines
divide a header and are left alone.
"""

import re
import sys

COMMENT = re.compile(r"^(\s*)//(?!/)(.*)$")
BEHIND = re.compile(r"^(.*[;,{)\w\"'}])(\s+)//(?!/) ?(.*)$")


def plain(text):
    """Comments are plain text: no commands, no HTML, no links by accident."""
    return re.sub(r"([\\@<>#%])", r"\\\1", text)


def blocks(lines):
    """Pairs of (is a comment, lines)."""
    found = []
    for line in lines:
        is_comment = COMMENT.match(line) is not None
        if found and found[-1][0] == is_comment:
            found[-1][1].append(line)
        else:
            found.append((is_comment, [line]))
    return found


def as_documentation(lines, opening=""):
    # Verbatim keeps examples, tables and formats as they were written.
    indent = COMMENT.match(lines[0])[1]
    body = [COMMENT.match(line)[2].removeprefix(" ") for line in lines]
    out, in_verbatim = [f"{indent}/// {opening}".rstrip()] if opening else [], False
    for line in body:
        indented = line.startswith("  ")
        if indented and not in_verbatim:
            out.append(f"{indent}/// \\verbatim")
        elif in_verbatim and line and not indented:
            out.append(f"{indent}/// \\endverbatim")
        if line or not in_verbatim:
            in_verbatim = indented
        out.append(f"{indent}/// {line if in_verbatim else plain(line)}".rstrip())
    if in_verbatim:
        out.append(f"{indent}/// \\endverbatim")
    return out


def filtered(text):
    out, is_first = [], True
    parts = blocks(text.splitlines())
    for number, (is_comment, lines) in enumerate(parts):
        behind = parts[number + 1][1][0] if number + 1 < len(parts) else ""
        if is_comment and is_first:
            out += as_documentation(lines, "\\file")
        elif is_comment and behind.strip() and not behind.strip().startswith(("}", "#")):
            out += as_documentation(lines)
        elif is_comment:
            out += lines
        else:
            for line in lines:
                match = BEHIND.match(line)
                is_documented = match and not line.strip().startswith(("#", "}", "namespace"))
                out.append(f"{match[1]}{match[2]}///< {plain(match[3])}" if is_documented else line)
        is_first = False
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.write(filtered(header.read()))
