// Sessions: which there are, whose, and how far their steps are.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, serverNow } from "../../api/client.ts";
import { type ListedSession, NO_PAGE, type SessionPage, readPage, sessionsIn, workflows } from "../../api/sessions.ts";
import { type TableInfo, tables } from "../../api/tables.ts";
import { Icon } from "../../parts/icon.tsx";
import { useKeys } from "../../parts/use_keys.ts";
import { VirtualList } from "../../parts/virtual_list.tsx";
import { ask, place } from "../../router.ts";
import { isSessionTable, stateOfStep, wordOfStep } from "../../value/session.ts";
import { ago, count, countdown, showText, showUnits } from "../../value/show.ts";
import { isTaskTable } from "../../value/task.ts";
import type { Workflow } from "../../value/workflow.ts";
import { Empty, FaultState, Loading } from "../states.tsx";
import { SessionView } from "./session.tsx";

const AT_ONCE = 2_000; // sessions; then whoever looks decides

export function sessionTables(all: readonly TableInfo[]): TableInfo[] {
  return all.filter((table) => isSessionTable(table) && !isTaskTable(table));
}

// A word for each step, so that colour is not all that tells.
function Steps({ session }: { session: ListedSession }): JSX.Element {
  const steps = (session.workflow?.steps ?? []).slice(0, 40).map((step) => ({ name: step.name, state: stateOfStep(session.whole.records, step.name) }));
  const words = steps.filter((step) => step.state !== "wait").map((step) => `${step.name} ${wordOfStep(step.state)}`).join(", ");
  return <span class="step-dots" title={words}>{steps.map((step) => <i key={step.name} class={step.state} />)}<span class="hidden">{words === "" ? "nothing done yet" : words}</span></span>;
}

function Row({ session, now }: { session: ListedSession; now: number }): JSX.Element {
  const { head, records } = session.whole;
  const failed = records.filter((record) => !record.isStale && record.kind.machine.failed !== "" && record.state === record.kind.machine.failed).length;
  return (
    <>
      <span class="mono clip">{showText(head.id, 60)}</span>
      <span class="clip">{showText(head.owner ?? "—", 60)}</span>
      <span class="clip quiet only-wide">{showText(session.workflow?.name ?? "—", 40)}</span>
      <Steps session={session} />
      <span class={failed > 0 ? "bad only-wide" : "quiet only-wide"}>{count(records.filter((record) => !record.isStale).length, "record")}{failed > 0 && `, ${failed} failed`}</span>
      <span class="num faint only-wide">{head.created === null ? "—" : ago(now / 1000 - head.created)}</span>
      <span class="num faint">{head.expires === null ? "—" : countdown({ N: String(head.expires) }, now / 1000) ?? "—"}</span>
    </>
  );
}

export function SessionsView(): JSX.Element {
  const all = sessionTables(tables.value ?? []);
  const table = all.find((other) => other.name === place.value.asked.get("in")) ?? all[0];
  const [known, setKnown] = useState<Workflow[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const read = () => workflows().then((found) => { setKnown(found); setFault(null); }, (error: unknown) => setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1)));
  useEffect(() => { void read(); }, []);
  const id = place.value.asked.get("i");
  if (fault !== null) return <><header class="head"><h1>Sessions</h1></header><FaultState fault={fault} onRetry={() => void read()} /></>;
  if (tables.value === null || known === null) return <Loading />;
  if (table === undefined) {
    return (
      <>
        <header class="head"><h1>Sessions</h1></header>
        <Empty><p>There is no table of sessions.</p><p class="quiet">It has the keys PK and SK, and expiresAt; <span class="mono">stator tables create --for sessions</span> makes one.</p></Empty>
      </>
    );
  }
  return id === null
    ? <SessionList key={table.name} table={table} all={all} known={known} />
    : <SessionView key={`${table.name} ${id} ${place.value.asked.get("w") ?? ""}`} table={table} id={id} known={known} />;
}

function SessionList({ table, all, known }: { table: TableInfo; all: TableInfo[]; known: Workflow[] }): JSX.Element {
  const [page, setPage] = useState<SessionPage>(NO_PAGE);
  const [running, setRunning] = useState(true);
  const [fault, setFault] = useState<ApiError | null>(null);
  const turn = useRef(0);
  const typed = place.value.asked.get("q") ?? "";
  const go = async (from: SessionPage) => {
    const mine = ++turn.current;
    setRunning(true);
    let now = from;
    try {
      do {
        now = await readPage(table, known, now);
        if (mine !== turn.current) return;
        setPage(now);
      } while (now.next !== null && sessionsIn(now, known).length < AT_ONCE);
      setFault(null);
    } catch (error) {
      if (mine === turn.current) setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1));
    }
    if (mine === turn.current) setRunning(false);
  };
  useEffect(() => { void go(NO_PAGE); return () => { turn.current += 1; }; }, []);
  useKeys([{ keys: "u", does: "Read again", run: () => void go(NO_PAGE) }]);
  const sessions = useMemo(() => sessionsIn(page, known), [page]);
  const word = typed.toLowerCase();
  const shown = sessions.filter(({ whole, workflow }) => word === "" || [whole.head.id, whole.head.owner ?? "", whole.head.state, workflow?.name ?? ""].some((text) => text.toLowerCase().includes(word)));
  const now = serverNow();
  return (
    <>
      <header class="head">
        <h1>Sessions</h1>
        {all.length > 1 && <select class="field" aria-label="Table" value={table.name} onChange={(event) => ask({ in: event.currentTarget.value }, true)}>{all.map((other) => <option key={other.name} value={other.name}>{other.name}</option>)}</select>}
        <span class="grow" />
        <label class="field search"><Icon name="filter" /><input data-filter type="search" placeholder="Id, owner, workflow" aria-label="Filter sessions" value={typed} onInput={(event) => ask({ q: event.currentTarget.value || null }, true)} /><kbd class="only-wide">/</kbd></label>
        <button class="button" type="button" onClick={() => void go(NO_PAGE)}><Icon name="again" />Read again</button>
      </header>
      <div class="split closed">
        <div class="pane">
          <div class="list-head sessions-row" aria-hidden="true"><span>Session</span><span>Owner</span><span class="only-wide">Workflow</span><span>Steps</span><span class="only-wide">Records</span><span class="num only-wide">Made</span><span class="num">Ends</span></div>
          {fault !== null && <FaultState fault={fault} onRetry={() => void go(NO_PAGE)} />}
          {shown.length > 0
            ? <VirtualList label="Sessions" rows={shown} rowClass="sessions-row" keyOf={(session) => session.whole.head.partition} chosen={null} onChoose={(session) => ask({ i: session.whole.head.id, w: null, r: null, step: null })} render={(session) => <Row session={session} now={now} />} />
            : fault === null && (running ? <Loading /> : <Empty><p>{sessions.length === 0 ? "No sessions." : "No session fits."}</p></Empty>)}
          <footer class="status">
            <span role="status">{count(shown.length, "session")} of {page.next === null ? "" : "at least "}{sessions.length.toLocaleString("en")}, {showUnits(page.units)} read units{running && ", reading"}</span>
            {!running && page.next !== null && <button class="button small" type="button" onClick={() => void go(page)}>Go on</button>}
            <span class="grow" />
            <span class="only-wide">expired sessions are not shown</span>
          </footer>
        </div>
      </div>
    </>
  );
}
