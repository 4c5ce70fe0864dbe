"""From figures to docs/benchmarks.md and its plot."""

import math

from side_by_side.work import LABELS, WORKS, WRITES

BEGIN = "<!-- Figures: written by bench/server.py -->"
END = "<!-- End of the figures -->"

MEMORY, RELAXED, DURABLE = "Stator, memory", "Stator, relaxed", "Stator, durable"
LOCAL, LOCAL_DISK = "DynamoDB Local, memory", "DynamoDB Local, disk"
DYNALITE, NGINX = "dynalite, memory", "nginx, the same bytes"
BUSIEST = "64"

# What each work is held against: how many times less processor time and how many times more
# requests than DynamoDB Local in memory.
GOALS = {
    "GetItem": (12, 8), "PutItem": (15, 12), "UpdateItem": (15, 12), "Query": (8, 6),
    "TransactWriteItems": (50, 40), "BatchWriteItem": (15, 15),
}
DURABLE_PUT_GOAL = 20  # times DynamoDB Local on disk
NGINX_GOAL = 0.5  # of nginx's requests
START_GOAL, START_SECONDS_GOAL = 40, 0.050
IDLE_GOAL, IDLE_BYTES_GOAL = 7, 25 * 1024 * 1024


def home_for(work):
    """The home of Stator's data that is compared with DynamoDB Local in memory."""
    return RELAXED if work in WRITES else DURABLE


def times(value):
    return f"{value:.1f} ×" if value < 10 else f"{value:.0f} ×"


def number(value):
    """With three significant digits, and commas."""
    if value >= 1000:
        digits = 3 - len(str(int(value)))
        return f"{int(round(value, digits)):,}"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def megabytes(value):
    return f"{value / 1024 / 1024:.0f} MB"


def milliseconds(seconds):
    return f"{1000 * seconds:.0f} ms"


