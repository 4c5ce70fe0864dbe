// Items to a file and from one, a piece at a time.

import { ApiError, call } from "../../api/client.ts";
import type { TableInfo } from "../../api/tables.ts";
import { type Item, faultOf } from "../../value/attribute.ts";
import { type CsvType, csvHeader, csvRow, guessType, itemOfCells, parseCsv, unescapeCell } from "../../value/csv.ts";
import { fromPlainJson, toPlainJson } from "../../value/plain_json.ts";
import { keyNames, putNew } from "./saving.ts";

export const FORMATS = { jsonl: "JSON, one item a line", ddb: "DynamoDB JSON, one item a line", csv: "CSV" } as const;
export type Format = keyof typeof FORMATS;

const PIECE = 1_000; // items made into text at once

function lineOf(format: Format, item: Item, names: readonly string[]): string {
  if (format === "csv") return csvRow(item, names, true);
  return (format === "ddb" ? JSON.stringify(item) : toPlainJson(item).replace(/\n\s*/g, " ")) + "\n";
}

// Yields pages of a whole table.
export async function* scanAll(table: TableInfo, abort: AbortSignal): AsyncGenerator<Item[]> {
  let next: Item | undefined;
  do {
    const { value }: { value: { Items: Item[]; LastEvaluatedKey?: Item } } = await call("Scan", { TableName: table.name, ...(next === undefined ? {} : { ExclusiveStartKey: next }) }, abort);
    yield value.Items;
    next = value.LastEvaluatedKey;
  } while (next !== undefined);
}

// Text leaves the page's memory piece by piece: blobs are the browser's.
export async function exportItems(format: Format, pages: AsyncIterable<Item[]> | Item[][], keys: readonly string[], onCount: (count: number) => void): Promise<Blob> {
  const pieces: Blob[] = [];
  let names: string[] = [];
  let count = 0;
  const kept: Item[][] = [];
  for await (const page of pages) {
    if (format === "csv") {
      // The columns are known at the end only.
      kept.push(page);
      names = [...new Set([...keys, ...names, ...page.flatMap((item) => Object.keys(item))])];
    } else {
      for (let at = 0; at < page.length; at += PIECE) pieces.push(new Blob([page.slice(at, at + PIECE).map((item) => lineOf(format, item, names)).join("")]));
    }
    count += page.length;
    onCount(count);
  }
  if (format === "csv") {
    pieces.push(new Blob([csvHeader(names, true)]));
    for (const page of kept) pieces.push(new Blob([page.map((item) => lineOf(format, item, names)).join("")]));
  }
  return new Blob(pieces, { type: "application/octet-stream" });
}

export function download(blob: Blob, format: Format): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = format === "csv" ? "stator-export.csv" : "stator-export.jsonl";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export interface Parsed {
  items: Item[];
  faults: string[];
  columns: { name: string; type: CsvType }[]; // of CSV
}

const FAULTS_MAX = 100;

function itemFault(item: Item, table: TableInfo): string | null {
  const missing = keyNames(table).find((name) => !Object.hasOwn(item, name));
  if (missing !== undefined) return `the key ${missing} is missing`;
  return faultOf({ M: item });
}

function parseOne(text: string): Item {
  const value: unknown = JSON.parse(text);
  const isTyped = typeof value === "object" && value !== null && Object.keys(value).length > 0 && Object.values(value).every((inner) => faultOf(inner) === null);
  return isTyped ? (value as Item) : fromPlainJson(text, {}).item;
}

// An array of items, or one item a line; DynamoDB JSON is told from plain by its types.
function jsonTexts(text: string): string[] {
  if (!text.trimStart().startsWith("[")) return text.split("\n").filter((line) => line.trim() !== "");
  const { item } = fromPlainJson(`{"items": ${text}}`, {});
  const list = item["items"];
  return list !== undefined && "L" in list ? list.L.map((inner) => ("M" in inner ? toPlainJson(inner.M) : "null")) : [];
}

export function parseFile(name: string, text: string, table: TableInfo, types: ReadonlyMap<string, CsvType>): Parsed {
  const parsed: Parsed = { items: [], faults: [], columns: [] };
  const note = (at: number, what: string) => { if (parsed.faults.length < FAULTS_MAX) parsed.faults.push(`${at}: ${what}`); };
  const take = (at: number, make: () => Item) => {
    try {
      const item = make();
      const fault = itemFault(item, table);
      if (fault === null) parsed.items.push(item);
      else note(at, fault);
    } catch (error) {
      note(at, error instanceof Error ? error.message : String(error));
    }
  };
  try {
    if (name.toLowerCase().endsWith(".csv")) {
      const [header = [], ...rows] = parseCsv(text);
      const names = header.map(unescapeCell);
      const schema = new Map<string, CsvType>([table.pk, ...(table.sk === null ? [] : [table.sk])].map((key) => [key.name, key.type]));
      parsed.columns = names.map((column, index) => ({ name: column, type: types.get(column) ?? schema.get(column) ?? guessType(rows.slice(0, 200).map((row) => row[index] ?? "")) }));
      const chosen = parsed.columns.map((column) => column.type);
      rows.forEach((row, index) => take(index + 2, () => itemOfCells(names, chosen, row)));
    } else {
      jsonTexts(text).forEach((line, index) => take(index + 1, () => parseOne(line)));
    }
  } catch (error) {
    note(0, error instanceof Error ? error.message : String(error));
  }
  return parsed;
}

export interface Report {
  written: number;
  there: number; // left alone, because they were there
  faults: string[];
}

// `replaces`: others with the same keys; otherwise they stay.
export async function importItems(table: TableInfo, items: readonly Item[], replaces: boolean, abort: AbortSignal, onReport: (report: Report) => void): Promise<Report> {
  const report: Report = { written: 0, there: 0, faults: [] };
  const queue = replaces ? Array.from({ length: Math.ceil(items.length / 25) }, (_, index) => items.slice(25 * index, 25 * index + 25)) : items.map((item) => [item]);
  const work = async () => {
    for (let batch = queue.shift(); batch !== undefined && !abort.aborted; batch = queue.shift()) {
      try {
        if (replaces) await putBatch(table, batch);
        const saved = replaces ? null : await putNew(table, batch[0] ?? {});
        if (saved?.kind === "conflict") report.there += 1;
        else report.written += batch.length;
      } catch (error) {
        if (report.faults.length < FAULTS_MAX) report.faults.push(error instanceof Error ? error.message : String(error));
        if (error instanceof ApiError && (error.isAway || error.status === 403)) queue.length = 0;
      }
      onReport({ ...report });
    }
  };
  await Promise.all(Array.from({ length: replaces ? 4 : 8 }, work));
  return report;
}

async function putBatch(table: TableInfo, batch: readonly Item[]): Promise<void> {
  let rest: unknown[] = batch.map((item) => ({ PutRequest: { Item: item } }));
  for (let attempt = 0; rest.length > 0; attempt += 1) {
    if (attempt > 8) throw new Error(`${rest.length} items were not taken.`);
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt));
    const { value } = await call<{ UnprocessedItems?: { [name: string]: unknown[] } }>("BatchWriteItem", { RequestItems: { [table.name]: rest } });
    rest = value.UnprocessedItems?.[table.name] ?? [];
  }
}
