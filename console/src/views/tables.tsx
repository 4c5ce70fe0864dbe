// What is there, and how big.

import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { storeOf } from "../api/stores.ts";
import { type TableInfo, refreshTables, tables } from "../api/tables.ts";
import { addKeys } from "../keys.ts";
import { Icon } from "../parts/icon.tsx";
import { ask, go, pathOf, place } from "../router.ts";
import { home, isReadOnly, newTableIsOpen } from "../state.ts";
import { count, showBytes } from "../value/show.ts";
import { NewTable } from "./new_table.tsx";
import { Empty, Loading } from "./states.tsx";

type Column = "name" | "items" | "bytes" | "indexes";
const STREAMS: Record<string, string> = { NEW_AND_OLD_IMAGES: "New and old", NEW_IMAGE: "New", OLD_IMAGE: "Old", KEYS_ONLY: "Keys" };

function valueOf(table: TableInfo, column: Column): string | number {
  return column === "indexes" ? table.indexes.length : table[column];
}

function Keys({ table }: { table: TableInfo }): JSX.Element {
  return (
    <span class="mono">
      {table.pk.name} <span class="faint">{table.pk.type}</span>
      {table.sk !== null && <>, {table.sk.name} <span class="faint">{table.sk.type}</span></>}
    </span>
  );
}

function Row({ table, isChosen }: { table: TableInfo; isChosen: boolean }): JSX.Element {
  const off = <span class="faint">off</span>;
  const store = storeOf(table);
  return (
    <tr aria-selected={isChosen} data-table={table.name} onClick={(event) => { if (!(event.target instanceof Element && event.target.closest("a") !== null)) go(["tables", table.name, "items"]); }}>
      <td>
        <span class="inline">
          <a class="clip name" href={pathOf("tables", table.name, "items")}>{table.name}</a>
          {table.status !== "ACTIVE" && <span class="badge warn">{table.status.toLowerCase()}</span>}
          {table.isProtected && <span class="badge">protected</span>}
          {store !== null && <a class="badge" href={pathOf(store)}>{store}</a>}
        </span>
        <span class="sub-line">{count(table.items, "item")}, {showBytes(table.bytes)}</span>
      </td>
      <td class="wide"><Keys table={table} /></td>
      <td class="wide num">{table.items.toLocaleString("en")}</td>
      <td class="wide num">{showBytes(table.bytes)}</td>
      <td class={`wide num${table.indexes.length === 0 ? " faint" : ""}`}>{table.indexes.length}</td>
      <td class="wide">{table.stream === null ? off : STREAMS[table.stream] ?? table.stream}</td>
      <td class="wide mono">{table.ttl ?? off}</td>
      <td class="wide">{table.recovery ? "on" : off}</td>
    </tr>
  );
}

function Header(props: { column: Column; name: string; sort: Column; down: boolean; isNumber?: boolean; onSort: (column: Column) => void }): JSX.Element {
  const sorted = props.sort === props.column;
  return (
    <th scope="col" class={props.isNumber === true ? "wide num" : ""} aria-sort={sorted ? (props.down ? "descending" : "ascending") : "none"}>
      <button class="sort" type="button" onClick={() => props.onSort(props.column)}>{props.name}{sorted ? (props.down ? " ↓" : " ↑") : ""}</button>
    </th>
  );
}

