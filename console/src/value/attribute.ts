// Items as they are on the wire: DynamoDB JSON. Numbers stay text, from the wire to the wire.

export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: AttributeValue[] }
  | { M: Item };

export type Item = { [name: string]: AttributeValue };

export type TypeName = "S" | "N" | "B" | "BOOL" | "NULL" | "SS" | "NS" | "BS" | "L" | "M";

export const TYPES: readonly TypeName[] = ["S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"];

export function typeOf(value: AttributeValue): TypeName {
  for (const name in value) {
    return name as TypeName;
  }
  return "NULL";
}

// Names like __proto__ are legal, so an attribute is there only when it is the item's own.
export function attributeOf(item: Item | undefined, name: string): AttributeValue | undefined {
  return item !== undefined && Object.hasOwn(item, name) ? item[name] : undefined;
}

// What an item has at a path of names, of maps and of what is in them.
export function cellOf(item: Item | undefined, path: readonly string[]): AttributeValue | undefined {
  let value = attributeOf(item, path[0] ?? "");
  for (const name of path.slice(1)) value = value !== undefined && "M" in value ? attributeOf(value.M, name) : undefined;
  return value;
}

// Not by assignment, for which __proto__ means something else.
export function itemOf(entries: Iterable<readonly [string, AttributeValue]>): Item {
  return Object.fromEntries(entries);
}

export function withAttribute(item: Item, name: string, value: AttributeValue | undefined): Item {
  const entries = Object.entries(item).filter(([other]) => other !== name || value !== undefined);
  if (value === undefined) {
    return itemOf(entries);
  }
  if (!Object.hasOwn(item, name)) {
    return itemOf([...entries, [name, value]]);
  }
  return itemOf(entries.map(([other, old]) => [other, other === name ? value : old] as const));
}

// With these names in front.
export function ordered(item: Item, first: readonly string[]): Item {
  const front = first.filter((name) => Object.hasOwn(item, name));
  const rest = Object.keys(item).filter((name) => !front.includes(name));
  return itemOf([...front, ...rest].map((name) => [name, item[name] as AttributeValue] as const));
}

function sameSet(one: string[], other: string[]): boolean {
  const elements = new Set(one);
  return one.length === other.length && other.every((element) => elements.has(element));
}

export function equal(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  if (one === undefined || other === undefined) {
    return one === other;
  }
  const type = typeOf(one);
  if (type !== typeOf(other)) {
    return false;
  }
  if ("L" in one && "L" in other) {
    return one.L.length === other.L.length && one.L.every((value, index) => equal(value, other.L[index]));
  }
  if ("M" in one && "M" in other) {
    return equalItems(one.M, other.M);
  }
  if (type === "SS" || type === "NS" || type === "BS") {
    return sameSet(elementsOf(one), elementsOf(other));
  }
  return JSON.stringify(one) === JSON.stringify(other);
}

export function equalItems(one: Item, other: Item): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && equal(one[name], other[name]))
  );
}

export function elementsOf(value: AttributeValue): string[] {
  if ("SS" in value) return value.SS;
  if ("NS" in value) return value.NS;
  if ("BS" in value) return value.BS;
  return [];
}

// What is wrong with a value that somebody wrote, or null.
export function faultOf(value: unknown, depth = 1): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "a value is an object with its type, as in {\"S\": \"text\"}";
  }
  const names = Object.keys(value);
  const type = names[0];
  if (names.length !== 1 || type === undefined || !(TYPES as readonly string[]).includes(type)) {
    return `a value has one type of ${TYPES.join(", ")}`;
  }
  if (depth > 32) {
    return "values may be nested 32 levels deep";
  }
  const content: unknown = (value as Record<string, unknown>)[type];
  const texts = (list: unknown) =>
    Array.isArray(list) && list.length > 0 && list.every((element) => typeof element === "string");
  switch (type) {
    case "S":
      return typeof content === "string" ? null : "S is a text";
    case "N":
      return typeof content === "string" && isNumber(content) ? null : "N is a number, written as a text";
    case "B":
      return typeof content === "string" && isBase64(content) ? null : "B is a text in base64";
    case "BOOL":
      return typeof content === "boolean" ? null : "BOOL is true or false";
    case "NULL":
      return content === true ? null : "NULL is true";
    case "L":
      return Array.isArray(content)
        ? firstFault(content, depth)
        : "L is a list of values";
    case "M":
      return typeof content === "object" && content !== null && !Array.isArray(content)
        ? firstFault(Object.values(content), depth)
        : "M is an object of values";
    default:
      if (!texts(content)) return `${type} is a list of texts, with one at least`;
      return new Set(content as string[]).size === (content as string[]).length
        ? null
        : `an element is in ${type} twice`;
  }
}

function firstFault(values: unknown[], depth: number): string | null {
  for (const value of values) {
    const fault = faultOf(value, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

export function isNumber(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(text);
}

export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

// The value of a type that a text stands for; a sentence when it stands for none.
export function parseScalar(type: TypeName, text: string): AttributeValue | string {
  switch (type) {
    case "S":
      return { S: text };
    case "N":
      return isNumber(text.trim()) ? { N: text.trim() } : "This is not a number.";
    case "B":
      return isBase64(text.trim()) ? { B: text.trim() } : "This is not base64.";
    case "BOOL":
      return text === "true" || text === "false" ? { BOOL: text === "true" } : "This is true or false.";
    case "NULL":
      return { NULL: true };
    default:
      return "This type is edited as JSON.";
  }
}

// As a text for a field, in which parseScalar reads it again.
export function scalarText(value: AttributeValue): string {
  if ("S" in value) return value.S;
  if ("N" in value) return value.N;
  if ("B" in value) return value.B;
  if ("BOOL" in value) return String(value.BOOL);
  return "";
}
