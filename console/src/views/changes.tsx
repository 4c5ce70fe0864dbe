// Changes as they happen, newest on top; still while one is open or somebody paused.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Change, StreamReader } from "../api/changes.ts";
import { ApiError, call } from "../api/client.ts";
import { type TableInfo, refreshTables, tables } from "../api/tables.ts";
import { addKeys } from "../keys.ts";
import { complain, say } from "../messages.ts";
import { Code } from "../parts/code.tsx";
import { DiffList } from "../parts/diff.tsx";
import { Icon } from "../parts/icon.tsx";
import { usePoll } from "../parts/poll.ts";
import { Tabs } from "../parts/tabs.tsx";
import { VirtualList } from "../parts/virtual_list.tsx";
import { Wave } from "../parts/wave.tsx";
import { addressOf, ask, place } from "../router.ts";
import { isReadOnly } from "../state.ts";
import { keyText } from "../value/address.ts";
import type { Item } from "../value/attribute.ts";
import { changesOf } from "../value/change.ts";
import { clockTime, count, showBytes, showDeep, showText, showValue } from "../value/show.ts";
import { Empty, FaultState } from "./states.tsx";
import { keyNames } from "./items/saving.ts";

const KEPT = 5_000;
const SECONDS = 120;
const KINDS = { INSERT: ["insert", "good"], MODIFY: ["modify", "info"], REMOVE: ["remove", "bad"] } as const;

function keyWords(change: Change): string[] {
  const table = tables.value?.find((other) => other.name === change.table);
  const names = table === undefined ? Object.keys(change.key) : keyNames(table);
  return names.map((name) => showValue(change.key[name], 60));
}

function Words({ change }: { change: Change }): JSX.Element {
  if (change.byExpiry) return <span class="change">expired, by the service</span>;
  if (change.kind === "MODIFY" && change.before !== null && change.after !== null) {
    const parts = changesOf(change.before, change.after);
    return (
      <span class="change">
        {parts.slice(0, 3).map((part, index) => (
          <span key={index}>{index > 0 && ", "}{showText(part.path.join("."), 40)} {part.was !== undefined && <del>{showDeep(part.was, 40)}</del>}{part.was !== undefined && part.now !== undefined && " → "}{part.now !== undefined && <ins>{showDeep(part.now, 40)}</ins>}</span>
        ))}
        {parts.length > 3 && ` +${parts.length - 3}`}
      </span>
    );
  }
  const item = change.after ?? change.before;
  return <span class="change">{item === null ? "keys only" : `${count(Object.keys(item).length, "attribute")}, ${showBytes(change.bytes)}`}</span>;
}

function Row({ change }: { change: Change }): JSX.Element {
  const [word, colour] = KINDS[change.kind];
  const [first, ...rest] = keyWords(change);
  return (
    <>
      <span class="mono faint">{clockTime(change.at)}</span>
      <span><span class={`badge ${colour}`}>{word}</span></span>
      <span class="clip only-wide">{change.table}</span>
      <span class="mono clip">{first} <span class="faint">{rest.join(" ")}</span></span>
      <Words change={change} />
    </>
  );
}

type Face = "diff" | "before" | "after" | "record";

