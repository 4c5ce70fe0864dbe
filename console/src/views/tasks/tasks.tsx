// Tasks: which there are, who works on them, and one of them.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, serverNow } from "../../api/client.ts";
import { type TableInfo, tables } from "../../api/tables.ts";
import { idOf, readTasks } from "../../api/tasks.ts";
import { Icon } from "../../parts/icon.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useKeys } from "../../parts/use_keys.ts";
import { VirtualList } from "../../parts/virtual_list.tsx";
import { ask, place } from "../../router.ts";
import { keyFromText, keyText } from "../../value/address.ts";
import type { Item } from "../../value/attribute.ts";
import { ago, count, countdown, showText, showUnits } from "../../value/show.ts";
import { TASK_STATES, type TaskHead, type TaskLease, isTaskTable, stateOf } from "../../value/task.ts";
import { Empty, FaultState, Loading } from "../states.tsx";
import { StateBadge } from "./state_badge.tsx";
import { TaskDrawer } from "./task_drawer.tsx";

const AT_ONCE = 2_000; // tasks; then whoever looks decides

interface Read {
  heads: TaskHead[];
  leases: Map<string, TaskLease>;
  units: number;
  next: Item | null;
}

const NOTHING: Read = { heads: [], leases: new Map(), units: 0, next: null };

// An owner and an id in an address, whatever they hold.
const PARTS = ["owner", "id"];
const addressText = (task: { owner: string; id: string }) => keyText({ owner: { S: task.owner }, id: { S: task.id } }, PARTS);

function opened(text: string | null): { owner: string; id: string } | null {
  const key = text === null ? null : keyFromText(text, PARTS);
  const [owner, id] = [key?.owner, key?.id];
  return owner !== undefined && id !== undefined && "S" in owner && "S" in id ? { owner: owner.S, id: id.S } : null;
}

function TaskRow({ head, state, lease, now }: { head: TaskHead; state: string; lease: TaskLease | undefined; now: number }): JSX.Element {
  const expires = head.expires === null ? "" : countdown({ N: String(head.expires / 1000) }, now / 1000) ?? "";
  return (
    <>
      <span class="mono clip">{showText(head.id, 60)}</span>
      <span class="clip">{showText(head.owner, 60)}</span>
      <span><StateBadge state={state} /></span>
      <span class="clip quiet only-wide">{showText(state === "lapsed" && lease !== undefined ? `lease lapsed ${ago((now - lease.until) / 1000)}` : head.message ?? "—", 120)}</span>
      <span class="mono clip faint only-wide">{showText(lease?.worker ?? "—", 40)}</span>
      <span class="num faint">{head.created === null ? "—" : ago((now - head.created) / 1000)}</span>
      <span class="num faint only-wide">{expires}</span>
    </>
  );
}

export function TasksView(): JSX.Element {
  const all = (tables.value ?? []).filter((table) => isTaskTable(table));
  const table = all.find((other) => other.name === place.value.asked.get("in")) ?? all[0];
  if (tables.value === null) return <Loading />;
  if (table === undefined) {
    return (
      <>
        <header class="head"><h1>Tasks</h1></header>
        <Empty><p>There is no table of tasks.</p><p class="quiet">It has the keys PK and SK; <span class="mono">stator tables create --for tasks</span> makes one.</p></Empty>
      </>
    );
  }
  const owner = place.value.asked.get("owner");
  return <TaskList key={`${table.name} ${owner ?? ""}`} table={table} all={all} owner={owner} />;
}