export function TablesView({ gone }: { gone: string | null }): JSX.Element {
  const [sort, setSort] = useState<Column>("name");
  const [down, setDown] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const typed = place.value.asked.get("q") ?? "";
  const shown = useMemo(() => {
    const words = typed.toLowerCase().split(/\s+/);
    const fitting = (tables.value ?? []).filter((table) => words.every((word) => table.name.toLowerCase().includes(word)));
    const order = (one: TableInfo, other: TableInfo) => {
      const [a, b] = [valueOf(one, sort), valueOf(other, sort)];
      return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
    };
    return fitting.sort(order);
  }, [tables.value, typed, sort, down]);
  useEffect(() => { void refreshTables(); }, []);
  useEffect(() => addKeys([
    { keys: "j", does: "Down", run: () => setChosen((at) => Math.min(at + 1, shown.length - 1)) },
    { keys: "k", does: "Up", run: () => setChosen((at) => Math.max(at - 1, 0)) },
    { keys: "n", does: "New table", run: () => { newTableIsOpen.value = !isReadOnly.value; } },
  ]), [shown.length]);
  useEffect(() => { document.querySelectorAll<HTMLElement>("table.tables tbody a.name")[chosen]?.focus(); }, [chosen]);
  const onSort = (column: Column) => { setDown(column === sort ? !down : column !== "name"); setSort(column); };
  const all = tables.value ?? [];
  return (
    <>
      <header class="head">
        <h1>Tables</h1>
        <span class="grow" />
        <label class="field search">
          <Icon name="search" />
          <input data-filter type="search" placeholder="Filter tables" aria-label="Filter tables" value={typed} onInput={(event) => ask({ q: event.currentTarget.value || null }, true)} />
          <kbd class="only-wide">/</kbd>
        </label>
        <button class="button primary" type="button" disabled={isReadOnly.value} onClick={() => { newTableIsOpen.value = true; }}><Icon name="plus" />New table</button>
      </header>
      {gone !== null && <p class="note" role="status">{gone} is not there any more.</p>}
      {tables.value === null ? <Loading /> : all.length === 0 ? <NoTables /> : (
        <>
          <dl class="summary">
            <div><dt>Tables</dt><dd>{all.length.toLocaleString("en")}</dd></div>
            <div><dt>Items</dt><dd>{all.reduce((sum, table) => sum + table.items, 0).toLocaleString("en")}</dd></div>
            <div><dt>Size</dt><dd>{showBytes(all.reduce((sum, table) => sum + table.bytes, 0))}</dd></div>
            <div class="only-wide"><dt>Indexes</dt><dd>{all.reduce((sum, table) => sum + table.indexes.length, 0)}</dd></div>
          </dl>
          <div class="scroll" tabIndex={0} role="region" aria-label="List of tables">
            <table class="tables" aria-label="Tables">
              <colgroup><col class="w-name" /><col class="wide w-keys" /><col class="wide w-num" /><col class="wide w-size" /><col class="wide w-ix" /><col class="wide w-st" /><col class="wide w-ttl" /><col class="wide w-rec" /></colgroup>
              <thead>
                <tr>
                  <Header column="name" name="Name" sort={sort} down={down} onSort={onSort} />
                  <th scope="col" class="wide">Keys</th>
                  <Header column="items" name="Items" isNumber sort={sort} down={down} onSort={onSort} />
                  <Header column="bytes" name="Size" isNumber sort={sort} down={down} onSort={onSort} />
                  <Header column="indexes" name="Indexes" isNumber sort={sort} down={down} onSort={onSort} />
                  <th scope="col" class="wide">Stream</th>
                  <th scope="col" class="wide">Expiry</th>
                  <th scope="col" class="wide">Recovery</th>
                </tr>
              </thead>
              <tbody>{shown.map((table, index) => <Row key={table.name} table={table} isChosen={index === chosen} />)}</tbody>
            </table>
            {shown.length === 0 && <Empty><p>No table fits “{typed}”.</p></Empty>}
          </div>
        </>
      )}
      <footer class="status only-wide">
        <span>{shown.length === all.length ? count(all.length, "table") : `${shown.length} of ${count(all.length, "table")}`}</span>
        <span class="grow" />
        <span>{home.value?.kind === "remote" ? "counts are of the last six hours" : "counts are exact, as of now"}</span>
      </footer>
      {newTableIsOpen.value && <NewTable />}
    </>
  );
}

function NoTables(): JSX.Element {
  const text = `import boto3
boto3.client("dynamodb", endpoint_url="${location.origin}", region_name="${home.value?.region ?? "us-east-1"}").list_tables()`;
  return (
    <Empty>
      <p>No tables yet.</p>
      <div class="line"><button class="button primary" type="button" onClick={() => { newTableIsOpen.value = true; }}><Icon name="plus" />New table</button></div>
      <pre class="code" tabIndex={0} role="region" aria-label="From Python">{text}</pre>
    </Empty>
  );
}