function ChangeDrawer({ change }: { change: Change }): JSX.Element {
  const [face, setFace] = useState<Face>("diff");
  const table = tables.value?.find((other) => other.name === change.table);
  const [first, ...rest] = keyWords(change);
  const parts = changesOf(change.before ?? {}, change.after ?? {});
  const text = (item: Item | null) => (item === null ? "There is none, or the stream does not keep it." : JSON.stringify(item, null, 2));
  return (
    <aside class="drawer" aria-label="Change">
      <header>
        <div><h2><span>{first}</span></h2><p class="mono clip">{rest.join(" ")}</p></div>
        <button class="button plain small square" type="button" aria-label="Close" data-close onClick={() => ask({ i: null })}><Icon name="close" /></button>
      </header>
      <Tabs label="Change as" tabs={[{ id: "diff", name: "Difference" }, { id: "before", name: "Before" }, { id: "after", name: "After" }, { id: "record", name: "Record" }]} chosen={face} onChoose={setFace} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Change">
        {face === "diff" && <DiffList changes={parts} same={Object.keys(change.after ?? {}).length - new Set(parts.map((part) => part.path[0])).size} />}
        {face !== "diff" && <section><Code text={face === "before" ? text(change.before) : face === "after" ? text(change.after) : JSON.stringify(change, null, 2)} what={`the ${face}`} /></section>}
        <section><dl class="facts"><dt>Table</dt><dd>{change.table}</dd><dt>Sequence</dt><dd class="mono wrap">{change.id.split(" ")[1]}</dd><dt>Size</dt><dd>{showBytes(change.bytes)}</dd><dt>By</dt><dd>{change.byExpiry ? "expiry" : "a caller"}</dd></dl></section>
      </div>
      <footer><p>Streams keep 24 hours</p>{table?.recovery === true && <a class="button plain" href={addressOf(["tables", change.table, "items"], new URLSearchParams({ i: keyText(change.key, keyNames(table)), t: "history" }))}>History</a>}{table !== undefined && change.kind !== "REMOVE" && <a class="button" href={addressOf(["tables", change.table, "items"], new URLSearchParams({ i: keyText(change.key, keyNames(table)) }))}>Open item</a>}</footer>
    </aside>
  );
}

const readerName = (table: TableInfo) => `${table.name} ${table.streamArn ?? ""}`;

async function turnOn(table: TableInfo): Promise<void> {
  try {
    await call("UpdateTable", { TableName: table.name, StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } });
    await refreshTables();
    say(`The stream of ${table.name} is on.`);
  } catch (error) {
    complain(error);
  }
}

