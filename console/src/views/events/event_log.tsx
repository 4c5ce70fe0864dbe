// The log, or the part of it that has a tag or a type, newest first. While nobody reads an event it
// follows what is appended.

import type { JSX } from "preact";
import { createPortal } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, serverNow } from "../../api/client.ts";
import { type Head, type Part, type Store, readEvents, readHead } from "../../api/events.ts";
import { Icon } from "../../parts/icon.tsx";
import { usePoll } from "../../parts/poll.ts";
import { VirtualList } from "../../parts/virtual_list.tsx";
import { ask, place } from "../../router.ts";
import { home } from "../../state.ts";
import type { EventRow } from "../../value/event.ts";
import { ago, count, showText } from "../../value/show.ts";
import { Empty, FaultState, Loading } from "../states.tsx";
import { EventDrawer } from "./event_drawer.tsx";

const LOOK_MS = 2_000;

// "course:c1" is a tag, "Subscribed" a type.
function partOf(asked: string): Part {
  if (asked === "") return { tag: null, type: null };
  return asked.includes(":") ? { tag: asked, type: null } : { tag: null, type: asked };
}

function Row({ event, now }: { event: EventRow; now: number }): JSX.Element {
  return (
    <>
      <span class="num faint">{event.position ?? "—"}</span>
      <span class="clip"><b>{showText(event.type, 80)}</b></span>
      <span class="clip">{event.tags.slice(0, 6).map((tag) => <span key={tag} class="chip tag">{showText(tag, 40)}</span>)}{event.tags.length > 6 && <span class="faint"> +{event.tags.length - 6}</span>}</span>
      <span class="num faint">{event.at === null ? "—" : ago((now - event.at) / 1000)}</span>
    </>
  );
}

export function EventLog({ store, asked }: { store: Store; asked: string }): JSX.Element {
  const part = partOf(asked);
  const [rows, setRows] = useState<EventRow[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [head, setHead] = useState<Head | null>(null);
  const [rate, setRate] = useState<number | null>(null);
  const [running, setRunning] = useState(true);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [typed, setTyped] = useState(asked);
  const [actionsPlace, setActionsPlace] = useState<Element | null>(null);
  const seen = useRef<{ head: Head; at: number } | null>(null);
  const turn = useRef(0);
  const open = place.value.asked.get("at");
  const read = async (from: string | null) => {
    const mine = ++turn.current;
    setRunning(true);
    try {
      const [page, now] = await Promise.all([readEvents(store, { tag: part.tag, type: part.type, from, down: true }), readHead(store, part)]);
      if (mine !== turn.current) return;
      setRows((before) => (from === null ? page.rows : [...before, ...page.rows]));
      setNext(page.next);
      setHead(now);
      if (from === null && now !== null) seen.current = { head: now, at: performance.now() };
      setFault(null);
    } catch (error) {
      if (mine === turn.current) setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1));
    }
    if (mine === turn.current) setRunning(false);
  };
  useEffect(() => { setActionsPlace(document.getElementById("head-actions")); void read(null); return () => { turn.current += 1; }; }, []);
  // Homes that bill are looked at when somebody asks.
  usePoll(LOOK_MS, open === null && home.value?.kind !== "remote", async () => {
    const before = seen.current;
    const now = await readHead(store, part);
    if (now === null) return;
    setHead(now);
    const at = performance.now();
    if (before !== null) setRate(((now.events - before.head.events) * 1000) / Math.max(1, at - before.at));
    seen.current = { head: now, at };
    if (now.last !== (before?.head.last ?? now.last)) await read(null);
  });
  const submit = (event: Event) => { event.preventDefault(); ask({ q: typed.trim() || null, at: null }); };
  const now = serverNow();
  return (
    <div class={open === null ? "split closed" : "split"}>
      {actionsPlace !== null && createPortal(
        <>
          <form onSubmit={submit}><label class="field search"><Icon name="filter" /><input data-filter type="search" placeholder="course:c1, or a type" aria-label="Tag or type" spellcheck={false} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} /><kbd class="only-wide">/</kbd></label></form>
          <button class="button" type="button" onClick={() => void read(null)}><Icon name="again" />Read again</button>
        </>, actionsPlace)}
      <div class="pane">
        <div class="list-head events-row" aria-hidden="true"><span class="num">Position</span><span>Type</span><span>Tags</span><span class="num">Age</span></div>
        {fault !== null && <FaultState fault={fault} onRetry={() => void read(null)} />}
        {rows.length > 0
          ? <VirtualList label="Events" rows={rows} rowClass="events-row" keyOf={(event) => event.id} chosen={open} onChoose={(event) => ask({ at: event.id }, open !== null)} render={(event) => <Row event={event} now={now} />} />
          : fault === null && (running ? <Loading /> : <Empty><p>{asked === "" ? "No events yet." : "No event has this."}</p></Empty>)}
        <footer class="status">
          <span role="status">{count(rows.length, "event")} of {head === null ? "an unknown number" : head.events.toLocaleString("en")}{rate !== null && rate > 0 && `, ${rate.toFixed(1)} appended per second`}{running && ", reading"}</span>
          {!running && next !== null && <button class="button small" type="button" onClick={() => void read(next)}>Go on</button>}
          <span class="grow" />
          <span class="only-wide">{part.tag !== null ? "of a tag" : part.type !== null ? "of a type" : `${count(store.partitions.length, "partition")} of the log`}</span>
        </footer>
      </div>
      {open !== null && <EventDrawer key={open} store={store} id={open} />}
    </div>
  );
}
