#!/usr/bin/env python3
"""How fluent the console is in Chromium: scrolling and sorting 100,000 rows, a busy stream of changes.

Environment: STATOR_PROGRAM, the program; STATOR_ROWS and STATOR_SECONDS, how many and how long.
"""

import pathlib
import subprocess
import sys

sys.exit(subprocess.run(["node", "speed.mjs"], check=False,
                        cwd=pathlib.Path(__file__).parents[1] / "test" / "console").returncode)
