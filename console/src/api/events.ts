// Events from their tables, by DynamoDB's own operations.

import type { Item } from "../value/attribute.ts";
import { type EventRow, type EventTables, type ProjectionRow, type WholeEvent, logPartitions, numberOf, readProjection, readRow, readWhole, stageOf, textOf } from "../value/event.ts";
import { call } from "./client.ts";
import type { TableInfo } from "./tables.ts";

export type Tables = EventTables<TableInfo>;

interface Answer {
  Items: Item[];
  Count: number;
  LastEvaluatedKey?: Item;
}

export interface Store {
  tables: Tables;
  service: string;
  partitions: string[]; // of the log
}

const PAGE = 100;
const ROW = "eventId, eventType, tags, eventTags, sortableUniqueId, #time, createdAt, #position, appendId, stage, stageIndex";
const NAMES = { "#time": "timestamp", "#position": "position" };

async function get(table: TableInfo, pk: string, sk: string): Promise<Item | undefined> {
  return (await call<{ Item?: Item }>("GetItem", { TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true })).value.Item;
}

export async function openStore(tables: Tables, service: string): Promise<Store> {
  return { tables, service, partitions: logPartitions(service, await get(tables.events, `SERVICE#${service}#SETTINGS`, "SETTINGS")) };
}

// Those that a first page of the table tells; there may be more.
export async function readServices(tables: Tables): Promise<string[]> {
  const page = await call<Answer>("Scan", { TableName: tables.events.name, ProjectionExpression: "serviceId", Limit: 500 });
  return [...new Set(page.value.Items.map((item) => textOf(item, "serviceId")).filter((name) => name !== ""))].sort();
}

// Whether the appends of staged items were published, and where they begin.
class Publications {
  private readonly known = new Map<string, Promise<Item | undefined>>();

  constructor(private readonly store: Store) {}

  async firstPosition(item: Item): Promise<number | null | "hidden"> {
    const stage = stageOf(item);
    if (stage === null) return null;
    const { events } = this.store.tables;
    const found = this.known.get(stage.appendId) ?? get(events, `SERVICE#${this.store.service}#APPEND#${stage.appendId}`, "APPEND");
    this.known.set(stage.appendId, found);
    const record = await found;
    if (record === undefined || textOf(record, "seed") !== stage.stage) return "hidden";
    return numberOf(record, "firstPosition") ?? 0;
  }

  async rows(items: Item[]): Promise<EventRow[]> {
    const rows = await Promise.all(items.map(async (item) => {
      const first = await this.firstPosition(item);
      return first === "hidden" ? null : readRow(item, first);
    }));
    return rows.filter((row) => row !== null);
  }
}

export interface EventPage {
  rows: EventRow[];
  next: string | null; // what comes after, in the same direction
}

interface Source {
  table: TableInfo;
  index: string | null;
  pk: string; // the name of the attribute
  sk: string;
  partition: string;
}

function sourcesOf(store: Store, tag: string | null): Source[] {
  if (tag !== null) return [{ table: store.tables.tags, index: null, pk: "pk", sk: "sk", partition: `SERVICE#${store.service}#TAG#${tag}` }];
  return store.partitions.map((partition) => ({ table: store.tables.events, index: "GSI1", pk: "gsi1pk", sk: "sortableUniqueId", partition }));
}

function rangeOf(source: Source, from: string | null, down: boolean): { KeyConditionExpression: string; names: { [name: string]: string }; values: Item } {
  const names = { "#pk": source.pk, ...(from === null ? {} : { "#sk": source.sk }) };
  const values: Item = { ":pk": { S: source.partition }, ...(from === null ? {} : { ":from": { S: from } }) };
  return { KeyConditionExpression: from === null ? "#pk = :pk" : `#pk = :pk AND #sk ${down ? "<" : ">"} :from`, names, values };
}

// Of the log or of a tag, behind `from` (exclusive), newest first or upwards.
export async function readEvents(store: Store, asked: { tag: string | null; type: string | null; from: string | null; down: boolean; limit?: number }): Promise<EventPage> {
  const publications = new Publications(store);
  const answers = await Promise.all(sourcesOf(store, asked.tag).map(async (source) => {
    const range = rangeOf(source, asked.from, asked.down);
    const page = await call<Answer>("Query", {
      TableName: source.table.name,
      ...(source.index === null ? { ConsistentRead: true } : { IndexName: source.index }),
      KeyConditionExpression: range.KeyConditionExpression,
      ...(asked.type === null ? {} : { FilterExpression: "eventType = :type" }),
      ProjectionExpression: ROW,
      ExpressionAttributeNames: { ...NAMES, ...range.names },
      ExpressionAttributeValues: { ...range.values, ...(asked.type === null ? {} : { ":type": { S: asked.type } }) },
      ScanIndexForward: !asked.down,
      Limit: asked.limit ?? PAGE,
    });
    const last = page.value.LastEvaluatedKey;
    return { rows: await publications.rows(page.value.Items), last: last === undefined ? null : textOf(last, source.sk) };
  }));
  // Beyond where some shard ended, others may know more than it.
  const ends = answers.flatMap((answer) => (answer.last === null ? [] : [answer.last])).sort();
  const horizon = asked.down ? ends.at(-1) ?? null : ends[0] ?? null;
  const isWithin = (row: EventRow) => horizon === null || (asked.down ? row.sortableId >= horizon.slice(0, row.sortableId.length) : row.sortableId <= horizon);
  const rows = answers.flatMap((answer) => answer.rows).filter(isWithin);
  rows.sort((one, other) => (one.sortableId < other.sortableId ? -1 : 1) * (asked.down ? -1 : 1));
  return { rows, next: horizon };
}

