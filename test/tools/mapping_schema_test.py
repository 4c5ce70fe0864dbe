"""The golden schema of the mapping tests, seen by a validator that is not ours.

Needs Python's jsonschema and is skipped without it.
"""

import copy
import json
import pathlib
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

GOLDEN = pathlib.Path(__file__).parents[1] / "golden/mapping"

# What is wrong about an order, as what stands at a path.
WRONG = [
    (("id",), 5),
    (("totalCents",), 2**63),
    (("totalCents",), 1.5),
    (("priority",), 256),
    (("ratio",), "1"),
    (("memo",), None),
    (("status",), "lost"),
    (("tags",), ["a", "a"]),
    (("scores",), [1, "2"]),
    (("comments", "first", "replies"), [{"author": "x"}]),
    (("payment", "kind"), "Cash"),
    (("payment", "kind"), "Card"),
    (("created",), "2026-11-16T01:02:03Z"),
    (("spare",), {}),
]


@unittest.skipIf(jsonschema is None, "jsonschema is not installed")
class GoldenSchema(unittest.TestCase):
    def setUp(self):
        self.schema = json.loads((GOLDEN / "order.schema.json").read_text())
        self.order = json.loads((GOLDEN / "order.json").read_text())
        self.validator = jsonschema.Draft202012Validator(self.schema)

    def test_schemas_are_schemas(self):
        for file in GOLDEN.glob("*.schema.json"):
            jsonschema.Draft202012Validator.check_schema(json.loads(file.read_text()))

    def test_what_is_written_is_valid(self):
        self.validator.validate(self.order)

    def test_what_cannot_be_written_is_not_valid(self):
        for path, wrong in WRONG:
            order = copy.deepcopy(self.order)
            place = order
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = wrong
            self.assertFalse(self.validator.is_valid(order), f"{path} {wrong}")

    def test_what_is_required_is_required(self):
        for name in self.schema["required"]:
            order = {key: value for key, value in self.order.items() if key != name}
            self.assertFalse(self.validator.is_valid(order), name)


if __name__ == "__main__":
    unittest.main()
