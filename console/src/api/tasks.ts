// Tasks from their table, by DynamoDB's own operations.

import type { Item } from "../value/attribute.ts";
import { type TaskHead, type TaskLease, type TaskRecord, leaseKey, readHead, readLease, readRecord, taskKey } from "../value/task.ts";
import { call } from "./client.ts";
import type { TableInfo } from "./tables.ts";

export interface TaskPage {
  heads: TaskHead[];
  leases: Map<string, TaskLease>; // by idOf
  units: number;
  next: Item | null;
}

interface Answer {
  Items: Item[];
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: { CapacityUnits: number };
}

export function idOf(task: { owner: string; id: string }): string {
  return JSON.stringify([task.owner, task.id]);
}

// Heads without what the records hold.
const SHOWN = {
  ProjectionExpression: "PK, SK, #status, head, created_key, expires_at, worker, lease_group, lease_until",
  ExpressionAttributeNames: { "#status": "status" },
  ReturnConsumedCapacity: "TOTAL",
};

function pageOf(answers: Answer[]): TaskPage {
  const items = answers.flatMap((answer) => answer.Items);
  const leases = items.map(readLease).filter((lease) => lease !== null);
  return {
    heads: items.map(readHead).filter((head) => head !== null),
    leases: new Map(leases.map((lease) => [idOf(lease), lease])),
    units: answers.reduce((sum, answer) => sum + (answer.ConsumedCapacity?.CapacityUnits ?? 0), 0),
    next: answers[0]?.LastEvaluatedKey ?? null,
  };
}

// Of all owners in no order, or of one, the youngest first.
export async function readTasks(table: TableInfo, owner: string | null, next: Item | null): Promise<TaskPage> {
  const start = next === null ? {} : { ExclusiveStartKey: next };
  if (owner === null) return pageOf([(await call<Answer>("Scan", { TableName: table.name, ...SHOWN, ...start })).value]);
  const pk = taskKey(owner, "").PK;
  const hasIndex = table.indexes.some((index) => index.name === "by_created");
  const heads = await call<Answer>("Query", {
    TableName: table.name,
    ...(hasIndex ? { IndexName: "by_created", ScanIndexForward: false } : {}),
    ...SHOWN,
    ...(hasIndex ? { ProjectionExpression: "PK, SK, #status, head, created_key, expires_at" } : {}),
    KeyConditionExpression: "PK = :pk",
    ExpressionAttributeValues: { ":pk": pk },
    Limit: 1_000,
    ...start,
  });
  if (!hasIndex) return pageOf([heads.value]);
  const leases = await call<Answer>("Query", {
    TableName: table.name, ...SHOWN, KeyConditionExpression: "PK = :pk AND begins_with(SK, :work)",
    ExpressionAttributeValues: { ":pk": pk, ":work": leaseKey("", "").SK },
  });
  return pageOf([heads.value, leases.value]);
}

export interface WholeTask {
  record: TaskRecord;
  lease: TaskLease | undefined;
}

// Null when there is none.
export async function readTask(table: TableInfo, owner: string, id: string): Promise<WholeTask | null> {
  const get = async (key: Item) => (await call<{ Item?: Item }>("GetItem", { TableName: table.name, Key: key, ConsistentRead: true })).value.Item;
  const [task, lease] = await Promise.all([get(taskKey(owner, id)), get(leaseKey(owner, id))]);
  const record = task === undefined ? null : readRecord(task);
  return record === null ? null : { record, lease: lease === undefined ? undefined : readLease(lease) ?? undefined };
}
