"""Starts the program under test on a free loopback port, for the tests of one class."""

import os
import pathlib
import subprocess
import sys

PROGRAM = os.environ.get("STATOR_PROGRAM") or str(
    pathlib.Path(__file__).resolve().parents[2] / "build" / "stator")


class ServerProcess:
    """`with ServerProcess("--memory") as endpoint:` serves until the block ends."""

    def __init__(self, *arguments):
        self._arguments = arguments
        self._process = None
        self.endpoint = None

    def __enter__(self):
        self._process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--die-with-parent", *self._arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self._process.stdout:
            words = line.split()
            if words and words[0] == "endpoint":
                self.endpoint = words[1]
                return self.endpoint
            sys.stderr.write(line if "Stator" not in line else "")
        raise RuntimeError(f"the server ended with {self._process.wait()} before it listened")

    def lines(self):
        """What it says from then on, a line at a time."""
        return iter(self._process.stdout.readline, "")

    def kill(self):
        """Ends the server as a crash would."""
        self._process.kill()
        self._process.wait()

    def __exit__(self, *_):
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait(timeout=30)
        self._process.stdout.close()
