// One change to many items, shown before it happens.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { storeOf } from "../../api/stores.ts";
import { type IndexInfo, type TableInfo, refreshTables } from "../../api/tables.ts";
import { say } from "../../messages.ts";
import { Dialog, WhoseHome } from "../../parts/dialog.tsx";
import { type Item, type TypeName, attributeOf } from "../../value/attribute.ts";
import { type BulkChange, DEEDS, type Deed, TYPES_OF, becomes, valueOf } from "../../value/bulk.ts";
import { sizeOf } from "../../value/change.ts";
import { count, showUnits, showValue } from "../../value/show.ts";
import { type BulkResult, runBulk, wordsOf } from "./bulk_run.ts";
import { keyNames } from "./saving.ts";

const ASKS_ABOVE = 100;
const SHOWN = 20;
const STEP_MS = 100; // between two figures of how far it is

// A sentence when nothing can be done; of an index that does not hold whole items nobody knows what it leaves out.
function faultIn(table: TableInfo, index: IndexInfo | null, items: readonly Item[], change: BulkChange): string | null {
  if (change.deed === "delete") return null;
  if (change.name === "") return "Which attribute?";
  if (keyNames(table).includes(change.name)) return "Keys cannot be changed.";
  if (index !== null && index.projection !== "ALL" && !items.some((item) => attributeOf(item, change.name) !== undefined)) return `${index.name} does not hold ${change.name}. Ask the table.`;
  const value = change.deed === "remove" ? null : valueOf(change);
  return typeof value === "string" ? value : null;
}

function Preview({ table, items, change }: { table: TableInfo; items: readonly Item[]; change: BulkChange | null }): JSX.Element {
  const after = (item: Item): string => {
    const now = change === null ? null : becomes(change, item);
    return typeof now === "string" ? now : showValue(attributeOf(now ?? undefined, change?.name ?? ""), 30);
  };
  return (
    <ul class="bulk-preview" tabIndex={0} aria-label="First items">
      {items.slice(0, SHOWN).map((item, index) => (
        <li key={index} class="mono clip">{wordsOf(table, item, 40)}{change !== null && change.deed !== "delete" && <>: <del>{showValue(attributeOf(item, change.name), 30)}</del> → <ins>{after(item)}</ins></>}</li>
      ))}
      {items.length > SHOWN && <li class="faint">and {(items.length - SHOWN).toLocaleString("en")} more</li>}
    </ul>
  );
}

export function BulkDialog(props: { table: TableInfo; index: IndexInfo | null; items: readonly Item[]; deed: Deed; onClose: () => void; onDone: (result: BulkResult) => void }): JSX.Element {
  const { table } = props;
  const [items] = useState(props.items); // what was marked, whatever is marked afterwards
  const [change, setChange] = useState<BulkChange>({ deed: props.deed, name: "", type: "S", text: "" });
  const [typed, setTyped] = useState("");
  const [done, setDone] = useState<number | null>(null);
  const [left, setLeft] = useState<string[]>([]);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const { deed, name } = change;
  const store = storeOf(table);
  const fault = faultIn(table, props.index, items, change);
  const units = useMemo(() => items.reduce((sum, item) => sum + Math.max(1, Math.ceil(sizeOf(item) / 1024)), 0), [items]);
  const needs = items.length > ASKS_ABOVE ? String(items.length) : null;
  const choose = (next: Deed) => setChange({ ...change, deed: next, type: TYPES_OF[next].includes(change.type) ? change.type : TYPES_OF[next][0] ?? "S" });
  const run = async () => {
    let shownAt = 0;
    const step = (so: number) => {
      if (performance.now() - shownAt < STEP_MS) return;
      shownAt = performance.now();
      setDone(so);
    };
    setDone(0);
    const result = await runBulk(table, items, change, abort.current.signal, step);
    props.onDone(result);
    void refreshTables();
    setLeft(result.left);
    say(`${deed === "delete" ? "Deleted" : "Changed"} ${count(result.changed.length, "item")}${result.left.length > 0 ? `, ${result.left.length} not` : ""}.`);
    if (result.left.length === 0) props.onClose();
    else setDone(null);
  };
  return (
    <Dialog title={deed === "delete" ? `Delete ${count(items.length, "item")}?` : `Change ${count(items.length, "item")}`} onClose={props.onClose}>
      <form class="dialog-form" onSubmit={(event) => { event.preventDefault(); if (fault === null && done === null && (needs === null || typed === needs)) void run(); }}>
        <div class="line">
          <select class="field" aria-label="What to do" value={deed} onChange={(event) => choose(event.currentTarget.value as Deed)}>{Object.entries(DEEDS).map(([id, words]) => <option key={id} value={id}>{words}</option>)}</select>
          {deed !== "delete" && <label class="field grow"><span class="hidden">Attribute</span><input class="mono" placeholder="attribute" value={name} onInput={(event) => setChange({ ...change, name: event.currentTarget.value })} /></label>}
        </div>
        {TYPES_OF[deed].length > 0 && (
          <div class="line">
            <select class="field" aria-label="Type" value={change.type} onChange={(event) => setChange({ ...change, type: event.currentTarget.value as TypeName })}>{TYPES_OF[deed].map((one) => <option key={one} value={one}>{one}</option>)}</select>
            <label class="field grow"><span class="hidden">Value</span><input class="mono" placeholder={change.type.length > 1 && change.type.endsWith("S") ? "a, b, c" : "value"} value={change.text} onInput={(event) => setChange({ ...change, text: event.currentTarget.value })} /></label>
          </div>
        )}
        <p class={fault === null ? "quiet" : "warn"}>{fault ?? `Each of them only if it is still what is shown here. Writes about ${showUnits(units)} ${units === 1 ? "unit" : "units"} of the table.`}</p>
        <Preview table={table} items={items} change={deed !== "delete" && (name === "" || fault !== null) ? null : change} />
        <WhoseHome />
        {store !== null && <p class="warn">These items belong to the store of {store}, whose programs rely on what is in them.</p>}
        {needs !== null && <label class="quiet stack"><span>Type <span class="mono">{needs}</span> to confirm</span><span class="field"><input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} /></span></label>}
        {done !== null && <p role="status">{done.toLocaleString("en")} of {items.length.toLocaleString("en")}</p>}
        {left.length > 0 && <pre class="code preview" tabIndex={0} role="region" aria-label="Not done">{left.slice(0, 100).join("\n")}</pre>}
        <div class="line end">
          <button class="button" type="button" autofocus onClick={() => { if (done === null) props.onClose(); else abort.current.abort(); }}>{done === null ? (left.length > 0 ? "Close" : "Keep them") : "Stop"}</button>
          <button class={deed === "delete" ? "button danger" : "button primary"} type="submit" disabled={fault !== null || done !== null || left.length > 0 || (needs !== null && typed !== needs)}>{deed === "delete" ? "Delete" : "Change"}</button>
        </div>
      </form>
    </Dialog>
  );
}
