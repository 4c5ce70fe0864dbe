// Entities (docs/entities.md): what is recorded of their shape, and what their items say of themselves.

import { type AttributeValue, type Item, attributeOf, typeOf } from "./attribute.ts";

export interface Field {
  name: string;
  type: string; // in words
  stored: string; // as DynamoDB knows it
  isOptional: boolean;
  since: number | null; // the version that has it first
}

export interface EntityIndex {
  name: string;
  keys: string; // in words
  projection: string;
}

export interface Entity {
  name: string;
  isRecorded: boolean; // else it is what items say
  version: number;
  oldest: number;
  steps: number[]; // versions from which a migration leads to the next
  fields: Field[];
  retired: string[];
  indexes: EntityIndex[];
  keys: { attribute: string; template: string }[]; // partition, sort
  ttl: string | null;
  isPrefixed: boolean; // names of bookkeeping: _v or data_version
}

type Members = { [name: string]: unknown };

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

const own = (members: Members, name: string): unknown => (Object.hasOwn(members, name) ? members[name] : undefined);
const textOf = (members: Members, name: string): string => { const value = own(members, name); return typeof value === "string" ? value : ""; };
const listOf = (members: Members, name: string): unknown[] => { const value = own(members, name); return Array.isArray(value) ? (value as unknown[]) : []; };
const numberOf = (members: Members, name: string, otherwise: number): number => { const value = own(members, name); return typeof value === "number" ? value : otherwise; };

