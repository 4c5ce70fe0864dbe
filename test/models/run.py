#!/usr/bin/env python3
"""Checks the models of this folder with Spin: the designs as they are have no error, and each of their
seeded bugs is found. Every configuration takes some seconds; together they take minutes.

early_release.pml is about writes of the engine that are seen before they are durable, event_log.pml
about the log of the events store.

    python3 test/models/run.py [NAME...]
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent

# Configurations of the designs that must hold. Those whose name begins with "log-" are of
# event_log.pml.
SOUND = {
    'three-writers': ['W0=3', 'W1=0', 'TX=0', 'FAULTS', 'FAIR'],
    'transactions': ['W0=1', 'W1=0', 'TX=2', 'READS=0', 'FAULTS'],
    'resume': ['W0=2', 'W1=0', 'TX=1', 'READS=1', 'FAULTS', 'RESUME'],
    'resume-crash': ['W0=2', 'W1=0', 'TX=0', 'READS=1', 'CRASH', 'FAULTS', 'RESUME'],
    'crash': ['W0=1', 'W1=1', 'TX=0', 'READS=2', 'STREAM', 'CRASH', 'FAULTS', 'DEADLINE'],
    'log-race': ['WRITERS=2', 'APPS=2', 'SLOTS=3', 'INDEXERS=0', 'READERS=0'],
    'log-three-writers': ['WRITERS=3', 'APPS=1', 'SLOTS=2', 'DEPTH=1', 'INDEXERS=0', 'READERS=0'],
    'log-index': ['WRITERS=2', 'APPS=1', 'SLOTS=2', 'DEPTH=1', 'READERS=0'],
    'log-read': ['WRITERS=1', 'APPS=2', 'SLOTS=2', 'PASSES=1'],
}

# Each bug with a small configuration that shows it.
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
    'CHAIN': ['INDEXERS=0', 'READERS=0'],
    'PIPE': ['INDEXERS=0', 'READERS=0'],
    'OWN': ['INDEXERS=0', 'READERS=0'],
    'REFUSE': ['INDEXERS=0', 'READERS=0'],
    'MARK': ['SLOTS=3', 'READERS=0'],
    'STALE': ['SLOTS=3', 'READERS=0'],
    'COUNT': ['WRITERS=1', 'SLOTS=2', 'INDEXERS=2', 'READERS=0'],
    'READ': ['WRITERS=1', 'SLOTS=2'],
}
LOG_BUGS = {'CHAIN', 'PIPE', 'OWN', 'REFUSE', 'MARK', 'STALE', 'COUNT', 'READ'}

# States of event_log.pml that must be reached, so that nothing is proved by their absence.
REACHED = {
    'log-void': ['COVER_VOID', 'INDEXERS=0', 'READERS=0'],
    'log-pipe': ['COVER_PIPE', 'INDEXERS=0', 'READERS=0'],
    'log-repeat': ['COVER_REPEAT', 'OTHER=1', 'SLOTS=2', 'PASSES=1', 'READERS=0'],
    'log-mark-moves': ['COVER_READ', 'WRITERS=1', 'SLOTS=2'],
}


def has_error(model, defines):
    """Whether Spin finds an error in the model with these defines."""
    with tempfile.TemporaryDirectory() as folder:
        flags = ['-D' + define for define in defines]
        run = dict(cwd=folder, check=True, capture_output=True, text=True)
        subprocess.run(['spin', '-a', *flags, str(FOLDER / model)], **run)
        subprocess.run(['cc', '-O2', '-w', '-DSAFETY', '-DCOLLAPSE', '-o', 'pan', 'pan.c'], **run)
        output = subprocess.run(['./pan', '-m200000', '-w24'], **run).stdout
        if 'max search depth too small' in output or 'errors:' not in output:
            raise RuntimeError('the search was not complete:\n' + output)
        return 'errors: 0' not in output


def main():
    """Runs what was asked for, or everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('names', nargs='*', help='configurations and bugs; all of them if none')
    names = parser.parse_args().names or [*SOUND, *SEEDED, *REACHED]
    defines = {**SOUND, **REACHED, **{bug: ['BUG_' + bug, *how] for bug, how in SEEDED.items()}}

    def check(name):
        of_log = name.startswith('log-') or name in LOG_BUGS
        return has_error('event_log.pml' if of_log else 'early_release.pml', defines[name])

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = dict(zip(names, pool.map(check, names)))
    wrong = 0
    for name, error in outcomes.items():
        as_it_should = error == (name in SEEDED or name in REACHED)
        wrong += not as_it_should
        print(f'{name}: {"an error" if error else "no error"}{"" if as_it_should else ", WRONG"}')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
