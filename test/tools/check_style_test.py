"""What tools/check_style.py promises: each rule finds its offence, and only where it applies."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import check_style

HEADER = "// What it is for.\n\n#pragma once\n"


def findings(name, text):
    return [what for _, what in check_style.check_file(name, text)]


def path(*parts):
    """A path as some machine has it, which must not stand here either."""
    return "/" + "/".join(parts)


class CheckStyle(unittest.TestCase):
    def assert_banned(self, name, line):
        text = HEADER + line + "\n" if name.endswith(".h") else line + "\n"
        self.assertEqual(len(findings(name, text)), 1, line)

    def assert_fine(self, name, line):
        text = HEADER + line + "\n" if name.endswith(".h") else line + "\n"
        self.assertEqual(findings(name, text), [], line)

    def test_finds_each_banned_word(self):
        self.assert_banned("src/a/a.cc", "// TODO: later")
        self.assert_banned("docs/a.md", "FIXME")
        self.assert_banned("src/a/a.h", "using namespace std;")
        self.assert_banned("src/a/a.cc", "out << std::endl;")
        self.assert_banned("src/a/a.cc", "std::regex pattern;")
        self.assert_banned("src/a/a.cc", "int x = rand();")
        self.assert_banned("src/a/a.cc", "std::srand(1);")
        self.assert_banned("src/a/a.cc", "gettimeofday(&now, nullptr);")
        self.assert_banned("src/a/a.cc", "auto now = std::chrono::system_clock::now();")
        self.assert_banned("src/a/a.cc", "auto now = std::chrono::steady_clock::now();")
        self.assert_banned("src/a/a.cc", "std::this_thread::sleep_for(1s);")
        self.assert_banned("src/a/a.cc", "int x; ")
        self.assert_banned("src/a/a.cc", "\tint x;")
        self.assert_banned("src/a/a_test.cc", "RC_ASSERT(!found || *found == 1);")

    def test_mutexes_are_those_that_clang_checks(self):
        for line in ("std::mutex mutex_;", "mutable std::shared_mutex mutex_;", "std::recursive_mutex turn;",
                     "const std::lock_guard lock(mutex_);", "std::unique_lock lock(mutex_);",
                     "const std::scoped_lock lock(mutex_);", "const std::shared_lock lock(mutex_);",
                     "std::condition_variable changed_;", "std::condition_variable_any changed_;"):
            self.assert_banned("src/a/a.h", line)
            self.assert_banned("include/stator/a/a.h", line)
            self.assert_fine("src/a/a_test.cc", line)
            self.assert_fine("test/a/a.cc", line)
        self.assert_fine("include/stator/base/mutex.h", "std::mutex mutex_;")
        self.assert_fine("src/a/a.cc", "const MutexLock lock(mutex_);")

    def test_messages_are_not_read_by_code(self):
        for line in ('if (error.message.contains("size")) {', 'return message.starts_with("no");',
                     'if (answer.error().message == "gone") {', "message.find(word);"):
            self.assert_banned("src/stores/tasks/a.cc", line)
            self.assert_fine("src/stores/tasks/a_test.cc", line)
            self.assert_fine("src/wire/service_words.cc", line)
        self.assert_fine("src/a/a.cc", "asked_.find(message.id);")
        self.assert_fine("src/a/a.cc", "text += error.message;")

    def test_finds_paths_and_registries_of_one_machine(self):
        self.assert_banned("docs/a.md", "see " + path("work", "main", "docs"))
        self.assert_banned("test/sdk/a.py", f'open("{path("root", ".cache", "x")}")')
        self.assert_banned("dev", "cd " + path("tmp", "build", "me"))
        self.assert_banned("test/sdk/.npmrc", "registry=https://" + ".".join(["registry", "npmjs", "org"]))
        self.assert_banned("test/sdk/package-lock.json", '      "resolved": "https://host/a.tgz",')

    def test_leaves_alone_what_only_looks_alike(self):
        self.assert_fine("src/a/a.cc", "Operand(); // brand(new)")
        self.assert_fine("src/a/a.cc", "using std::string;")
        self.assert_fine("src/a/a_test.cc", "using namespace std::string_literals;")
        self.assert_fine("docs/a.md", "https://example.com" + path("work", "x") + " and src" + path("work", "x"))

    def test_clock_and_sleep_are_allowed_in_their_homes(self):
        self.assert_fine("src/base/clock.cc", "std::chrono::system_clock::now();")
        self.assert_fine("src/base/clock.cc", "std::this_thread::sleep_for(duration);")
        self.assert_fine("src/engine/sweep_test.cc", "std::this_thread::sleep_for(1ms);")
        self.assert_fine("src/a/a_test.cc", "RC_ASSERT((!found || *found == 1));")
        self.assert_fine("bench/get_item_bench.cc", "std::chrono::steady_clock::now();")

    def test_a_header_says_what_it_is_for_and_guards_itself(self):
        self.assertEqual(findings("src/a/a.h", HEADER), [])
        self.assertEqual(len(findings("src/a/a.h", "#pragma once\n")), 1)
        self.assertEqual(len(findings("src/a/a.h", "// What it is for.\n")), 1)
        self.assertEqual(len(findings("src/a/a.h", "")), 2)

    def test_refuses_long_files_and_accepts_the_longest(self):
        self.assertEqual(findings("src/a/a.cc", "int x;\n" * 600), [])
        self.assertEqual(len(findings("src/a/a.cc", "int x;\n" * 601)), 1)
        self.assertEqual(findings("docs/a.md", "text\n" * 601), [])

    def test_every_source_is_listed_in_a_cmake_file(self):
        lists = "stator_test(a_test\n  SOURCES a_test.cc ../../fuzz/a_fuzz.cc\n    # b_test.cc\n)\n"
        files = {"src/a/CMakeLists.txt": lists, "src/a/a_test.cc": "", "fuzz/a_fuzz.cc": ""}
        self.assertEqual(list(check_style.check(files)), [])
        files["src/a/b_test.cc"] = ""
        found = list(check_style.check(files))
        self.assertEqual(len(found), 1)
        self.assertIn("src/a/b_test.cc:1: no CMakeLists.txt lists this file", found[0])

    def test_a_list_may_name_benchmarks_and_fuzz_targets_by_their_program(self):
        files = {"fuzz/CMakeLists.txt": "fuzzer_of(stator_a a_fuzz)", "fuzz/a_fuzz.cc": ""}
        self.assertEqual(list(check_style.check(files)), [])
        files["fuzz/b_fuzz.cc"] = ""
        self.assertEqual(len(list(check_style.check(files))), 1)

    def test_a_list_may_name_files_from_the_root(self):
        lists = "add_executable(a ${PROJECT_SOURCE_DIR}/bench/a.cc ${CMAKE_CURRENT_SOURCE_DIR}/b.cc)"
        files = {"test/x/CMakeLists.txt": lists, "bench/a.cc": "", "test/x/b.cc": ""}
        self.assertEqual(list(check_style.check(files)), [])


if __name__ == "__main__":
    unittest.main()
