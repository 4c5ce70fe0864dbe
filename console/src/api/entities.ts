// Which entities there are: those whose shape is recorded, and tables whose items say that they are some.

import { signal } from "@preact/signals";
import type { Item } from "../value/attribute.ts";
import { type Counted, type Entity, belongsTo, looksLikeEntity, recordedEntity, seenEntity, versionAttribute, versionOf } from "../value/entity.ts";
import { ApiError, call, readSchemas } from "./client.ts";
import { storeOf } from "./stores.ts";
import { type TableInfo, tables } from "./tables.ts";

export interface FoundEntity {
  entity: Entity;
  table: TableInfo | null; // null: there is no table of it here
  counted: Counted;
}

export const entities = signal<FoundEntity[] | null>(null);
export const hasEntities = signal(false); // as far as a glance tells

interface Answer {
  Items: Item[];
  LastEvaluatedKey?: Item;
  ConsumedCapacity?: { CapacityUnits: number };
}

const SAMPLE = 200; // items of a table
const TABLES_MAX = 100;
const [GLANCE, GLANCED_TABLES] = [2, 20]; // so little that opening the page stays cheap

const NOTHING: Counted = { stored: new Map(), looked: 0, isAll: true, units: 0 };

// What a policy hides is as if it was not there.
async function sampleOf(table: TableInfo, limit: number): Promise<{ items: Item[]; isAll: boolean; units: number }> {
  try {
    const page = (await call<Answer>("Scan", { TableName: table.name, Limit: limit, ReturnConsumedCapacity: "TOTAL" })).value;
    return { items: page.Items, isAll: page.LastEvaluatedKey === undefined, units: page.ConsumedCapacity?.CapacityUnits ?? 0 };
  } catch (error) {
    if (error instanceof ApiError && !error.isAway) return { items: [], isAll: false, units: 0 };
    throw error;
  }
}

function countIn(entity: Entity, items: readonly Item[], into: Map<number, number>): void {
  for (const item of items) {
    const version = versionOf(entity, item);
    into.set(version, (into.get(version) ?? 0) + 1);
  }
}

async function recorded(): Promise<Entity[]> {
  try {
    return (await readSchemas()).map(recordedEntity);
  } catch (error) {
    if (error instanceof ApiError && !error.isAway && error.status !== 401) return [];
    throw error;
  }
}

// Tables that may hold them: not those of the other stores.
function candidates(): TableInfo[] {
  return (tables.value ?? []).filter((table) => storeOf(table) === null).slice(0, TABLES_MAX);
}

const fitsKeys = (entity: Entity, table: TableInfo): boolean => entity.keys[0]?.attribute === table.pk.name && (entity.keys[1]?.attribute ?? null) === (table.sk?.name ?? null);

// Whether there are any, for who looks at the side.
export async function glance(): Promise<void> {
  if ((await recorded()).length > 0) {
    hasEntities.value = true;
    return;
  }
  for (const table of candidates().filter((one) => one.items > 0).slice(0, GLANCED_TABLES)) {
    if ((await sampleOf(table, GLANCE)).items.some(looksLikeEntity)) {
      hasEntities.value = true;
      return;
    }
  }
}

export async function refreshEntities(): Promise<void> {
  const known = await recorded();
  const found: FoundEntity[] = [];
  const placed = new Set<string>();
  for (const table of candidates()) {
    const sample = await sampleOf(table, SAMPLE);
    const items = sample.items.filter(looksLikeEntity);
    const base = { looked: sample.items.length, isAll: sample.isAll, units: sample.units };
    const here = known.filter((entity) => fitsKeys(entity, table) && (entity.name === table.name || items.some((item) => belongsTo(entity, item))));
    const left = items.filter((item) => !here.some((entity) => belongsTo(entity, item)));
    for (const entity of here) {
      const stored = new Map<number, number>();
      countIn(entity, sample.items.filter((item) => belongsTo(entity, item) && (entity.name === table.name || looksLikeEntity(item))), stored);
      found.push({ entity, table, counted: { ...base, stored } });
      placed.add(entity.name);
    }
    if (left.length > 0) {
      const entity = seenEntity(table.name, left, [table.pk.name, ...(table.sk === null ? [] : [table.sk.name])], table.ttl);
      const stored = new Map<number, number>();
      countIn(entity, left, stored);
      found.push({ entity, table, counted: { ...base, stored } });
    }
  }
  for (const entity of known.filter((one) => !placed.has(one.name))) found.push({ entity, table: null, counted: NOTHING });
  hasEntities.value = found.length > 0;
  entities.value = found.sort((one, other) => (one.entity.name < other.entity.name ? -1 : 1));
}

// All of the table, page by page, until it is stopped.
export async function countAll({ entity, table }: FoundEntity, abort: AbortSignal, onPage: (counted: Counted) => void): Promise<void> {
  if (table === null) return;
  const names = [...new Set([table.pk.name, ...(table.sk === null ? [] : [table.sk.name]), versionAttribute(entity), ...(entity.isPrefixed ? ["_wid", "_lw"] : ["write_id", "last_write"])])];
  const stored = new Map<number, number>();
  let next: Item | undefined;
  let [looked, units] = [0, 0];
  do {
    const page: Answer = (await call<Answer>("Scan", {
      TableName: table.name, ReturnConsumedCapacity: "TOTAL",
      ProjectionExpression: names.map((_, at) => `#n${at}`).join(", "), ExpressionAttributeNames: Object.fromEntries(names.map((name, at) => [`#n${at}`, name])),
      ...(next === undefined ? {} : { ExclusiveStartKey: next }),
    }, abort)).value;
    looked += page.Items.length;
    units += page.ConsumedCapacity?.CapacityUnits ?? 0;
    next = page.LastEvaluatedKey;
    countIn(entity, page.Items.filter((item) => belongsTo(entity, item) && (entity.name === table.name || looksLikeEntity(item))), stored);
    onPage({ stored: new Map(stored), looked, units, isAll: next === undefined });
  } while (next !== undefined);
}
