// How busy the server is.

import type { JSX } from "preact";
import { Chart, type ChartProps } from "../parts/chart.tsx";
import { usePoll } from "../parts/poll.ts";
import type { Point } from "../value/metrics.ts";
import { showBytes, showMillis } from "../value/show.ts";
import { FaultState } from "./states.tsx";
import { UsedKeys } from "./used_keys.tsx";
import { SAMPLE_MS, lastSample, metricsFault, points, sample } from "./sampling.ts";

const short = (value: number) => (value >= 1000 ? `${(value / 1000).toFixed(1)}k` : value >= 10 ? String(Math.round(value)) : value.toFixed(1));

type Chosen = Omit<ChartProps, "tall">;

export function mainCharts(list: readonly Point[]): Chosen[] {
  const at = list.map((point) => point.at);
  const last = list.at(-1);
  const column = (name: keyof Point) => list.map((point) => point[name]);
  const now = (value: number | null | undefined, show: (value: number) => string) => (value === null || value === undefined ? "—" : show(value));
  return [
    { title: "Requests", value: now(last?.requests, short), unit: "per second", at, series: [{ name: "Requests", colour: "accent", values: column("requests") }], show: short },
    { title: "Latency", value: now(last?.p99, showMillis), unit: `ms p99, ${now(last?.p50, showMillis)} ms p50`, at, series: [{ name: "p99", colour: "accent", values: column("p99") }, { name: "p50", colour: "text-3", values: column("p50") }], show: showMillis },
    { title: "Units", value: now(last?.readUnits, short), unit: `read, ${now(last?.writeUnits, short)} write per second`, at, series: [{ name: "Read", colour: "accent", values: column("readUnits") }, { name: "Write", colour: "copper", values: column("writeUnits") }], show: short },
    { title: "Errors", value: now(last?.errors, short), unit: "per second", at, series: [{ name: "Errors", colour: "bad", values: column("errors") }], show: short },
  ];
}

function levelCharts(list: readonly Point[]): Chosen[] {
  const at = list.map((point) => point.at);
  const last = list.at(-1);
  const level = (title: string, name: "connections" | "diskBytes" | "memoryBytes", show: (value: number) => string): Chosen => ({
    title, value: last?.[name] === null || last === undefined ? "—" : show(last[name] ?? 0), unit: "", at, series: [{ name: title, colour: "copper", values: list.map((point) => point[name]) }], show,
  });
  return [level("Connections", "connections", String), level("Disk", "diskBytes", showBytes), level("Memory", "memoryBytes", showBytes)];
}

function Operations(): JSX.Element {
  const counts = [...(lastSample.value?.requests ?? [])].sort((one, other) => other[1] - one[1]);
  const errors = [...(lastSample.value?.errors ?? [])].sort((one, other) => other[1] - one[1]);
  const table = (title: string, rows: [string, number][]) => (
    <section class="block">
      <h2>{title}</h2>
      {rows.length === 0 ? <p class="quiet">None.</p> : <dl class="facts counts">{rows.map(([name, count]) => <><dt class="mono">{name}</dt><dd class="num">{count.toLocaleString("en")}</dd></>)}</dl>}
    </section>
  );
  return <div class="two-blocks">{table("Requests since the start", counts)}{table("Errors since the start", errors)}</div>;
}

export function MetricsView(): JSX.Element {
  usePoll(SAMPLE_MS, true, sample);
  const list = points.value;
  return (
    <>
      <header class="head"><h1>Metrics</h1><span class="grow" /><span class="faint">{list.length === 0 ? "Counting from now on." : `the last ${Math.max(1, Math.round((list.length * SAMPLE_MS) / 60_000))} min, while this page is open`}</span></header>
      {metricsFault.value !== null && list.length === 0 ? <FaultState fault={metricsFault.value} onRetry={() => void sample()} /> : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Charts">
          <div class="chart-grid">{[...mainCharts(list), ...levelCharts(list)].map((chart) => <Chart key={chart.title} {...chart} tall />)}</div>
          <UsedKeys />
          <Operations />
        </div>
      )}
    </>
  );
}
