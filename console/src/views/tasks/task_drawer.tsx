// One task: what happened to it, what it holds, how it ended.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, cancelTask, readVersions, serverNow } from "../../api/client.ts";
import type { TableInfo } from "../../api/tables.ts";
import { type WholeTask, readTask } from "../../api/tasks.ts";
import { complain, say } from "../../messages.ts";
import { Code } from "../../parts/code.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { addressOf, ask } from "../../router.ts";
import { home, isReadOnly } from "../../state.ts";
import { keyText } from "../../value/address.ts";
import { prettyJson } from "../../value/json_text.ts";
import { ago, countdown, showLines, showText } from "../../value/show.ts";
import { isEnded, stateOf, taskKey } from "../../value/task.ts";
import { type TaskStep, madeDetail, timelineOf, toneOf } from "../../value/task_timeline.ts";
import { FaultState, Loading } from "../states.tsx";
import { StateBadge } from "./state_badge.tsx";

type Face = "timeline" | "variables" | "request" | "result";

// When it goes, and who holds it: what is, whatever happened.
function stepsNow({ record, lease }: WholeTask, now: number, claimed: "claimed by" | "held by"): TaskStep[] {
  const ended = isEnded(record.status);
  const steps: TaskStep[] = [];
  if (record.expires !== null) steps.push({ what: `${ended ? "is removed" : "expires"} ${countdown({ N: String(record.expires / 1000) }, now / 1000) ?? ""}`, detail: null, at: null, tone: "" });
  if (!ended && record.worker !== null) {
    const lapsed = lease === undefined || lease.until < now;
    const until = lease === undefined ? "has let go" : lapsed ? `lease lapsed ${ago((now - lease.until) / 1000)}` : "holds it";
    steps.push({ what: `${claimed} ${record.worker}`, detail: `${until}, attempt ${record.attempt ?? "1"}${record.isRestartable ? ", may be begun again" : ""}`, at: null, tone: lapsed ? "warn" : "now" });
  }
  return steps;
}

// What the record itself tells, the newest first.
function stepsOfRecord({ record }: WholeTask): TaskStep[] {
  const steps: TaskStep[] = [];
  const last = record.updated !== record.created || record.status !== "working" || record.message !== null;
  if (last) steps.push({ what: record.status.replace("_", " "), detail: record.message, at: record.updated, tone: toneOf(record.status) });
  for (const question of [...record.questions].reverse()) {
    steps.push({ what: question.answer === null ? `asks its client: ${question.method}` : `was answered: ${question.method}`, detail: question.answer ?? question.params, at: null, tone: question.answer === null ? "warn" : "" });
  }
  steps.push({ what: "made", detail: madeDetail(record), at: record.created, tone: "" });
  return steps;
}

// Null where nobody keeps what was.
async function readTimeline(table: TableInfo, owner: string, id: string): Promise<TaskStep[] | null> {
  if (!table.recovery || home.value?.tells_versions !== true) return null;
  try {
    return timelineOf((await readVersions(table.name, taskKey(owner, id), null)).versions);
  } catch {
    return null;
  }
}

export function TaskDrawer({ table, owner, id, onChanged }: { table: TableInfo; owner: string; id: string; onChanged: () => void }): JSX.Element {
  const [face, setFace] = useState<Face>("timeline");
  const [task, setTask] = useState<WholeTask | null | undefined>(undefined);
  const [told, setTold] = useState<TaskStep[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const read = async () => {
    try {
      const [found, timeline] = await Promise.all([readTask(table, owner, id), readTimeline(table, owner, id)]);
      setTask(found);
      setTold(timeline);
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1));
    }
  };
  useEffect(() => { void read(); }, []);
  const now = serverNow();
  const state = task == null ? "" : stateOf(task.record, task.lease, now);
  const cancel = async () => {
    if (task == null) return;
    const worker = task.lease === undefined ? "Nobody works on it." : `${showText(task.lease.worker, 80)} works on it: it learns of this with its next word, and what it then says does not count.`;
    if (!(await confirm({ title: "Cancel this task?", body: <><p class="mono wrap">{showText(id, 120)}</p><p>{worker}</p><p>A cancelled task stays cancelled.</p></>, act: "Cancel the task", keep: "Let it run" }))) return;
    try {
      await cancelTask(table.name, owner, id);
      say("Cancelled.");
    } catch (error) {
      complain(error);
    }
    await read();
    onChanged();
  };
  const text = task == null ? null : face === "variables" ? task.record.variables : face === "request" ? task.record.arguments : task.record.error ?? task.record.result;
  return (
    <aside class="drawer" aria-label="Task">
      <header>
        <div>
          <h2 class="clip">{showText(id, 80)}</h2>
          <p class="clip">{task != null && <><StateBadge state={state} /> </>}of <span class="mono">{showText(owner, 80)}</span></p>
        </div>
        <button class="button plain small square" type="button" aria-label="Close" data-close onClick={() => ask({ i: null })}><Icon name="close" /></button>
      </header>
      <Tabs label="Task as" tabs={[{ id: "timeline", name: "Timeline" }, { id: "variables", name: "Variables" }, { id: "request", name: "Request" }, { id: "result", name: "Result" }]} chosen={face} onChoose={setFace} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Task">
        {fault !== null && <FaultState fault={fault} onRetry={() => void read()} />}
        {fault === null && task === undefined && <Loading />}
        {fault === null && task === null && <section><p class="quiet">There is no such task any more.</p></section>}
        {task != null && face === "timeline" && (
          <section>
            <ol class="steps">
              {[...stepsNow(task, now, told === null ? "claimed by" : "held by"), ...(told ?? stepsOfRecord(task))].map((step, at) => <li key={at} class={step.tone}><b class="op wrap">{showText(step.what, 200)}</b>{step.at !== null && <time>{ago((now - step.at) / 1000)}</time>}{step.detail !== null && <p class="wrap">{showLines(step.detail, 1_000)}</p>}</li>)}
            </ol>
            {told === null && <p class="faint">As far as the record tells; with recovery on, the table tells every step.</p>}
          </section>
        )}
        {task != null && face === "request" && <section><dl class="facts"><dt>Method</dt><dd class="mono wrap">{showText(task.record.method ?? "—", 200)}</dd><dt>Tool</dt><dd class="mono wrap">{showText(task.record.tool ?? "—", 200)}</dd><dt>Made by</dt><dd class="mono wrap">{showText(task.record.createdBy ?? "—", 200)}</dd><dt>Version</dt><dd>{task.record.version ?? "—"}</dd></dl></section>}
        {task != null && face === "result" && task.record.error !== null && <section><p class="bad">It ended with an error.</p></section>}
        {task != null && face !== "timeline" && <section>{text === null ? <p class="quiet">{face === "result" ? "There is no result yet." : "It has no arguments."}</p> : <Code text={showLines(prettyJson(text), 400_000)} what={`the ${face}`} />}</section>}
      </div>
      <footer>
        <p><a href={addressOf(["tables", table.name, "items"], new URLSearchParams({ i: keyText(taskKey(owner, id), ["PK", "SK"]) }))}>Its item</a></p>
        <button class="button plain" type="button" onClick={() => void read()}><Icon name="again" />Read again</button>
        <button class="button danger" type="button" disabled={isReadOnly.value || task == null || isEnded(task.record.status)} onClick={() => void cancel()}>Cancel</button>
      </footer>
    </aside>
  );
}
