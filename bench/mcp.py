#!/usr/bin/env python3
"""What a call of an MCP tool and a waiting task cost, beside the official example server.

Environment: STATOR_PROGRAM, the program; STATOR_CALLS and STATOR_TASKS, how many.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[1]
EVERYTHING = ROOT / "build/npm/node_modules/@modelcontextprotocol/server-everything"

environment = dict(os.environ)
if EVERYTHING.is_dir():
    environment["STATOR_EVERYTHING"] = str(EVERYTHING)
sys.exit(subprocess.run(["node", "speed.mjs"], check=False, env=environment,
                        cwd=ROOT / "test" / "mcp").returncode)
