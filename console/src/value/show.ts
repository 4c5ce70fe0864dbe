// Values as text for people: one line, bounded, with what is invisible made visible.

import { type AttributeValue, elementsOf, typeOf } from "./attribute.ts";

const SHOWN_MAX = 200;

// Control, bidirectional and zero-width characters, and halves of pairs.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (character === "\n") return "⏎";
  if (character === "\t") return "⇥";
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

export function showText(text: string, most = SHOWN_MAX): string {
  const cut = text.length > most ? text.slice(0, most) + "…" : text;
  return cut.replace(HIDDEN, visible);
}

// For more than one line: line ends stay.
export function showLines(text: string, most = 4096): string {
  const cut = text.length > most ? text.slice(0, most) + "…" : text;
  return cut.replace(HIDDEN, (character) =>
    character === "\n" || character === "\t" ? character : visible(character));
}

export function bytesOfBase64(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.max(0, (text.length / 4) * 3 - padding);
}

const MAGIC: readonly (readonly [string, string])[] = [
  ["JVBERi0", "application/pdf"],
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["H4sI", "application/gzip"],
  ["UEsDB", "application/zip"],
];

export function showBinary(base64: string): string {
  const size = showBytes(bytesOfBase64(base64));
  const kind = MAGIC.find(([start]) => base64.startsWith(start));
  return kind === undefined ? size : `${size}, ${kind[1]}`;
}

// The class of style.css for a value.
export function styleOf(value: AttributeValue | undefined): string {
  if (value === undefined) return "v-missing";
  switch (typeOf(value)) {
    case "N":
      return "v-n";
    case "BOOL":
      return "v-bool";
    case "B":
      return "v-b";
    case "NULL":
      return "v-null";
    case "SS":
    case "NS":
    case "BS":
      return "v-set";
    case "L":
    case "M":
      return "v-doc";
    default:
      return "S" in value && value.S === "" ? "faint" : "v-s";
  }
}

export function count(number: number, one: string, many = one + "s"): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

// One line for a cell, a difference, a title.
export function showValue(value: AttributeValue | undefined, most = SHOWN_MAX): string {
  if (value === undefined) return "—";
  if ("S" in value) return value.S === "" ? '""' : showText(value.S, most);
  if ("N" in value) return showText(value.N, most);
  if ("BOOL" in value) return String(value.BOOL);
  if ("NULL" in value) return "null";
  if ("B" in value) return showBinary(value.B);
  if ("L" in value) return `[${value.L.length}]`;
  if ("M" in value) return showMap(value.M);
  const elements = elementsOf(value);
  return "BS" in value
    ? count(elements.length, "binary", "binaries")
    : elements.slice(0, 20).map((element) => showText(element, 40)).join(", ");
}

// A map by what it is called, or by how many attributes it has.
function showMap(map: { [name: string]: AttributeValue }): string {
  for (const name of ["name", "title", "id"]) {
    const value = Object.hasOwn(map, name) ? map[name] : undefined;
    if (value !== undefined && "S" in value && value.S !== "") {
      return `{ ${showText(value.S, 60)} }`;
    }
  }
  return `{${Object.keys(map).length}}`;
}

// Short, nested, for differences: { carrier: "Chronopost", parcels: 2 }
export function showDeep(value: AttributeValue | undefined, most = SHOWN_MAX): string {
  const text = deep(value, 0);
  return text.length > most ? text.slice(0, most) + "…" : text;
}

function deep(value: AttributeValue | undefined, depth: number): string {
  if (value !== undefined && depth < 3) {
    if ("M" in value) {
      const entries = Object.entries(value.M).slice(0, 12);
      return `{ ${entries.map(([name, inner]) => `${showText(name, 40)}: ${deep(inner, depth + 1)}`).join(", ")} }`;
    }
    if ("L" in value) {
      return `[ ${value.L.slice(0, 12).map((inner) => deep(inner, depth + 1)).join(", ")} ]`;
    }
    if ("S" in value && depth > 0) return JSON.stringify(showText(value.S, 60));
  }
  return showValue(value, 120);
}

export function showBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let size = bytes / 1000;
  let unit = 0;
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size.toFixed(size < 10 ? 2 : 1)} ${units[unit]}`;
}

function span(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
  if (seconds < 365 * 86400) return `${Math.floor(seconds / 86400)}d ${Math.floor((seconds % 86400) / 3600)}h`;
  return `${Math.floor(seconds / (365 * 86400))}y`;
}

// "in 2d 4h" for an attribute of expiry; null when it is no time that will ever come.
export function countdown(value: AttributeValue | undefined, nowSeconds: number): string | null {
  if (value === undefined || !("N" in value)) return null;
  const at = Number(value.N);
  if (!Number.isFinite(at) || at <= 0 || at > 1e12) return null;
  return at >= nowSeconds ? `in ${span(at - nowSeconds)}` : `expired ${span(nowSeconds - at)} ago`;
}

export function ago(seconds: number): string {
  return seconds < 1 ? "now" : `${span(seconds)} ago`;
}

export function showUnits(units: number): string {
  return String(Math.round(units * 10) / 10);
}

export function showMillis(ms: number): string {
  return ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en");
}

export function clockTime(micros: number): string {
  const date = new Date(micros / 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const millis = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${millis}`;
}
