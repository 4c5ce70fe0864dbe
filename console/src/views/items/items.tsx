// Items of a table: a question, what it cost, the grid, and the item that is open.

import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { createPortal } from "preact/compat";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { storeOf } from "../../api/stores.ts";
import { type TableInfo, refreshTables, tableNamed } from "../../api/tables.ts";
import { complain, copy, say } from "../../messages.ts";
import { offer } from "../../parts/actions.ts";
import { confirm } from "../../parts/dialog.tsx";
import { type Cell, Grid } from "../../parts/grid.tsx";
import { Icon } from "../../parts/icon.tsx";
import { noteQuery } from "../../parts/palette.tsx";
import { useKeys } from "../../parts/use_keys.ts";
import { ask, go, place } from "../../router.ts";
import { home, isReadOnly } from "../../state.ts";
import { fromFragment, keyFromText, keyText, toFragment } from "../../value/address.ts";
import { type Item, type TypeName, attributeOf, cellOf, equalItems, parseScalar, scalarText, withAttribute } from "../../value/attribute.ts";
import { parseMoment, showMoment } from "../../value/moment.ts";
import { type Kind, kindsOf } from "../../value/kinds.ts";
import { type Condition, type Question, QuestionFault, type Request, pathOf, requestOf } from "../../value/query.ts";
import { showLines, showValue } from "../../value/show.ts";
import { shapeOf } from "../../value/statement.ts";
import { Empty, FaultState } from "../states.tsx";
import { BulkDialog } from "./bulk_dialog.tsx";
import type { BulkResult } from "./bulk_run.ts";
import { CodeDialog } from "./code_dialog.tsx";
import { chooseColumns, chosenColumns, columnsOf, shownColumns, sortRows, widthOf } from "./columns.ts";
import { ColumnsDialog } from "./columns_dialog.tsx";
import { CostLine } from "./cost_line.tsx";
import { Drawer } from "./drawer.tsx";
import { MomentDialog } from "./moment_dialog.tsx";
import { QueryForm, emptyQuestion, forecast, keysOf } from "./query_form.tsx";
import { Runner } from "./runner.ts";
import { keyNames, keyOf, updateItem } from "./saving.ts";
import { TransferDialog } from "./transfer_dialog.tsx";

const MUCH_BYTES = 10_000_000;
const [LOOKED, VALUES_MOST] = [1_000, 100]; // rows, and values of the partition key that are offered
const COPIED_MS = 1_000; // a second press within it copies the row
const FIRST_LOOK = 300; // items that are shown of a table when nothing was asked

function questionIn(table: TableInfo): Question | null {
  return fromFragment(place.value.asked, (index) => {
    const keys = index === null ? table : table.indexes.find((other) => other.name === index);
    return keys === undefined ? null : { pk: keys.pk.name, sk: keys.sk?.name ?? null };
  });
}

function requestOrFault(table: TableInfo, question: Question): Request | string {
  try {
    return requestOf(table.name, question);
  } catch (error) {
    if (error instanceof QuestionFault) return error.message;
    throw error;
  }
}

// The table that a statement is about, when that is another one that is there.
function otherTable(table: TableInfo, question: Question): string | null {
  const name = question.mode === "partiql" ? shapeOf(question.statement).table : null;
  return name !== null && name !== table.name && tableNamed(name) !== undefined ? name : null;
}

const askedFor = new Set<string>(); // tables whose scan was agreed to, since the page was opened

// A scan of much that somebody pays for is asked about, once for each table.
async function mayScan(table: TableInfo, question: Question): Promise<boolean> {
  if (question.mode !== "scan" || home.value?.kind !== "remote" || table.bytes < MUCH_BYTES || askedFor.has(table.name)) return true;
  const yes = await confirm({ title: `Scan ${table.name}?`, body: forecast(table, question).text, act: "Scan", keep: "Cancel", isHarmless: true });
  if (yes) askedFor.add(table.name);
  return yes;
}

function valuesSeen(rows: readonly Item[], name: string): string[] {
  const seen = new Set<string>();
  for (const row of rows.slice(0, LOOKED)) {
    const value = attributeOf(row, name);
    if (value !== undefined && seen.size < VALUES_MOST) seen.add(scalarText(value));
  }
  return [...seen];
}

function withMoment(fragment: URLSearchParams, at: string | null): URLSearchParams {
  if (at !== null) fragment.set("at", at);
  return fragment;
}

function changesData(question: Question): boolean {
  return question.mode === "partiql" && !shapeOf(question.statement).isRead;
}

