// What differs between two states of an item, by paths; + and − say it as well as the colours do.

import type { JSX } from "preact";
import type { Change } from "../value/change.ts";
import { showDeep, showText } from "../value/show.ts";

const LINES_MAX = 200;

export function DiffList({ changes, same }: { changes: Change[]; same?: number }): JSX.Element {
  const lines = changes.flatMap((change) => [
    ...(change.was === undefined ? [] : [{ sign: "−", kind: "del", path: change.path, value: change.was }]),
    ...(change.now === undefined ? [] : [{ sign: "+", kind: "add", path: change.path, value: change.now }]),
  ]);
  return (
    <ul class="diff">
      {lines.slice(0, LINES_MAX).map((line, index) => (
        <li key={index} class={line.kind}><span>{line.sign}</span><span>{showText(line.path.join("."), 80)}</span><span>{showDeep(line.value)}</span></li>
      ))}
      {lines.length > LINES_MAX && <li class="same"><span /><span>{lines.length - LINES_MAX} more</span><span /></li>}
      {same !== undefined && same > 0 && <li class="same"><span /><span>{same} more</span><span>unchanged</span></li>}
    </ul>
  );
}
