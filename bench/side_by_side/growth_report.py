"""From the figures of growth.py to docs/benchmarks.md and its plot."""

import datetime
import math
import os
import platform

from side_by_side.report import megabytes, number, table

BEGIN = "<!-- Growth: written by bench/growth.py -->"
END = "<!-- End of the growth -->"
CALLS = ("GetItem", "Query", "PutItem")
LABELS = {"GetItem": "GetItem", "Query": "Query of 20", "PutItem": "PutItem, relaxed"}


def machine():
    return f"{os.cpu_count()} cores, Linux {platform.release()}, load average {os.getloadavg()[0]:.1f}"


def amount(items):
    return f"{items // 1_000_000} million" if items >= 1_000_000 else f"{items // 1_000} thousand"


def pair(ours, theirs):
    return f"{number(ours)} ({ours / theirs:.2f} ×)"


def cost_table(results):
    rows = []
    for ours, theirs in zip(results["engine"], results["rocksdb"]):
        cells = [pair(ours[f"{call}/1"]["cpu_us"], theirs[f"{call}/1"]["cpu_us"]) for call in CALLS]
        rows.append((amount(ours["items"]), *cells, pair(ours["open_ms"], theirs["open_ms"]),
                     f"{megabytes(ours['memory'])} ({megabytes(theirs['memory'])})",
                     f"{megabytes(ours['disk'])} ({megabytes(theirs['disk'])})"))
    head = ("items", *(f"{LABELS[call]}, µs" for call in CALLS), "open to first answer, ms", "memory",
            "disk")
    return table(head, rows)


def growth_lines(results):
    """How many times dearer the largest size is than the smallest."""
    rows = []
    for call in CALLS:
        def grown(subject):
            small, large = results[subject][0], results[subject][-1]
            return large[f"{call}/1"]["cpu_us"] / small[f"{call}/1"]["cpu_us"]
        rows.append((LABELS[call], f"{grown('engine'):.2f} ×", f"{grown('rocksdb'):.2f} ×"))
    head = (f"{amount(results['engine'][-1]['items'])} against "
            f"{amount(results['engine'][0]['items'])}", "Stator", "RocksDB")
    return table(head, rows)


def server_table(results):
    rows = [(amount(own["items"]), *(f"{number(own[call]['per_second'])}; "
                                     f"{number(own[call]['cpu_us'])} µs" for call in CALLS),
             number(own["open_ms"]), megabytes(own["memory"])) for own in results["server"]]
    head = ("items", *(LABELS[call] for call in CALLS), "start to first answer, ms", "memory")
    return table(head, rows)


def with_threads(results):
    """The sizes at which several threads were compared: ours and RocksDB's figures."""
    for ours, theirs in zip(results["engine"], results["rocksdb"]):
        if "GetItem/2" in ours:
            return ours, theirs
    return None


def threads_table(results):
    ours, theirs = with_threads(results)
    rows = []
    for call in CALLS:
        def speed(subject, threads):
            return (f"{number(subject[f'{call}/{threads}']['per_second'])} "
                    f"({subject[f'{call}/{threads}']['per_second'] / subject[f'{call}/1']['per_second']:.2f} ×)")
        rows.append((LABELS[call], *(speed(ours, threads) for threads in (1, 2, 16)),
                     *(speed(theirs, threads) for threads in (2, 16))))
    head = ("calls per second", "1 thread", "2 threads", "16 threads", "RocksDB, 2", "RocksDB, 16")
    return table(head, rows)


# Frames of the C++ library and of locks themselves say nothing about who waits.
DULL = ("std::", "__gthread", "pthread_", "stator::Mutex", "stator::bench", "stator::MutexLock",
        "stator::CondVar", "rocksdb::port::")


def place_of(wait):
    telling = [frame.partition("(")[0].rpartition("/")[2] for frame in wait["at"]
               if not frame.startswith(DULL)]
    return " < ".join(telling[:3]) or "?"


def waits_table(results):
    ours, _ = with_threads(results)
    rows = []
    for call in CALLS:
        seconds = 16 * results["seconds"]
        places = {}
        for wait in ours[f"{call}/16/waits"]:
            key = (wait["kind"], place_of(wait))
            places[key] = places.get(key, 0) + wait["ms"] / 1000
        for (kind, place), waited in sorted(places.items(), key=lambda each: -each[1])[:3]:
            rows.append((LABELS[call], kind, f"`{place}`", f"{100 * waited / seconds:.1f} %"))
    return table(("16 threads", "waits for", "in", "of their time"), rows)


