// Somebody was faster: what it was, what they made of it, what I would make of it.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Item, equal, withAttribute } from "../../value/attribute.ts";
import { showDeep, showText } from "../../value/show.ts";
import { type Dispute, disputes } from "./saving.ts";

export function Conflict(props: { was: Item; theirs: Item | null; mine: Item; onTheirs: () => void; onMine: () => void; onMerged: (item: Item) => void }): JSX.Element {
  const [compares, setCompares] = useState(true);
  const [chosen, setChosen] = useState<ReadonlyMap<string, "theirs" | "mine">>(new Map());
  const { theirs } = props;
  const rows = theirs === null ? [] : disputes(props.was, theirs, props.mine);
  const choiceOf = (row: Dispute) => chosen.get(row.name) ?? (equal(row.was, row.mine) ? "theirs" : "mine");
  const merge = () => {
    if (theirs !== null) props.onMerged(rows.reduce((item, row) => (choiceOf(row) === "mine" ? withAttribute(item, row.name, row.mine) : item), theirs));
  };
  return (
    <div class="note" role="alert">
      <strong>Changed while you were editing</strong>
      {props.theirs === null ? "Somebody deleted this item. Nothing was written." : "Somebody changed this item. Nothing was written."}
      {compares && rows.length > 0 && (
        <table class="conflict" aria-label="Conflict">
          <thead><tr><th scope="col">Attribute</th><th scope="col">Was</th><th scope="col">Theirs</th><th scope="col">Mine</th>{rows.length > 1 && <th scope="col">Keep</th>}</tr></thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <td class="mono">{showText(row.name, 40)}</td><td class="mono quiet">{showDeep(row.was, 60)}</td><td class="mono">{showDeep(row.theirs, 60)}</td><td class="mono accent">{showDeep(row.mine, 60)}</td>
                {rows.length > 1 && <td><select class="field" aria-label={`Keep of ${row.name}`} value={choiceOf(row)} onChange={(event) => setChosen(new Map([...chosen, [row.name, event.currentTarget.value as "theirs" | "mine"]]))}><option value="theirs">theirs</option><option value="mine">mine</option></select></td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="actions">
        <button class="button small" type="button" onClick={props.onTheirs}>Take theirs</button>
        <button class="button small" type="button" onClick={props.onMine}>Keep mine</button>
        {rows.length > 1 && <button class="button small" type="button" onClick={merge}>Save as chosen</button>}
        {rows.length > 0 && <button class="button plain small" type="button" onClick={() => setCompares(!compares)}>{compares ? "Hide" : "Compare"}</button>}
      </div>
    </div>
  );
}