export async function readEvent(store: Store, id: string): Promise<WholeEvent | null> {
  const item = await get(store.tables.events, `SERVICE#${store.service}#EVENT#${id}`, `EVENT#${id}`);
  const first = item === undefined ? "hidden" : await new Publications(store).firstPosition(item);
  return item === undefined || first === "hidden" ? null : readWhole(item, first);
}

export interface Neighbours {
  tag: string | null; // null: the log
  previous: EventRow | null;
  next: EventRow | null;
}

export async function readNeighbours(store: Store, event: EventRow): Promise<Neighbours[]> {
  const side = async (tag: string | null, down: boolean) => {
    const from = tag === null ? event.sortableId : `${event.sortableId}#${event.id}`;
    return (await readEvents(store, { tag, type: null, from, down, limit: 4 })).rows[0] ?? null;
  };
  return Promise.all([null, ...event.tags.slice(0, 20)].map(async (tag) => ({ tag, previous: await side(tag, true), next: await side(tag, false) })));
}

export interface Head {
  events: number;
  last: string;
}

// Null when nothing was ever appended to it, or the service has none.
export async function readHead(store: Store, of: string): Promise<Head | null> {
  const item = await get(store.tables.tags, `SERVICE#${store.service}#HEAD#${of}`, "HEAD");
  return item === undefined ? null : { events: numberOf(item, "eventCount") ?? 0, last: textOf(item, "lastSortableUniqueId") };
}

// The sort keys of a partition of names: tags of a group, groups, types.
async function namesIn(store: Store, partition: string, most: number): Promise<string[]> {
  const names: string[] = [];
  let start: Item | undefined;
  do {
    const page: Answer = (await call<Answer>("Query", {
      TableName: store.tables.tags.name, KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": { S: `SERVICE#${store.service}#${partition}` } }, ProjectionExpression: "sk", Limit: most,
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    })).value;
    names.push(...page.Items.map((item) => textOf(item, "sk")));
    start = page.LastEvaluatedKey;
  } while (start !== undefined && names.length < most);
  return names;
}

export interface Named {
  name: string;
  events: number | null;
}

const NAMES_MAX = 500;

export async function readNames(store: Store, kind: "tags" | "types"): Promise<Named[]> {
  const names: string[] = [];
  if (kind === "types") names.push(...await namesIn(store, "TYPES", NAMES_MAX));
  else {
    for (const group of await namesIn(store, "TAGGROUPS", NAMES_MAX)) {
      if (names.length < NAMES_MAX) names.push(...await namesIn(store, `TAGS#${group}`, NAMES_MAX - names.length));
    }
  }
  const of = kind === "tags" ? "TAG#" : "TYPE#";
  return Promise.all(names.slice(0, NAMES_MAX).map(async (name) => ({ name, events: (await readHead(store, of + name))?.events ?? null })));
}

export interface Projection extends ProjectionRow {
  remaining: number;
  isAtLeast: boolean; // more were not counted
}

export async function readProjections(store: Store): Promise<Projection[]> {
  const { states } = store.tables;
  if (states === null) return [];
  const rows: ProjectionRow[] = [];
  let start: Item | undefined;
  do {
    const page: Answer = (await call<Answer>("Scan", {
      TableName: states.name, FilterExpression: "begins_with(pk, :pk) AND begins_with(sk, :sk)", ExpressionAttributeValues: { ":pk": { S: `SERVICE#${store.service}#PROJECTOR#` }, ":sk": { S: "STATUS#" } },
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    })).value;
    rows.push(...page.Items.map(readProjection).filter((row) => row !== null));
    start = page.LastEvaluatedKey;
  } while (start !== undefined && rows.length < NAMES_MAX);
  return Promise.all(rows.map(async (row) => ({ ...row, ...await countBehind(store, row.lastTraversed) })));
}

async function countBehind(store: Store, from: string): Promise<{ remaining: number; isAtLeast: boolean }> {
  const pages = await Promise.all(sourcesOf(store, null).map(async (source) => {
    const range = rangeOf(source, from === "" ? null : from, false);
    return (await call<Answer>("Query", { TableName: source.table.name, IndexName: "GSI1", KeyConditionExpression: range.KeyConditionExpression, ExpressionAttributeNames: range.names, ExpressionAttributeValues: range.values, Select: "COUNT" })).value;
  }));
  return { remaining: pages.reduce((sum, page) => sum + page.Count, 0), isAtLeast: pages.some((page) => page.LastEvaluatedKey !== undefined) };
}
