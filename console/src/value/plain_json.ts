// Items as plain JSON for people, and back with their types kept: what did not change stays what it
// was, a changed array stays a set if it still can be one, "base64:..." stays binary. Numbers are
// never parsed, so 38 digits come back as they were.

import { type AttributeValue, type Item, attributeOf, elementsOf, isBase64, itemOf, typeOf } from "./attribute.ts";

export class JsonFault extends Error {}

// A tree in which numbers are still text.
type Tree = { kind: "text"; text: string } | { kind: "number"; text: string } | { kind: "word"; word: boolean | null } |
  { kind: "list"; list: Tree[] } | { kind: "map"; entries: (readonly [string, Tree])[] };

const BINARY = "base64:";
const DEPTH_MAX = 200;

export function toPlainJson(item: Item): string {
  return writeMap(item, 0);
}

function pad(depth: number): string {
  return "  ".repeat(depth);
}

function writeMap(map: Item, depth: number): string {
  const entries = Object.entries(map);
  if (entries.length === 0) return "{}";
  const lines = entries.map(([name, value]) => `${pad(depth + 1)}${JSON.stringify(name)}: ${write(value, depth + 1)}`);
  return `{\n${lines.join(",\n")}\n${pad(depth)}}`;
}

function writeList(parts: string[], depth: number): string {
  const line = `[${parts.join(", ")}]`;
  if (line.length < 80 && !line.includes("\n")) return line;
  return `[\n${parts.map((part) => pad(depth + 1) + part).join(",\n")}\n${pad(depth)}]`;
}

function write(value: AttributeValue, depth: number): string {
  if ("S" in value) return JSON.stringify(value.S);
  if ("N" in value) return value.N;
  if ("B" in value) return JSON.stringify(BINARY + value.B);
  if ("BOOL" in value) return String(value.BOOL);
  if ("NULL" in value) return "null";
  if ("M" in value) return writeMap(value.M, depth);
  if ("L" in value) return writeList(value.L.map((inner) => write(inner, depth + 1)), depth);
  if ("NS" in value) return writeList(value.NS, depth);
  const prefix = "BS" in value ? BINARY : "";
  return writeList(elementsOf(value).map((element) => JSON.stringify(prefix + element)), depth);
}

export interface TypedAgain {
  item: Item;
  notes: string[]; // what changed its type: "tags: SS → L"
}

// Throws JsonFault.
export function fromPlainJson(text: string, was: Item): TypedAgain {
  const tree = new Parser(text).parse();
  if (tree.kind !== "map") throw new JsonFault("An item is an object.");
  const notes: string[] = [];
  return { item: typeMap(tree.entries, was, "", notes), notes };
}

function typeMap(entries: (readonly [string, Tree])[], was: Item, path: string, notes: string[]): Item {
  const names = new Set<string>();
  return itemOf(entries.map(([name, tree]) => {
    if (names.has(name)) throw new JsonFault(`${JSON.stringify(name)} is there twice.`);
    names.add(name);
    return [name, typeOne(tree, attributeOf(was, name), path + name, notes)] as const;
  }));
}

function typeOne(tree: Tree, was: AttributeValue | undefined, path: string, notes: string[]): AttributeValue {
  const value = typeTree(tree, was, path, notes);
  if (was !== undefined && typeOf(was) !== typeOf(value)) notes.push(`${path}: ${typeOf(was)} → ${typeOf(value)}`);
  return value;
}

function typeTree(tree: Tree, was: AttributeValue | undefined, path: string, notes: string[]): AttributeValue {
  switch (tree.kind) {
    case "number":
      return { N: tree.text };
    case "word":
      return tree.word === null ? { NULL: true } : { BOOL: tree.word };
    case "text":
      if (was !== undefined && "B" in was && tree.text.startsWith(BINARY)) {
        const base64 = tree.text.slice(BINARY.length);
        if (!isBase64(base64)) throw new JsonFault(`${path} is binary, and this is not base64.`);
        return { B: base64 };
      }
      return { S: tree.text };
    case "map":
      return { M: typeMap(tree.entries, was !== undefined && "M" in was ? was.M : {}, `${path}.`, notes) };
    case "list": {
      const set = was === undefined ? undefined : asSet(tree.list, was);
      if (set !== undefined) return set;
      const old = was !== undefined && "L" in was ? was.L : [];
      return { L: tree.list.map((inner, index) => typeOne(inner, old[index], `${path}[${index}]`, notes)) };
    }
  }
}

// The set that a list still is, if it was one.
function asSet(list: Tree[], was: AttributeValue): AttributeValue | undefined {
  const type = typeOf(was);
  const texts: string[] = [];
  for (const tree of list) {
    if (tree.kind === "number" && type === "NS") texts.push(tree.text);
    else if (tree.kind === "text" && type === "SS") texts.push(tree.text);
    else if (tree.kind === "text" && type === "BS" && tree.text.startsWith(BINARY) && isBase64(tree.text.slice(BINARY.length))) {
      texts.push(tree.text.slice(BINARY.length));
    } else return undefined;
  }
  if (texts.length === 0 || new Set(texts).size !== texts.length) return undefined;
  return type === "SS" ? { SS: texts } : type === "NS" ? { NS: texts } : { BS: texts };
}

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  parse(): Tree {
    const tree = this.value(0);
    this.skip();
    if (this.at < this.text.length) this.fail("There is something behind the end");
    return tree;
  }

  private fail(what: string): never {
    const before = this.text.slice(0, this.at).split("\n");
    throw new JsonFault(`${what} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}).`);
  }

  private skip(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? "")) this.at += 1;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private value(depth: number): Tree {
    if (depth > DEPTH_MAX) this.fail("This is nested too deep");
    this.skip();
    const next = this.text[this.at];
    if (next === "{") return this.map(depth);
    if (next === "[") return this.list(depth);
    if (next === '"') return { kind: "text", text: this.string() };
    const number = this.take(/-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y);
    if (number !== undefined) return { kind: "number", text: number };
    const word = this.take(/true|false|null/y);
    if (word !== undefined) return { kind: "word", word: word === "null" ? null : word === "true" };
    return this.fail(next === undefined ? "A value is missing at the end" : "A value is missing");
  }

  private string(): string {
    const raw = this.take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    return raw === undefined ? this.fail("This text does not end, or has a bad escape") : (JSON.parse(raw) as string);
  }

  private list(depth: number): Tree {
    const list: Tree[] = [];
    this.each("]", () => list.push(this.value(depth + 1)));
    return { kind: "list", list };
  }

  private map(depth: number): Tree {
    const entries: (readonly [string, Tree])[] = [];
    this.each("}", () => {
      if (this.text[this.at] !== '"') this.fail("A name in quotes is missing");
      const name = this.string();
      this.skip();
      if (this.text[this.at] !== ":") this.fail("A colon is missing");
      this.at += 1;
      entries.push([name, this.value(depth + 1)]);
    });
    return { kind: "map", entries };
  }

  private each(end: string, read: () => void): void {
    this.at += 1;
    this.skip();
    while (this.text[this.at] !== end) {
      read();
      this.skip();
      if (this.text[this.at] === end) break;
      if (this.text[this.at] !== ",") this.fail(`A comma or ${end} is missing`);
      this.at += 1;
      this.skip();
      if (this.text[this.at] === end) this.fail("There is a comma before the end");
    }
    this.at += 1;
  }
}
