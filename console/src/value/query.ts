// What somebody asks for, and the request that it becomes. Names always become placeholders, so any
// name and any reserved word will do.

import { type AttributeValue, type TypeName, parseScalar } from "./attribute.ts";
import type { StatementInput } from "./statement_code.ts";

export type Operator =
  | "eq" | "ne" | "lt" | "le" | "gt" | "ge" | "between" | "begins"
  | "in" | "contains" | "excludes" | "exists" | "missing" | "type" | "size";

export const WORDS: Record<Operator, string> = {
  eq: "=", ne: "≠", lt: "<", le: "≤", gt: ">", ge: "≥", between: "between", begins: "begins with",
  in: "is one of", contains: "contains", excludes: "does not contain", exists: "exists",
  missing: "is missing", type: "is of type", size: "is longer than",
};
export const KEY_OPERATORS: readonly Operator[] = ["eq", "lt", "le", "gt", "ge", "between", "begins"];
export const FILTER_OPERATORS = Object.keys(WORDS) as Operator[];
const COMPARATORS: Partial<Record<Operator, string>> = { eq: "=", ne: "<>", lt: "<", le: "<=", gt: ">", ge: ">=" };

export type ScalarType = Extract<TypeName, "S" | "N" | "B" | "BOOL" | "NULL">;

export interface Condition {
  path: string; // "address.city", "lines[0].sku"; a dot in a name is written "\."
  op: Operator;
  type: ScalarType;
  values: string[]; // as many as the operator takes; "in": texts with commas
  or?: true; // of a filter: it or the one before suffices
}

export type Mode = "query" | "scan" | "partiql";

export interface Question {
  mode: Mode;
  index: string | null;
  pk: Condition | null;
  sk: Condition | null;
  filters: Condition[]; // all must hold; of those that `or` joins, one
  descending: boolean;
  statement: string; // of PartiQL; it alone counts then
}

export interface QueryInput {
  TableName: string;
  IndexName?: string;
  KeyConditionExpression?: string;
  FilterExpression?: string;
  ExpressionAttributeNames?: { [name: string]: string };
  ExpressionAttributeValues?: { [name: string]: AttributeValue };
  ScanIndexForward?: boolean;
}

export function valuesOf(op: Operator): number {
  return op === "exists" || op === "missing" ? 0 : op === "between" ? 2 : 1;
}

// The parts of a path; a sentence when it is none.
export function parsePath(path: string): (string | number)[] | string {
  const parts: (string | number)[] = [];
  let name = "";
  let named = false;
  const close = () => {
    if (named) parts.push(name);
    name = "";
    named = false;
  };
  for (let at = 0; at < path.length; at += 1) {
    const character = path[at];
    if (character === "\\" && at + 1 < path.length) {
      at += 1;
      name += path[at];
      named = true;
    } else if (character === ".") {
      if (!named && typeof parts.at(-1) !== "number") return "A name is missing in the path.";
      close();
      if (at + 1 === path.length) return "A name is missing at the end of the path.";
    } else if (character === "[") {
      const index = /^\[(\d{1,9})\]/.exec(path.slice(at));
      if (index === null) return "An index in a path is written [0].";
      close();
      if (parts.length === 0) return "A path begins with a name.";
      parts.push(Number(index[1]));
      at += index[0].length - 1;
    } else {
      name += character;
      named = true;
    }
  }
  close();
  return parts.length === 0 ? "A name is missing." : parts;
}

// A name as a path of one part.
export function pathOf(name: string): string {
  return name.replace(/[\\.[\]]/g, "\\$&");
}

// Hands out placeholders.
export class Placeholders {
  private readonly names = new Map<string, string>();
  private readonly values: AttributeValue[] = [];

  path(parts: readonly (string | number)[]): string {
    let text = "";
    for (const part of parts) {
      text += typeof part === "number" ? `[${part}]` : (text === "" ? "" : ".") + this.name(part);
    }
    return text;
  }

  name(name: string): string {
    let placeholder = this.names.get(name);
    if (placeholder === undefined) {
      const readable = /^[A-Za-z][A-Za-z0-9_]{0,40}$/.test(name) ? `#${name}` : `#n${this.names.size}`;
      placeholder = [...this.names.values()].includes(readable) ? `${readable}_${this.names.size}` : readable;
      this.names.set(name, placeholder);
    }
    return placeholder;
  }

  value(value: AttributeValue): string {
    this.values.push(value);
    return `:v${this.values.length - 1}`;
  }

