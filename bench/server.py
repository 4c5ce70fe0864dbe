#!/usr/bin/env python3
"""The server side by side with others: Amazon's DynamoDB Local, dynalite, and an nginx that returns
the same bytes without doing anything. Run it as `./dev bench server`.

All servers run at the same time on loopback and take turns, a short slice each, for several rounds;
what counts is the median of the slices and the ratio between two servers. The report goes to
docs/benchmarks.md (between its two marks) and docs/benchmarks.svg, the figures to
build/bench/server.json, from which `--report-only` writes the report again.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import time

from side_by_side import report, subjects, work

ROOT = pathlib.Path(__file__).resolve().parents[1]
CONNECTIONS = (1, 16, 64)
CREATE_SECONDS_MAX = 30


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true",
                        help="a minute or two, to see that it works")
    parser.add_argument("--rounds", type=int, help="how often every server has its turn")
    parser.add_argument("--seconds", type=float, help="length of a turn")
    parser.add_argument("--items", type=int, help="how many items for the figures of memory")
    parser.add_argument("--work", action="append", choices=list(work.WORKS), help="only this work")
    parser.add_argument("--no-report", action="store_true", help="leave docs/ alone")
    parser.add_argument("--report-only", action="store_true",
                        help="from the figures of the last run")
    parser.add_argument("--program",
                        default=os.environ.get("STATOR_PROGRAM", ROOT / "build" / "stator"))
    parser.add_argument("--load", default=ROOT / "build" / "release" / "bench" / "http_load",
                        help="the load generator")
    parser.add_argument("--npm", type=pathlib.Path, default=ROOT / "build" / "npm",
                        help="the folder in which dynalite was installed")
    arguments = parser.parse_args()
    defaults = {"rounds": 1, "seconds": 0.25, "items": 5_000} if arguments.quick else {
        "rounds": 5, "seconds": 1.0, "items": 100_000}
    for name, value in defaults.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    return arguments


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except OSError:
        return ""
    return (done.stdout + done.stderr).strip()


def describe_machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo", encoding="utf-8") as file:
        kilobytes = int(file.readline().split()[1])
    return {
        "processor": f"{os.cpu_count()} × {models[0] if models else platform.machine()}",
        "memory_gb": round(kilobytes / 1024 / 1024),
        "system": f"Linux {platform.release()}",
        "load": os.getloadavg()[0],
        "java": output_of("java", "-version").partition("\n")[0],
        "node": output_of("node", "--version"),
        "nginx": output_of("nginx", "-v"),
    }


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        self.scratch = ROOT / "build" / "bench"
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.stators = subjects.stator(str(arguments.program), self.scratch)
        self.others = [*subjects.local(self.scratch), *subjects.dynalite(arguments.npm)]

    def load(self, subject, connections, amount, requests):
        """One turn of the load generator; `amount` is seconds, or "count" for each request once."""
        done = subprocess.run(
            [self.arguments.load, str(subject.port), str(connections), str(amount), requests,
             *subject.pids], capture_output=True, text=True, check=False, timeout=900)
        if done.returncode != 0:
            raise RuntimeError(f"{subject.name}: {done.stderr}")
        figures = json.loads(done.stdout)
        if figures["failures"] > figures["answers"] / 100:
            raise RuntimeError(f"{subject.name} refuses: {figures}\n{done.stderr}")
        return figures

    def file_of(self, name, requests):
        path = self.scratch / f"{name}.requests"
        work.write_file(path, requests)
        return path

    def make_table(self, subject):
        status, answer = subjects.post(subject.port, work.request("CreateTable", work.CREATE_TABLE))
        if status != 200:
            raise RuntimeError(f"{subject.name} makes no table: {answer}")
        deadline = time.monotonic() + CREATE_SECONDS_MAX
        describe = work.request("DescribeTable", {"TableName": work.TABLE})
        while b'"ACTIVE"' not in subjects.post(subject.port, describe)[1]:
            if time.monotonic() > deadline:
                raise RuntimeError(f"the table of {subject.name} is not active")
            time.sleep(0.05)

    def measure_life(self):
        """Time to the first answer, and memory: idle and with many items."""
        figures = {}
        starts = 2 if self.arguments.quick else 5
        items = self.file_of("many", work.many_items(self.arguments.items))
        for subject in [*self.stators, *self.others]:
            print(f"  {subject.name}", flush=True)
            seconds = []
            for _ in range(starts - 1):
                with subject.running() as taken:
                    seconds.append(taken)
            with subject.running() as taken:
                seconds.append(taken)
                time.sleep(1)
                idle = subject.memory_bytes
                self.make_table(subject)
                self.load(subject, 4, "count", items)
                figures[subject.name] = {"start_seconds": statistics.median(seconds),
                                         "idle_bytes": idle, "filled_bytes": subject.memory_bytes}
        return figures

    def bodies(self):
        """What Stator answers to one request of each kind."""
        subject = self.stators[0]
        with subject.running():
            self.make_table(subject)
            self.load(subject, 4, "count", self.file_of("filling", work.filling()))
            return {name: subjects.post(subject.port, work.prepared(name)[0])[1]
                    for name in work.WORKS}

    def warm_up(self, everybody, files):
        """Virtual machines compile what they run often; nobody is measured before that."""
        print("  warming up", flush=True)
        for name, requests in files.items():
            for subject in everybody:
                if name not in subject.lacks:
                    self.load(subject, CONNECTIONS[-1], 5 * self.arguments.seconds, requests)

    def measure_work(self):
        """The figures of every turn: {work: {connections: {subject: [figures, ...]}}}."""
        everybody = [*self.stators, *self.others, *subjects.nginx(self.scratch, self.bodies())]
        names = self.arguments.work or list(work.WORKS)
        figures = {name: {connections: {} for connections in CONNECTIONS} for name in names}
        started = []
        try:
            for subject in everybody:
                subject.start()
                started.append(subject)
            for subject in everybody[:-1]:
                self.make_table(subject)
                self.load(subject, 16, "count", self.file_of("filling", work.filling()))
            files = {name: self.file_of(name, work.prepared(name)) for name in names}
            self.warm_up(everybody, files)
            for number in range(self.arguments.rounds):
                for name in names:
                    print(f"  round {number + 1} of {self.arguments.rounds}: {name}", flush=True)
                    able = [subject for subject in everybody if name not in subject.lacks]
                    for connections in CONNECTIONS:
                        for subject in able:
                            turn = self.load(subject, connections, self.arguments.seconds,
                                             files[name])
                            figures[name][connections].setdefault(subject.name, []).append(turn)
        finally:
            for subject in started:
                subject.stop()
        return figures


def medians(turns):
    """One figure of each kind from several turns."""
    return {
        "per_second": statistics.median(turn["answers"] / turn["seconds"] for turn in turns),
        "cpu_us": statistics.median(1e6 * turn["cpu_seconds"] / turn["answers"] for turn in turns),
        "p50_us": statistics.median(turn["p50_us"] for turn in turns),
        "p99_us": statistics.median(turn["p99_us"] for turn in turns),
    }


def command_of(arguments):
    """How to do this again; where things are on this machine is nobody's business."""
    words = ["./dev bench server"]
    words += ["--quick"] if arguments.quick else []
    words += [f"--work {name}" for name in arguments.work or ()]
    return " ".join([*words, f"--rounds {arguments.rounds} --seconds {arguments.seconds:g}",
                     f"--items {arguments.items}"])


def measure(arguments):
    bench = Bench(arguments)
    begun = time.monotonic()
    machine = describe_machine()
    print("start and memory", flush=True)
    life = bench.measure_life()
    print("work", flush=True)
    figures = bench.measure_work()
    return {
        "date": datetime.date.today().isoformat(),
        "command": command_of(arguments),
        "minutes": round((time.monotonic() - begun) / 60, 1),
        "machine": machine,
        "rounds": arguments.rounds, "seconds": arguments.seconds, "items": arguments.items,
        "life": life,
        "work": {name: {str(connections): {subject: medians(turns)
                                           for subject, turns in by_subject.items()}
                        for connections, by_subject in by_connections.items()}
                 for name, by_connections in figures.items()},
    }


def main():
    arguments = parse_arguments()
    saved = ROOT / "build" / "bench" / "server.json"
    if arguments.report_only:
        results = json.loads(saved.read_text(encoding="utf-8"))
    else:
        results = measure(arguments)
        saved.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    print(report.targets(results))
    if not arguments.no_report:
        report.write(results, ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "benchmarks.svg")
        print("docs/benchmarks.md and docs/benchmarks.svg were written")


if __name__ == "__main__":
    main()
