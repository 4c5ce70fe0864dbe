"""The servers that are measured: each is started on a free loopback port, asked and ended alike."""

import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import dynamodb_local  # noqa: E402  (the folder is known only now)

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 20
NGINX_STRING_MAX = 2_000  # its configuration cannot hold longer ones; 4,096 bytes with the rest


def post(port, request_bytes):
    """Sends one prepared request; the status and the body of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request_bytes)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.read()


def answers(port):
    """Whether anything comes back that is HTTP."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            return connection.recv(5) == b"HTTP/"
    except OSError:
        return False


class Subject:
    """One server. `lacks` names the operations that it does not know."""

    def __init__(self, name, command, folder=None, cwd=None, lacks=()):
        self.name = name
        self.lacks = lacks
        self._command = command  # from a port to the arguments
        self._folder = folder
        self._cwd = cwd
        self._process = None
        self.port = None

    def start(self):
        """Starts it on an empty folder; the seconds until its first answer."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            os.makedirs(self._folder)
        self.port = dynamodb_local.free_port()
        begun = time.monotonic()
        self._process = subprocess.Popen(
            self._command(self.port), cwd=self._cwd, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=dynamodb_local.die_with_parent)
        while not answers(self.port):
            if self._process.poll() is not None or time.monotonic() - begun > START_SECONDS_MAX:
                self.stop()
                raise RuntimeError(f"{self.name} did not start: {self._command(self.port)}")
            time.sleep(0.0005)
        return time.monotonic() - begun

    def stop(self):
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    @property
    def pids(self):
        """Its processes: the one that was started, and its children."""
        own = self._process.pid
        children = pathlib.Path(f"/proc/{own}/task/{own}/children").read_text(encoding="ascii")
        return [str(own), *children.split()]

    @property
    def memory_bytes(self):
        """Resident memory, of all its processes together."""
        total = 0
        for pid in self.pids:
            status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
            total += 1024 * int(status.partition("VmRSS:")[2].split()[0])
        return total

    @contextlib.contextmanager
    def running(self):
        try:
            yield self.start()
        finally:
            self.stop()


def stator(program, scratch):
    """Stator in its three homes."""
    serve = [program, "serve", "--die-with-parent"]
    durable, relaxed = scratch / "stator-durable", scratch / "stator-relaxed"
    return [
        Subject("Stator, memory", lambda port: [*serve, "--port", str(port), "--memory"]),
        Subject("Stator, relaxed", lambda port: [
            *serve, "--port", str(port), "--data", str(relaxed), "--relaxed"], relaxed),
        Subject("Stator, durable", lambda port: [
            *serve, "--port", str(port), "--data", str(durable)], durable),
    ]


def local(scratch):
    """DynamoDB Local in memory and on disk, where it syncs every write."""
    jar = dynamodb_local.find_jar()
    java = ["java", f"-Djava.library.path={jar.parent / 'DynamoDBLocal_lib'}", "-jar", str(jar),
            "-sharedDb", "-disableTelemetry"]
    files = scratch / "dynamodb-local"
    return [
        Subject("DynamoDB Local, memory", lambda port: [*java, "-inMemory", "-port", str(port)],
                cwd=jar.parent),
        Subject("DynamoDB Local, disk", lambda port: [
            *java, "-dbPath", str(files), "-port", str(port)], files, cwd=jar.parent),
    ]


def dynalite(npm_folder):
    # Tables are active at once, as with the others.
    script = npm_folder / "node_modules" / "dynalite" / "cli.js"
    if not script.is_file():
        raise FileNotFoundError(f"dynalite is not at {script}; ./dev bench server installs it")
    return [Subject("dynalite, memory", lambda port: [
        "node", str(script), "--port", str(port), "--createTableMs", "0"],
        lacks=("TransactWriteItems",))]


def nginx(scratch, bodies):
    """Returns to each operation what `bodies` has for it: the least that HTTP can cost."""
    folder = scratch / "nginx"
    pieces = max(-(-len(body) // NGINX_STRING_MAX) for body in bodies.values())

    def command(port):
        lines = []
        for piece in range(pieces):
            lines.append(f"  map $http_x_amz_target $answer{piece} {{\n    default '';")
            for operation, body in bodies.items():
                part = body[piece * NGINX_STRING_MAX:(piece + 1) * NGINX_STRING_MAX].decode()
                escaped = part.replace("\\", "\\\\").replace("'", "\\'")
                lines.append(f"    DynamoDB_20120810.{operation} '{escaped}';")
            lines.append("  }")
        answer = "".join(f"${{answer{piece}}}" for piece in range(pieces))
        temporary = "".join(f"  {kind}_temp_path {folder}/{kind};\n" for kind in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = (
            f"daemon off;\nworker_processes 1;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
            "events { worker_connections 1024; }\nhttp {\n  access_log off;\n"
            f"  keepalive_requests 100000000;\n  client_max_body_size 16m;\n{temporary}"
            "  default_type application/x-amz-json-1.0;\n" + "\n".join(lines) +
            f"\n  server {{\n    listen 127.0.0.1:{port};\n    location / {{ return 200 "
            f"\"{answer}\"; }}\n  }}\n}}\n")
        (folder / "nginx.conf").write_text(configuration, encoding="utf-8")
        return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]

    return [Subject("nginx, the same bytes", command, folder)]