function TaskList({ table, all, owner }: { table: TableInfo; all: TableInfo[]; owner: string | null }): JSX.Element {
  const [read, setRead] = useState<Read>(NOTHING);
  const [running, setRunning] = useState(true);
  const [fault, setFault] = useState<ApiError | null>(null);
  const turn = useRef(0);
  const typed = place.value.asked.get("q") ?? "";
  const state = place.value.asked.get("state") ?? "all";
  const open = opened(place.value.asked.get("i"));
  const now = serverNow();
  const go = async (from: Read) => {
    const mine = ++turn.current;
    setRunning(true);
    let now_ = from;
    try {
      do {
        const page = await readTasks(table, owner, now_.next);
        if (mine !== turn.current) return;
        now_ = { heads: [...now_.heads, ...page.heads], leases: new Map([...now_.leases, ...page.leases]), units: now_.units + page.units, next: page.next };
        setRead(now_);
      } while (now_.next !== null && now_.heads.length < from.heads.length + AT_ONCE);
      setFault(null);
    } catch (error) {
      if (mine === turn.current) setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1));
    }
    if (mine === turn.current) setRunning(false);
  };
  useEffect(() => { void go(NOTHING); return () => { turn.current += 1; }; }, []);
  useKeys([{ keys: "u", does: "Read again", run: () => void go(NOTHING) }]);
  const rows = useMemo(() => read.heads
    .filter((head) => head.expires === null || head.expires > now)
    .map((head) => ({ head, lease: read.leases.get(idOf(head)), state: stateOf(head, read.leases.get(idOf(head)), now) }))
    .sort((one, other) => (other.head.created ?? 0) - (one.head.created ?? 0)), [read]);
  const word = typed.toLowerCase();
  const shown = rows.filter((row) => (state === "all" || row.state === state) && (word === "" || [row.head.id, row.head.owner, row.head.message ?? "", row.lease?.worker ?? ""].some((text) => text.toLowerCase().includes(word))));
  const tabs = ["all", ...TASK_STATES].map((id) => ({ id, name: id.replace("_", " "), count: id === "all" ? rows.length : rows.filter((row) => row.state === id).length }));
  return (
    <>
      <header class="head">
        <h1>Tasks</h1>
        {all.length > 1 && <select class="field" aria-label="Table" value={table.name} onChange={(event) => ask({ in: event.currentTarget.value, i: null }, true)}>{all.map((other) => <option key={other.name} value={other.name}>{other.name}</option>)}</select>}
        {owner !== null && <button class="button small" type="button" onClick={() => ask({ owner: null })}>of {showText(owner, 40)}<Icon name="close" /></button>}
        <span class="grow" />
        <label class="field search"><Icon name="filter" /><input data-filter type="search" placeholder="Id, owner, message, worker" aria-label="Filter tasks" value={typed} onInput={(event) => ask({ q: event.currentTarget.value || null }, true)} /><kbd class="only-wide">/</kbd></label>
        <button class="button" type="button" onClick={() => void go(NOTHING)}><Icon name="again" />Read again</button>
      </header>
      <Tabs label="State" tabs={tabs} chosen={state} onChoose={(id) => ask({ state: id === "all" ? null : id }, true)} />
      <div class={open === null ? "split closed" : "split"}>
        <div class="pane">
          <div class="list-head tasks-row" aria-hidden="true"><span>Task</span><span>Owner</span><span>State</span><span class="only-wide">Message</span><span class="only-wide">Worker</span><span class="num">Made</span><span class="num only-wide">Expires</span></div>
          {fault !== null && <FaultState fault={fault} onRetry={() => void go(NOTHING)} />}
          {shown.length > 0
            ? <VirtualList label="Tasks" rows={shown} rowClass="tasks-row" keyOf={(row) => addressText(row.head)} chosen={open === null ? null : addressText(open)} onChoose={(row) => ask({ i: addressText(row.head) }, open !== null)} render={(row) => <TaskRow {...row} now={now} />} />
            : fault === null && (running ? <Loading /> : <Empty><p>{rows.length === 0 ? "No tasks." : "No task fits."}</p></Empty>)}
          <footer class="status">
            <span role="status">{count(shown.length, "task")} of {read.next === null ? "" : "at least "}{rows.length.toLocaleString("en")}, {showUnits(read.units)} read units{running && ", reading"}</span>
            {!running && read.next !== null && <button class="button small" type="button" onClick={() => void go(read)}>Go on</button>}
            <span class="grow" />
            {open !== null && owner === null && <button class="button small" type="button" onClick={() => ask({ owner: open.owner })}>All of {showText(open.owner, 30)}</button>}
            <span class="only-wide">expired tasks are not shown</span>
          </footer>
        </div>
        {open !== null && <TaskDrawer key={addressText(open)} table={table} owner={open.owner} id={open.id} onChanged={() => void go(NOTHING)} />}
      </div>
    </>
  );
}
