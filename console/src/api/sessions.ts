// Sessions from their table, by DynamoDB's own operations.

import type { Item } from "../value/attribute.ts";
import { META, type SessionHead, type WholeSession, isRecordKey, readSessionHead, readSessionOf, textAt, workflowFor } from "../value/session.ts";
import { type Workflow, workflowOf } from "../value/workflow.ts";
import { call, readWorkflows, serverNow } from "./client.ts";
import type { TableInfo } from "./tables.ts";

interface Answer {
  Items: Item[];
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: { CapacityUnits: number };
}

let known: Promise<Workflow[]> | null = null;

// Those that the server knows, once.
export function workflows(): Promise<Workflow[]> {
  known ??= readWorkflows().then((all) => all.map(workflowOf)).catch((error: unknown) => { known = null; throw error; });
  return known;
}

export interface ListedSession {
  whole: WholeSession;
  workflow: Workflow | undefined;
}

export interface SessionPage {
  items: Item[]; // so far, of all sessions
  units: number;
  next: Item | null;
}

export const NO_PAGE: SessionPage = { items: [], units: 0, next: null };

// The whole table has to be read, so as little of each item as the list needs.
export async function readPage(table: TableInfo, all: readonly Workflow[], from: SessionPage): Promise<SessionPage> {
  const states = [...new Set(all.flatMap((workflow) => workflow.kinds.map((kind) => kind.machine.attribute)))].filter((name) => name !== "status").slice(0, 50);
  const page = (await call<Answer>("Scan", {
    TableName: table.name,
    ProjectionExpression: ["PK", "SK", "epoch", "building", "expiresAt", "ownerSub", "createdAt", "#status", ...states.map((_, at) => `#s${at}`)].join(", "),
    ExpressionAttributeNames: { "#status": "status", ...Object.fromEntries(states.map((name, at) => [`#s${at}`, name])) },
    ReturnConsumedCapacity: "TOTAL",
    ...(from.next === null ? {} : { ExclusiveStartKey: from.next }),
  })).value;
  const kept = page.Items.filter((item) => textAt(item, "SK") === META || isRecordKey(textAt(item, "SK") ?? ""));
  return { items: [...from.items, ...kept], units: from.units + (page.ConsumedCapacity?.CapacityUnits ?? 0), next: page.LastEvaluatedKey ?? null };
}

// The sessions that are alive, youngest first.
export function sessionsIn(page: SessionPage, all: readonly Workflow[]): ListedSession[] {
  const now = serverNow() / 1000;
  const byPartition = new Map<string, Item[]>();
  for (const item of page.items) {
    const partition = textAt(item, "PK") ?? "";
    const items = byPartition.get(partition);
    if (items === undefined) byPartition.set(partition, [item]);
    else items.push(item);
  }
  const sessions = [...byPartition.values()].flatMap((items): ListedSession[] => {
    const head = items.map((item) => readSessionHead(item, all)).find((one) => one !== null);
    if (head === undefined || head === null || (head.expires !== null && head.expires <= now)) return [];
    const workflow = workflowFor(all, items.map((item) => textAt(item, "SK") ?? "").filter(isRecordKey));
    return [{ workflow, whole: workflow === undefined ? { head, records: [], unknown: [] } : readSessionOf(head, items, workflow, now) }];
  });
  return sessions.sort((one, other) => (other.whole.head.created ?? 0) - (one.whole.head.created ?? 0));
}

export interface OpenSession {
  head: SessionHead;
  items: Item[];
  workflow: Workflow | undefined;
  whole: WholeSession;
  units: number;
}

const ITEMS_MAX = 20_000;

// One partition, read consistently; null when there is no such session. `chosen` names its workflow.
export async function readSession(table: TableInfo, id: string, all: readonly Workflow[], chosen: string | null): Promise<OpenSession | null> {
  for (const prefix of new Set([...all.map((workflow) => workflow.prefix), "SESSION#"])) {
    const items: Item[] = [];
    let units = 0;
    let next: Item | undefined;
    do {
      const page: Answer = (await call<Answer>("Query", {
        TableName: table.name, KeyConditionExpression: "PK = :pk", ExpressionAttributeValues: { ":pk": { S: prefix + id } }, ConsistentRead: true, ReturnConsumedCapacity: "TOTAL",
        ...(next === undefined ? {} : { ExclusiveStartKey: next }),
      })).value;
      items.push(...page.Items);
      units += page.ConsumedCapacity?.CapacityUnits ?? 0;
      next = page.LastEvaluatedKey;
    } while (next !== undefined && items.length < ITEMS_MAX);
    const head = items.map((item) => readSessionHead(item, all)).find((one) => one !== null);
    if (head === undefined || head === null) continue;
    const fits = all.filter((workflow) => workflow.prefix === prefix);
    const workflow = fits.find((one) => one.name === chosen) ?? workflowFor(fits, items.map((item) => textAt(item, "SK") ?? "").filter(isRecordKey));
    const whole = workflow === undefined ? { head, records: [], unknown: [] } : readSessionOf(head, items, workflow, serverNow() / 1000);
    return { head, items, workflow, whole, units };
  }
  return null;
}
