"""Runs a command while a server stands by: with_server.py STATOR COMMAND...

The word URL in the command becomes the server's address. What the command prints and how it ends is
what this prints and how this ends. The server keeps its data in memory and is ended by its pid.
"""

import os
import pathlib
import subprocess
import sys

os.environ["STATOR_PROGRAM"] = sys.argv[1]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sdk"))

import server_process  # noqa: E402  (it reads the program's name when it is loaded)

with server_process.ServerProcess("--memory") as endpoint:
    command = [endpoint if word == "URL" else word for word in sys.argv[2:]]
    status = subprocess.run(command, check=False, timeout=120).returncode
sys.exit(status)
