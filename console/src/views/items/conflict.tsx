// Somebody was faster: what it was, what they made of it, what I would make of it.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Item } from "../../value/attribute.ts";
import { showDeep, showText } from "../../value/show.ts";
import { disputes } from "./saving.ts";

export function Conflict(props: { was: Item; theirs: Item | null; mine: Item; onTheirs: () => void; onMine: () => void }): JSX.Element {
  const [compares, setCompares] = useState(true);
  const rows = props.theirs === null ? [] : disputes(props.was, props.theirs, props.mine);
  return (
    <div class="note" role="alert">
      <strong>Changed while you were editing</strong>
      {props.theirs === null ? "Somebody deleted this item. Nothing was written." : "Somebody changed this item. Nothing was written."}
      {compares && rows.length > 0 && (
        <table class="conflict" aria-label="Conflict">
          <thead><tr><th scope="col">Attribute</th><th scope="col">Was</th><th scope="col">Theirs</th><th scope="col">Mine</th></tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <td class="mono">{showText(row.name, 40)}</td><td class="mono quiet">{showDeep(row.was, 60)}</td><td class="mono">{showDeep(row.theirs, 60)}</td><td class="mono accent">{showDeep(row.mine, 60)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="actions">
        <button class="button small" type="button" onClick={props.onTheirs}>Take theirs</button>
        <button class="button small" type="button" onClick={props.onMine}>Keep mine</button>
        {rows.length > 0 && <button class="button plain small" type="button" onClick={() => setCompares(!compares)}>{compares ? "Hide" : "Compare"}</button>}
      </div>
    </div>
  );
}
