// Changes of one item. Every one is conditional on what was read; one that came in between is shown,
// not overwritten.

import { ApiError, call } from "../../api/client.ts";
import type { TableInfo } from "../../api/tables.ts";
import { type AttributeValue, type Item, attributeOf, equal, equalItems, itemOf, withAttribute } from "../../value/attribute.ts";
import { type Change, changesOf, updateOf } from "../../value/change.ts";

export type Saved =
  | { kind: "saved"; item: Item | null } // null: deleted
  | { kind: "conflict"; theirs: Item | null };

export function keyNames(table: TableInfo): string[] {
  return [table.pk.name, ...(table.sk === null ? [] : [table.sk.name])];
}

export function keyOf(table: TableInfo, item: Item): Item {
  return itemOf(keyNames(table).map((name) => [name, attributeOf(item, name) ?? { S: "" }] as const));
}

export async function readItem(table: TableInfo, key: Item, asOf: string | null = null): Promise<Item | null> {
  const { value } = await call<{ Item?: Item }>("GetItem", { TableName: table.name, Key: key, ConsistentRead: true }, undefined, asOf);
  return value.Item ?? null;
}

// Nobody knows whether a request without an answer was carried out, so what is there now decides.
async function settle(table: TableInfo, key: Item, was: Item | null, now: Item | null, error: unknown): Promise<Saved> {
  if (!(error instanceof ApiError) || !error.isAway) throw error;
  const there = await readItem(table, key);
  const same = (one: Item | null, other: Item | null) => (one === null || other === null ? one === other : equalItems(one, other));
  if (same(there, now)) return { kind: "saved", item: now };
  if (same(there, was)) throw new ApiError("NotSaved", "The server did not answer, and nothing was written. Save again.", -1);
  return { kind: "conflict", theirs: there };
}

export async function updateItem(table: TableInfo, was: Item, now: Item): Promise<Saved> {
  const key = keyOf(table, was);
  try {
    const { value } = await call<{ Attributes: Item }>("UpdateItem", updateOf(table.name, key, was, now));
    return { kind: "saved", item: value.Attributes };
  } catch (error) {
    if (error instanceof ApiError && error.code === "ConditionalCheckFailedException") {
      return { kind: "conflict", theirs: error.item ?? null };
    }
    return settle(table, key, was, now, error);
  }
}

const NEW = { ConditionExpression: "attribute_not_exists(#pk)" };

export async function putNew(table: TableInfo, item: Item): Promise<Saved> {
  try {
    await call("PutItem", {
      TableName: table.name, Item: item, ...NEW, ExpressionAttributeNames: { "#pk": table.pk.name },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    return { kind: "saved", item };
  } catch (error) {
    if (error instanceof ApiError && error.code === "ConditionalCheckFailedException") {
      return { kind: "conflict", theirs: error.item ?? null };
    }
    return settle(table, keyOf(table, item), null, item, error);
  }
}

// Another key: the item goes there, if nobody is, and from here, if it is still what was read.
export async function moveItem(table: TableInfo, was: Item, now: Item): Promise<Saved> {
  const names = Object.keys(was).slice(0, 100);
  const placeholders = names.map((name, index) => [`#n${index}`, name] as const);
  await call("TransactWriteItems", {
    TransactItems: [
      { Put: { TableName: table.name, Item: now, ...NEW, ExpressionAttributeNames: { "#pk": table.pk.name } } },
      {
        Delete: {
          TableName: table.name,
          Key: keyOf(table, was),
          ConditionExpression: placeholders.map(([placeholder], index) => `${placeholder} = :v${index}`).join(" AND "),
          ExpressionAttributeNames: Object.fromEntries(placeholders),
          ExpressionAttributeValues: Object.fromEntries(names.map((name, index) => [`:v${index}`, was[name]])),
        },
      },
    ],
  });
  return { kind: "saved", item: now };
}

// What was there, for a way back.
export async function deleteItem(table: TableInfo, key: Item): Promise<Item | null> {
  const { value } = await call<{ Attributes?: Item }>("DeleteItem", { TableName: table.name, Key: key, ReturnValues: "ALL_OLD" });
  return value.Attributes ?? null;
}

// Only an item that still is what was read, as far as one condition can say; whether it was.
export async function deleteUnchanged(table: TableInfo, was: Item): Promise<boolean> {
  const names = Object.keys(was).slice(0, 100);
  try {
    await call("DeleteItem", {
      TableName: table.name,
      Key: keyOf(table, was),
      ConditionExpression: names.map((_, index) => `#n${index} = :v${index}`).join(" AND "),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name, index) => [`:v${index}`, was[name]])),
    });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === "ConditionalCheckFailedException") return false;
    throw error;
  }
}

// Makes an item what it was, or takes it away if it was not there; only if it still is `now`.
export async function restoreItem(table: TableInfo, now: Item | null, then: Item | null): Promise<Saved> {
  if (now === null) return then === null ? { kind: "saved", item: null } : putNew(table, then);
  if (then !== null) return equalItems(now, then) ? { kind: "saved", item: now } : updateItem(table, now, then);
  return (await deleteUnchanged(table, now)) ? { kind: "saved", item: null } : { kind: "conflict", theirs: await readItem(table, keyOf(table, now)) };
}

function applyTo(item: Item, [name = "", ...rest]: string[], value: AttributeValue | undefined): Item {
  if (rest.length === 0) return withAttribute(item, name, value);
  const inner = attributeOf(item, name);
  return withAttribute(item, name, { M: applyTo(inner !== undefined && "M" in inner ? inner.M : {}, rest, value) });
}

// My changes on top of theirs.
export function rebase(theirs: Item, mine: Change[]): Item {
  return mine.reduce((item, change) => applyTo(item, change.path, change.now), theirs);
}

export interface Dispute {
  name: string;
  was: AttributeValue | undefined;
  theirs: AttributeValue | undefined;
  mine: AttributeValue | undefined;
}

// Attributes that somebody changed, they or I.
export function disputes(was: Item, theirs: Item, mine: Item): Dispute[] {
  const names = new Set([...Object.keys(was), ...Object.keys(theirs), ...Object.keys(mine)]);
  return [...names]
    .map((name) => ({ name, was: attributeOf(was, name), theirs: attributeOf(theirs, name), mine: attributeOf(mine, name) }))
    .filter((one) => !equal(one.was, one.theirs) || !equal(one.was, one.mine));
}

export { changesOf };
