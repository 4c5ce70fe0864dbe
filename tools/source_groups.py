"""Puts source files into groups that a compiler or clang-tidy can read as one translation unit.

Most of what either spends on a file goes into the headers of the standard library and of GoogleTest
and what they instantiate. Sixty files that include each other's headers anyway cost clang-tidy about
as much as five.

Files share a group when they get the same options, define no macro differently, and when nothing
that is private to one of them (in an anonymous namespace, a macro) is a word of another, where it
would hide or repeat something; the same alias of the same type may be repeated. Names are found by the
shape of a line, which is nearly always enough.
"""

import collections
import re
import shlex

# Declarations stand at the beginning of a line, because namespaces do not indent.
ANONYMOUS = re.compile(r"^namespace \{")
ANONYMOUS_END = re.compile(r"^\}  // namespace$")
WORD = re.compile(r"(?<![.>])\b[A-Za-z_]\w+")  # not of a member
MEMBER = re.compile(r"\b([A-Z]\w*)(?:::\w+)+")  # of a type, which nothing private hides
ALIAS = re.compile(r"^using \w+ = .*;$")
ANYWHERE = [
    re.compile(r"^#define (\w+)"),
    re.compile(r"^namespace (\w+) ="),
    re.compile(r"^using (\w+) ="),
    re.compile(r"^(?:extern \"C\" )?int (main|LLVMFuzzerTestOneInput)\("),
    re.compile(r"^(BENCHMARK_MAIN)\("),
    re.compile(r"^const Home& (ThisHome)\("),  # one per home
]
MAIN = {"main", "BENCHMARK_MAIN"}
PRIVATE = ANYWHERE + [
    re.compile(r"^(?:template .*> )?(?:class|struct|enum class|enum|union) (?:\[\[\w+\]\] )?(\w+)"),
    re.compile(r"^(?!//|[ #})]|namespace|using |[A-Z_]+\()[^=;{(]*?(?<!::)\b(\w+)"
               r"(?:\(|;| =|\{|\[)"),
]


def names_in(text):
    """The names that a file with this text declares for itself alone, each with the whole line if it is an
    alias."""
    names, private = {}, False
    for line in text.splitlines():
        if ANONYMOUS.match(line):
            private = True
        elif ANONYMOUS_END.match(line):
            private = False
        for pattern in PRIVATE if private else ANYWHERE:
            if found := pattern.match(line):
                for name in MAIN if found[1] in MAIN else [found[1]]:
                    names[name] = line if ALIAS.match(line) else None
                break
    return names


def words_in(text):
    return set(WORD.findall(MEMBER.sub(r"\1", text)))


def flags_of(entry):
    """The words of a compile command without those that are of no matter to clang-tidy or differ
    from file to file."""
    words = shlex.split(entry.get("command") or shlex.join(entry["arguments"]))
    kept, skip = [], False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif word not in ("-c", "-MD", "-fPIC", "-fPIE", entry["file"]):
            kept.append(word)
    return kept


def macros_of(flags):
    return dict(flag[2:].partition("=")[::2] for flag in flags if flag.startswith("-D"))


class Group:
    """Files that are read together, with the flags and the options that they need."""

    def __init__(self, options, most=0):
        self.options, self.most = options, most
        self.files, self.flags = [], []
        self.names, self.words = {}, set()

    def fits(self, text, flags):
        mine, theirs = macros_of(self.flags), macros_of(flags)
        return (len(self.files) < self.most and
                self.stays_apart(names_in(text), words_in(text)) and
                all(mine.get(name, value) == value for name, value in theirs.items()))

    def stays_apart(self, names, words):
        """Whether nothing private meets a word of the others, but an alias itself."""
        met = (self.names.keys() & words) | (names.keys() & self.words)
        return all(names.get(name) and names[name] == self.names.get(name) for name in met)

    def add(self, file, text, flags):
        self.files.append(file)
        self.names |= names_in(text)
        self.words |= words_in(text)
        self.flags += [flag for flag in flags if flag not in self.flags]

    def halves(self):
        parts = Group(self.options), Group(self.options)
        middle = len(self.files) // 2
        for part, files in zip(parts, (self.files[:middle], self.files[middle:])):
            part.files, part.flags = files, self.flags
        return parts


def groups_of(flags, options_of, text_of, most):
    """`flags` maps a file to the compiler's flags for it, `options_of` a file to the options of whom
    the groups are for, `text_of` a file to what stands in it; a group has `most` files at most. First
    fit, in the order of the names, so that a new file moves few others."""
    shelves = collections.defaultdict(list)
    for file in sorted(flags):
        text, options = text_of(file), options_of(file)
        shelf = shelves[tuple(options)]
        group = next((group for group in shelf if group.fits(text, flags[file])), None)
        if group is None:
            group = Group(options, most)
            shelf.append(group)
        group.add(file, text, flags[file])
    return [group for shelf in shelves.values() for group in shelf]
