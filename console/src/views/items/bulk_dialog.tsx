// One change to many items, shown before it happens; each is conditional on what was read.

import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/client.ts";
import { type TableInfo, refreshTables } from "../../api/tables.ts";
import { say } from "../../messages.ts";
import { Dialog, WhoseHome } from "../../parts/dialog.tsx";
import { type AttributeValue, type Item, type TypeName, attributeOf, equalItems, parseScalar, withAttribute } from "../../value/attribute.ts";
import { count, showValue } from "../../value/show.ts";
import { deleteUnchanged, keyNames, updateItem } from "./saving.ts";

type Deed = "set" | "remove" | "delete";
const IN_FLIGHT = 25;
const ASKS_ABOVE = 100;

export interface BulkResult {
  changed: [Item, Item | null][]; // what it was, and what it is
  left: string[]; // what was not done, and why
}

async function runBulk(table: TableInfo, items: readonly Item[], next: (item: Item) => Item | null, abort: AbortSignal, onStep: (done: number) => void): Promise<BulkResult> {
  const result: BulkResult = { changed: [], left: [] };
  const queue = [...items];
  let done = 0;
  const one = async (was: Item) => {
    const now = next(was);
    const name = keyNames(table).map((key) => showValue(was[key], 60)).join(" ");
    try {
      if (now === null) {
        if (await deleteUnchanged(table, was)) result.changed.push([was, null]);
        else result.left.push(`${name}: changed in between`);
      } else if (!equalItems(was, now)) {
        const saved = await updateItem(table, was, now);
        if (saved.kind === "saved") result.changed.push([was, saved.item]);
        else result.left.push(`${name}: changed in between`);
      }
    } catch (error) {
      result.left.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      if (error instanceof ApiError && (error.isAway || error.status === 403)) queue.length = 0;
    }
    done += 1;
    onStep(done);
  };
  const work = async () => {
    for (let item = queue.shift(); item !== undefined && !abort.aborted; item = queue.shift()) await one(item);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  for (const item of queue) result.left.push(`${keyNames(table).map((key) => showValue(item[key], 60)).join(" ")}: not tried`);
  return result;
}

export function BulkDialog(props: { table: TableInfo; items: readonly Item[]; deed: Deed; onClose: () => void; onDone: (result: BulkResult) => void }): JSX.Element {
  const { table, items } = props;
  const [deed, setDeed] = useState<Deed>(props.deed);
  const [name, setName] = useState("");
  const [type, setType] = useState<TypeName>("S");
  const [text, setText] = useState("");
  const [typed, setTyped] = useState("");
  const [done, setDone] = useState<number | null>(null);
  const [left, setLeft] = useState<string[]>([]);
  const abort = useRef(new AbortController());
  const value: AttributeValue | string = parseScalar(type, text);
  const isKey = keyNames(table).includes(name);
  const fault = deed === "delete" ? null : name === "" ? "Which attribute?" : isKey ? "Keys cannot be changed." : deed === "set" && typeof value === "string" ? value : null;
  const next = (item: Item): Item | null => (deed === "delete" ? null : withAttribute(item, name, deed === "remove" || typeof value === "string" ? undefined : value));
  const needs = items.length > ASKS_ABOVE ? String(items.length) : null;
  const run = async () => {
    setDone(0);
    const result = await runBulk(table, items, next, abort.current.signal, setDone);
    props.onDone(result);
    void refreshTables();
    setLeft(result.left);
    say(`${deed === "delete" ? "Deleted" : "Changed"} ${count(result.changed.length, "item")}${result.left.length > 0 ? `, ${result.left.length} not` : ""}.`);
    if (result.left.length === 0) props.onClose();
    else setDone(null);
  };
  return (
    <Dialog title={deed === "delete" ? `Delete ${count(items.length, "item")}?` : `Change ${count(items.length, "item")}`} onClose={props.onClose}>
      <form class="dialog-form" onSubmit={(event) => { event.preventDefault(); if (fault === null && (needs === null || typed === needs)) void run(); }}>
        <div class="line">
          <select class="field" aria-label="What to do" value={deed} onChange={(event) => setDeed(event.currentTarget.value as Deed)}><option value="set">set an attribute</option><option value="remove">remove an attribute</option><option value="delete">delete the items</option></select>
          {deed !== "delete" && <label class="field grow"><span class="hidden">Attribute</span><input class="mono" placeholder="attribute" value={name} onInput={(event) => setName(event.currentTarget.value)} /></label>}
        </div>
        {deed === "set" && (
          <div class="line">
            <select class="field" aria-label="Type" value={type} onChange={(event) => setType(event.currentTarget.value as TypeName)}>{(["S", "N", "BOOL", "NULL", "B"] as const).map((one) => <option key={one} value={one}>{one}</option>)}</select>
            <label class="field grow"><span class="hidden">Value</span><input class="mono" placeholder="value" value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
          </div>
        )}
        <p class={fault === null ? "quiet" : "warn"}>{fault ?? `Each of them only if it is still what is shown here. Writes about ${count(items.length, "unit")}.`}</p>
        <ul class="bulk-preview" tabIndex={0} aria-label="First items">
          {items.slice(0, 20).map((item, index) => (
            <li key={index} class="mono clip">{keyNames(table).map((key) => showValue(item[key], 40)).join(" ")}{deed !== "delete" && name !== "" && <>: <del>{showValue(attributeOf(item, name), 30)}</del> → <ins>{deed === "remove" || typeof value === "string" ? "—" : showValue(value, 30)}</ins></>}</li>
          ))}
          {items.length > 20 && <li class="faint">and {(items.length - 20).toLocaleString("en")} more</li>}
        </ul>
        <WhoseHome />
        {needs !== null && <label class="quiet stack"><span>Type <span class="mono">{needs}</span> to confirm</span><span class="field"><input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} /></span></label>}
        {done !== null && <p role="status">{done} of {items.length}</p>}
        {left.length > 0 && <pre class="code preview" tabIndex={0} role="region" aria-label="Not done">{left.slice(0, 100).join("\n")}</pre>}
        <div class="line end">
          <button class="button" type="button" autofocus onClick={() => { abort.current.abort(); props.onClose(); }}>{done === null ? "Keep them" : "Stop"}</button>
          <button class={deed === "delete" ? "button danger" : "button primary"} type="submit" disabled={fault !== null || done !== null || (needs !== null && typed !== needs)}>{deed === "delete" ? "Delete" : "Change"}</button>
        </div>
      </form>
    </Dialog>
  );
}
