"""Compares two answers, and looks up which differences are known.

A difference is a path into the answer and what stands there on either side. Two answers that do not
even agree on status and error have one difference, with the path "outcome".
"""

import dataclasses
import pathlib
import re
import tomllib

from normalise import normalise_answer

KNOWN_FILE = pathlib.Path(__file__).with_name("known_differences.toml")
MISSING = "(nothing)"
# Indexes of the corpus in which many items have the same key; their order is not defined.
TIED_INDEXES = {"local_keys", "global_keys"}
ENVELOPING = {"PutItem", "UpdateItem", "DeleteItem"}
# Messages of constraints begin like that on both sides.
ENVELOPE = re.compile(r"^1 validation error detected: (?!Value (?:'|at |null)|Failed )")


@dataclasses.dataclass
class Difference:
    operation: str
    request: str
    path: str
    stator: str
    local: str


def name_of_error(answer):
    return answer.body.get("__type") if isinstance(answer.body, dict) else answer.body


def out_of_envelope(operation, answer):
    """The answer without what these operations, on Amazon DynamoDB, put before whatever they find
    without a look at the table. DynamoDB Local does not; see docs/compatibility.md."""
    message = answer.get("message")
    if operation not in ENVELOPING or not message or not ENVELOPE.match(message):
        return answer
    return dataclasses.replace(answer,
                               body={**answer.body, "message": ENVELOPE.sub("", message, 1)})


def is_unordered(statement):
    """Whether a SELECT is about more than one partition, whose order is not defined."""
    return isinstance(statement, str) and not re.search(r"WHERE (pk|kind) = ", statement)


def differences(request, stator, local):
    """What differs between the answers of the two servers."""
    text = request.text()
    stator = out_of_envelope(request.operation, stator)
    if (stator.status, name_of_error(stator)) != (local.status, name_of_error(local)):
        return [Difference(request.operation, text, "outcome", stator.outcome(), local.outcome())]
    tied = isinstance(request.body, dict) and (
        request.body.get("IndexName") in TIED_INDEXES
        or is_unordered(request.body.get("Statement")))
    left = normalise_answer(request.operation, stator.body, tied)
    right = normalise_answer(request.operation, local.body, tied)
    return [Difference(request.operation, text, path, one, other)
            for path, one, other in walk("", left, right)]


def differences_of_values(what, stator, local):
    left, right = normalise_answer(None, stator), normalise_answer(None, local)
    return [Difference(what, "", path, one, other) for path, one, other in walk("", left, right)]


def walk(path, left, right):
    """(path, left, right) of the smallest parts that differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        for name in sorted(left.keys() | right.keys()):
            yield from walk(f"{path}.{name}" if path else name,
                            left.get(name, MISSING), right.get(name, MISSING))
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, (one, other) in enumerate(zip(left, right)):
            yield from walk(f"{path}[{index}]", one, other)
    elif left != right or isinstance(left, bool) != isinstance(right, bool):
        yield path, str(left), str(right)


class Known:
    """One entry of the file: patterns that a difference must match as a whole, and the row of
    docs/compatibility.md that says why it is there. A pattern that is not given matches everything;
    a list of patterns matches what one of them does."""

    def __init__(self, entry):
        self.id = entry.pop("id")
        unknown = entry.keys() - {field.name for field in dataclasses.fields(Difference)}
        if unknown:
            raise ValueError(f"known difference {self.id}: what is {', '.join(unknown)}?")
        self._patterns = {name: [re.compile(text, re.DOTALL)
                                 for text in (texts if isinstance(texts, list) else [texts])]
                          for name, texts in entry.items()}
        self._used = set()

    def explains(self, difference):
        """Whether it does; remembers the patterns that it took."""
        taken = set()
        for name, patterns in self._patterns.items():
            text = getattr(difference, name)
            for pattern in patterns:
                if pattern.search(text) if name == "request" else pattern.fullmatch(text):
                    taken.add((name, pattern))
                    break
            else:
                return False
        self._used |= taken
        return True

    def unused(self):
        """The patterns that explained nothing so far."""
        return [f"{self.id}: {name} = {pattern.pattern}"
                for name, patterns in self._patterns.items() for pattern in patterns
                if (name, pattern) not in self._used]


def read_known(path=KNOWN_FILE):
    return [Known(entry) for entry in tomllib.loads(path.read_text())["difference"]]


def unexplained(found, known):
    """Those that no known difference explains."""
    return [one for one in found if not any(candidate.explains(one) for candidate in known)]
