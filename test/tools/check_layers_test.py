"""What tools/check_layers.py promises: each forbidden include is named, each allowed one passes."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import check_layers

LAYERS = """
base:
value: base   # with a comment
storage: base
stores/tasks: base value
stores/events: base value
"value/rows.h": value
<rocksdb/: storage
<boost/asio: storage
<boost/asio/ssl: value
<boost/describe: value public
<gtest/: tests
"""


class CheckLayers(unittest.TestCase):
    def problems(self, name, *includes, layers=LAYERS):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "layers.txt").write_text(layers)
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text("".join(f"#include {include}\n" for include in includes))
            return check_layers.check(root)

    def problems_with_test_header(self, name):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "layers.txt").write_text(LAYERS)
            (root / "src/base").mkdir(parents=True)
            (root / "src/base/b.h").write_text("// For tests only.\n#include <gtest/gtest.h>\n")
            (root / "src/base" / name).write_text('#include "base/b.h"\n')
            return check_layers.check(root)

    def assert_fine(self, name, *includes):
        self.assertEqual(self.problems(name, *includes), [])

    def assert_refused(self, name, include, why):
        found = self.problems(name, "<string>", include)
        self.assertEqual(len(found), 1, include)
        self.assertTrue(found[0].startswith(f"{name}:2: "), found[0])
        self.assertIn(why, found[0])

    def test_a_folder_includes_from_itself_and_from_those_named(self):
        self.assert_fine("src/value/a.cc", '"value/b.h"', '"base/c.h"', '"stator/base/d.h"', "<map>")
        self.assert_refused("src/value/a.cc", '"storage/b.h"', "value may not include from storage")
        self.assert_refused("src/base/a.h", '"stator/value/b.h"', "base may not include from value")
        self.assert_refused("src/value/a.cc", '"b.h"', "does not begin with a folder")

    def test_a_header_with_homes_is_included_there_and_by_tests(self):
        self.assert_fine("src/value/a.cc", '"value/rows.h"')
        self.assert_fine("src/stores/tasks/a_test.cc", '"value/rows.h"')
        self.assert_fine("src/stores/tasks/a.cc", '"value/other.h"')
        self.assert_refused("src/stores/tasks/a.cc", '"value/rows.h"', "is of value alone")

    def test_public_headers_know_only_public_and_standard_headers(self):
        self.assert_fine("include/stator/value/a.h", '"stator/base/b.h"', "<expected>")
        self.assert_refused("include/stator/value/a.h", '"base/b.h"', "of src/")
        self.assert_refused("include/stator/base/a.h", '"stator/value/b.h"', "may not include")
        self.assert_refused("include/stator/storage/a.h", "<rocksdb/db.h>", "public header")

    def test_a_public_header_may_include_what_is_public_at_its_home(self):
        self.assert_fine("include/stator/value/a.h", "<boost/describe/class.hpp>")
        self.assert_fine("src/value/a.cc", "<boost/describe/class.hpp>")
        self.assert_refused("include/stator/base/a.h", "<boost/describe.hpp>", "at home in value only")
        self.assert_refused("src/storage/a.cc", "<boost/describe.hpp>", "at home in value only")
        self.assert_refused("include/stator/storage/a.h", "<boost/asio.hpp>", "public header")

    def test_a_header_that_gathers_others_is_for_users_and_tests(self):
        self.assert_fine("include/stator/all.h", '"stator/base/b.h"', '"stator/storage/c.h"')
        self.assert_refused("include/stator/all.h", "<rocksdb/db.h>", "public header")
        self.assert_fine("src/base/a_test.cc", '"stator/all.h"')
        self.assert_refused("src/base/a.cc", '"stator/all.h"', "is for users")

    def test_third_party_headers_stay_at_home(self):
        self.assert_fine("src/storage/a.cc", "<rocksdb/db.h>", "<boost/asio/ip/tcp.hpp>")
        self.assert_refused("src/value/a.cc", "<rocksdb/db.h>", "at home in storage only")
        self.assert_refused("src/value/a.cc", "<curl/curl.h>", "no home in layers.txt")

    def test_the_longest_beginning_decides(self):
        self.assert_fine("src/value/a.cc", "<boost/asio/ssl.hpp>")
        self.assert_refused("src/storage/a.cc", "<boost/asio/ssl.hpp>", "at home in value only")

    def test_tests_have_headers_of_their_own_and_the_layers_of_their_folder(self):
        self.assert_fine("src/base/a_test.cc", "<gtest/gtest.h>")
        self.assert_refused("src/base/a.cc", "<gtest/gtest.h>", "at home in tests only")
        self.assert_refused("src/base/a_test.cc", '"value/b.h"', "base may not include from value")

    def test_headers_for_tests_are_included_by_tests_only(self):
        self.assertEqual(self.problems_with_test_header("a_test.cc"), [])
        found = self.problems_with_test_header("a.cc")
        self.assertEqual(found, ['src/base/a.cc:1: "base/b.h" is for tests only'])

    def test_folders_may_have_two_levels(self):
        self.assert_fine("src/stores/tasks/a.cc", '"stores/tasks/b.h"', '"value/c.h"')
        self.assert_refused("src/stores/tasks/a.cc", '"stores/events/b.h"', "may not include")

    def test_an_unknown_folder_is_named(self):
        found = self.problems("src/attic/a.cc")
        self.assertEqual(found, ["src/attic/a.cc: its folder is not in layers.txt"])

    def test_layers_cannot_form_a_circle(self):
        found = self.problems("src/base/a.cc", layers="base: value\nvalue: base\n")
        self.assertEqual(found, ["layers.txt:1: value is not a folder further up"])


if __name__ == "__main__":
    unittest.main()
