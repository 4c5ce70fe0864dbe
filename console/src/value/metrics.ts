// The server's counters (Prometheus's text) as figures over time: rates, percentiles, levels.

export interface Sample {
  at: number; // seconds
  requests: Map<string, number>; // by operation, since the start
  errors: Map<string, number>; // by name
  buckets: Map<number, number>; // durations up to so many seconds
  readUnits: number;
  writeUnits: number;
  connections: number;
  diskBytes: number | null;
  memoryBytes: number | null;
}

export interface Point {
  at: number;
  requests: number | null; // per second
  p50: number | null; // milliseconds
  p99: number | null;
  readUnits: number | null; // per second
  writeUnits: number | null;
  errors: number | null;
  connections: number;
  diskBytes: number | null;
  memoryBytes: number | null;
}

function labelsOf(text: string): Map<string, string> {
  const labels = new Map<string, string>();
  for (const found of text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels.set(found[1] ?? "", found[2] ?? "");
  return labels;
}

export function parseSample(text: string, at: number): Sample {
  const sample: Sample = { at, requests: new Map(), errors: new Map(), buckets: new Map(), readUnits: 0, writeUnits: 0, connections: 0, diskBytes: null, memoryBytes: null };
  const add = <K>(map: Map<K, number>, key: K, value: number) => map.set(key, (map.get(key) ?? 0) + value);
  for (const line of text.split("\n")) {
    const found = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (found === null) continue;
    const [, name = "", inside = "", number = ""] = found;
    const value = Number(number);
    const labels = labelsOf(inside);
    const operation = labels.get("operation") ?? "";
    switch (name) {
      case "stator_requests_total":
        if (operation === "") break; // Pages, this one's own polls among them.
        add(sample.requests, operation, value);
        if (labels.get("outcome") !== "ok") add(sample.errors, labels.get("outcome") ?? "", value);
        break;
      case "stator_request_duration_seconds_bucket":
        if (operation !== "") add(sample.buckets, labels.get("le") === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.get("le")), value);
        break;
      case "stator_consumed_capacity_units_total":
        if (labels.get("kind") === "write") sample.writeUnits += value;
        else sample.readUnits += value;
        break;
      case "stator_connections":
        sample.connections = value;
        break;
      case "stator_store_disk_bytes":
        sample.diskBytes = value;
        break;
      case "process_resident_memory_bytes":
        sample.memoryBytes = value;
        break;
    }
  }
  return sample;
}

const sum = (map: Map<string, number>) => [...map.values()].reduce((total, value) => total + value, 0);

// The duration below which a share of the requests between two samples stayed, in milliseconds.
function percentile(from: Sample, to: Sample, share: number): number | null {
  const bounds = [...to.buckets.keys()].sort((one, other) => one - other);
  const counts = bounds.map((bound) => (to.buckets.get(bound) ?? 0) - (from.buckets.get(bound) ?? 0));
  const total = counts.at(-1) ?? 0;
  if (total <= 0) return null;
  const wanted = share * total;
  const at = counts.findIndex((count) => count >= wanted);
  const upper = bounds[at] ?? 0;
  const lower = at === 0 ? 0 : bounds[at - 1] ?? 0;
  if (!Number.isFinite(upper)) return lower * 1000;
  const below = at === 0 ? 0 : counts[at - 1] ?? 0;
  const inside = (counts[at] ?? 0) - below;
  return (lower + (upper - lower) * (inside === 0 ? 1 : (wanted - below) / inside)) * 1000;
}

export function pointOf(from: Sample, to: Sample): Point {
  const seconds = Math.max(0.001, to.at - from.at);
  const restarted = sum(to.requests) < sum(from.requests);
  const rate = (before: number, after: number) => (restarted ? null : Math.max(0, after - before) / seconds);
  return {
    at: to.at,
    requests: rate(sum(from.requests), sum(to.requests)),
    p50: restarted ? null : percentile(from, to, 0.5),
    p99: restarted ? null : percentile(from, to, 0.99),
    readUnits: rate(from.readUnits, to.readUnits),
    writeUnits: rate(from.writeUnits, to.writeUnits),
    errors: rate(sum(from.errors), sum(to.errors)),
    connections: to.connections,
    diskBytes: to.diskBytes,
    memoryBytes: to.memoryBytes,
  };
}
