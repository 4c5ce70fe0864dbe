// Takes all items out of a table, whatever they are by then; the table stays.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call } from "../../api/client.ts";
import { type TableInfo, refreshTables } from "../../api/tables.ts";
import { say } from "../../messages.ts";
import { Dialog, WhoseHome } from "../../parts/dialog.tsx";
import type { Item } from "../../value/attribute.ts";
import { count } from "../../value/show.ts";
import { keyNames } from "./saving.ts";
import { writeBatch } from "./transfer.ts";

const BATCH = 25;
const IN_FLIGHT = 4;

interface Page { Items: Item[]; LastEvaluatedKey?: Item }

async function deleteKeys(table: TableInfo, keys: readonly Item[], abort: AbortSignal, onDone: (count: number) => void): Promise<void> {
  let at = 0;
  const work = async () => {
    while (at < keys.length && !abort.aborted) {
      const batch = keys.slice(at, at + BATCH);
      at += BATCH;
      await writeBatch(table, batch.map((Key) => ({ DeleteRequest: { Key } })));
      onDone(batch.length);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

// How many are gone.
async function empty(table: TableInfo, abort: AbortSignal, onCount: (count: number) => void): Promise<number> {
  const names = keyNames(table);
  let gone = 0;
  let next: Item | undefined;
  do {
    const { value }: { value: Page } = await call("Scan", {
      TableName: table.name,
      ProjectionExpression: names.map((_, index) => `#k${index}`).join(", "),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#k${index}`, name])),
      ConsistentRead: true,
      ...(next === undefined ? {} : { ExclusiveStartKey: next }),
    }, abort);
    await deleteKeys(table, value.Items, abort, (some) => { gone += some; onCount(gone); });
    next = value.LastEvaluatedKey;
  } while (next !== undefined && !abort.aborted);
  return gone;
}

export function EmptyTable({ table, onClose }: { table: TableInfo; onClose: () => void }): JSX.Element {
  const [typed, setTyped] = useState("");
  const [gone, setGone] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const run = async () => {
    setGone(0);
    setFault(null);
    try {
      const all = await empty(table, abort.current.signal, setGone);
      say(`Deleted ${count(all, "item")} of ${table.name}.`);
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "Stopped")) setFault(error instanceof Error ? error.message : String(error));
    }
    setGone(null);
    void refreshTables();
  };
  const fits = typed === table.name;
  return (
    <Dialog title={`Delete all items of ${table.name}?`} onClose={onClose}>
      <form class="dialog-form" onSubmit={(event) => { event.preventDefault(); if (fits && gone === null) void run(); }}>
        <p class="quiet">{count(table.items, "item")} go, and those that come while it runs may. {table.recovery ? "Recovery is on." : "There is no way back."} The table, its indexes and settings stay. Each item costs a write; deleting the table and making it anew costs nothing.</p>
        <WhoseHome />
        <label class="quiet stack"><span>Type <span class="mono">{table.name}</span> to confirm</span><span class="field"><input value={typed} autofocus autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} /></span></label>
        {gone !== null && <p role="status">{count(gone, "item")} deleted</p>}
        {fault !== null && <p class="bad" role="alert">{fault}</p>}
        <div class="line end">
          <button class="button" type="button" onClick={onClose}>{gone === null ? "Keep them" : "Stop"}</button>
          <button class="button danger" type="submit" disabled={!fits || gone !== null}>Delete all items</button>
        </div>
      </form>
    </Dialog>
  );
}
