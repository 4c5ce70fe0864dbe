// The last thousand requests: who asked what, how it ended, how long it took; bodies on demand.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiError, type SeenRequest, readBodies, readRequests } from "../api/client.ts";
import { addKeys } from "../keys.ts";
import { Chart } from "../parts/chart.tsx";
import { Icon } from "../parts/icon.tsx";
import { usePoll } from "../parts/poll.ts";
import { VirtualList } from "../parts/virtual_list.tsx";
import { ask, place } from "../router.ts";
import { requestFilter } from "../value/request_filter.ts";
import { clockTime, count, showMillis, showText, showUnits } from "../value/show.ts";
import { mainCharts } from "./metrics.tsx";
import { RequestDrawer } from "./request_drawer.tsx";
import { SAMPLE_MS, points, sample } from "./sampling.ts";
import { Empty, FaultState } from "./states.tsx";

const KEPT = 1_000;
const OVERLAP_US = 200_000; // workers finish in another order than they began

// The tables that a request names.
function tablesOf(body: string): string {
  const names = [...body.matchAll(/"TableName"\s*:\s*"([A-Za-z0-9_.-]{1,255})"/g)].map((found) => found[1]);
  const items = /"RequestItems"\s*:\s*\{\s*"([A-Za-z0-9_.-]{1,255})"/.exec(body)?.[1];
  return [...new Set([...names, ...(items === undefined ? [] : [items])])].slice(0, 3).join(", ");
}

function Row({ request }: { request: SeenRequest & { table: string } }): JSX.Element {
  const share = Math.min(100, Math.max(2, (Math.log10(Math.max(request.us, 10)) - 1) * 20));
  return (
    <>
      <span class="mono faint">{clockTime(request.at)}</span>
      <span class="clip"><b>{request.operation || "—"}</b></span>
      <span class="clip only-wide quiet">{showText(request.table, 60)}</span>
      <span class={request.error === "" ? "faint" : "bad clip"}>{request.error === "" ? "ok" : request.error.replace(/Exception$/, "")}</span>
      <span class="num">{showMillis(request.us / 1000)}</span>
      <span class="only-wide"><meter class="meter slim" aria-hidden="true" min={0} max={100} low={40} high={70} optimum={0} value={share} /></span>
      <span class="num only-wide">{request.read_units + request.write_units === 0 ? "—" : showUnits(request.read_units + request.write_units)}</span>
    </>
  );
}

export function RequestsView(): JSX.Element {
  const seen = useRef(new Map<string, SeenRequest & { table: string }>());
  const [version, setVersion] = useState(0);
  const [paused, setPaused] = useState(false);
  const [isRecording, setRecording] = useState(false); // since the first answer
  const [showsOwn, setShowsOwn] = useState(false);
  const [fault, setFault] = useState<ApiError | null>(null);
  const typed = place.value.asked.get("q") ?? "";
  const open = place.value.asked.get("i");
  usePoll(SAMPLE_MS, true, sample);
  usePoll(500, !paused, async () => {
    try {
      const newest = [...seen.current.values()][0]?.at ?? 0;
      const fresh = (await readRequests(Math.max(0, newest - OVERLAP_US))).filter((request) => !seen.current.has(request.id));
      setFault(null);
      setRecording(true);
      if (fresh.length === 0) return;
      const all = [...fresh.map((request) => ({ ...request, table: "" })), ...seen.current.values()].sort((one, other) => other.at - one.at).slice(0, KEPT);
      seen.current = new Map(all.map((request) => [request.id, request]));
      setVersion((before) => before + 1);
      await nameTables(fresh.slice(0, 40), seen.current);
      setVersion((before) => before + 1);
    } catch (error) {
      if (error instanceof ApiError) setFault(error);
    }
  });
  useEffect(() => addKeys([{ keys: "Space", does: "Pause, or go on", run: () => setPaused((before) => !before) }]), []);
  const shown = useMemo(() => {
    const fits = requestFilter(typed);
    return [...seen.current.values()].filter((request) => (showsOwn || !request.own) && fits(request));
  }, [version, typed, showsOwn]);
  const chosen = open === null ? undefined : seen.current.get(open);
  return (
    <>
      <header class="head">
        <h1>Requests</h1>
        <span class={paused || !isRecording ? "badge" : "badge good"}>{paused ? "paused" : isRecording ? "recording" : "beginning"}</span>
        <span class="grow" />
        <label class="field search"><Icon name="filter" /><input data-filter type="search" placeholder="op:Query ms>1 error" aria-label="Filter requests" value={typed} onInput={(event) => ask({ q: event.currentTarget.value || null }, true)} /><kbd class="only-wide">/</kbd></label>
        <button class="button" type="button" onClick={() => setPaused(!paused)}><Icon name={paused ? "play" : "pause"} />{paused ? "Go on" : "Pause"}</button>
      </header>
      <div class="charts">{mainCharts(points.value).map((chart) => <Chart key={chart.title} {...chart} />)}</div>
      <div class={chosen === undefined ? "split closed" : "split"}>
        <div class="pane">
          <div class="list-head requests-row" aria-hidden="true"><span>Time</span><span>Operation</span><span class="only-wide">Table</span><span>Answer</span><span class="num">ms</span><span class="only-wide" /><span class="num only-wide">Units</span></div>
          {fault !== null && shown.length === 0 ? <FaultState fault={fault} /> : shown.length === 0
            ? <Empty><p>{typed === "" ? "No requests yet." : "No request fits."}</p><p class="quiet">Whatever is asked of this server appears here.</p></Empty>
            : <VirtualList label="Requests" rows={shown} rowClass="requests-row" keyOf={(request) => request.id} chosen={open} onChoose={(request) => ask({ i: request.id }, open !== null)} render={(request) => <Row request={request} />} />}
          <footer class="status only-wide">
            <span>{count(shown.length, "request")} of the last thousand</span><span class="grow" />
            <label class="line"><input class="box" type="checkbox" checked={showsOwn} onChange={(event) => setShowsOwn(event.currentTarget.checked)} />this page's own</label>
            <span>bodies are kept while this page is open</span>
          </footer>
        </div>
        {chosen !== undefined && <RequestDrawer key={chosen.id} request={chosen} />}
      </div>
    </>
  );
}

// Records have no table; the bodies say, where they are kept.
async function nameTables(fresh: SeenRequest[], seen: Map<string, SeenRequest & { table: string }>): Promise<void> {
  for (const request of fresh) {
    const entry = seen.get(request.id);
    if (entry === undefined || !request.has_body || request.own) continue;
    try {
      entry.table = tablesOf((await readBodies(request.id)).request);
    } catch {
      // Gone already.
    }
  }
}
