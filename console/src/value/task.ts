// A task as its table keeps it (docs/tasks.md), read without trusting it: anybody may have written it.

import { type Item, attributeOf } from "./attribute.ts";
import { elementsOf, membersOf, plainMember } from "./json_text.ts";

export const TASK_STATES = ["working", "input_required", "lapsed", "completed", "failed", "cancelled"] as const;
export type TaskState = (typeof TASK_STATES)[number];

export interface TaskHead {
  owner: string;
  id: string;
  status: string; // as it is written
  message: string | null;
  created: number | null; // milliseconds
  updated: number | null;
  expires: number | null;
}

export interface TaskLease {
  worker: string;
  group: string;
  until: number; // milliseconds
}

export interface TaskQuestion {
  id: string;
  method: string;
  params: string; // JSON
  answer: string | null; // JSON
}

export interface TaskRecord extends TaskHead {
  version: number | null;
  method: string | null;
  tool: string | null;
  createdBy: string | null;
  isRestartable: boolean;
  attempt: string | null;
  worker: string | null; // who claimed it last
  variables: string; // JSON
  arguments: string | null; // JSON
  result: string | null; // JSON
  error: string | null; // JSON
  questions: TaskQuestion[];
}

function textOf(item: Item, name: string): string | null {
  const value = attributeOf(item, name);
  return value !== undefined && "S" in value ? value.S : null;
}

function numberOf(item: Item, name: string): number | null {
  const value = attributeOf(item, name);
  return value !== undefined && "N" in value ? Number(value.N) : null;
}

function timeOf(text: string | null): number | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isFinite(time) ? time : null;
}

const OWNER = "OWNER#";
const TASK = "TASK#";
const WORK = "WORK#";

export function taskKey(owner: string, id: string): Item {
  return { PK: { S: OWNER + owner }, SK: { S: TASK + id } };
}

export function leaseKey(owner: string, id: string): Item {
  return { PK: { S: OWNER + owner }, SK: { S: WORK + id } };
}

// The table of tasks by its keys: PK and SK, and the indexes of the store or its usual name.
export function isTaskTable(table: { name: string; pk: { name: string; type: string }; sk: { name: string; type: string } | null; indexes: readonly { name: string }[] }): boolean {
  const isKeyed = table.pk.name === "PK" && table.pk.type === "S" && table.sk?.name === "SK" && table.sk.type === "S";
  return isKeyed && (table.name === "pmcp_tasks" || table.indexes.some((index) => index.name === "by_task"));
}

function names(item: Item, prefix: string): { owner: string; id: string } | null {
  const [pk, sk] = [textOf(item, "PK"), textOf(item, "SK")];
  return pk?.startsWith(OWNER) === true && sk?.startsWith(prefix) === true ? { owner: pk.slice(OWNER.length), id: sk.slice(prefix.length) } : null;
}

function headFrom(item: Item, task: Map<string, string> | null, expires: string | null): Omit<TaskHead, "owner" | "id"> {
  const seconds = numberOf(item, "expires_at");
  return {
    status: plainMember(task, "status") ?? textOf(item, "status") ?? "unknown",
    message: plainMember(task, "statusMessage"),
    created: timeOf(plainMember(task, "createdAt") ?? textOf(item, "created_key")?.split("#")[0] ?? null),
    updated: timeOf(plainMember(task, "lastUpdatedAt")),
    expires: timeOf(expires) ?? (seconds === null ? null : seconds * 1000),
  };
}

export function readHead(item: Item): TaskHead | null {
  const key = names(item, TASK);
  if (key === null) return null;
  const head = membersOf(textOf(item, "head") ?? "");
  return { ...key, ...headFrom(item, head, plainMember(head, "expiresAt")) };
}

export function readLease(item: Item): ({ owner: string; id: string } & TaskLease) | null {
  const key = names(item, WORK);
  const until = numberOf(item, "lease_until");
  return key === null || until === null ? null : { ...key, worker: textOf(item, "worker") ?? "", group: textOf(item, "lease_group") ?? "", until };
}

function questionsOf(text: string): TaskQuestion[] {
  return elementsOf(text).flatMap((element) => {
    const members = membersOf(element);
    return members === null ? [] : [{ id: plainMember(members, "id") ?? "", method: plainMember(members, "method") ?? "", params: members.get("params") ?? "null", answer: members.get("answer") ?? null }];
  });
}

// Null for an item that is no task.
export function readRecord(item: Item): TaskRecord | null {
  const key = names(item, TASK);
  const data = membersOf(textOf(item, "data") ?? "");
  if (key === null) return null;
  const task = membersOf(data?.get("task") ?? "");
  const lease = membersOf(data?.get("lease") ?? "");
  const member = (name: string) => { const text = data?.get(name); return text === undefined || text === "null" ? null : text; };
  return {
    ...key,
    ...headFrom(item, task, plainMember(data, "expiresAt")),
    version: numberOf(item, "version"),
    method: plainMember(data, "requestMethod"),
    tool: plainMember(data, "toolName"),
    createdBy: plainMember(data, "createdBy"),
    isRestartable: data?.get("restartable") === "true",
    attempt: plainMember(lease, "attempt"),
    worker: plainMember(lease, "worker"),
    variables: data?.get("variables") ?? "{}",
    arguments: member("arguments"),
    result: data?.get("hasResult") === "true" ? data.get("result") ?? "null" : member("result"),
    error: member("error"),
    questions: questionsOf(data?.get("inputs") ?? `[${data?.get("input") ?? ""}]`),
  };
}

export function isEnded(status: string): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

// What it is listed under: a lease that lapsed is a state of its own.
export function stateOf(head: TaskHead, lease: TaskLease | undefined, now: number): string {
  return lease !== undefined && !isEnded(head.status) && lease.until < now ? "lapsed" : head.status;
}
