#!/usr/bin/env python3
"""Checks test/models/early_release.pml with Spin: the design as it is has no error, and each of its
seeded bugs is found. Every configuration takes some seconds; together they take minutes.

    python3 test/models/run.py [NAME...]
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

MODEL = pathlib.Path(__file__).with_name('early_release.pml').resolve()

# Configurations of the design that must hold.
SOUND = {
    'three-writers': ['W0=3', 'W1=0', 'TX=0', 'FAULTS', 'FAIR'],
    'transactions': ['W0=1', 'W1=0', 'TX=2', 'READS=0', 'FAULTS'],
    'resume': ['W0=2', 'W1=0', 'TX=1', 'READS=1', 'FAULTS', 'RESUME'],
    'resume-crash': ['W0=2', 'W1=0', 'TX=0', 'READS=1', 'CRASH', 'FAULTS', 'RESUME'],
    'crash': ['W0=1', 'W1=1', 'TX=0', 'READS=2', 'STREAM', 'CRASH', 'FAULTS', 'DEADLINE'],
}

# Each bug with the smallest configuration that shows it.
SEEDED = {
    'EARLY_REFUSAL': ['W1=0', 'TX=0'],
    'READ_OVERLAY': ['W1=0', 'TX=0'],
    'ACK_EARLY': ['W1=0', 'TX=0'],
    'DROP_EARLY': ['W1=0', 'TX=0'],
    'DROP_ANY': ['W0=3', 'W1=0', 'TX=0'],
    'NO_CASCADE': ['W1=0', 'TX=0', 'FAULTS'],
    'RELEASE_EARLY': ['W1=0', 'TX=0'],
    'STORE_FIRST': ['W1=0', 'TX=0'],
    'INSERT_LATE': ['W1=0', 'TX=0'],
    'LOCK_ORDER': ['W0=0', 'W1=0', 'TX=2'],
    'BARGING': ['W0=3', 'W1=0', 'TX=0', 'FAIR'],
    'NO_EPOCH': ['W1=0', 'TX=0', 'FAULTS', 'RESUME'],
    'EPOCH_EARLY': ['W1=0', 'TX=0', 'FAULTS', 'RESUME'],
    'TICKET_BACK': ['W0=1', 'W1=1', 'TX=0', 'READS=2', 'STREAM', 'FAULTS', 'CRASH'],
}


def has_error(defines):
    """Whether Spin finds an error in the model with these defines."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ['-D' + define for define in defines]
        run = dict(cwd=folder, check=True, capture_output=True, text=True)
        subprocess.run(['spin', '-a', *flags, str(MODEL)], **run)
        subprocess.run(['cc', '-O2', '-w', '-DSAFETY', '-DCOLLAPSE', '-o', 'pan', 'pan.c'], **run)
        output = subprocess.run(['./pan', '-m200000', '-w24'], **run).stdout
        if 'max search depth too small' in output or 'errors:' not in output:
            raise RuntimeError('the search was not complete:\n' + output)
        return 'errors: 0' not in output


def main():
    """Runs what was asked for, or everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('names', nargs='*', help='configurations and bugs; all of them if none')
    names = parser.parse_args().names or [*SOUND, *SEEDED]
    defines = {**SOUND, **{bug: ['BUG_' + bug, *how] for bug, how in SEEDED.items()}}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = dict(zip(names, pool.map(lambda name: has_error(defines[name]), names)))
    wrong = 0
    for name, error in outcomes.items():
        as_it_should = error == (name in SEEDED)
        wrong += not as_it_should
        print(f'{name}: {"an error" if error else "no error"}{"" if as_it_should else ", WRONG"}')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
