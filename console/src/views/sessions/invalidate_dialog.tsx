// What steps have made goes: shown before it happens, and done by the store itself.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { invalidateSession } from "../../api/client.ts";
import type { OpenSession } from "../../api/sessions.ts";
import type { TableInfo } from "../../api/tables.ts";
import { say } from "../../messages.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { count, showText } from "../../value/show.ts";
import { type Workflow, stepsFrom } from "../../value/workflow.ts";

const SHOWN = 20;

export function InvalidateDialog(props: { table: TableInfo; workflow: Workflow; session: OpenSession; step: string | null; onClose: () => void; onDone: () => void }): JSX.Element {
  const { workflow, session } = props;
  const [step, setStep] = useState(props.step ?? workflow.steps[0]?.name ?? "");
  const [mode, setMode] = useState<"from" | "after">("from");
  const [runs, setRuns] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const steps = stepsFrom(workflow, step, mode === "from");
  const going = session.whole.records.filter((record) => !record.isStale && steps.includes(record.kind.step));
  const held = going.filter((record) => record.worker !== null);
  const hasFiles = workflow.steps.some((one) => one.hasFiles && steps.includes(one.name));
  const run = async () => {
    setRuns(true);
    try {
      const done = await invalidateSession({ table: props.table.name, workflow: workflow.name, session: session.head.id, [mode]: step });
      say(`Invalidated ${done.steps.join(", ")}; removed ${count(done.deleted.length, "item")}${done.remaining.length > 0 ? `. ${count(done.remaining.length, "item")} could not be removed: nobody sees them, and they expire` : ""}.`);
      props.onDone();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      setRuns(false);
    }
  };
  return (
    <Dialog title="Invalidate what was made" onClose={props.onClose}>
      <form class="dialog-form" onSubmit={(event) => { event.preventDefault(); if (!runs && steps.length > 0) void run(); }}>
        <div class="line">
          <select class="field" aria-label="How far" value={mode} onChange={(event) => setMode(event.currentTarget.value as "from" | "after")}><option value="from">this step and all behind it</option><option value="after">only those behind it</option></select>
          <select class="field" aria-label="Step" value={step} onChange={(event) => setStep(event.currentTarget.value)}>{workflow.steps.map((one) => <option key={one.name} value={one.name}>{showText(one.name, 60)}</option>)}</select>
        </div>
        {steps.length === 0
          ? <p class="quiet">Nothing depends on it.</p>
          : <p>Ends the epochs of <b>{steps.map((name) => showText(name, 40)).join(", ")}</b>. {going.length === 0 ? "They have no records." : `${count(going.length, "record")} will not be there for anybody:`}</p>}
        {going.length > 0 && (
          <ul class="bulk-preview" tabIndex={0} aria-label="Records that go">
            {going.slice(0, SHOWN).map((record) => <li key={record.key} class="mono clip">{showText(`${record.kind.name} ${record.id}`, 80)}{record.state !== "" && <span class="faint"> {showText(record.state, 24)}</span>}</li>)}
            {going.length > SHOWN && <li class="faint">and {(going.length - SHOWN).toLocaleString("en")} more</li>}
          </ul>
        )}
        {held.length > 0 && <p class="warn">{held.map((record) => showText(record.worker ?? "", 40)).slice(0, 5).join(", ")} still {held.length === 1 ? "works" : "work"}; what comes from there does not count any more.</p>}
        {hasFiles && <p class="quiet">Files of the session stay; <span class="mono">stator sessions invalidate --blobs</span> removes them, too.</p>}
        {fault !== null && <p class="bad" role="alert">{fault}</p>}
        <div class="line end">
          <button class="button" type="button" autofocus onClick={props.onClose}>Keep them</button>
          <button class="button danger" type="submit" disabled={runs || steps.length === 0}>Invalidate</button>
        </div>
      </form>
    </Dialog>
  );
}
