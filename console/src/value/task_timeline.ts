// What happened to a task, from the versions that its item had.

import type { Item } from "./attribute.ts";
import { membersOf } from "./json_text.ts";
import { type TaskRecord, readRecord } from "./task.ts";

export interface TaskStep {
  what: string;
  detail: string | null;
  at: number | null; // milliseconds
  tone: "" | "now" | "good" | "warn" | "bad";
}

const TONES: { [status: string]: TaskStep["tone"] } = { completed: "good", failed: "bad", cancelled: "", input_required: "warn" };

export function toneOf(status: string): TaskStep["tone"] {
  return (Object.hasOwn(TONES, status) ? TONES[status] : undefined) ?? "now";
}

export function madeDetail(record: TaskRecord): string | null {
  return [record.method, record.tool, record.createdBy === null ? null : `by ${record.createdBy}`].filter((part) => part !== null).join(" ") || null;
}

// Names of members that differ.
function changedMembers(before: string, after: string): string[] {
  const [was, now] = [membersOf(before) ?? new Map<string, string>(), membersOf(after) ?? new Map<string, string>()];
  return [...new Set([...was.keys(), ...now.keys()])].filter((name) => was.get(name) !== now.get(name));
}

function stepsBetween(before: TaskRecord, after: TaskRecord, at: number | null): TaskStep[] {
  const steps: TaskStep[] = [];
  const add = (what: string, detail: string | null, tone: TaskStep["tone"]) => steps.push({ what, detail, at, tone });
  if (after.worker !== null && (after.worker !== before.worker || after.attempt !== before.attempt)) {
    add(`claimed by ${after.worker}`, `attempt ${after.attempt ?? "1"}${before.worker !== null && before.worker !== after.worker ? `, taken over from ${before.worker}` : ""}`, "now");
  }
  for (const question of after.questions) {
    const earlier = before.questions.find((other) => other.id === question.id);
    if (earlier === undefined) add(`asks its client: ${question.method}`, question.params, "warn");
    if (question.answer !== null && (earlier === undefined || earlier.answer === null)) add(`was answered: ${question.method}`, question.answer, "");
  }
  const variables = changedMembers(before.variables, after.variables);
  const changed = variables.length === 0 ? null : `variables changed: ${variables.slice(0, 8).join(", ")}`;
  if (after.status !== before.status) add(after.status.replace("_", " "), after.message ?? changed, toneOf(after.status));
  else if (after.message !== before.message && after.message !== null) add(after.message, changed, "now");
  else if (changed !== null) add("variables changed", variables.slice(0, 8).join(", "), "now");
  return steps;
}

// Newest first. `versions` are newest first, and all of them when the oldest has no beginning.
export function timelineOf(versions: readonly { since: number | null; item: Item | null }[]): TaskStep[] {
  const steps: TaskStep[] = [];
  let before: TaskRecord | null | undefined; // undefined: not known
  for (const version of [...versions].reverse()) {
    const at = version.since === null ? null : version.since / 1000;
    const record = version.item === null ? null : readRecord(version.item);
    if (record === null && before != null) steps.push({ what: "removed", detail: null, at, tone: "" });
    else if (record !== null && before == null) steps.push({ what: before === null ? "made" : "was there when its history began", detail: madeDetail(record), at: at ?? record.created, tone: "" });
    else if (record !== null && before != null) steps.push(...stepsBetween(before, record, at));
    before = record;
  }
  return steps.reverse();
}
