// Events from their tables, by DynamoDB's own operations.

import type { Item } from "../value/attribute.ts";
import { type EventRow, type EventTables, type ProjectionRow, type WholeEvent, logPartitions, numberOf, readProjection, readRow, readWhole, textOf } from "../value/event.ts";
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
const BEHIND_MAX = 10_000; // more than a chunk of the index has
const ROW = "eventId, eventType, tags, eventTags, sortableUniqueId, #time, createdAt, #position";
const NAMES = { "#time": "timestamp", "#position": "position" };

async function get(table: TableInfo, pk: string, sk: string): Promise<Item | undefined> {
  return (await call<{ Item?: Item }>("GetItem", { TableName: table.name, Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true })).value.Item;
}

export async function openStore(tables: Tables, service: string): Promise<Store> {
  return { tables, service, partitions: logPartitions(service, await get(tables.events, `SERVICE#${service}#SETTINGS`, "SETTINGS")) };
}

// Those that were opened for appending, and of another system those that a first page tells.
export async function readServices(tables: Tables): Promise<string[]> {
  const [own, page] = await Promise.all([
    call<Answer>("Query", { TableName: tables.events.name, KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": { S: "SERVICES" } } }),
    call<Answer>("Scan", { TableName: tables.events.name, ProjectionExpression: "serviceId", Limit: 500 }),
  ]);
  const names = [...own.value.Items.map((item) => textOf(item, "sk")), ...page.value.Items.map((item) => textOf(item, "serviceId"))];
  return [...new Set(names.filter((name) => name !== ""))].sort();
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
    return { rows: page.value.Items.map(readRow).filter((row) => row !== null), last: last === undefined ? null : textOf(last, source.sk) };
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
  return item === undefined ? null : readWhole(item);
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

// Of the log, a tag or a type.
export type Part = { tag: string | null; type: string | null };

export interface Head {
  events: number;
  last: string; // changes with every event
}

// What the index, which is complete up to its mark, knows of a tag or type.
async function readTotals(store: Store, mark: Item, of: string): Promise<Head> {
  const item = (await call<Answer>("Query", {
    TableName: store.tables.tags.name, KeyConditionExpression: "pk = :pk AND sk <= :end", ProjectionExpression: "#before, n, #last", ScanIndexForward: false, Limit: 1, ConsistentRead: true,
    ExpressionAttributeNames: { "#before": "before", "#last": "last" },
    ExpressionAttributeValues: { ":pk": { S: `SERVICE#${store.service}#BLOCK#${of}` }, ":end": { S: `${String(numberOf(mark, "chunk") ?? 0).padStart(10, "0")}.999` } },
  })).value.Items[0];
  return item === undefined ? { events: 0, last: "" } : { events: (numberOf(item, "before") ?? 0) + (numberOf(item, "n") ?? 0), last: textOf(item, "last") };
}

// What is behind the mark of the index, which is never much, up to where the view was written.
async function readBehind(store: Store, mark: Item | undefined): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  let from = mark === undefined ? "" : textOf(mark, "hi");
  for (;;) {
    const page = await readEvents(store, { tag: null, type: null, from: from === "" ? null : from, down: false, limit: 1_000 });
    rows.push(...page.rows);
    if (page.next === null || rows.length >= BEHIND_MAX) return rows;
    from = page.next;
  }
}

function headOf(totals: Head, behind: EventRow[]): Head {
  return { events: totals.events + behind.length, last: behind.at(-1)?.sortableId ?? totals.last };
}

const partName = (part: Part): string => (part.tag === null ? `TYPE#${part.type ?? ""}` : `TAG#${part.tag}`);
const isOf = (part: Part) => (row: EventRow): boolean => (part.tag === null ? row.type === part.type : row.tags.includes(part.tag));
const markOf = (store: Store, name: "MARK" | "VIEW"): Promise<Item | undefined> => get(store.tables.events, `SERVICE#${store.service}#LOG`, name);

// Of what the view shows. Null when nothing was ever appended, or by another system, which has no log.
export async function readHead(store: Store, part: Part): Promise<Head | null> {
  const view = await markOf(store, "VIEW");
  if (view === undefined) return null;
  if (part.tag === null && part.type === null) return { events: numberOf(view, "position") ?? 0, last: textOf(view, "hi") };
  const mark = await markOf(store, "MARK");
  const [totals, behind] = await Promise.all([mark === undefined ? { events: 0, last: "" } : readTotals(store, mark, partName(part)), readBehind(store, mark)]);
  return headOf(totals, behind.filter(isOf(part)));
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
  const [mark, view] = await Promise.all([markOf(store, "MARK"), markOf(store, "VIEW")]);
  const behind = view === undefined ? [] : await readBehind(store, mark);
  return Promise.all(names.slice(0, NAMES_MAX).map(async (name) => {
    const part: Part = kind === "tags" ? { tag: name, type: null } : { tag: null, type: name };
    const totals = mark === undefined ? { events: 0, last: "" } : await readTotals(store, mark, partName(part));
    return { name, events: view === undefined ? null : headOf(totals, behind.filter(isOf(part))).events };
  }));
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
