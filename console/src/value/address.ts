// A question as the fragment of an address, and back. What an address has that means nothing is left
// out, because addresses are written by anybody.

import type { AttributeValue, Item } from "./attribute.ts";
import { type Condition, FILTER_OPERATORS, type Operator, type Question, type ScalarType } from "./query.ts";

const TYPES: readonly string[] = ["S", "N", "B", "BOOL", "NULL"];

function join(parts: string[]): string {
  return parts.map((part) => part.replace(/[\\:]/g, "\\$&")).join(":");
}

function split(text: string): string[] {
  const parts = [""];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\" && at + 1 < text.length) {
      at += 1;
      parts[parts.length - 1] += text[at] ?? "";
    } else if (text[at] === ":") parts.push("");
    else parts[parts.length - 1] += text[at] ?? "";
  }
  return parts;
}

function readCondition(path: string, [op, type, ...values]: string[]): Condition | null {
  if (!(FILTER_OPERATORS as readonly string[]).includes(op ?? "") || !TYPES.includes(type ?? "")) return null;
  return { path, op: op as Operator, type: type as ScalarType, values };
}

// "f" is one more condition, "or" one that may hold instead of the one before.
function readFilters(fragment: URLSearchParams): Condition[] {
  const filters: Condition[] = [];
  let inGroup = false; // whether the group has a condition that means something
  for (const [name, text] of fragment) {
    if (name !== "f" && name !== "or") continue;
    const [path = "", ...rest] = split(text);
    const filter = path === "" ? null : readCondition(path, rest);
    inGroup &&= name === "or";
    if (filter === null) continue;
    filters.push(inGroup ? { ...filter, or: true } : filter);
    inGroup = true;
  }
  return filters;
}

export function toFragment(question: Question): URLSearchParams {
  const fragment = new URLSearchParams({ m: question.mode });
  if (question.mode === "partiql") {
    fragment.set("s", question.statement);
    return fragment;
  }
  const write = (condition: Condition) => [condition.op, condition.type, ...condition.values];
  if (question.index !== null) fragment.set("on", question.index);
  if (question.mode === "query" && question.pk !== null) fragment.set("pk", join([question.pk.type, question.pk.values[0] ?? ""]));
  if (question.mode === "query" && question.sk !== null) fragment.set("sk", join(write(question.sk)));
  question.filters.forEach((filter, at) => fragment.append(at > 0 && filter.or === true ? "or" : "f", join([filter.path, ...write(filter)])));
  if (question.descending) fragment.set("o", "desc");
  return fragment;
}

// `keys` are the names of the keys of a table (null) or an index; null for an index that is not there.
export function fromFragment(
  fragment: URLSearchParams,
  keys: (index: string | null) => { pk: string; sk: string | null } | null,
): Question | null {
  const mode = fragment.get("m");
  if (mode === "partiql") return { mode, index: null, pk: null, sk: null, filters: [], descending: false, statement: fragment.get("s") ?? "" };
  if (mode !== "query" && mode !== "scan") return null;
  const asked = fragment.get("on");
  const index = asked !== null && keys(asked) !== null ? asked : null;
  const names = keys(index);
  if (names === null) return null;
  const pk = split(fragment.get("pk") ?? "");
  const sk = fragment.get("sk");
  return {
    mode,
    index,
    pk: mode === "query" && fragment.has("pk") ? readCondition(names.pk, ["eq", ...pk]) : null,
    sk: mode === "query" && sk !== null && names.sk !== null ? readCondition(names.sk, split(sk)) : null,
    filters: readFilters(fragment),
    descending: fragment.get("o") === "desc",
    statement: "",
  };
}

// The key of an item: "S:a:N:5" for names that are known.
export function keyText(key: Item, names: string[]): string {
  return join(names.flatMap((name) => {
    const [type = "S", value = ""] = Object.entries(key[name] ?? { S: "" })[0] ?? [];
    return [type, String(value)];
  }));
}

export function keyFromText(text: string, names: string[]): Item | null {
  const parts = split(text);
  if (parts.length !== 2 * names.length) return null;
  const entries = names.map((name, index): readonly [string, AttributeValue] | null => {
    const type = parts[2 * index];
    const value = parts[2 * index + 1] ?? "";
    return type === "S" || type === "N" || type === "B" ? [name, { [type]: value } as AttributeValue] : null;
  });
  return entries.includes(null) ? null : Object.fromEntries(entries as (readonly [string, AttributeValue])[]);
}