def table(head, rows):
    align = ["---", *["--:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, align, *rows]) + "\n"


def goal_rows(results):
    """(what, goal, measured, reached) for every goal whose work was measured."""
    for work, (cpu_goal, requests_goal) in GOALS.items():
        by_subject = results["work"].get(work, {}).get(BUSIEST)
        if not by_subject:
            continue
        ours, theirs = by_subject[home_for(work)], by_subject[LOCAL]
        what = f"{LABELS[work]}{', relaxed' if work in WRITES else ''}"
        cpu, requests = theirs["cpu_us"] / ours["cpu_us"], ours["per_second"] / theirs["per_second"]
        yield f"{what}: processor time", f"{cpu_goal} × less", times(cpu), cpu >= cpu_goal
        yield f"{what}: requests", f"{requests_goal} ×", times(requests), requests >= requests_goal
        if work == "GetItem":
            share = ours["per_second"] / by_subject[NGINX]["per_second"]
            yield (f"{what}: requests against nginx", f"{NGINX_GOAL} ×", f"{share:.2f} ×",
                   share >= NGINX_GOAL)
        if work == "PutItem":
            durable = by_subject[DURABLE]["per_second"] / by_subject[LOCAL_DISK]["per_second"]
            yield (f"{LABELS[work]}, durable: requests against its disk mode",
                   f"{DURABLE_PUT_GOAL} ×", times(durable), durable >= DURABLE_PUT_GOAL)
    ours, theirs = results["life"][DURABLE], results["life"][LOCAL]
    start, idle = ours["start_seconds"], ours["idle_bytes"]
    ratio = theirs["start_seconds"] / start
    yield "start to first answer", f"{START_GOAL} × faster", times(ratio), ratio >= START_GOAL
    yield ("start to first answer", milliseconds(START_SECONDS_GOAL), milliseconds(start),
           start <= START_SECONDS_GOAL)
    ratio = theirs["idle_bytes"] / idle
    yield "idle memory", f"{IDLE_GOAL} × less", times(ratio), ratio >= IDLE_GOAL
    yield "idle memory", megabytes(IDLE_BYTES_GOAL), megabytes(idle), idle <= IDLE_BYTES_GOAL


def targets(results):
    rows = [(what, goal, measured, "yes" if reached else "**no**")
            for what, goal, measured, reached in goal_rows(results)]
    head = ("at 64 connections, against DynamoDB Local in memory", "goal", "measured", "reached")
    return table(head, rows)


def busiest_tables(results):
    works = [work for work in WORKS if work in results["work"]]
    names = list(results["work"][works[0]][BUSIEST])
    head = ("", *names)

    def row(work, cell):
        by_subject = results["work"][work][BUSIEST]
        local = by_subject[LOCAL]
        return (LABELS[work], *(cell(by_subject[name], local) if name in by_subject else "–"
                                for name in names))

    requests = [row(work, lambda own, local: f"{number(own['per_second'])} "
                    f"({times(own['per_second'] / local['per_second'])})") for work in works]
    cpu = [row(work, lambda own, local: f"{number(own['cpu_us'])} "
               f"({times(local['cpu_us'] / own['cpu_us'])})") for work in works]
    return ("### Requests per second, 64 connections\n\nIn parentheses: times DynamoDB Local in "
            f"memory.\n\n{table(head, requests)}\n### Processor time of the server per request, in "
            "microseconds, 64 connections\n\nIn parentheses: how many times less than DynamoDB "
            f"Local in memory.\n\n{table(head, cpu)}")


def latency_table(results):
    names = (DURABLE, LOCAL, LOCAL_DISK, DYNALITE)

    def cell(own):
        if own is None:
            return "–"
        return f"{number(own['per_second'])}; {number(own['p50_us'])} / {number(own['p99_us'])}"

    rows = []
    for work in WORKS:
        for connections, by_subject in results["work"].get(work, {}).items():
            cells = [cell(by_subject.get(name)) for name in names]
            rows.append((LABELS[work], connections, *cells))
    return ("### Requests per second; median / 99th percentile in microseconds\n\n" +
            table(("", "connections", *names), rows))


def life_table(results):
    items = f"{results['items']:,} items of 1 KB"
    rows = [(name, milliseconds(own["start_seconds"]), megabytes(own["idle_bytes"]),
             megabytes(own["filled_bytes"])) for name, own in results["life"].items()]
    return "### Start and memory\n\n" + table(("", "start to first answer", "idle", items), rows)


def figures(results):
    machine = results["machine"]
    return f"""{BEGIN}

Measured on {results['date']} by `{results['command']}` in {results['minutes']} minutes:
turns of {results['seconds']} s in {results['rounds']} round(s), medians.
{machine['processor']}, {machine['memory_gb']} GB, {machine['system']}, load average
{machine['load']:.1f} at the start;
{machine['java']}, Node {machine['node']}, {machine['nginx']} (one worker).

### Goals

{targets(results)}
![Requests per second at 64 connections, against DynamoDB Local in memory](benchmarks.svg)

{busiest_tables(results)}
{latency_table(results)}
{life_table(results)}
{END}"""


def write(results, markdown, plot):
    text = markdown.read_text(encoding="utf-8") if markdown.exists() else f"{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    markdown.write_text(before + figures(results) + after, encoding="utf-8")
    plot.write_text(draw(results), encoding="utf-8")


# ---- The plot ------------------------------------------------------------------------------------

COLOURS = {MEMORY: "#0b6e4f", RELAXED: "#16a085", DURABLE: "#73c6a5", LOCAL: "#b03a2e",
           LOCAL_DISK: "#e59866", DYNALITE: "#7f8c8d", NGINX: "#c9ccd1"}
WIDTH, LEFT, RIGHT, TOP = 900, 210, 60, 96
LEGEND = 205
BAR, GAP = 11, 16


def draw(results):
    """Bars on a logarithmic scale: requests per second as a multiple of DynamoDB Local's."""
    works = [work for work in WORKS if work in results["work"]]
    ratios = {work: {name: own["per_second"] / by_subject[LOCAL]["per_second"]
                     for name, own in by_subject.items()}
              for work, by_subject in ((work, results["work"][work][BUSIEST]) for work in works)}
    every = [ratio for by_subject in ratios.values() for ratio in by_subject.values()]
    low = 10 ** math.floor(math.log10(min(every)))
    high = 10 ** math.ceil(math.log10(max(every)))
    group = BAR * len(COLOURS) + GAP
    height = TOP + group * len(works) + 34

    def x_of(ratio):
        share = math.log10(ratio / low) / math.log10(high / low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="20" y="22" font-size="15" fill="#222">Requests per second at 64 '
        "connections, as a multiple of DynamoDB Local in memory</text>"]
    for place, (name, colour) in enumerate(COLOURS.items()):
        x, y = 20 + place % 4 * LEGEND, 36 + place // 4 * 18
        lines.append(f'<rect x="{x}" y="{y}" width="11" height="11" fill="{colour}"/>'
                     f'<text x="{x + 16}" y="{y + 10}" fill="#222">{name}</text>')
    mark = low
    while mark <= high * 1.001:
        x = x_of(mark)
        lines.append(f'<line x1="{x:.1f}" y1="{TOP - 14}" x2="{x:.1f}" y2="{height - 28}" '
                     f'stroke="{"#888" if abs(mark - 1) < 1e-9 else "#ddd"}"/>'
                     f'<text x="{x:.1f}" y="{height - 12}" text-anchor="middle" fill="#555">'
                     f"{mark:g} ×</text>")
        mark *= 10
    for index, work in enumerate(works):
        top = TOP + index * group
        lines.append(f'<text x="{LEFT - 10}" y="{top + BAR * 4}" text-anchor="end" fill="#222">'
                     f"{LABELS[work]}</text>")
        for place, (name, colour) in enumerate(COLOURS.items()):
            ratio = ratios[work].get(name)
            if ratio is None:
                continue
            y, begin, end = top + place * BAR, x_of(min(1, ratio)), x_of(max(1, ratio))
            lines.append(f'<rect x="{begin:.1f}" y="{y}" width="{max(end - begin, 1.5):.1f}" '
                         f'height="{BAR - 2}" fill="{colour}"/>')
            if name in (RELAXED, DURABLE):
                lines.append(f'<text x="{end + 4:.1f}" y="{y + BAR - 3}" font-size="10" '
                             f'fill="#222">{times(ratio)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
