// The server's figures, sampled while the page is open and kept for a quarter of an hour.

import { signal } from "@preact/signals";
import { ApiError, readMetrics } from "../api/client.ts";
import { type Point, type Sample, parseSample, pointOf } from "../value/metrics.ts";

export const SAMPLE_MS = 2_000;
const KEPT = 450; // a quarter of an hour

export const points = signal<readonly Point[]>([]);
export const lastSample = signal<Sample | null>(null);
export const metricsFault = signal<ApiError | null>(null);

export async function sample(): Promise<void> {
  const was = lastSample.value;
  if (was !== null && performance.now() / 1000 - was.at < SAMPLE_MS / 2000) return; // Two views ask.
  try {
    const now = parseSample(await readMetrics(), performance.now() / 1000);
    lastSample.value = now;
    metricsFault.value = null;
    if (was !== null) points.value = [...points.value, pointOf(was, now)].slice(-KEPT);
  } catch (error) {
    metricsFault.value = error instanceof ApiError ? error : new ApiError("Error", String(error), -1);
  }
}
