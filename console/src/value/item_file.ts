// Items in a file of JSON, however it was written: one a line, an array, what `aws dynamodb scan` prints, what an
// export to S3 holds; plain or DynamoDB JSON, which is told by its types.

import { type AttributeValue, type Item, faultOf } from "./attribute.ts";
import { isJson } from "./json_text.ts";
import { fromPlainJson, toPlainJson } from "./plain_json.ts";

function isTyped(value: unknown): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0 && Object.values(value).every((inner) => faultOf(inner) === null);
}

function textsOf(list: AttributeValue | undefined): string[] | null {
  return list !== undefined && "L" in list ? list.L.map((inner) => ("M" in inner ? toPlainJson(inner.M) : "null")) : null;
}

// The text of each item; throws with a sentence.
export function itemTexts(text: string): string[] {
  if (text.trimStart().startsWith("[")) return textsOf(fromPlainJson(`{"items": ${text}}`, {}).item["items"]) ?? [];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0 || (lines.length > 1 && isJson(lines[0] ?? ""))) return lines;
  const [whole, second] = [lines.length === 1 ? lines[0] ?? "" : text, lines.length === 1 ? "" : lines[1] ?? ""];
  if (!isJson(whole)) return isJson(second) ? lines : [whole];
  const { item } = fromPlainJson(whole, {});
  return textsOf(Object.hasOwn(item, "Items") ? item["Items"] : undefined) ?? [whole];
}

// One of them; throws with a sentence.
export function itemOfText(text: string): Item {
  const value: unknown = JSON.parse(text);
  if (isTyped(value)) return value;
  const inner = typeof value === "object" && value !== null && Object.keys(value).length === 1 ? (value as { Item?: unknown }).Item : undefined;
  return isTyped(inner) ? inner : fromPlainJson(text, {}).item;
}
