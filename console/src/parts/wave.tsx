// How many changes there were, second by second, by kind.

import type { JSX } from "preact";

type Counts = Record<"INSERT" | "MODIFY" | "REMOVE", number>;
const BARS = [["MODIFY", "b-info"], ["INSERT", "b-good"], ["REMOVE", "b-bad"]] as const;
const HEIGHT = 44;

export function Wave(props: { seconds: Map<number, Counts>; now: number; length: number; words: string }): JSX.Element {
  const most = Math.max(1, ...[...props.seconds.values()].map((counts) => counts.INSERT + counts.MODIFY + counts.REMOVE));
  const paths = { INSERT: "", MODIFY: "", REMOVE: "" };
  for (const [second, counts] of props.seconds) {
    const x = props.length - 1 - (props.now - second);
    let y = HEIGHT;
    for (const [kind] of BARS) {
      const size = (counts[kind] / most) * (HEIGHT - 2);
      if (size > 0) paths[kind] += `M${x + 0.15} ${y}h.7v${-size}h-.7z`;
      y -= size;
    }
  }
  return (
    <div class="wave">
      <svg viewBox={`0 0 ${props.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={props.words}>
        <line class="l-base" x1="0" y1={HEIGHT} x2={props.length} y2={HEIGHT} />
        {BARS.map(([kind, style]) => <path key={kind} class={style} d={paths[kind]} />)}
      </svg>
      <div class="axis"><span>two minutes ago</span><span>{props.words}</span><span>now</span></div>
    </div>
  );
}
