"""Draws what calls cost now beside what they cost on an earlier record, both in instructions."""

WIDTH, LEFT, RIGHT, TOP = 900, 330, 120, 70
BAR, GAP = 12, 10
BEFORE, NOW = "#b9c0c7", "#16a085"


def draw(before, now):
    """Bars of each case that both records have, as shares of what it cost before."""
    cases = [case for case in now if case in before]
    group = 2 * BAR + GAP
    height = TOP + group * len(cases) + 10
    most = max(1.0, *(now[case] / before[case] for case in cases))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        '<text x="20" y="24" font-size="15" fill="#222">Instructions of a call, as a share of what '
        "it took before</text>"]
    for place, (name, colour) in enumerate((("before", BEFORE), ("now", NOW))):
        lines.append(f'<rect x="{20 + 90 * place}" y="40" width="11" height="11" fill="{colour}"/>'
                     f'<text x="{36 + 90 * place}" y="50" fill="#222">{name}</text>')
    for index, case in enumerate(cases):
        top = TOP + index * group
        lines.append(f'<text x="{LEFT - 10}" y="{top + BAR + 3}" text-anchor="end" fill="#222">'
                     f"{case}</text>")
        for place, (count, colour) in enumerate(((before[case], BEFORE), (now[case], NOW))):
            length = (WIDTH - LEFT - RIGHT) * count / before[case] / most
            y = top + place * BAR
            lines.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR - 1}" '
                         f'fill="{colour}"/><text x="{LEFT + length + 5:.1f}" y="{y + BAR - 3}" '
                         f'font-size="10" fill="#222">{count:,}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
