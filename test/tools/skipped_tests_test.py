"""What tools/skipped_tests.py finds in the logs of the three runners."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import skipped_tests  # noqa: E402

CTEST = """\
3/74 Testing: contract_local_test
[ RUN      ] Streams.End
/x/stream_contract.cc:14: Skipped
the home local keeps nothing

[  SKIPPED ] Streams.End (0 ms)
[ RUN      ] Streams.Begin
[       OK ] Streams.Begin (3 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Streams.End
4/74 Testing: base_test
[ RUN      ] Clock.Waits
[  SKIPPED ] Clock.Waits (0 ms)
"""


class SkippedTests(unittest.TestCase):
    def found(self, text):
        return dict(skipped_tests.skipped(text.splitlines(keepends=True)))

    def test_ctest_logs_name_program_test_and_reason(self):
        self.assertEqual(
            self.found(CTEST), {
                ("contract_local_test", "the home local keeps nothing"): ["Streams.End"],
                ("base_test", ""): ["Clock.Waits"]
            })

    def test_unittest_and_node_are_understood(self):
        self.assertEqual(
            self.found("test_a (tables_test.Tables.test_a) ... skipped 'no such parameter'\n"),
            {("tables_test.Tables.test_a", "no such parameter"): ["test_a"]})
        self.assertEqual(self.found("  ﹣ splits (0.1ms) # no browser\n"),
                         {("node", "no browser"): ["splits"]})

    def test_what_ran_is_not_mentioned(self):
        self.assertEqual(self.found("test_a (m.T.test_a) ... ok\n✔ b (1ms)\n"), {})


if __name__ == "__main__":
    unittest.main()
