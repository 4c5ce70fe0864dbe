// One session: its workflow as a graph, its records, and invalidating what a step and those behind it made.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, serverNow } from "../../api/client.ts";
import { type OpenSession, readSession } from "../../api/sessions.ts";
import type { TableInfo } from "../../api/tables.ts";
import { Icon } from "../../parts/icon.tsx";
import { useKeys } from "../../parts/use_keys.ts";
import { addressOf, ask, place } from "../../router.ts";
import { isReadOnly } from "../../state.ts";
import { type SessionRecord, stateOfRecord } from "../../value/session.ts";
import { count, countdown, showText, showUnits } from "../../value/show.ts";
import type { Workflow } from "../../value/workflow.ts";
import { Empty, FaultState, Loading } from "../states.tsx";
import { StepGraph } from "./graph.tsx";
import { InvalidateDialog } from "./invalidate_dialog.tsx";
import { RecordDrawer } from "./record_drawer.tsx";

const TONES = { done: "good", work: "info", fail: "bad", wait: "" } as const;

export function RecordState({ record }: { record: SessionRecord }): JSX.Element | null {
  if (record.isStale) return <span class="badge">stale</span>;
  return record.state === "" ? null : <span class={`badge ${TONES[stateOfRecord(record)]}`}>{showText(record.state, 24)}</span>;
}

function wordsOf(record: SessionRecord): string {
  if (record.why !== null) return record.why;
  if (record.error !== null && record.error !== "") return record.error;
  if (record.items !== null) return `${record.items.done} of ${record.items.all}${record.items.failed > 0 ? `, ${record.items.failed} failed` : ""}`;
  return record.worker === null ? count(Object.keys(record.item).length, "attribute") : `held by ${record.worker}`;
}

function Records({ records, open }: { records: readonly SessionRecord[]; open: string | null }): JSX.Element {
  return (
    <table class="records" aria-label="Records">
      <colgroup><col class="w-kind" /><col class="wide w-rid" /><col class="wide w-ep" /><col class="w-state" /><col class="wide" /></colgroup>
      <thead><tr><th scope="col">Kind</th><th scope="col" class="wide">Record</th><th scope="col" class="wide num">Epoch</th><th scope="col">State</th><th scope="col" class="wide">Content</th></tr></thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.key} class={record.isStale ? "stale" : ""} data-chosen={record.key === open} onClick={() => ask({ r: record.key }, open !== null)}>
            <td><button class="link op" type="button">{showText(record.kind.name, 40)}</button><span class="sub-line">{showText(record.id, 40)}</span></td>
            <td class="mono wide clip">{showText(record.id, 60)}</td>
            <td class="wide num">{record.epoch}</td>
            <td><RecordState record={record} /></td>
            <td class="wide quiet clip">{showText(wordsOf(record), 120)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function SessionView({ table, id, known }: { table: TableInfo; id: string; known: Workflow[] }): JSX.Element {
  const [session, setSession] = useState<OpenSession | null | undefined>(undefined);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [asks, setAsks] = useState(false);
  const [showsStale, setShowsStale] = useState(false);
  const { asked } = place.value;
  const [step, open] = [asked.get("step"), asked.get("r")];
  const read = async () => {
    try {
      setSession(await readSession(table, id, known, asked.get("w")));
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1));
    }
  };
  useEffect(() => { void read(); }, []);
  useKeys([{ keys: "u", does: "Read again", run: () => void read() }]);
  const list = new URLSearchParams(asked);
  for (const name of ["i", "w", "r", "step"]) list.delete(name);
  const workflow = session?.workflow;
  const records = session?.whole.records ?? [];
  const fits = records.filter((record) => step === null || record.kind.step === step);
  const [seen, stale] = [fits.filter((record) => !record.isStale), fits.filter((record) => record.isStale)];
  const record = records.find((other) => other.key === open);
  const now = serverNow() / 1000;
  const isExpired = session?.head.expires != null && session.head.expires <= now;
  return (
    <>
      <header class="head">
        <span class="crumb only-wide"><a href={addressOf(["sessions"], list)}>Sessions</a>&ensp;/</span>
        <h1 class="mono clip">{showText(id, 60)}</h1>
        {session != null && <span class="badge only-wide">{showText(`${workflow?.name ?? "no workflow"}, of ${session.head.owner ?? "nobody"}`, 60)}</span>}
        <span class="grow" />
        {known.length > 1 && workflow !== undefined && <select class="field only-wide" aria-label="Workflow" value={workflow.name} onChange={(event) => ask({ w: event.currentTarget.value, step: null, r: null }, true)}>{known.map((one) => <option key={one.name} value={one.name}>{showText(one.name, 40)}</option>)}</select>}
        {session?.head.expires != null && <span class={isExpired ? "warn only-wide" : "faint only-wide"}>ends {countdown({ N: String(session.head.expires) }, now) ?? ""}</span>}
        <button class="button" type="button" onClick={() => void read()}><Icon name="again" />Read again</button>
        <button class="button danger" type="button" disabled={isReadOnly.value || workflow === undefined || workflow.steps.length === 0 || isExpired} onClick={() => setAsks(true)}>Invalidate</button>
      </header>
      {fault !== null && <FaultState fault={fault} onRetry={() => void read()} />}
      {fault === null && session === undefined && <Loading />}
      {fault === null && session === null && <Empty><p>There is no such session any more.</p><p><a href={addressOf(["sessions"], list)}>All sessions</a></p></Empty>}
      {session != null && workflow !== undefined && <StepGraph workflow={workflow} records={records} epochs={session.head.epochs} chosen={step} onChoose={(name) => ask({ step: name === step ? null : name }, true)} />}
      {session != null && (
        <div class={record === undefined ? "split closed" : "split"}>
          <div class="pane">
            <div class="scroll" tabIndex={0} role="region" aria-label="Records of the session">
              {fits.length === 0 ? <Empty><p>{step === null ? "No records yet." : `${showText(step, 60)} has no records yet.`}</p></Empty> : <Records records={showsStale ? fits : seen} open={open} />}
              {stale.length > 0 && <p class="padded"><button class="button small" type="button" aria-expanded={showsStale} onClick={() => setShowsStale(!showsStale)}>{showsStale ? "Hide" : "Show"} {count(stale.length, "stale record")}</button></p>}
              {session.whole.unknown.length > 0 && <p class="padded quiet">{count(session.whole.unknown.length, "item")} of kinds that the workflow does not know: {session.whole.unknown.slice(0, 5).map((key) => showText(key, 40)).join(", ")}</p>}
            </div>
            <footer class="status only-wide"><span role="status">{count(seen.length, "record")}{stale.length > 0 && `, ${stale.length} stale`}{step !== null && `, of ${showText(step, 40)}`}</span><span class="grow" /><span>one query, {showUnits(session.units)} read units</span></footer>
          </div>
          {record !== undefined && <RecordDrawer key={record.key} table={table} head={session.head} record={record} items={session.items} />}
        </div>
      )}
      {asks && session != null && workflow !== undefined && <InvalidateDialog table={table} workflow={workflow} session={session} step={step} onClose={() => setAsks(false)} onDone={() => { setAsks(false); void read(); }} />}
    </>
  );
}
