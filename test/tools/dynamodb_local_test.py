"""tools/dynamodb_local.py takes no other server for its own."""

import os
import pathlib
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import dynamodb_local  # noqa: E402


class PortTest(unittest.TestCase):
    def test_the_kernel_gives_its_ports_to_nobody_else(self):
        first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
        for _ in range(50):
            port = dynamodb_local.free_port()
            self.assertGreaterEqual(port, dynamodb_local.PORT_MIN)
            self.assertLess(port, first)

    def test_who_listens(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            self.assertTrue(dynamodb_local.listens(os.getpid(), port))
            with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
                self.assertFalse(dynamodb_local.listens(other.pid, port))
                other.stdin.close()
                other.wait()
                self.assertFalse(dynamodb_local.listens(other.pid, port))
        self.assertFalse(dynamodb_local.listens(os.getpid(), port))


class StartTest(unittest.TestCase):
    def test_a_port_that_another_has_is_not_taken_for_ours(self):
        try:
            dynamodb_local.find_jar()
        except dynamodb_local.NotFound as error:
            self.skipTest(str(error))
        free_port = dynamodb_local.free_port
        with socket.create_server(("127.0.0.1", 0)) as listener:
            taken = [listener.getsockname()[1]]
            dynamodb_local.free_port = lambda: taken.pop() if taken else free_port()
            self.addCleanup(setattr, dynamodb_local, "free_port", free_port)
            with dynamodb_local.DynamoDbLocal() as endpoint:
                self.assertNotIn(str(listener.getsockname()[1]), endpoint)
        self.assertEqual(taken, [])


if __name__ == "__main__":
    unittest.main()