// Of all tables, or of one, below whose name it then stands.
export function ChangesView({ table: own }: { table?: string }): JSX.Element {
  const readers = useRef(new Map<string, StreamReader>());
  const kept = useRef<Change[]>([]);
  const seconds = useRef(new Map<number, Record<Change["kind"], number>>());
  const [version, setVersion] = useState(0);
  const [paused, setPaused] = useState(false);
  const [fault, setFault] = useState<ApiError | null>(null);
  const still = useRef<Change[] | null>(null);
  const only = own ?? place.value.asked.get("in") ?? "";
  const typed = place.value.asked.get("q") ?? "";
  const kind = place.value.asked.get("k") ?? "";
  const open = place.value.asked.get("i");
  const all = (tables.value ?? []).filter((table) => own === undefined || table.name === own);
  const streaming = all.filter((table) => table.streamArn !== null);
  const silent = all.filter((table) => table.streamArn === null);
  const isLive = tables.value !== null && streaming.every((table) => (only !== "" && table.name !== only) || readers.current.get(readerName(table))?.hasBegun === true);
  usePoll(250, true, async () => {
    try {
      const wanted = (tables.value ?? []).filter((table) => table.streamArn !== null && (only === "" || table.name === only));
      const lists = await Promise.all(wanted.map((table) => {
        const reader = readers.current.get(readerName(table)) ?? new StreamReader(table);
        readers.current.set(readerName(table), reader);
        return reader.read();
      }));
      const fresh = lists.flat();
      setFault(null);
      const now = Math.floor(Date.now() / 1000);
      const counts = seconds.current.get(now) ?? { INSERT: 0, MODIFY: 0, REMOVE: 0 };
      for (const change of fresh) counts[change.kind] += 1;
      seconds.current.set(now, counts);
      for (const second of seconds.current.keys()) if (second < now - SECONDS) seconds.current.delete(second);
      if (fresh.length > 0) kept.current = [...fresh.reverse(), ...kept.current].slice(0, KEPT);
      setVersion((before) => before + 1);
    } catch (error) {
      if (error instanceof ApiError) setFault(error);
    }
  });
  useEffect(() => { void refreshTables(); return addKeys([{ keys: "Space", does: "Pause, or go on", run: () => setPaused((before) => !before) }]); }, []);
  const isStill = paused || open !== null;
  if (!isStill) still.current = null;
  else still.current ??= kept.current;
  const base = still.current ?? kept.current;
  const shown = useMemo(() => {
    const word = typed.toLowerCase();
    const fits = (change: Change) => word === "" || JSON.stringify([change.table, change.kind, change.key, change.before, change.after]).toLowerCase().includes(word);
    return base.filter((change) => (only === "" || change.table === only) && (kind === "" || KINDS[change.kind][0] === kind) && fits(change));
  }, [isStill ? base : version, typed, only, kind, isStill]);
  const waiting = isStill ? Math.max(0, kept.current.indexOf(base[0] as Change)) : 0;
  const chosen = open === null ? undefined : kept.current.find((change) => change.id === open);
  const now = Math.floor(Date.now() / 1000);
  const last = seconds.current.get(now - 1);
  return (
    <>
      <header class={own === undefined ? "head" : "head below"}>
        {own === undefined && <h1>Changes</h1>}
        <span class={isStill || !isLive ? "badge" : "badge good"}>{isStill ? "still" : isLive ? "live" : "beginning"}</span>
        <span class="grow" />
        {own === undefined && <select class="field only-wide" aria-label="Table" value={only} onChange={(event) => ask({ in: event.currentTarget.value || null }, true)}><option value="">in all tables</option>{streaming.map((table) => <option key={table.name} value={table.name}>in {table.name}</option>)}</select>}
        <select class="field only-wide" aria-label="Kind" value={kind} onChange={(event) => ask({ k: event.currentTarget.value || null }, true)}><option value="">of all kinds</option>{Object.values(KINDS).map(([word]) => <option key={word} value={word}>{word}</option>)}</select>
        <label class="field search"><Icon name="filter" /><input data-filter type="search" placeholder="Key, attribute or value" aria-label="Filter changes" value={typed} onInput={(event) => ask({ q: event.currentTarget.value || null }, true)} /><kbd class="only-wide">/</kbd></label>
        <button class="button" type="button" onClick={() => setPaused(!paused)}><Icon name={paused ? "play" : "pause"} />{paused ? "Go on" : "Pause"}</button>
      </header>
      <Wave seconds={seconds.current} now={now} length={SECONDS} words={`${last?.INSERT ?? 0} inserted, ${last?.MODIFY ?? 0} modified, ${last?.REMOVE ?? 0} removed in the last second`} />
      <div class={chosen === undefined ? "split closed" : "split"}>
        <div class="pane">
          <div class="list-head changes-row" aria-hidden="true"><span>Time</span><span>Kind</span><span class="only-wide">Table</span><span>Key</span><span>What changed</span></div>
          {waiting > 0 && <p class="waiting" role="status">{count(waiting, "new change")}{kept.current.length >= KEPT && ", at least"}</p>}
          {fault !== null && shown.length === 0 ? <FaultState fault={fault} /> : shown.length === 0
            ? (
              <Empty>
                <p>{streaming.length === 0 ? (own === undefined ? "No table has a stream." : "This table has no stream.") : isLive ? "Nothing has changed since this page was opened." : "Looking for the end of the streams."}</p>
                {silent.length > 0 && <p class="quiet">Without a stream, changes are not recorded:</p>}
                {silent.slice(0, 20).map((table) => <div key={table.name} class="line"><span class="mono">{table.name}</span><button class="button small" type="button" disabled={isReadOnly.value} onClick={() => void turnOn(table)}>Turn the stream on</button></div>)}
              </Empty>
            )
            : <VirtualList label="Changes" rows={shown} rowClass="changes-row" keyOf={(change) => change.id} chosen={open} onChoose={(change) => ask({ i: change.id }, open !== null)} render={(change) => <Row change={change} />} />}
          <footer class="status only-wide"><span>{count(kept.current.length, "change")} kept</span><span class="grow" /><span>{count(streaming.length, "stream")}{silent.length > 0 && `, ${count(silent.length, "table")} without`}</span></footer>
        </div>
        {chosen !== undefined && <ChangeDrawer key={chosen.id} change={chosen} />}
      </div>
    </>
  );
}
