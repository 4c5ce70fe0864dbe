"""What stator/base/mutex.h promises: a datum that is touched without its mutex is found, by the clang that
compiles the debug tree and with the flags that it gets."""

import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Locks(unittest.TestCase):
    COUNTER = """#include "stator/base/mutex.h"
        class Counter {
         public:
          void Add() { %s ++count_; }
         private:
          void AddLocked() STATOR_REQUIRES(mutex_) { ++count_; }
          stator::Mutex mutex_;
          int count_ STATOR_GUARDED_BY(mutex_) = 0;
        };
        """

    @classmethod
    def setUpClass(cls):
        flags = re.search(r"-Wno-sign-conversion (-W[^)]*)\)", (ROOT / "cmake/StatorTargets.cmake").read_text())
        cls.flags = flags[1].split()

    def found_in(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "counter.cc")
            path.write_text(text)
            command = ["clang++-19", "-fsyntax-only", "-std=c++23", f"-I{ROOT}/include", "-Werror", *self.flags, path]
            return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    def test_a_lock_satisfies_it(self):
        self.assertEqual(self.found_in(self.COUNTER % "const stator::MutexLock lock(mutex_);"), "")

    def test_a_missing_lock_is_found(self):
        self.assertIn("'count_' requires holding mutex 'mutex_'", self.found_in(self.COUNTER % ""))

    def test_so_are_an_unlocked_one_and_a_function_that_asks_for_it(self):
        unlocked = "stator::MutexLock lock(mutex_); lock.Unlock();"
        self.assertIn("requires holding mutex", self.found_in(self.COUNTER % unlocked))
        self.assertIn("'AddLocked' requires holding mutex",
                      self.found_in(self.COUNTER % "AddLocked(); const stator::MutexLock lock(mutex_);"))


if __name__ == "__main__":
    unittest.main()