def tables(results):
    text = ("Processor time of a call, one thread, beside RocksDB alone (in parentheses: times its cost, "
            "its memory, its disk):\n\n" + cost_table(results) + "\n" + growth_lines(results))
    if results["server"]:
        text += ("\nOver the server, 16 connections: requests per second and processor time of each:\n\n" +
                 server_table(results))
    if with_threads(results):
        text += (f"\nThreads, {amount(results['threads_at'])} items (in parentheses: times one thread):\n\n" +
                 threads_table(results) + "\nWhere 16 threads wait for each other:\n\n" +
                 waits_table(results))
    return text


def write(results, markdown, plot):
    text = markdown.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    largest = amount(results["engine"][-1]["items"])
    body = (f"{BEGIN}\n\nMeasured on {datetime.date.today().isoformat()} by `./dev bench growth --items "
            f"{results['engine'][-1]['items']} --seconds {results['seconds']:g}"
            f"{'' if results['server'] else ' --no-server'}` in {results['minutes']} "
            f"minutes; {results['machine']} at the end. Items of 100 bytes, 256 MB of block cache, random "
            f"access.\n\n![Processor time of a call from 10 thousand to {largest} items](growth.svg)\n\n"
            f"{tables(results)}\n{END}")
    markdown.write_text(before + body + after, encoding="utf-8")
    plot.write_text(draw(results), encoding="utf-8")


# ---- The plot ------------------------------------------------------------------------------------

WIDTH, PANEL, LEFT, TOP, BOTTOM, HEIGHT = 900, 290, 46, 70, 40, 340
COLOURS = {"engine": "#0b6e4f", "server": "#2e6da4", "rocksdb": "#b03a2e"}
NAMES = {"engine": "Stator, embedded", "server": "Stator, over the server", "rocksdb": "RocksDB"}


def draw(results):
    """One panel for each call: microseconds of the processor over the number of items."""
    sizes = [own["items"] for own in results["engine"]]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        '<text x="20" y="22" font-size="15" fill="#222">Processor time of a call in microseconds, by the '
        "number of items</text>"]
    shown = [(subject, name) for subject, name in NAMES.items() if results[subject]]
    for place, (subject, name) in enumerate(shown):
        lines.append(f'<rect x="{20 + place * 190}" y="34" width="11" height="11" '
                     f'fill="{COLOURS[subject]}"/><text x="{36 + place * 190}" y="44" fill="#222">{name}'
                     "</text>")
    for panel, call in enumerate(CALLS):
        lines += draw_panel(results, call, sizes, 10 + panel * PANEL)
    return "\n".join([*lines, "</svg>"]) + "\n"


def draw_panel(results, call, sizes, left):
    costs = {"engine": [own[f"{call}/1"]["cpu_us"] for own in results["engine"]],
             "server": [own[call]["cpu_us"] for own in results["server"]],
             "rocksdb": [own[f"{call}/1"]["cpu_us"] for own in results["rocksdb"]]}
    costs = {subject: line for subject, line in costs.items() if line}
    every = [cost for line in costs.values() for cost in line]
    low, high = 10 ** math.floor(math.log10(min(every))), 10 ** math.ceil(math.log10(max(every)))

    def x_of(index):
        return left + LEFT + index * (PANEL - LEFT - 24) / max(1, len(sizes) - 1)

    def y_of(cost):
        share = math.log10(cost / low) / math.log10(high / low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    lines = [f'<text x="{left + LEFT}" y="{TOP - 8}" fill="#222">{LABELS[call]}</text>']
    mark = low
    while mark <= high * 1.001:
        lines.append(f'<line x1="{left + LEFT}" y1="{y_of(mark):.1f}" x2="{left + PANEL - 24}" '
                     f'y2="{y_of(mark):.1f}" stroke="#ddd"/><text x="{left + LEFT - 6}" '
                     f'y="{y_of(mark) + 4:.1f}" text-anchor="end" fill="#555">{mark:g}</text>')
        mark *= 10
    for index, items in enumerate(sizes):
        lines.append(f'<text x="{x_of(index):.1f}" y="{HEIGHT - 20}" text-anchor="middle" fill="#555">'
                     f"10<tspan dy=\"-5\" font-size=\"9\">{round(math.log10(items))}</tspan></text>")
    for subject, line in costs.items():
        points = " ".join(f"{x_of(index):.1f},{y_of(cost):.1f}" for index, cost in enumerate(line))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[subject]}" '
                     'stroke-width="2"/>')
    return lines
