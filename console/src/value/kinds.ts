// Kinds of items in one table, as single-table designs write them: by the beginning of the sort key, up to a "#".

import { type Item, attributeOf } from "./attribute.ts";

export interface Kind {
  name: string;
  start: string; // of the key
  share: number; // of the items that were looked at
}

const LOOKED = 1_000;
const [FEWEST, MOST] = [2, 8];
const NAME = /^([A-Za-z][A-Za-z0-9_.-]{0,30})(#|$)/;

// None when the items do not say, or all say the same.
export function kindsOf(items: readonly Item[], key: string): Kind[] {
  const counts = new Map<string, number>();
  const looked = items.slice(0, LOOKED);
  for (const item of looked) {
    const value = attributeOf(item, key);
    const found = value !== undefined && "S" in value ? NAME.exec(value.S) : null;
    if (found !== null) counts.set(found[0], (counts.get(found[0]) ?? 0) + 1);
  }
  if (counts.size < FEWEST || counts.size > MOST || ![...counts.keys()].some((start) => start.endsWith("#"))) return [];
  return [...counts].sort((one, other) => other[1] - one[1]).map(([start, count]) => ({ name: start.replace(/#$/, ""), start, share: count / looked.length }));
}
