// CSV (RFC 4180) of items, and back. Values that a spreadsheet would run as a formula are quoted by an
// apostrophe, unless that is turned off; reading takes it away again.

import { type AttributeValue, type Item, attributeOf, isNumber, itemOf, typeOf } from "./attribute.ts";

const FORMULA = /^'*[=+\-@\t\r]/;

function cellText(value: AttributeValue | undefined): string {
  if (value === undefined) return "";
  if ("S" in value) return value.S;
  if ("N" in value) return value.N;
  if ("BOOL" in value) return String(value.BOOL);
  if ("B" in value) return value.B;
  return JSON.stringify(value);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvHeader(names: readonly string[], isSafe: boolean): string {
  return names.map((name) => quote(isSafe && FORMULA.test(name) ? `'${name}` : name)).join(",") + "\r\n";
}

// Numbers may begin with a sign.
export function csvRow(item: Item, names: readonly string[], isSafe: boolean): string {
  return names.map((name) => {
    const value = attributeOf(item, name);
    const text = cellText(value);
    const runs = isSafe && FORMULA.test(text) && !(value !== undefined && typeOf(value) === "N");
    return quote(runs ? `'${text}` : text);
  }).join(",") + "\r\n";
}

// All rows of a text; throws a sentence for quotes that do not end.
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const plain = /[^,\r\n]*/y;
  let row: string[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (;;) {
        const end = text.indexOf('"', at + 1);
        if (end < 0) throw new Error(`Row ${rows.length + 1}: a quote does not end.`);
        cell += text.slice(at + 1, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
      }
    } else {
      plain.lastIndex = at;
      cell = plain.exec(text)?.[0] ?? "";
      at += cell.length;
    }
    row.push(cell);
    if (text[at] === ",") {
      at += 1;
      if (at === text.length) row.push("");
      continue;
    }
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

export type CsvType = "S" | "N" | "BOOL" | "B" | "JSON";

export function unescapeCell(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

// The type that all cells of a column can have.
export function guessType(cells: readonly string[]): CsvType {
  const filled = cells.filter((cell) => cell !== "");
  if (filled.length === 0) return "S";
  if (filled.every(isNumber)) return "N";
  if (filled.every((cell) => cell === "true" || cell === "false")) return "BOOL";
  if (filled.every((cell) => /^\{"(SS|NS|BS|L|M|NULL)":/.test(cell))) return "JSON";
  return "S";
}

// Empty cells are attributes that are not there.
export function itemOfCells(names: readonly string[], types: readonly CsvType[], cells: readonly string[]): Item {
  const entries: [string, AttributeValue][] = [];
  names.forEach((name, index) => {
    const text = unescapeCell(cells[index] ?? "");
    if (text === "") return;
    const type = types[index] ?? "S";
    entries.push([name, type === "JSON" ? (JSON.parse(text) as AttributeValue) : type === "BOOL" ? { BOOL: text === "true" } : ({ [type]: text } as AttributeValue)]);
  });
  return itemOf(entries);
}
