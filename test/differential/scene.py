"""What the corpus is made of.

A scene has a setup, requests that make its tables, and acts. An act is a few requests that belong
together: a list of them, or, where a request depends on the answers before it, a generator
function that yields requests and is sent the answers. Acts do not depend on each other, so a run
may leave any of them out; all tables are deleted before the next scene.

    Scene("get_item", setup=[SIMPLE], acts=[
        [Request("GetItem", {"TableName": "simple", "Key": {"pk": {"S": "a"}}})],
        all_pages,
    ])
"""

import dataclasses
import importlib
import pkgutil

from exchange import Request


@dataclasses.dataclass
class Seen:
    """Yielded by an act in place of a request: a value to compare, such as what all pages have."""

    what: str
    value: object


@dataclasses.dataclass
class Unseen:
    """Yielded by an act: a request whose answer is not compared."""

    request: Request


@dataclasses.dataclass
class Scene:
    name: str
    setup: list  # Requests; what they answer is compared as well.
    acts: list


def play(act, send):
    """Runs an act; `send` answers its requests. Returns (request or Seen, answer) pairs."""
    if not callable(act):
        return [(request, send(request)) for request in act]
    pairs = []
    generator = act()
    answer = None
    while True:
        try:
            step = generator.send(answer)
        except StopIteration:
            return pairs
        if isinstance(step, Unseen):
            answer = send(step.request)
        elif isinstance(step, Seen):
            pairs.append((step, step.value))
            answer = None
        else:
            answer = send(step)
            pairs.append((step, answer))


# How many requests are made by chance: so many times what a module says. Before all_scenes().
EFFORT = 1


def scaled(count):
    return int(count * EFFORT)


def one_by_one(operation, bodies):
    """Acts of one request each."""
    return [[Request(operation, body)] for body in bodies]


def all_scenes():
    """The scenes of every module of the folder corpus, in a fixed order."""
    import corpus
    names = sorted(module.name for module in pkgutil.iter_modules(corpus.__path__))
    modules = [importlib.import_module(f"corpus.{name}") for name in names]
    return [scene for module in modules for scene in getattr(module, "SCENES", [])]