  members(): Pick<QueryInput, "ExpressionAttributeNames" | "ExpressionAttributeValues"> {
    return {
      ...(this.names.size === 0 ? {} : {
        ExpressionAttributeNames: Object.fromEntries([...this.names].map(([name, placeholder]) => [placeholder, name])),
      }),
      ...(this.values.length === 0 ? {} : {
        ExpressionAttributeValues: Object.fromEntries(this.values.map((value, index) => [`:v${index}`, value])),
      }),
    };
  }
}

export class QuestionFault extends Error {}

function scalar(condition: Condition, text: string): AttributeValue {
  const value = parseScalar(condition.type, text);
  if (typeof value === "string") throw new QuestionFault(`${condition.path}: ${value}`);
  return value;
}

function conditionText(condition: Condition, placeholders: Placeholders): string {
  const parts = parsePath(condition.path);
  if (typeof parts === "string") throw new QuestionFault(parts);
  const path = placeholders.path(parts);
  const [first = "", second = ""] = condition.values;
  const value = (text: string) => placeholders.value(scalar(condition, text));
  switch (condition.op) {
    case "between":
      return `${path} BETWEEN ${value(first)} AND ${value(second)}`;
    case "begins":
      return `begins_with(${path}, ${value(first)})`;
    case "contains":
      return `contains(${path}, ${value(first)})`;
    case "excludes":
      return `NOT contains(${path}, ${value(first)})`;
    case "in": {
      const list = first.split(",").map((text) => text.trim()).filter((text) => text !== "");
      if (list.length === 0) throw new QuestionFault(`${condition.path}: a value is missing.`);
      if (list.length > 100) throw new QuestionFault(`${condition.path}: at most 100 values.`);
      return `${path} IN (${list.map(value).join(", ")})`;
    }
    case "exists":
      return `attribute_exists(${path})`;
    case "missing":
      return `attribute_not_exists(${path})`;
    case "type":
      return `attribute_type(${path}, ${placeholders.value({ S: first.trim().toUpperCase() })})`;
    case "size": {
      const length = parseScalar("N", first);
      if (typeof length === "string") throw new QuestionFault(`${condition.path}: ${length}`);
      return `size(${path}) > ${placeholders.value(length)}`;
    }
    default:
      return `${path} ${COMPARATORS[condition.op]} ${value(first)}`;
  }
}

// Filters that stand together: of each group one must hold.
export function groupsOf(filters: readonly Condition[]): Condition[][] {
  const groups: Condition[][] = [];
  for (const filter of filters) {
    const last = groups.at(-1);
    if (filter.or === true && last !== undefined) last.push(filter);
    else groups.push([filter]);
  }
  return groups;
}

export function joined(filter: Condition, or: boolean): Condition {
  const { or: _, ...alone } = filter;
  return or ? { ...alone, or: true } : alone;
}

// The rest of its group stays one, and joins no other.
export function withoutFilter(filters: readonly Condition[], at: number): Condition[] {
  const first = filters[at]?.or !== true;
  return filters.flatMap((filter, place) => (place === at ? [] : place === at + 1 && first ? joined(filter, false) : filter));
}

function filterText(filters: readonly Condition[], placeholders: Placeholders): string {
  const groups = groupsOf(filters);
  return groups.map((group) => {
    const text = group.map((filter) => conditionText(filter, placeholders)).join(" OR ");
    return group.length > 1 && groups.length > 1 ? `(${text})` : text;
  }).join(" AND ");
}

// Throws QuestionFault with a sentence for whoever asks.
export function inputOf(table: string, question: Question): QueryInput {
  const placeholders = new Placeholders();
  const input: QueryInput = { TableName: table };
  if (question.index !== null) input.IndexName = question.index;
  if (question.mode === "query") {
    if (question.pk === null) throw new QuestionFault("A query needs the partition key.");
    const keys = [question.pk, ...(question.sk === null ? [] : [question.sk])];
    input.KeyConditionExpression = keys.map((key) => conditionText(key, placeholders)).join(" AND ");
    if (question.descending) input.ScanIndexForward = false;
  }
  if (question.filters.length > 0) input.FilterExpression = filterText(question.filters, placeholders);
  return { ...input, ...placeholders.members() };
}

export type Request =
  | { operation: "Query" | "Scan"; input: QueryInput }
  | { operation: "ExecuteStatement"; input: StatementInput };

// What is sent; throws QuestionFault.
export function requestOf(table: string, question: Question): Request {
  if (question.mode !== "partiql") return { operation: question.mode === "query" ? "Query" : "Scan", input: inputOf(table, question) };
  if (question.statement.trim() === "") throw new QuestionFault("The statement is missing.");
  return { operation: "ExecuteStatement", input: { Statement: question.statement } };
}
