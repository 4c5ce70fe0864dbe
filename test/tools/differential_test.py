"""What the comparison with DynamoDB Local ignores and finds; that what it knows is explained."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test" / "differential"), str(ROOT / "tools"),
                str(ROOT / "test" / "sdk")]

import difference
import run
import scene
from exchange import Answer, Request
from normalise import normalise_answer

GET = Request("GetItem", {"TableName": "simple"})


def found(one, other, request=GET):
    return [(each.path, each.stator, each.local)
            for each in difference.differences(request, one, other)]


class NormaliseTest(unittest.TestCase):
    def test_order_of_sets_and_of_unordered_lists_does_not_matter(self):
        one = {"Item": {"a": {"SS": ["x", "y"]}},
               "AttributeDefinitions": [{"AttributeName": "b"}, {"AttributeName": "a"}]}
        other = {"Item": {"a": {"SS": ["y", "x"]}},
                 "AttributeDefinitions": [{"AttributeName": "a"}, {"AttributeName": "b"}]}
        self.assertEqual(normalise_answer("GetItem", one), normalise_answer("GetItem", other))

    def test_order_of_lists_and_of_queried_items_matters(self):
        for operation, name in (("GetItem", "L"), ("Query", "Items")):
            self.assertNotEqual(normalise_answer(operation, {name: [{"N": "1"}, {"N": "2"}]}),
                                normalise_answer(operation, {name: [{"N": "2"}, {"N": "1"}]}))

    def test_identifiers_and_dates_need_only_be_there(self):
        self.assertEqual(normalise_answer("DescribeTable",
                                          {"TableId": "1-2", "CreationDateTime": 1.5}),
                         normalise_answer("DescribeTable",
                                          {"TableId": "3-4", "CreationDateTime": 2}))
        self.assertNotEqual(normalise_answer("DescribeTable", {"CreationDateTime": 1}),
                            normalise_answer("DescribeTable", {"CreationDateTime": "yesterday"}))


class DifferenceTest(unittest.TestCase):
    def test_another_status_or_error_is_one_difference(self):
        refused = Answer(400, {"__type": "com.amazon.coral.validate#ValidationException",
                               "message": "no"})
        self.assertEqual(found(refused, Answer(200, {"Item": {}})),
                         [("outcome", "400 ValidationException: no", "200")])

    def test_the_smallest_parts_that_differ_are_named(self):
        self.assertEqual(found(Answer(200, {"Item": {"a": {"N": "1"}, "b": {"N": "2"}}}),
                               Answer(200, {"Item": {"a": {"N": "1.0"}, "b": {"N": "2"}}})),
                         [("Item.a.N", "1", "1.0")])

    def test_the_key_of_a_message_is_told_from_the_message(self):
        self.assertEqual(found(Answer(400, {"__type": "x", "message": "no"}),
                               Answer(400, {"__type": "x", "Message": "no"})),
                         [("key of the message", "(nothing)", "Message")])

    def test_a_known_difference_explains_only_what_matches_all_of_it(self):
        known = difference.Known({"id": "x", "path": "message", "stator": ["a", "b"],
                                  "request": "simple"})
        wanted = difference.Difference("GetItem", GET.text(), "message", "b", "anything")
        self.assertTrue(known.explains(wanted))
        for change in ({"path": "messages"}, {"stator": "bb"}, {"request": "{}"}):
            self.assertFalse(known.explains(difference.dataclasses.replace(wanted, **change)))
        self.assertEqual(difference.unexplained([wanted], [known]), [])

    def test_patterns_that_explained_nothing_are_known_by_name(self):
        known = difference.Known({"id": "x", "path": "message", "stator": ["a", "b"]})
        self.assertEqual(len(known.unused()), 3)
        known.explains(difference.Difference("GetItem", "", "message", "b", ""))
        self.assertEqual(known.unused(), ["x: stator = a"])


class CorpusTest(unittest.TestCase):
    def test_every_known_difference_has_its_row_in_the_documentation(self):
        rows = re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs" / "compatibility.md").read_text(),
                          re.MULTILINE)
        self.assertEqual(len(rows), len(set(rows)))
        self.assertEqual({known.id for known in difference.read_known()}, set(rows))

    def test_a_sample_has_about_the_size_asked_for_and_is_repeated_by_its_seed(self):
        scenes = scene.all_scenes()
        one, other = (run.sample(scenes, 7, 300) for _ in range(2))
        self.assertEqual([(each.name, len(each.acts)) for each in one],
                         [(each.name, len(each.acts)) for each in other])
        count = sum(len(each.setup)
                    + sum(len(act) if isinstance(act, list) else 5 for act in each.acts)
                    for each in one)
        self.assertTrue(300 <= count < 350, count)


if __name__ == "__main__":
    unittest.main()
