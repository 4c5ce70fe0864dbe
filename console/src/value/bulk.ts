// One change of many items: what each of them becomes.

import { type AttributeValue, type Item, type TypeName, attributeOf, elementsOf, parseScalar, typeOf, withAttribute } from "./attribute.ts";
import { sumOf } from "./decimal.ts";

export type Deed = "set" | "add" | "remove" | "delete";

export interface BulkChange {
  deed: Deed;
  name: string; // of the attribute; of none when items are deleted
  type: TypeName;
  text: string;
}

export const DEEDS: { readonly [deed in Deed]: string } = {
  set: "set an attribute", add: "add to a number or a set", remove: "remove an attribute", delete: "delete the items",
};
export const TYPES_OF: { readonly [deed in Deed]: readonly TypeName[] } = { set: ["S", "N", "BOOL", "NULL", "B"], add: ["N", "SS", "NS", "BS"], remove: [], delete: [] };

const ELEMENT: { readonly [set: string]: TypeName } = { SS: "S", NS: "N", BS: "B" };

function setOf(type: TypeName, text: string): AttributeValue | string {
  const elements = [...new Set(text.split(",").map((element) => element.trim()).filter((element) => element !== ""))];
  if (elements.length === 0) return "A value is missing.";
  const fault = elements.map((element) => parseScalar(ELEMENT[type] ?? "S", element)).find((value) => typeof value === "string");
  return typeof fault === "string" ? fault : ({ [type]: elements } as AttributeValue);
}

// The value that is set or added; a sentence when the text stands for none.
export function valueOf({ type, text }: BulkChange): AttributeValue | string {
  return type in ELEMENT ? setOf(type, text) : parseScalar(type, text);
}

function added(was: AttributeValue | undefined, value: AttributeValue): AttributeValue | string {
  if (was === undefined) return value;
  if ("N" in was && "N" in value) return { N: sumOf(was.N, value.N) ?? was.N };
  if (typeOf(was) !== typeOf(value)) return `is ${typeOf(was)}, not ${typeOf(value)}`;
  return { [typeOf(was)]: [...new Set([...elementsOf(was), ...elementsOf(value)])] } as AttributeValue;
}

// What an item becomes: null when it is deleted, a few words when it cannot become anything.
export function becomes(change: BulkChange, item: Item): Item | null | string {
  if (change.deed === "delete") return null;
  if (change.deed === "remove") return withAttribute(item, change.name, undefined);
  const value = valueOf(change);
  if (typeof value === "string") return value;
  if (change.deed === "set") return withAttribute(item, change.name, value);
  const sum = added(attributeOf(item, change.name), value);
  return typeof sum === "string" ? `${change.name} ${sum}` : withAttribute(item, change.name, sum);
}
