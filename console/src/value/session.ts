// A session as its table keeps it (docs/sessions.md), read without trusting it: anybody may have written
// it.

import { type Item, attributeOf } from "./attribute.ts";
import { type Kind, type Workflow, kindOfKey } from "./workflow.ts";

export interface SessionHead {
  id: string;
  partition: string;
  owner: string | null;
  state: string;
  created: number | null; // seconds
  expires: number | null;
  epochs: Map<string, number>; // by step, and "session"
}

export interface SessionRecord {
  key: string; // of its item
  kind: Kind;
  id: string;
  epoch: number;
  state: string;
  error: string | null;
  isStale: boolean; // of an epoch that is over, or expired, or not all written yet: nobody sees it
  why: string | null; // it is stale
  items: { done: number; all: number; failed: number } | null;
  worker: string | null;
  until: number | null; // milliseconds, of the lease
  item: Item;
}

export interface RecordItem {
  id: string;
  state: "done" | "failed" | "pending";
  detail: Item | null;
}

export const META = "META";
const ITEM_MARK = "#I#";
const PART_MARK = "#P#";

export function textAt(item: Item | undefined, name: string): string | null {
  const value = attributeOf(item, name);
  return value !== undefined && "S" in value ? value.S : null;
}

export function numberAt(item: Item | undefined, name: string): number | null {
  const value = attributeOf(item, name);
  const number = value !== undefined && "N" in value ? Number(value.N) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function mapAt(item: Item, name: string): Item {
  const value = attributeOf(item, name);
  return value !== undefined && "M" in value ? value.M : {};
}

function setAt(item: Item, name: string): string[] {
  const value = attributeOf(item, name);
  return value !== undefined && "SS" in value ? value.SS : [];
}

// The table of sessions by its keys and what expires; that of tasks has indexes.
export function isSessionTable(table: { name: string; pk: { name: string; type: string }; sk: { name: string; type: string } | null; indexes: readonly { name: string }[]; ttl: string | null }): boolean {
  const isKeyed = table.pk.name === "PK" && table.pk.type === "S" && table.sk?.name === "SK" && table.sk.type === "S";
  return isKeyed && (table.name === "sessions" || (table.ttl === "expiresAt" && table.indexes.length === 0));
}

// Null for an item that is no session.
export function readSessionHead(item: Item, workflows: readonly Workflow[]): SessionHead | null {
  const partition = textAt(item, "PK");
  const prefix = [...new Set([...workflows.map((workflow) => workflow.prefix), "SESSION#"])].find((one) => partition?.startsWith(one) === true);
  if (partition === null || prefix === undefined || textAt(item, "SK") !== META) return null;
  const epochs = Object.entries(mapAt(item, "epoch")).flatMap(([name, value]): [string, number][] => ("N" in value ? [[name, Number(value.N)]] : []));
  return {
    id: partition.slice(prefix.length),
    partition,
    owner: textAt(item, "ownerSub"),
    state: textAt(item, "status") ?? "",
    created: numberAt(item, "createdAt"),
    expires: numberAt(item, "expiresAt"),
    epochs: new Map(epochs),
  };
}

// The workflow that knows most of the keys; of equals the first, which somebody named.
export function workflowFor(workflows: readonly Workflow[], sortKeys: readonly string[]): Workflow | undefined {
  const known = (workflow: Workflow) => sortKeys.filter((key) => kindOfKey(workflow, key) !== undefined).length;
  return [...workflows].sort((one, other) => known(other) - known(one))[0];
}

export function isRecordKey(sortKey: string): boolean {
  return sortKey !== META && !sortKey.includes(ITEM_MARK) && !sortKey.includes(PART_MARK);
}

function whyStale(item: Item, epoch: number, current: number, nowSeconds: number): string | null {
  if (epoch !== current) return `invalidated, epoch ${epoch}`;
  if (attributeOf(item, "building") !== undefined) return "not all of it is written yet";
  const expires = numberAt(item, "expiresAt");
  return expires !== null && expires <= nowSeconds ? "expired" : null;
}

function progressOf(kind: Kind, item: Item, children: readonly Item[]): SessionRecord["items"] {
  if (kind.list === "") return null;
  const results = Object.values(mapAt(item, "results"));
  const isFailed = (result: Item) => textAt(result, kind.phaseAttribute) === kind.failedPhase;
  if (children.length > 0) {
    const done = children.filter((child) => textAt(child, "phase") === "done");
    return { done: done.length, all: children.length, failed: done.filter((child) => isFailed(mapAt(child, "result"))).length };
  }
  const waiting = setAt(item, "pending").length;
  if (results.length + waiting > 0) return { done: results.length, all: results.length + waiting, failed: results.filter((result) => "M" in result && isFailed(result.M)).length };
  const all = numberAt(item, kind.totalAttribute);
  return all === null ? null : { done: numberAt(item, kind.doneAttribute) ?? 0, all, failed: 0 };
}

export interface WholeSession {
  head: SessionHead;
  records: SessionRecord[];
  unknown: string[]; // sort keys that the workflow does not know
}

export function readSessionOf(head: SessionHead, items: readonly Item[], workflow: Workflow, nowSeconds: number): WholeSession {
  const records: SessionRecord[] = [];
  const unknown: string[] = [];
  const children = new Map<string, Item[]>();
  for (const item of items) {
    const [owner, child] = (textAt(item, "SK") ?? "").split(ITEM_MARK);
    if (child !== undefined && owner !== undefined) children.set(owner, [...(children.get(owner) ?? []), item]);
  }
  for (const item of items) {
    const key = textAt(item, "SK") ?? "";
    if (!isRecordKey(key)) continue;
    const kind = kindOfKey(workflow, key);
    if (kind === undefined) {
      unknown.push(key);
      continue;
    }
    const epoch = numberAt(item, "epoch") ?? 0;
    const why = whyStale(item, epoch, head.epochs.get(kind.step === "" ? "session" : kind.step) ?? 0, nowSeconds);
    records.push({
      key, kind, id: key.slice(kind.prefix.length), epoch, state: textAt(item, kind.machine.attribute) ?? "", error: textAt(item, kind.errorAttribute),
      isStale: why !== null, why, items: progressOf(kind, item, children.get(key) ?? []), worker: textAt(item, "lease_owner"), until: numberAt(item, "lease_until"), item,
    });
  }
  return { head, records, unknown };
}

export type StepState = "done" | "work" | "fail" | "wait";

const STATE_WORDS: { [state in StepState]: string } = { done: "done", work: "working", fail: "failed", wait: "not yet" };
export const wordOfStep = (state: StepState): string => STATE_WORDS[state];

export function stateOfRecord(record: SessionRecord): StepState {
  const { machine } = record.kind;
  if (machine.failed !== "" && record.state === machine.failed) return "fail";
  return machine.done === "" || record.state === machine.done ? "done" : "work";
}

// Of the records that are seen; what went wrong comes first.
export function stateOfStep(records: readonly SessionRecord[], step: string): StepState {
  const states = records.filter((record) => record.kind.step === step && !record.isStale).map(stateOfRecord);
  return states.length === 0 ? "wait" : states.includes("fail") ? "fail" : states.includes("work") ? "work" : "done";
}

// How far it is, for the graph: short, and never by its colour alone.
export function wordsOfStep(records: readonly SessionRecord[], step: string): string {
  const seen = records.filter((record) => record.kind.step === step && !record.isStale);
  const [only] = seen;
  if (only === undefined) return "not yet";
  if (seen.length > 1) return `${seen.length}, ${wordOfStep(stateOfStep(records, step))}`;
  return only.items !== null && stateOfRecord(only) === "work" ? `${only.items.done} of ${only.items.all}` : only.state || "1 record";
}

// Items of a record, wherever they are kept.
export function itemsOf(record: SessionRecord, items: readonly Item[]): RecordItem[] {
  const { kind } = record;
  const stateIn = (result: Item): RecordItem["state"] => (textAt(result, kind.phaseAttribute) === kind.failedPhase ? "failed" : "done");
  const start = record.key + ITEM_MARK;
  const children = items.filter((item) => textAt(item, "SK")?.startsWith(start) === true);
  if (children.length > 0) {
    return children.map((child) => {
      const result = mapAt(child, "result");
      const isDone = textAt(child, "phase") === "done";
      return { id: (textAt(child, "SK") ?? "").slice(start.length), state: isDone ? stateIn(result) : "pending", detail: isDone ? result : null };
    });
  }
  const results = Object.entries(mapAt(record.item, "results")).flatMap(([id, value]): RecordItem[] => ("M" in value ? [{ id, state: stateIn(value.M), detail: value.M }] : []));
  return [...results, ...setAt(record.item, "pending").map((id): RecordItem => ({ id, state: "pending", detail: null }))];
}
