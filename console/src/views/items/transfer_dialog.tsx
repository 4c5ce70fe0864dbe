// Import and export.

import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { type TableInfo, refreshTables } from "../../api/tables.ts";
import { complain, say } from "../../messages.ts";
import { Dialog, WhoseHome } from "../../parts/dialog.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { isReadOnly } from "../../state.ts";
import type { Item } from "../../value/attribute.ts";
import type { CsvType } from "../../value/csv.ts";
import { count, showDeep } from "../../value/show.ts";
import { ReadOnlyNote } from "../states.tsx";
import { keyNames } from "./saving.ts";
import { FORMATS, type Format, type Report, download, exportItems, importItems, parseFile, scanAll, textOfFile } from "./transfer.ts";

const FILE_MAX = 400 * 1024 * 1024;
const TYPES: readonly CsvType[] = ["S", "N", "BOOL", "B", "JSON"];

function Export({ table, rows, onClose }: { table: TableInfo; rows: readonly Item[]; onClose: () => void }): JSX.Element {
  const [format, setFormat] = useState<Format>("jsonl");
  const [whole, setWhole] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const abort = useRef(new AbortController());
  const run = async () => {
    setDone(0);
    try {
      const pages = whole ? scanAll(table, abort.current.signal) : [[...rows]];
      download(await exportItems(format, pages, keyNames(table), setDone), format);
      onClose();
    } catch (error) {
      complain(error);
      setDone(null);
    }
  };
  return (
    <>
      <label class="stack"><span class="quiet">What</span><select class="field" aria-label="Which items" value={whole ? "table" : "rows"} onChange={(event) => setWhole(event.currentTarget.value === "table")}><option value="rows">what is shown: {count(rows.length, "item")}</option><option value="table">the whole table: {count(table.items, "item")}</option></select></label>
      <label class="stack"><span class="quiet">As</span><select class="field" aria-label="Format" value={format} onChange={(event) => setFormat(event.currentTarget.value as Format)}>{Object.entries(FORMATS).map(([id, name]) => <option key={id} value={id}>{name}</option>)}</select></label>
      {format === "csv" && <p class="faint">Values that a spreadsheet would run are written with an apostrophe in front, which the import takes away again.</p>}
      {format.startsWith("json") && <p class="faint">Sets become lists and binaries texts; DynamoDB JSON keeps every type.</p>}
      {done !== null && <p role="status">{count(done, "item")} read</p>}
      <div class="line end">
        <button class="button" type="button" onClick={() => { abort.current.abort(); onClose(); }}>Cancel</button>
        <button class="button primary" type="button" disabled={done !== null} onClick={() => void run()}>Export</button>
      </div>
    </>
  );
}

function Import({ table, onClose, onDone }: { table: TableInfo; onClose: () => void; onDone: () => void }): JSX.Element {
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [types, setTypes] = useState<ReadonlyMap<string, CsvType>>(new Map());
  const [replaces, setReplaces] = useState(false);
  const [typed, setTyped] = useState("");
  const [report, setReport] = useState<Report | null>(null);
  const [running, setRunning] = useState(false);
  const abort = useRef(new AbortController());
  const parsed = useMemo(() => (file === null ? null : parseFile(file.name, file.text, table, types)), [file, types]);
  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    if (chosen.size > FILE_MAX) {
      say("This file is larger than 400 MB. Take `stator import` or a program for it.", null, true);
      return;
    }
    try {
      setFile(await textOfFile(chosen));
    } catch {
      say("This file cannot be read.", null, true);
    }
  };
  const run = async () => {
    if (parsed === null) return;
    setRunning(true);
    const last = await importItems(table, parsed.items, replaces, abort.current.signal, setReport);
    setRunning(false);
    setReport(last);
    void refreshTables();
    onDone();
    if (last.faults.length === 0) {
      say(`Imported ${count(last.written, "item")}${last.there > 0 ? `, ${last.there} were there already` : ""}.`);
      onClose();
    }
  };
  const faults = [...(parsed?.faults ?? []).map((fault) => `line ${fault}`), ...(report?.faults ?? [])];
  return (
    <>
      <ReadOnlyNote />
      <label class="stack"><span class="quiet">A file: JSON, JSON lines, DynamoDB JSON, an export to S3, or CSV</span><input class="field file" type="file" accept=".json,.jsonl,.ndjson,.csv,.txt,.gz" onChange={(event) => void choose(event.currentTarget.files?.[0])} /></label>
      {parsed !== null && parsed.columns.length > 0 && (
        <ul class="column-list" aria-label="Types of columns">
          {parsed.columns.map((column) => (
            <li key={column.name} class="line"><span class="mono clip grow">{column.name}</span><select class="field" aria-label={`Type of ${column.name}`} value={column.type} onChange={(event) => setTypes(new Map([...types, [column.name, event.currentTarget.value as CsvType]]))}>{TYPES.map((type) => <option key={type} value={type}>{type}</option>)}</select></li>
          ))}
        </ul>
      )}
      {parsed !== null && <p><b>{count(parsed.items.length, "item")}</b>{parsed.faults.length > 0 && <span class="bad">, {parsed.faults.length} that cannot be read</span>}</p>}
      {parsed !== null && parsed.items.length > 0 && <pre class="code preview" tabIndex={0} role="region" aria-label="First items">{parsed.items.slice(0, 50).map((item) => showDeep({ M: item }, 160)).join("\n")}</pre>}
      <label class="line"><input class="box" type="checkbox" checked={replaces} onChange={(event) => setReplaces(event.currentTarget.checked)} />Replace items that are there</label>
      {replaces && <label class="quiet stack"><span>What is there is lost. Type <span class="mono">{table.name}</span> to confirm</span><span class="field"><input value={typed} autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} /></span></label>}
      <WhoseHome />
      {report !== null && <p role="status">{count(report.written, "item")} written, {report.there} were there already</p>}
      {faults.length > 0 && <pre class="code preview bad" tabIndex={0} role="region" aria-label="Faults">{faults.slice(0, 20).join("\n")}</pre>}
      <div class="line end">
        <button class="button" type="button" onClick={() => { abort.current.abort(); onClose(); }}>{running ? "Stop" : "Cancel"}</button>
        <button class="button primary" type="button" disabled={running || parsed === null || parsed.items.length === 0 || (replaces && typed !== table.name) || isReadOnly.value} onClick={() => void run()}>Import</button>
      </div>
    </>
  );
}

export function TransferDialog(props: { table: TableInfo; rows: readonly Item[]; onClose: () => void; onDone: () => void }): JSX.Element {
  const [face, setFace] = useState<"import" | "export">("export");
  return (
    <Dialog title={`Import, export: ${props.table.name}`} onClose={props.onClose}>
      <div><Tabs label="Direction" kind="segmented" tabs={[{ id: "export", name: "Export" }, { id: "import", name: "Import" }]} chosen={face} onChoose={setFace} /></div>
      {face === "export" ? <Export {...props} /> : <Import {...props} />}
    </Dialog>
  );
}
