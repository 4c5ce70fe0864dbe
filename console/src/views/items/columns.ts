// Which columns a result has, how wide they are, and in which order its rows stand.

import { recall, remember } from "../../memory.ts";
import { type AttributeValue, type Item, type TypeName, attributeOf, cellOf, elementsOf, typeOf } from "../../value/attribute.ts";
import { pathOf } from "../../value/query.ts";
import { showValue } from "../../value/show.ts";

export interface Column {
  name: string; // one of its kind; of a member of a map with a dot: address.city
  path: readonly string[]; // names of maps on the way, and its own
  isKey: boolean;
  type: TypeName | null; // when all have the same
  share: number; // of the rows that were looked at
}

// Of attributes that are there equally often.
const FIRST: readonly TypeName[] = ["S", "N", "BOOL", "SS", "NS", "L", "M", "B", "BS", "NULL"];
const LOOKED_AT = 1_000;
const SHOWN_MAX = 12;
const CHIP_EXTRA = 2; // characters that the sides of an element take
const MEMBERS_MAX = 30; // of maps that are offered as columns

// All attributes of the first rows: keys, then by how often they are there.
export function columnsOf(rows: readonly Item[], keys: readonly string[]): Column[] {
  const seen = new Map<string, { times: number; types: Set<TypeName> }>();
  const looked = rows.slice(0, LOOKED_AT);
  for (const row of looked) {
    for (const name of Object.keys(row)) {
      const entry = seen.get(name) ?? { times: 0, types: new Set<TypeName>() };
      const value = attributeOf(row, name);
      entry.times += 1;
      if (value !== undefined) entry.types.add(typeOf(value));
      seen.set(name, entry);
    }
  }
  const column = (name: string, isKey: boolean): Column => {
    const entry = seen.get(name);
    const [only] = entry?.types ?? [];
    return { name, path: [name], isKey, type: entry?.types.size === 1 ? only ?? null : null, share: (entry?.times ?? 0) / Math.max(1, looked.length) };
  };
  const others = [...seen.keys()].filter((name) => !keys.includes(name)).map((name) => column(name, false));
  const rank = (one: Column) => (one.type === null ? 3 : FIRST.indexOf(one.type));
  others.sort((one, other) => Math.round(10 * (other.share - one.share)) || rank(one) - rank(other));
  const top = [...keys.map((name) => column(name, true)), ...others];
  return [...top, ...membersOf(looked, top)];
}

// Members of maps, which can be columns of their own when somebody asks for it.
function membersOf(rows: readonly Item[], top: readonly Column[]): Column[] {
  const found = new Map<string, { path: string[]; times: number; types: Set<TypeName> }>();
  for (const column of top) {
    for (const row of rows) {
      const map = attributeOf(row, column.name);
      for (const [member, value] of Object.entries(map !== undefined && "M" in map ? map.M : {}).slice(0, MEMBERS_MAX)) {
        const name = `${pathOf(column.name)}.${pathOf(member)}`;
        const entry = found.get(name) ?? { path: [column.name, member], times: 0, types: new Set<TypeName>() };
        entry.times += 1;
        entry.types.add(typeOf(value));
        found.set(name, entry);
      }
    }
  }
  const names = new Set(top.map((column) => column.name));
  return [...found].filter(([name]) => !names.has(name)).slice(0, 10 * MEMBERS_MAX).map(([name, { path, times, types }]) => ({ name, path, isKey: false, type: types.size === 1 ? [...types][0] ?? null : null, share: times / Math.max(1, rows.length) }));
}

function storeName(table: string): string {
  return `stator.columns.${table}`;
}

export function chosenColumns(table: string): string[] | null {
  try {
    const list: unknown = JSON.parse(recall(storeName(table)) ?? "null");
    return Array.isArray(list) ? list.filter((name): name is string => typeof name === "string") : null;
  } catch {
    return null;
  }
}

export function chooseColumns(table: string, names: string[] | null): void {
  remember(storeName(table), JSON.stringify(names));
}

// `folded` has one value in the whole result and stands above it instead.
export function shownColumns(all: Column[], chosen: string[] | null, folded: string | null): Column[] {
  if (chosen !== null) return chosen.flatMap((name) => all.find((column) => column.name === name) ?? []);
  return all.filter((column) => column.name !== folded && column.path.length === 1).slice(0, SHOWN_MAX);
}

// As wide as the content of the first rows asks for.
export function widthOf(column: Column, rows: readonly Item[]): number {
  let longest = column.name.length + 4;
  for (const row of rows.slice(0, 60)) {
    const value = cellOf(row, column.path);
    const chips = value !== undefined && ("SS" in value || "NS" in value) ? Math.min(3, elementsOf(value).length) : 0;
    longest = Math.max(longest, showValue(value, 60).length + CHIP_EXTRA * chips);
  }
  return Math.round(Math.min(420, Math.max(72, longest * 7.4 + 26)));
}

const ORDER: readonly TypeName[] = ["NULL", "BOOL", "N", "S", "B", "SS", "NS", "BS", "L", "M"];

// What a row is sorted by, taken out of it once.
interface Sorted {
  row: Item;
  value: AttributeValue | undefined;
  type: number; // its place in ORDER
  number: number; // of N and BOOL, and how many elements a list has
  text: string; // of all others
}

function sortedBy(row: Item, path: readonly string[]): Sorted {
  const value = cellOf(row, path);
  if (value === undefined) return { row, value, type: ORDER.length, number: 0, text: "" };
  const type = ORDER.indexOf(typeOf(value));
  if ("S" in value) return { row, value, type, number: 0, text: value.S };
  if ("N" in value) return { row, value, type, number: Number(value.N), text: "" };
  if ("BOOL" in value) return { row, value, type, number: Number(value.BOOL), text: "" };
  if ("L" in value) return { row, value, type, number: value.L.length, text: "" };
  return { row, value, type, number: 0, text: showValue(value) };
}

export function sortRows(rows: Item[], path: readonly string[], down: boolean): void {
  const sorted = rows.map((row) => sortedBy(row, path));
  const sign = down ? -1 : 1;
  sorted.sort((one, other) => {
    // What is missing stays at the end either way.
    if (one.value === undefined || other.value === undefined) return one.type - other.type;
    return sign * (one.type - other.type || one.number - other.number || (one.text < other.text ? -1 : one.text > other.text ? 1 : 0));
  });
  for (const [at, { row }] of sorted.entries()) rows[at] = row;
}
