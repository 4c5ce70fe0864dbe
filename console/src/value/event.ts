// Events as their tables keep them (docs/events.md, src/stores/events/keys.h), read without trusting
// them: anybody may have written them.

import { type AttributeValue, type Item, attributeOf, elementsOf } from "./attribute.ts";

export interface EventRow {
  id: string;
  sortableId: string;
  type: string;
  tags: string[];
  at: number | null; // milliseconds
  position: number | null;
}

export interface WholeEvent extends EventRow {
  payload: AttributeValue | null;
  payloadKey: string; // of a blob store, for a payload that is too large for an item
  subject: string; // for whom the payload is sealed
  erased: boolean;
  causation: string;
  correlation: string;
  user: string;
}

export interface ProjectionRow {
  name: string;
  version: string;
  instance: string;
  phase: string;
  applied: number;
  lastTraversed: string;
  recorded: number | null; // milliseconds
  message: string;
}

export function textOf(item: Item, name: string): string {
  const value = attributeOf(item, name);
  return value !== undefined && "S" in value ? value.S : "";
}

export function numberOf(item: Item, name: string): number | null {
  const value = attributeOf(item, name);
  return value !== undefined && "N" in value ? Number(value.N) : null;
}

function textsOf(value: AttributeValue | undefined): string[] {
  return value !== undefined && "L" in value ? value.L.flatMap((element) => ("S" in element ? [element.S] : [])) : [];
}

function timeOf(text: string): number | null {
  const time = Date.parse(text.replace(/(\.\d{3})\d+/, "$1"));
  return Number.isFinite(time) ? time : null;
}

// An event, or a row of one of its tags; null for anything else.
export function readRow(item: Item): EventRow | null {
  const [id, sortableId] = [textOf(item, "eventId"), textOf(item, "sortableUniqueId")];
  if (id === "" || sortableId === "") return null;
  return {
    id,
    sortableId,
    type: textOf(item, "eventType"),
    tags: textsOf(attributeOf(item, "tags") ?? attributeOf(item, "eventTags")),
    at: timeOf(textOf(item, "timestamp") || textOf(item, "createdAt")),
    position: numberOf(item, "position"),
  };
}

export function readWhole(item: Item): WholeEvent | null {
  const row = readRow(item);
  return row === null ? null : { ...row, payload: attributeOf(item, "payload") ?? null, payloadKey: textOf(item, "payloadKey"), subject: textOf(item, "payloadSubject"), erased: attributeOf(item, "payloadErased") !== undefined, causation: textOf(item, "causationId"), correlation: textOf(item, "correlationId"), user: textOf(item, "executedUser") };
}

export function readProjection(item: Item): ProjectionRow | null {
  if (textOf(item, "documentType") !== "projectionStatus") return null;
  const micros = numberOf(item, "recordedAtMicroseconds");
  return {
    name: textOf(item, "projectorName"), version: textOf(item, "projectorVersion"), instance: textOf(item, "instance"), phase: textOf(item, "phase") || "unknown",
    applied: numberOf(item, "appliedCount") ?? 0, lastTraversed: textOf(item, "lastTraversed"), recorded: micros === null ? null : micros / 1000, message: textOf(item, "message"),
  };
}

export interface TableLike {
  name: string;
  pk: { name: string };
  sk: { name: string } | null;
  indexes: readonly { name: string; pk: { name: string }; sk: { name: string } | null }[];
}

function hasIndex(table: TableLike, pk: string, sk: string): boolean {
  return table.pk.name === "pk" && table.sk?.name === "sk" && table.indexes.some((index) => index.name === "GSI1" && index.pk.name === pk && index.sk?.name === sk);
}

export interface EventTables<T extends TableLike> {
  events: T;
  tags: T;
  states: T | null;
}

// The tables of event stores by their keys; those that belong together are called alike.
export function eventTables<T extends TableLike>(tables: readonly T[]): EventTables<T>[] {
  const tags = tables.filter((table) => hasIndex(table, "tagGroup", "tagString"));
  return tables.filter((table) => hasIndex(table, "gsi1pk", "sortableUniqueId")).flatMap((events) => {
    const called = (end: string) => events.name.replace(/Events$/, end);
    const own = tags.find((table) => table.name === called("Tags")) ?? (tags.length === 1 ? tags[0] : undefined);
    const states = tables.find((table) => table.name === called("ProjectionStates") && table.pk.name === "pk" && table.sk?.name === "sk");
    return own === undefined ? [] : [{ events, tags: own, states: states ?? null }];
  });
}

// The partitions of the view: one, or the shards of every count that was ever used.
export function logPartitions(service: string, settings: Item | undefined): string[] {
  const base = `SERVICE#${service}#ALL_EVENTS`;
  const recorded = settings === undefined ? undefined : attributeOf(settings, "seedShardCounts");
  const texts = recorded === undefined ? [] : "L" in recorded ? recorded.L.flatMap((value) => ("N" in value ? [value.N] : [])) : "NS" in recorded ? elementsOf(recorded) : [];
  const most = Math.max(1, ...texts.map(Number).filter((count) => Number.isInteger(count) && count > 0 && count <= 1_000));
  const hasUnsharded = texts.length === 0 || texts.some((text) => Number(text) === 1) || most === 1;
  return [...(hasUnsharded ? [base] : []), ...(most === 1 ? [] : Array.from({ length: most }, (_, shard) => `${base}#${shard}`))];
}
