"""`stator serve` as its operator meets it: files and their modes, signals, limits of the system,
browsers and strangers at the door."""

import contextlib
import http.client
import json
import os
import pathlib
import resource
import signal
import socket
import stat
import subprocess
import tempfile
import unittest
import urllib.parse

from botocore.exceptions import ClientError

from boto3_support import client, make_table
from server_process import PROGRAM

JSON = {"Content-Type": "application/x-amz-json-1.0"}
PROFILE = "[{0}]\naws_access_key_id = AKID{0}\naws_secret_access_key = s\n"


class Process:
    """A server with its standard error in reach."""

    def __init__(self, *arguments, files=None):
        def limit():
            if files:
                resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--die-with-parent", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limit)
        self.endpoint = None
        for line in self.process.stdout:
            words = line.split()
            if words and words[0] == "endpoint":
                self.endpoint = words[1]
                break

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=30)

    def end(self):
        """What it said on standard error, once it has ended."""
        with contextlib.suppress(ValueError):
            self.process.stdout.close()
        said = self.process.stderr.read()
        self.process.stderr.close()
        return self.process.wait(timeout=30), said

    def read_error(self):
        return self.process.stderr.readline()

    def ask(self, method="POST", path="/", operation=None, body="{}", **headers):
        """Status, headers and body of a raw request."""
        where = urllib.parse.urlparse(self.endpoint)
        connection = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
        with contextlib.closing(connection):
            headers = {name.replace("_", "-"): value for name, value in headers.items()}
            if operation:
                headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}", **JSON, **headers}
            connection.request(method, path, body=body if method == "POST" else None,
                               headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()


def write_private(path, text):
    path.write_text(text)
    path.chmod(0o600)
    return str(path)


class FilesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_data_is_the_owners_alone(self):
        data = self.folder / "data"
        log = self.folder / "access.log"
        with Process("--data", str(data), "--access-log", str(log)) as server:
            make_table(client(server.endpoint))
        self.assertEqual(stat.S_IMODE(data.stat().st_mode), 0o700)
        for file in [log, *data.rglob("*")]:
            self.assertEqual(stat.S_IMODE(file.stat().st_mode) & 0o077, 0, file)

    def test_data_that_others_can_reach_is_told(self):
        data = self.folder / "data"
        with Process("--data", str(data)):
            pass
        data.chmod(0o755)
        with Process("--data", str(data)) as server:
            self.assertIn(f"chmod 700 {data}", server.read_error())

    def test_credentials_that_others_can_read_are_refused(self):
        file = self.folder / "credentials"
        file.write_text(PROFILE.format("ONE"))
        file.chmod(0o644)
        code, said = Process("--memory", "--credentials", str(file)).end()
        self.assertEqual(code, 1)
        self.assertIn(f"chmod 600 {file}", said)

    def test_a_limit_of_nothing_is_refused(self):
        for limit in ("--max-connections", "--max-body", "--head-timeout"):
            code, said = Process("--memory", limit, "0").end()
            self.assertEqual(code, 2)
            self.assertIn(limit, said)

    def test_metrics_can_ask_for_a_key(self):
        key = write_private(self.folder / "key", "a key\n")
        with Process("--memory", "--metrics-key-file", key) as server:
            self.assertEqual(server.ask("GET", "/metrics")[0], 401)
            self.assertEqual(server.ask("GET", "/metrics", Authorization="Bearer other")[0], 401)
            status, _, text = server.ask("GET", "/metrics", Authorization="Bearer a key")
            self.assertEqual(status, 200)
            self.assertIn("stator_connections", text)

    def test_listening_to_the_world_without_tls_is_warned_of(self):
        file = write_private(self.folder / "credentials", PROFILE.format("ONE"))
        with Process("--memory", "--host", "0.0.0.0", "--credentials", file) as server:
            self.assertIn("without TLS", server.read_error())


class HangUpTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_credentials_and_certificates_are_read_again(self):
        file = self.folder / "credentials"
        names = [str(self.folder / name) for name in ("cert.pem", "key.pem")]
        write_private(file, PROFILE.format("ONE"))
        with Process("--memory", "--credentials", str(file), "--tls-self-signed", "--tls-cert",
                     names[0], "--tls-key", names[1]) as server:
            def tables(key):
                return client(server.endpoint, key=key, secret="s",
                              verify=names[0]).list_tables()

            tables("AKIDONE")
            write_private(file, PROFILE.format("TWO"))
            with Process("--memory", "--tls-self-signed", "--tls-cert", names[0] + "2", "--tls-key",
                         names[1] + "2"):
                pass  # Makes another pair.
            for name in names:
                os.replace(name + "2", name)
            server.process.send_signal(signal.SIGHUP)
            self.assertIn("were read again", server.read_error())
            tables("AKIDTWO")
            with self.assertRaises(ClientError) as refused:
                tables("AKIDONE")
            self.assertEqual(refused.exception.response["Error"]["Code"],
                             "UnrecognizedClientException")
            # What cannot be read changes nothing.
            file.write_text("nonsense")
            server.process.send_signal(signal.SIGHUP)
            self.assertIn("stay as they were", server.read_error())
            tables("AKIDTWO")

    def test_without_anything_to_read_it_is_an_orderly_stop(self):
        with Process("--data", str(self.folder / "data")) as server:
            make_table(client(server.endpoint))
            server.process.send_signal(signal.SIGHUP)
            self.assertEqual(server.end(), (0, ""))


class LibrariesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def loaded(self, server):
        """Which libraries of OpenSSL its memory has."""
        maps = pathlib.Path(f"/proc/{server.process.pid}/maps").read_text(encoding="utf-8")
        return [name for name in ("libcrypto", "libssl") if f"/{name}.so" in maps]

    def test_openssl_is_loaded_when_it_is_first_needed(self):
        with Process("--memory") as server:
            make_table(client(server.endpoint))
            self.assertEqual(server.ask("GET", "/_stator/")[0], 200)
            self.assertEqual(self.loaded(server), [])
        key = write_private(self.folder / "credentials", PROFILE.format("ONE"))
        with Process("--memory", "--credentials", key) as server:
            client(server.endpoint, key="AKIDONE", secret="s").list_tables()
            self.assertEqual(self.loaded(server), ["libcrypto"])
        names = [str(self.folder / name) for name in ("cert.pem", "key.pem")]
        with Process("--memory", "--tls-self-signed", "--tls-cert", names[0], "--tls-key",
                     names[1]) as server:
            self.assertEqual(self.loaded(server), ["libcrypto", "libssl"])


class DescriptorsTest(unittest.TestCase):
    def test_idle_connections_cannot_take_the_stores_files(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        with Process("--data", folder + "/data", files=1024) as server:
            self.assertIn("only 416 connections at once instead of 4096", server.read_error())
            where = urllib.parse.urlparse(server.endpoint)
            dynamodb = client(server.endpoint)
            make_table(dynamodb)
            idle = []
            self.addCleanup(lambda: [each.close() for each in idle])
            for _ in range(1100):
                idle.append(socket.create_connection((where.hostname, where.port), timeout=30))
            # Half of them begin to ask.
            for each in idle[::2]:
                with contextlib.suppress(OSError):
                    each.sendall(b"POST / HTTP/1.1\r\nX-")
            # Enough to need more than one log file of the store.
            for count in range(30):
                dynamodb.put_item(TableName="orders", Item={
                    "pk": {"S": str(count)}, "sk": {"N": "1"}, "blob": {"S": "x" * 300_000}})
            self.assertEqual(server.ask("GET", "/readyz")[0], 200)

    def test_too_few_files_are_refused_in_words(self):
        code, said = Process("--memory", files=128).end()
        self.assertEqual(code, 1)
        self.assertIn("ulimit -n", said)


class StrangersTest(unittest.TestCase):
    def test_pages_of_others_are_refused_without_credentials(self):
        with Process("--memory") as server:
            for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
                status, fields, body = server.ask(operation="ListTables", **headers)
                self.assertEqual(status, 403, headers)
                self.assertNotIn("TableNames", body)
                self.assertNotIn("Access-Control-Allow-Origin", fields)
            self.assertEqual(server.ask(operation="ListTables")[0], 200)
        with Process("--memory", "--allow-host", "stator,other", "--cors",
                     "http://page.example") as server:
            self.assertEqual(server.ask(operation="ListTables", Host="stator:8000")[0], 200)
            status, fields, _ = server.ask(operation="ListTables", Origin="http://page.example")
            self.assertEqual(status, 200)
            self.assertEqual(fields["Access-Control-Allow-Origin"], "http://page.example")

    def test_a_server_is_called_what_the_caller_calls_it(self):
        with Process("--memory") as server:
            where = urllib.parse.urlparse(server.endpoint).netloc
            self.assertEqual(server.ask("GET")[2], f"healthy: {where} ")
            status, _, body = server.ask(operation="DescribeEndpoints")
            self.assertEqual(status, 200)
            self.assertEqual(json.loads(body)["Endpoints"][0]["Address"], where)

    def test_what_is_wrong_with_anybodys_request_comes_before_who_asks(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        file = write_private(folder / "credentials", PROFILE.format("ONE"))
        with Process("--memory", "--credentials", file) as server:
            for operation, body, error in (
                    ("ListTables", "{", "SerializationException"),
                    ("Dance", "{}", "UnknownOperationException"),
                    ("ListTables", "{}", "MissingAuthenticationTokenException")):
                status, _, text = server.ask(operation=operation, body=body)
                self.assertEqual(status, 400)
                self.assertIn(error, text)


class InPlaceOfDynamoDbLocalTest(unittest.TestCase):
    def names(self, server, key, region="us-east-1"):
        with contextlib.closing(client(server.endpoint, key=key, region_name=region)) as dynamodb:
            return dynamodb.list_tables()["TableNames"]

    def test_each_key_and_region_has_its_own_tables_unless_they_are_shared(self):
        with tempfile.TemporaryDirectory() as folder:
            with Process("-dbPath", folder) as server:
                with contextlib.closing(client(server.endpoint, key="ann")) as dynamodb:
                    make_table(dynamodb, "orders")
                self.assertEqual(self.names(server, "ann"), ["orders"])
                self.assertEqual(self.names(server, "ann", "eu-west-1"), [])
                self.assertEqual(self.names(server, "bob"), [])
            with Process("-dbPath", folder) as server:
                self.assertEqual(self.names(server, "ann"), ["orders"])
            with Process("-dbPath", folder, "-sharedDb") as server:
                code, said = server.end()
            self.assertNotEqual(code, 0)
            self.assertIn(folder, said)
        with Process("-inMemory", "-sharedDb") as server:
            with contextlib.closing(client(server.endpoint, key="ann")) as dynamodb:
                make_table(dynamodb, "orders")
            self.assertEqual(self.names(server, "bob", "eu-west-1"), ["orders"])

    def test_shared_tables_are_not_served_separately(self):
        with tempfile.TemporaryDirectory() as folder:
            with Process("-dbPath", folder, "-sharedDb"):
                pass
            with Process("-dbPath", folder) as server:
                code, said = server.end()
            self.assertNotEqual(code, 0)
            self.assertIn("-sharedDb", said)

    def test_its_words_are_used_where_its_flags_are(self):
        words = "Limit must be greater than or equal to 1"
        for flags, expected in [(["-inMemory", "-sharedDb"], True), (["--memory"], False)]:
            with Process(*flags) as server:
                status, _, body = server.ask(operation="ListTables", body='{"Limit": 0}')
                self.assertEqual(status, 400)
                self.assertEqual(words in body, expected, body)


if __name__ == "__main__":
    unittest.main()