export function ItemsView({ table }: { table: TableInfo }): JSX.Element {
  const runner = useMemo(() => new Runner(), []);
  const store = useMemo(() => storeOf(table), [table]); // its items are not edited by the way
  const asked = useComputed(() => {
    const copyOf = new URLSearchParams(place.value.asked);
    copyOf.delete("i");
    copyOf.delete("t");
    return copyOf.toString();
  });
  const [question, setQuestion] = useState<Question>(() => questionIn(table) ?? emptyQuestion(table, "scan", null));
  const [fault, setFault] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string[] | null>(() => chosenColumns(table.name));
  const [sort, setSort] = useState<{ name: string; down: boolean } | null>(null);
  const [marks, setMarks] = useState<ReadonlySet<Item>>(new Set());
  const [dialog, setDialog] = useState<"code" | "columns" | "transfer" | "set" | "delete" | "moment" | null>(null);
  const [actionsPlace, setActionsPlace] = useState<Element | null>(null);
  const [refused, setRefused] = useState<{ statement: string; message: string } | null>(null);
  const [ran, setRan] = useState<Question | null>(null); // what the rows are the answer of
  const copied = useRef<(Cell & { at: number }) | null>(null); // the cell that was copied last, and when
  const confirmed = useRef<string | null>(null); // a statement that may change something, once
  const version = runner.version.value;
  const outcome = runner.outcome.value;
  const open = place.value.asked.get("i");
  const wanted = place.value.asked.get("at"); // a moment of the past
  const moment = wanted === null ? null : parseMoment(wanted);
  const isPast = wanted !== null;
  const isNew = open === "new" && !isPast;
  const openKey = open === null || open === "new" ? null : keyFromText(open, keyNames(table));

  useEffect(() => { setActionsPlace(document.getElementById("head-actions")); return () => runner.stop(); }, []);
  const start = async (asking: Question, request: Request, limit: number | null) => {
    setRan(asking);
    setRefused(null);
    await runner.start(request, limit, moment);
    const now = runner.outcome.value;
    if (now === null || request.operation !== "ExecuteStatement") return;
    if (now.fault !== null) setRefused({ statement: request.input.Statement, message: now.fault.message });
    else if (changesData(asking) && now.done) {
      say("Done.");
      void refreshTables();
    }
  };
  // Runs what the address asks, when that changes; a statement that changes something only after it
  // was confirmed here, because addresses are written by anybody. Before the form is painted, so that it
  // takes back nothing that somebody chose in it.
  useLayoutEffect(() => {
    const next = questionIn(table);
    const now = next ?? emptyQuestion(table, "scan", null);
    setQuestion(now);
    setSort(null);
    setMarks(new Set());
    setFault(null);
    if (next !== null && next.mode === "query" && next.pk === null) {
      setQuestion(emptyQuestion(table, "query", next.index));
      return;
    }
    const other = otherTable(table, now);
    if (other !== null) {
      go(["tables", other, "items"], toFragment(now), true);
      return;
    }
    const pastFault = isPast ? faultOfMoment(now) : null;
    if (pastFault !== null) {
      setRan(null);
      runner.clear();
      setFault(pastFault);
      return;
    }
    const mayRun = !changesData(now) || confirmed.current === now.statement;
    confirmed.current = null;
    if (!mayRun) {
      setRan(null);
      runner.clear();
      return;
    }
    const request = requestOrFault(table, now);
    if (typeof request === "string") setFault(request);
    else void start(now, request, next === null ? FIRST_LOOK : null);
  }, [asked.value]);

  const faultOfMoment = (asking: Question): string | null => (moment === null ? `"${wanted ?? ""}" is no moment; write 2026-11-16T14:29:51Z.` : asking.mode === "partiql" ? "Statements read the present. Ask for the past by query or scan." : asking.index !== null ? "An index has no history. Ask the table." : null);
  const goTo = (at: string | null) => { setDialog(null); ask({ at, i: null, t: null }); };
  const mayChange = () => confirm({ title: "Run this statement?", body: <><p>It changes {table.name}.</p><pre class="code preview" tabIndex={0} role="region" aria-label="Statement">{showLines(question.statement)}</pre></>, act: "Run", keep: "Cancel" });
  const run = async () => {
    const request = requestOrFault(table, question);
    if (typeof request === "string") {
      setFault(request);
      return;
    }
    const pastFault = isPast ? faultOfMoment(question) : null;
    setFault(pastFault);
    if (pastFault !== null) return;
    const other = otherTable(table, question);
    const fragment = withMoment(toFragment(question), wanted);
    if (other !== null) {
      go(["tables", other, "items"], fragment);
      return;
    }
    if (!(await mayScan(table, question))) return;
    if (changesData(question)) {
      if (!(await mayChange())) return;
      confirmed.current = question.statement;
    }
    noteQuery(table.name, fragment);
    if (fragment.toString() !== asked.value) go(place.value.parts, fragment);
    else {
      confirmed.current = null;
      void start(question, request, null);
    }
  };
  // Only items of that kind, beside whatever else was asked.
  const askForKind = (kind: Kind) => {
    if (keys.sk === null) return;
    const wants: Condition = { path: pathOf(keys.sk.name), op: "begins", type: "S", values: [kind.start] };
    const next = question.mode === "query" ? { ...question, sk: wants } : { ...question, filters: [...question.filters.filter((filter) => filter.path !== wants.path), wants] };
    go(place.value.parts, withMoment(toFragment(next), wanted));
  };
  const keys = keysOf(table, question.index);
  const shape = ran?.mode === "partiql" ? shapeOf(ran.statement) : null;
  const isPart = shape !== null && !(shape.isWhole && shape.table === table.name); // rows are no whole items
  const isFixed = isPart || isPast || isReadOnly.value;
  const names = [...new Set([keys.pk.name, ...(keys.sk === null ? [] : [keys.sk.name]), ...keyNames(table)])]
    .filter((name) => !isPart || runner.rows.slice(0, 1_000).some((row) => Object.hasOwn(row, name)));
  const all = useMemo(() => columnsOf(runner.rows, names), [version, names.join("\n")]);
  const folded = outcome?.operation === "Query" ? keys.pk.name : null;
  const columns = useMemo(() => shownColumns(all, isPart ? null : chosen, folded).map((column) => ({ ...column, width: widthOf(column, runner.rows) })), [all, chosen, folded, isPart]);
  const partitions = useMemo(() => valuesSeen(runner.rows, keys.pk.name), [version, keys.pk.name]);
  const kinds = useMemo(() => (isPart || keys.sk === null ? [] : kindsOf(runner.rows, keys.sk.name)), [version, keys.sk?.name, isPart]);
  const openRow = useMemo(() => {
    const at = openKey === null ? -1 : runner.rows.findIndex((row) => equalItems(keyOf(table, row), openKey));
    return at < 0 ? null : at;
  }, [open, version]);

  const hasKey = (item: Item) => {
    const has = (shape === null || shape.table === table.name) && keyNames(table).every((name) => Object.hasOwn(item, name));
    if (!has) say(`This row does not say which item it is of. Select ${keyNames(table).join(" and ")} as well.`);
    return has;
  };
  const openItem = (row: number) => {
    const item = runner.rows[row];
    if (item !== undefined && hasKey(item)) ask({ i: keyText(item, keyNames(table)) }, open !== null);
  };
  const partition = (key: Item) => {
    const value = attributeOf(key, table.pk.name);
    const [type = "S", text = ""] = Object.entries(value ?? {})[0] ?? [];
    go(place.value.parts, withMoment(toFragment({ ...emptyQuestion(table, "query", null), pk: { path: table.pk.name, op: "eq", type: type as "S", values: [String(text)] } }), wanted));
  };
  const changed = (key: Item, item: Item | null) => {
    const at = runner.rows.findIndex((row) => equalItems(keyOf(table, row), key));
    if (at >= 0 && item === null) runner.rows.splice(at, 1);
    else if (at >= 0 && item !== null) runner.rows[at] = item;
    else if (item !== null) runner.rows.unshift(item);
    runner.touch();
    void refreshTables();
  };
  const edit = async (cell: Cell, text: string, type: string) => {
    const was = runner.rows[cell.row];
    const name = columns[cell.column]?.name;
    const value = parseScalar(type as TypeName, text);
    if (was === undefined || name === undefined) return;
    if (typeof value === "string") {
      say(value, null, true);
      return;
    }
    try {
      const now = withAttribute(was, name, value);
      const saved = await updateItem(table, was, now);
      if (saved.kind === "conflict") {
        say("Somebody changed this item in between. Nothing was written; what is shown is theirs.", null, true);
        changed(keyOf(table, was), saved.theirs);
        openItem(cell.row);
        return;
      }
      changed(keyOf(table, was), saved.item ?? now);
      say(`${name} is ${showValue(value, 40)}.`, async () => {
        const back = await updateItem(table, saved.item ?? now, was);
        if (back.kind === "conflict") throw new Error("The item was changed again; nothing was undone.");
        changed(keyOf(table, was), back.item);
      });
    } catch (error) {
      complain(error);
    }
  };
  const onSort = (name: string) => {
    const down = sort?.name === name ? !sort.down : false;
    sortRows(runner.rows, all.find((column) => column.name === name)?.path ?? [name], down);
    setSort({ name, down });
    runner.touch();
  };
  const onMark = (rows: readonly Item[], on: boolean) => {
    const next = new Set(marks);
    for (const row of rows) {
      if (on) next.add(row);
      else next.delete(row);
    }
    setMarks(next);
  };
  // Reads what is left of the question, so that what happens to all of them can be shown before.
  const markAll = async () => {
    const isAll = await runner.readAll();
    setMarks(new Set(runner.rows));
    if (!isAll) say("Not everything was read; marked is what was.", null, true);
  };
  const onCopy = (cell: Cell, whole: boolean) => {
    const item = runner.rows[cell.row];
    const { name = "", path = [] } = columns[cell.column] ?? {};
    if (item === undefined) return;
    if (whole && hasKey(item)) void copy(JSON.stringify(keyOf(table, item)), "the key");
    if (whole) return;
    const isAgain = copied.current?.row === cell.row && copied.current.column === cell.column && performance.now() - copied.current.at < COPIED_MS;
    copied.current = isAgain ? null : { ...cell, at: performance.now() };
    if (isAgain) void copy(JSON.stringify(item, null, 2), "the row");
    else void copy(Object.values(cellOf(item, path) ?? {}).map(String).join(""), name);
  };
  const afterBulk = (result: BulkResult) => {
    const now = new Map(result.changed);
    const kept = runner.rows.map((row) => (now.has(row) ? now.get(row) ?? null : row)).filter((row): row is Item => row !== null);
    runner.rows.length = 0;
    for (const row of kept) runner.rows.push(row);
    setMarks(new Set());
    runner.touch();
  };
  useKeys([
    { keys: "Ctrl+Enter", does: "Run the query", run: () => void run() },
    { keys: "n", does: "New item", run: () => { if (!isPast && !isReadOnly.value) ask({ i: "new", t: null }); } },
    { keys: "b", does: "Back to now, from a moment of the past", run: () => { if (isPast) goTo(null); } },
    ...GRID_KEYS.map(([keys, does]) => ({ keys, does })),
  ]);
  useEffect(() => offer([
    { text: "New item", hint: table.name, run: () => ask({ i: "new" }) },
    { text: "Code of this query", hint: "action", run: () => setDialog("code") },
    { text: "Columns", hint: "action", run: () => setDialog("columns") },
    { text: "Import, export", hint: table.name, run: () => setDialog("transfer") },
  ]), []);
  const goOn = () => void (ran !== null && changesData(ran) ? run() : runner.goOn());
  return (
    <div class={`split${open === null ? " closed" : ""}${isPast ? " past" : ""}`}>
      {actionsPlace !== null && createPortal(<><button class="button plain only-wide" type="button" disabled={isPast} onClick={() => setDialog("transfer")}><Icon name="move" />Import, export</button><button class="button" type="button" disabled={isPast || isReadOnly.value} onClick={() => ask({ i: "new", t: null })}><Icon name="plus" />New item</button></>, actionsPlace)}
      <div class="pane">
        {isPast && <p class="past-line" role="status"><Icon name="moment" /><span>{moment === null ? "No moment" : `As it was at ${showMoment(Date.parse(moment))}`}. Nothing can be changed here.</span><button class="button small" type="button" onClick={() => setDialog("moment")}>Another moment</button><button class="button small" type="button" onClick={() => goTo(null)}>Back to now <kbd class="only-wide">B</kbd></button></p>}
        <QueryForm table={table} question={question} columns={all} partitions={partitions} running={outcome?.running ?? false} fault={fault} refused={refused} onChange={(next) => { setQuestion(next); setFault(null); }} onRun={() => void run()} onStop={() => runner.stop()} />
        <CostLine outcome={outcome} units={ran !== null && changesData(ran) ? "write units" : "read units"} shown={runner.rows.length} partition={folded === null ? null : `${folded} = ${question.pk?.values[0] ?? ""}`} onGoOn={goOn} onColumns={() => setDialog("columns")} onCode={() => setDialog("code")} onMoment={table.recovery ? () => setDialog("moment") : null} />
        {kinds.length > 0 && <div class="kinds" role="group" aria-label="Kinds of items">{kinds.map((kind) => <button key={kind.start} class="button plain small" type="button" onClick={() => askForKind(kind)}><span class="mono">{kind.name}</span> <span class="faint">{Math.round(kind.share * 100)} %</span></button>)}</div>}
        {outcome?.fault != null && <FaultState fault={outcome.fault} onRetry={goOn} />}
        {runner.rows.length === 0 && outcome !== null && !outcome.running && outcome.fault === null
          ? <Empty>{outcome.scanned === null ? <p>The statement answered with no items.</p> : outcome.scanned === 0 ? <><p>{outcome.operation === "Query" ? "No item has this key." : isPast ? "There were no items." : "No items yet."}</p><div class="line"><button class="button primary" type="button" onClick={() => ask({ i: "new" })}><Icon name="plus" />New item</button></div></> : <p>Read {outcome.scanned.toLocaleString("en")} items, none fits.</p>}</Empty>
          : <Grid label="Items" rows={runner.rows} version={version} columns={columns} expiry={table.ttl} open={openRow} isFixed={isFixed} editsCells={store === null} marks={marks} sort={sort} onSort={onSort} onOpen={openItem} onMark={onMark} onEdit={(cell, text, type) => void edit(cell, text, type)} onPartition={(row) => { const item = runner.rows[row]; if (item !== undefined && hasKey(item)) partition(item); }} onCopy={onCopy} onDelete={() => { if (marks.size > 0) setDialog("delete"); }} />}
        <footer class="status only-wide">
          <span>{marks.size > 0 ? `${marks.size.toLocaleString("en")} of ${runner.rows.length.toLocaleString("en")} marked` : `${runner.rows.length.toLocaleString("en")} shown`}{sort !== null && ", sorted what is loaded"}</span>
          {marks.size > 0 && marks.size === runner.rows.length && outcome?.done === false && !isFixed && <button class="button small" type="button" disabled={outcome.running} onClick={() => void markAll()}>Mark all that match</button>}
          {marks.size > 0 && <><button class="button small" type="button" onClick={() => setDialog("set")}>Change</button><button class="button small" type="button" onClick={() => setDialog("delete")}>Delete</button></>}
          <span class="grow" />
          <span><kbd>J</kbd> <kbd>K</kbd> move</span><span><kbd>Enter</kbd> open</span><span><kbd>F2</kbd> edit</span><span><kbd>?</kbd> keys</span>
        </footer>
      </div>
      {(isNew || openKey !== null) && (
        <Drawer
          key={open ?? ""}
          table={table}
          itemKey={isNew ? null : openKey}
          first={openRow === null ? openKey : question.index === null && !isPart ? runner.rows[openRow] ?? null : openKey}
          asOf={moment}
          onClose={() => ask({ i: null, t: null })}
          onChanged={changed}
          onPartition={partition}
          onMade={(item) => { changed(keyOf(table, item), item); ask({ i: keyText(item, keyNames(table)), t: null }, true); }}
        />
      )}
      {dialog === "code" && <CodeDialog request={requestOrFault(table, question)} onClose={() => setDialog(null)} />}
      {dialog === "transfer" && !isPast && <TransferDialog table={table} rows={marks.size > 0 ? [...marks] : runner.rows} onClose={() => setDialog(null)} onDone={() => { if (!changesData(question)) void run(); }} />}
      {(dialog === "set" || dialog === "delete") && <BulkDialog table={table} index={table.indexes.find((index) => index.name === ran?.index) ?? null} items={[...marks]} deed={dialog} onClose={() => setDialog(null)} onDone={afterBulk} />}
      {dialog === "moment" && <MomentDialog moment={moment} onChoose={goTo} onClose={() => setDialog(null)} />}
      {dialog === "columns" && <ColumnsDialog all={all} shown={columns.map((column) => column.name)} onChoose={(next) => { setChosen(next); chooseColumns(table.name, next); }} onClose={() => setDialog(null)} />}
    </div>
  );
}

const GRID_KEYS = [["j", "Down (arrows move by cell)"], ["k", "Up"], ["Enter", "Open the item"], ["F2", "Edit the cell"], ["Space", "Mark the row"], ["x", "Mark all"], ["p", "The partition of this key"], ["y", "Copy the key"], ["Ctrl+c", "Copy the cell; twice: the row"], ["Delete", "Delete what is marked, after a preview"]] as const;
