// How many items are stored in which version of their shape; words beside the colours.

import type { JSX } from "preact";
import type { Counted, Entity } from "../../value/entity.ts";
import { count } from "../../value/show.ts";

export function VersionsBar({ entity, counted }: { entity: Entity; counted: Counted }): JSX.Element {
  const rows = [...counted.stored].sort(([one], [other]) => one - other);
  const all = rows.reduce((sum, [, items]) => sum + items, 0);
  if (all === 0) return <span class="faint">no items seen</span>;
  return (
    <span class="versions-bar">
      <span class="bar" aria-hidden="true">{rows.map(([version, items]) => <i key={version} class={version < entity.version ? "old" : version > entity.version ? "future" : ""} style={{ flexGrow: String(items) }} />)}</span>
      <span class="faint">{rows.map(([version, items]) => `v${version}: ${counted.isAll ? count(items, "item") : `${Math.round((100 * items) / all)} %`}`).join(", ")}</span>
    </span>
  );
}
