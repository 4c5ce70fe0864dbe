// Items to a file and from one, a piece at a time.

import { ApiError, call } from "../../api/client.ts";
import type { TableInfo } from "../../api/tables.ts";
import { saveFile } from "../../parts/save_file.ts";
import { type Item, faultOf } from "../../value/attribute.ts";
import { type CsvType, csvHeader, csvRow, guessType, itemOfCells, parseCsv, unescapeCell } from "../../value/csv.ts";
import { itemOfText, itemTexts } from "../../value/item_file.ts";
import { toPlainJson } from "../../value/plain_json.ts";
import { keyNames, putNew } from "./saving.ts";

export const FORMATS = { jsonl: "JSON, one item a line", json: "JSON, one array", ddb: "DynamoDB JSON, one item a line", csv: "CSV" } as const;
export type Format = keyof typeof FORMATS;
const ENDINGS: { readonly [format in Format]: string } = { jsonl: "jsonl", json: "json", ddb: "jsonl", csv: "csv" };

const PIECE = 1_000; // items made into text at once

function textOf(format: Format, items: readonly Item[], names: readonly string[], isFirst: boolean): string {
  if (format === "csv") return items.map((item) => csvRow(item, names, true)).join("");
  if (format === "json") return items.map((item, at) => (isFirst && at === 0 ? "" : ",\n") + toPlainJson(item)).join("");
  return items.map((item) => (format === "ddb" ? JSON.stringify(item) : toPlainJson(item).replace(/\n\s*/g, " ")) + "\n").join("");
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
      for (let at = 0; at < page.length; at += PIECE) pieces.push(new Blob([textOf(format, page.slice(at, at + PIECE), names, pieces.length === 0)]));
    }
    count += page.length;
    onCount(count);
  }
  if (format === "csv") {
    pieces.push(new Blob([csvHeader(names, true)]));
    for (const page of kept) pieces.push(new Blob([textOf(format, page, names, false)]));
  }
  return new Blob(format === "json" ? ["[\n", ...pieces, "\n]\n"] : pieces, { type: "application/octet-stream" });
}

export function download(blob: Blob, format: Format): void {
  saveFile(blob, `stator-export.${ENDINGS[format]}`);
}

// Files of exports to S3 are compressed.
export async function textOfFile(file: File): Promise<{ name: string; text: string }> {
  if (!file.name.toLowerCase().endsWith(".gz")) return { name: file.name, text: await file.text() };
  const plain = file.stream().pipeThrough(new DecompressionStream("gzip"));
  return { name: file.name.slice(0, -3), text: await new Response(plain).text() };
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
      itemTexts(text).forEach((line, index) => take(index + 1, () => itemOfText(line)));
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
  const waiting = queue[Symbol.iterator]();
  let isOver = false; // nobody answers, or nobody may
  const work = async () => {
    for (let next = waiting.next(); next.done !== true && !abort.aborted && !isOver; next = waiting.next()) {
      const batch = next.value;
      try {
        if (replaces) await writeBatch(table, batch.map((item) => ({ PutRequest: { Item: item } })));
        const saved = replaces ? null : await putNew(table, batch[0] ?? {});
        if (saved?.kind === "conflict") report.there += 1;
        else report.written += batch.length;
      } catch (error) {
        if (report.faults.length < FAULTS_MAX) report.faults.push(error instanceof Error ? error.message : String(error));
        if (error instanceof ApiError && (error.isAway || error.status === 403)) isOver = true;
      }
      onReport({ ...report });
    }
  };
  await Promise.all(Array.from({ length: replaces ? 4 : 8 }, work));
  return report;
}

// At most 25; what is not taken is sent again.
export async function writeBatch(table: TableInfo, requests: readonly unknown[]): Promise<void> {
  let rest = requests;
  for (let attempt = 0; rest.length > 0; attempt += 1) {
    if (attempt > 8) throw new Error(`${rest.length} items were not taken.`);
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** attempt));
    const { value } = await call<{ UnprocessedItems?: { [name: string]: unknown[] } }>("BatchWriteItem", { RequestItems: { [table.name]: rest } });
    rest = value.UnprocessedItems?.[table.name] ?? [];
  }
}