// A part of a JSON Schema in words, and as it is stored.
export function typeOfSchema(schema: unknown, depth = 0): { type: string; stored: string } {
  const members = membersOf(schema);
  const choices = [...listOf(members, "anyOf"), ...listOf(members, "oneOf")];
  if (depth > 6) return { type: "…", stored: "" };
  if (choices.length > 0) {
    const parts = choices.map((choice) => typeOfSchema(choice, depth + 1));
    return { type: parts.map((part) => part.type).join(" or "), stored: [...new Set(parts.map((part) => part.stored))].join(" ") };
  }
  const reference = textOf(members, "$ref");
  if (reference !== "") return { type: reference.replace(/^.*\//, ""), stored: "M" };
  const names = listOf(members, "enum").filter((name): name is string => typeof name === "string");
  if (names.length > 0) return { type: `one of ${names.join(", ")}`, stored: "S" };
  const format = textOf(members, "format");
  switch (textOf(members, "type")) {
    case "string":
      return textOf(members, "contentEncoding") === "base64" ? { type: "bytes", stored: "B" } : { type: format || "text", stored: "S" };
    case "integer":
      return { type: format || "integer", stored: "N" };
    case "number":
      return { type: format || "number", stored: "N" };
    case "boolean":
      return { type: "boolean", stored: "BOOL" };
    case "null":
      return { type: "null", stored: "NULL" };
    case "array": {
      const inner = typeOfSchema(own(members, "items"), depth + 1);
      const isSet = own(members, "uniqueItems") === true && ["S", "N", "B"].includes(inner.stored);
      return { type: `${isSet ? "set" : "list"} of ${inner.type}`, stored: isSet ? `${inner.stored}S` : "L" };
    }
    case "object":
      return own(members, "additionalProperties") === undefined ? { type: "object", stored: "M" } : { type: `map of ${typeOfSchema(own(members, "additionalProperties"), depth + 1).type}`, stored: "M" };
    default:
      return { type: "anything", stored: "" };
  }
}

function keyWords(key: unknown): { attribute: string; template: string } {
  const members = membersOf(key);
  return { attribute: textOf(members, "attribute"), template: textOf(members, "template") };
}

function indexOf(value: unknown): EntityIndex {
  const members = membersOf(value);
  const keys = ["partition", "sort"].map((role) => own(members, role)).filter((key) => key !== undefined).map(keyWords);
  return { name: textOf(members, "name"), keys: keys.map((key) => `${key.attribute} ${key.template}`).join(", "), projection: textOf(members, "projection").toLowerCase().replace("_", " ") };
}

// From N.schema.json and those of its versions.
export function recordedEntity(recorded: { schema: unknown; history: unknown[] }): Entity {
  const schema = membersOf(recorded.schema);
  const required = listOf(schema, "required");
  const versions = recorded.history.map((past) => ({ version: numberOf(membersOf(past), "x-data-version", 1), names: Object.keys(membersOf(own(membersOf(past), "properties"))) }));
  const keys = membersOf(own(schema, "x-keys"));
  const ttl = textOf(schema, "x-ttl");
  return {
    name: textOf(schema, "x-entity"),
    isRecorded: true,
    version: numberOf(schema, "x-data-version", 1),
    oldest: numberOf(schema, "x-oldest-version", 1),
    steps: listOf(schema, "x-steps").filter((step): step is number => typeof step === "number"),
    fields: Object.entries(membersOf(own(schema, "properties"))).map(([name, part]) => ({
      name,
      ...typeOfSchema(part),
      isOptional: !required.includes(name),
      since: versions.filter((past) => past.names.includes(name)).map((past) => past.version).sort((one, other) => one - other)[0] ?? null,
    })),
    retired: listOf(schema, "x-retired").filter((name): name is string => typeof name === "string"),
    indexes: listOf(schema, "x-indexes").map(indexOf),
    keys: ["partition", "sort"].map((role) => own(keys, role)).filter((key) => key !== undefined).map(keyWords),
    ttl: ttl === "" ? null : ttl,
    isPrefixed: textOf(membersOf(own(schema, "x-storage")), "naming") === "prefixed",
  };
}

export const versionAttribute = (entity: { isPrefixed: boolean }): string => (entity.isPrefixed ? "_v" : "data_version");

const BOOKKEEPING = ["data_version", "min_reader", "rev", "write_id", "write_ids", "write_tokens", "last_write", "created_at", "_v", "_min", "_rev", "_wid", "_wids", "_wtok", "_lw", "_ct"];

function numberIn(item: Item, name: string): number | null {
  const value = attributeOf(item, name);
  return value !== undefined && "N" in value && /^\d{1,5}$/.test(value.N) ? Number(value.N) : null;
}

// Whether an item was written by a repository: it has a version of its shape and of itself.
export function looksLikeEntity(item: Item): boolean {
  const has = (name: string) => attributeOf(item, name) !== undefined;
  return (numberIn(item, "data_version") !== null && (has("write_id") || has("last_write"))) || (numberIn(item, "_v") !== null && (has("_wid") || has("_lw")));
}

// The text before the first field of a template.
const startOf = (template: string): string => template.split("{")[0] ?? "";

// Whether an item of a table may be of this entity, by its keys.
export function belongsTo(entity: Entity, item: Item): boolean {
  return entity.keys.every((key) => {
    const value = attributeOf(item, key.attribute);
    return value !== undefined && (!("S" in value) || value.S.startsWith(startOf(key.template)));
  });
}

// The version of an item's shape; one that does not say is of the first that is still read.
export function versionOf(entity: Entity, item: Item): number {
  return numberIn(item, versionAttribute(entity)) ?? entity.oldest;
}

// What items say when nobody recorded anything.
export function seenEntity(name: string, items: readonly Item[], keyNames: readonly string[], ttl: string | null): Entity {
  const isPrefixed = items.some((item) => attributeOf(item, "_v") !== undefined);
  const seen = new Map<string, { times: number; types: Set<string>; since: number }>();
  const versions = items.map((item) => numberIn(item, isPrefixed ? "_v" : "data_version") ?? 1);
  for (const [at, item] of items.entries()) {
    const data = attributeOf(item, "data");
    const fields: Item = data !== undefined && "M" in data ? data.M : item;
    for (const [field, value] of Object.entries(fields)) {
      if (BOOKKEEPING.includes(field) || keyNames.includes(field) || field === ttl) continue;
      const entry = seen.get(field) ?? { times: 0, types: new Set<string>(), since: Number.MAX_SAFE_INTEGER };
      entry.times += 1;
      entry.types.add(typeOf(value as AttributeValue));
      entry.since = Math.min(entry.since, versions[at] ?? 1);
      seen.set(field, entry);
    }
  }
  return {
    name, isRecorded: false, version: Math.max(1, ...versions), oldest: Math.min(...versions, Number.MAX_SAFE_INTEGER), steps: [],
    fields: [...seen].sort(([one], [other]) => (one < other ? -1 : 1)).map(([field, entry]) => ({ name: field, type: "", stored: [...entry.types].join(" "), isOptional: entry.times < items.length, since: entry.since })),
    retired: [], indexes: [], keys: [], ttl, isPrefixed,
  };
}

export interface Counted {
  stored: Map<number, number>; // items by version
  looked: number; // items of the table that were read
  isAll: boolean;
  units: number;
}

export function pendingOf(entity: Entity, counted: Counted): number {
  return [...counted.stored].reduce((sum, [version, items]) => sum + (version < entity.version ? items : 0), 0);
}
