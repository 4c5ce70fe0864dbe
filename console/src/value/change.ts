// From what an item was and what it is to be: the paths that differ, and the update that makes them
// so only if none of them was changed in between.

import { type AttributeValue, type Item, attributeOf, equal } from "./attribute.ts";
import { Placeholders } from "./query.ts";

export interface Change {
  path: string[]; // names of maps on the way
  was: AttributeValue | undefined;
  now: AttributeValue | undefined;
}

const PATHS_MAX = 100; // of an update; DynamoDB counts at most 300 operators

function collect(was: Item, now: Item, path: string[], deep: boolean, changes: Change[]): void {
  for (const name of new Set([...Object.keys(was), ...Object.keys(now)])) {
    const before = attributeOf(was, name);
    const after = attributeOf(now, name);
    if (equal(before, after)) continue;
    if (deep && before !== undefined && after !== undefined && "M" in before && "M" in after) {
      collect(before.M, after.M, [...path, name], deep, changes);
    } else {
      changes.push({ path: [...path, name], was: before, now: after });
    }
  }
}

export function changesOf(was: Item, now: Item): Change[] {
  const changes: Change[] = [];
  collect(was, now, [], true, changes);
  return changes;
}

// Whole attributes where the paths would be too many for one update.
function changesForUpdate(was: Item, now: Item): Change[] {
  const deep = changesOf(was, now);
  if (deep.length <= PATHS_MAX) return deep;
  const flat: Change[] = [];
  collect(was, now, [], false, flat);
  return flat;
}

export interface UpdateInput {
  TableName: string;
  Key: Item;
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeNames?: { [name: string]: string };
  ExpressionAttributeValues?: { [name: string]: AttributeValue };
  ReturnValues: "ALL_NEW";
  ReturnValuesOnConditionCheckFailure: "ALL_OLD";
}

// REQUIRES: the key is in both, and the same; something differs.
export function updateOf(table: string, key: Item, was: Item, now: Item): UpdateInput {
  const placeholders = new Placeholders();
  const sets: string[] = [];
  const removes: string[] = [];
  const conditions = Object.keys(key).map((name) => `attribute_exists(${placeholders.name(name)})`);
  for (const change of changesForUpdate(was, now)) {
    const path = placeholders.path(change.path);
    if (change.now === undefined) removes.push(path);
    else sets.push(`${path} = ${placeholders.value(change.now)}`);
    conditions.push(change.was === undefined ? `attribute_not_exists(${path})` : `${path} = ${placeholders.value(change.was)}`);
  }
  const clauses = [
    ...(sets.length === 0 ? [] : [`SET ${sets.join(", ")}`]),
    ...(removes.length === 0 ? [] : [`REMOVE ${removes.join(", ")}`]),
  ];
  return {
    TableName: table,
    Key: key,
    UpdateExpression: clauses.join(" "),
    ConditionExpression: conditions.join(" AND "),
    ...placeholders.members(),
    ReturnValues: "ALL_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
}

// What an item takes in a table, as DynamoDB counts it; numbers nearly.
export function sizeOf(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + utf8Length(name) + valueSize(value), 0);
}

export function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

function numberSize(text: string): number {
  const digits = text.replace(/[eE].*$/, "").replace(/[^0-9]/g, "").replace(/^0+|0+$/g, "").length;
  return Math.ceil(digits / 2) + (text.startsWith("-") ? 2 : 1);
}

function valueSize(value: AttributeValue): number {
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  const binary = (base64: string) => Math.max(0, (base64.length / 4) * 3 - (base64.match(/=*$/)?.[0].length ?? 0));
  if ("S" in value) return utf8Length(value.S);
  if ("N" in value) return numberSize(value.N);
  if ("B" in value) return binary(value.B);
  if ("SS" in value) return sum(value.SS.map(utf8Length));
  if ("NS" in value) return sum(value.NS.map(numberSize));
  if ("BS" in value) return sum(value.BS.map(binary));
  if ("L" in value) return 3 + sum(value.L.map((inner) => 1 + valueSize(inner)));
  if ("M" in value) return 3 + sum(Object.entries(value.M).map(([name, inner]) => 1 + utf8Length(name) + valueSize(inner)));
  return 1;
}
