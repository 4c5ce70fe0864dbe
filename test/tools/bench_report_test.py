"""What the report of `./dev bench server` promises: only the figures are replaced, a goal that was
missed is named as such, and the plot is a picture."""

import pathlib
import random
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from side_by_side import report, work  # noqa: E402  (the folder is known only now)

SUBJECTS = list(report.COLOURS)
MACHINE = {"processor": "2 × Sundial", "memory_gb": 4, "system": "Linux", "load": 0.1, "java": "17",
           "node": "v18", "nginx": "1.22"}


def results(stator=20.0):
    """As server.py makes them: Stator is `stator` times as fast as each of the others."""
    def figures(name):
        factor = stator if name.startswith("Stator") else 1.0
        return {"per_second": 1000 * factor, "cpu_us": 500 / factor, "p50_us": 10, "p99_us": 1234}
    life = {"start_seconds": 0.02, "idle_bytes": 20 << 20, "filled_bytes": 90 << 20}
    return {"date": "2026-11-16", "command": "./dev bench server", "minutes": 1.0,
            "machine": MACHINE, "rounds": 1, "seconds": 1.0, "items": 100_000,
            "life": {name: life for name in SUBJECTS},
            "work": {name: {connections: {subject: figures(subject) for subject in SUBJECTS
                                          if able(subject, name)}
                            for connections in ("1", "16", "64")} for name in work.WORKS}}


def able(subject, name):
    return subject != report.DYNALITE or name != "TransactWriteItems"


class Report(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.page, self.plot = folder / "page.md", folder / "plot.svg"

    def test_replaces_nothing_but_the_figures(self):
        text = f"Before.\n{report.BEGIN}\nold\n{report.END}\nAfter.\n"
        self.page.write_text(text, encoding="utf-8")
        report.write(results(), self.page, self.plot)
        once = self.page.read_text(encoding="utf-8")
        report.write(results(), self.page, self.plot)
        self.assertEqual(self.page.read_text(encoding="utf-8"), once)
        self.assertTrue(once.startswith(f"Before.\n{report.BEGIN}\n"))
        self.assertTrue(once.endswith(f"\n{report.END}\nAfter.\n"))
        self.assertNotIn("old", once)
        self.assertIn("2 × Sundial", once)

    def test_says_which_goals_were_missed(self):
        lines = report.targets(results(stator=10)).splitlines()
        reached = {line.split(" | ")[0].strip("| "): line.endswith("| yes |") for line in lines[2:]}
        self.assertTrue(reached["GetItem, 1 KB: requests"])
        self.assertFalse(reached["GetItem, 1 KB: processor time"])
        self.assertFalse(reached["TransactWriteItems of 4, relaxed: requests"])

    def test_draws_a_picture(self):
        report.write(results(), self.page, self.plot)
        picture = xml.etree.ElementTree.parse(self.plot).getroot()
        self.assertTrue(picture.tag.endswith("svg"))
        self.assertGreater(len(list(picture)), len(work.WORKS) * 6)

    def test_the_requests_are_whole(self):
        for name in work.WORKS:
            head, _, body = work.WORKS[name](random.Random(1), 0).partition(b"\r\n\r\n")
            self.assertIn(f"DynamoDB_20120810.{name}\r\n".encode(), head)
            self.assertTrue(head.endswith(f"Content-Length: {len(body)}".encode()), name)


if __name__ == "__main__":
    unittest.main()
