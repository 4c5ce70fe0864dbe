// A query as a program: C++, Python, JavaScript, the AWS CLI. Whatever is in a value stays inside its
// quotes in each of them.

import type { AttributeValue } from "./attribute.ts";
import type { QueryInput } from "./query.ts";

export const LANGUAGES = ["Python", "JavaScript", "C++", "AWS CLI"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface CodePlace {
  endpoint: string;
  region: string;
}

export function codeOf(language: Language, operation: "Query" | "Scan", input: QueryInput, place: CodePlace): string {
  switch (language) {
    case "Python":
      return python(operation, input, place);
    case "JavaScript":
      return javaScript(operation, input, place);
    case "C++":
      return cpp(operation, input, place);
    case "AWS CLI":
      return cli(operation, input, place);
  }
}

// ASCII only, so that nothing can look like something else.
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (character) =>
    "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));
}

export function asciiJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\u007f-\uffff]/g, (character) =>
    "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));
}

// Python has no \u for halves of pairs, so characters beyond 16 bits are written whole.
export function pythonString(text: string): string {
  let out = '"';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === "\\") out += "\\" + character;
    else if (code >= 0x20 && code < 0x7f) out += character;
    else if (code < 0x100) out += "\\x" + code.toString(16).padStart(2, "0");
    else if (code < 0x10000) out += "\\u" + code.toString(16).padStart(4, "0");
    else out += "\\U" + code.toString(16).padStart(8, "0");
  }
  return out + '"';
}

function pythonValue(value: unknown, depth: number): string {
  const pad = "    ".repeat(depth);
  if (typeof value === "string") return pythonString(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map((inner) => pythonValue(inner, depth)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 1 && depth > 1) {
      return `{${entries.map(([name, inner]) => `${pythonString(name)}: ${pythonValue(inner, depth)}`).join("")}}`;
    }
    return `{\n${entries.map(([name, inner]) => `${pad}    ${pythonString(name)}: ${pythonValue(inner, depth + 1)},\n`).join("")}${pad}}`;
  }
  return String(value);
}

function python(operation: "Query" | "Scan", input: QueryInput, place: CodePlace): string {
  const call = operation === "Query" ? "query" : "scan";
  return `import base64
import boto3

client = boto3.client("dynamodb", endpoint_url=${pythonString(place.endpoint)}, region_name=${pythonString(place.region)})
pages = client.get_paginator(${pythonString(call)}).paginate(**${pythonBytes(pythonValue(input, 0))})
for page in pages:
    for item in page["Items"]:
        print(item)
`.replace(/^import base64\n/, hasBinary(input) ? "import base64\n" : "");
}

function hasBinary(input: QueryInput): boolean {
  return Object.values(input.ExpressionAttributeValues ?? {}).some((value) => "B" in value);
}

// boto3 wants bytes where JSON has base64. Only our own text has {"B": ...} at this place.
function pythonBytes(text: string): string {
  return text.replace(/^(\s*":v\d+": \{"B": )("[A-Za-z0-9+/=]*")\}/gm, "$1base64.b64decode($2)}");
}

function javaScript(operation: "Query" | "Scan", input: QueryInput, place: CodePlace): string {
  const text = asciiJson(input, 2).replace(/^(\s*"B": )("[A-Za-z0-9+/=]*")$/gm, '$1Buffer.from($2, "base64")');
  return `import { DynamoDBClient, paginate${operation} } from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient({ endpoint: ${quoted(place.endpoint)}, region: ${quoted(place.region)} });
const input = ${text};
for await (const page of paginate${operation}({ client }, input)) {
  for (const item of page.Items ?? []) {
    console.log(item);
  }
}
`;
}

export function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function cli(operation: "Query" | "Scan", input: QueryInput, place: CodePlace): string {
  return `aws dynamodb ${operation.toLowerCase()} --endpoint-url ${shellText(place.endpoint)} --region ${shellText(place.region)} \\
  --cli-input-json ${shellText(asciiJson(input, 2))}
`;
}

// Octal, because \x takes as many digits as follow.
export function cppString(text: string): string {
  let out = '"';
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === "\\" || character === "?") out += "\\" + character;
    else if (byte >= 0x20 && byte < 0x7f) out += character;
    else out += "\\" + byte.toString(8).padStart(3, "0");
  }
  return out + '"';
}

function cppValue(value: AttributeValue): string {
  if ("S" in value) return `${cppString(value.S)}sv`;
  if ("N" in value) return `*stator::Number::Parse(${cppString(value.N)})`;
  if ("BOOL" in value) return String(value.BOOL);
  if ("B" in value) {
    const bytes = Array.from(atob(value.B), (character) => character.charCodeAt(0));
    const text = bytes.map((byte) => "\\" + byte.toString(8).padStart(3, "0")).join("");
    return `stator::Binary{"${text}"s}`;
  }
  return "stator::Null{}";
}

function cpp(operation: "Query" | "Scan", input: QueryInput, place: CodePlace): string {
  const members = [`      .table_name = ${cppString(input.TableName)},\n`];
  const text = (name: string, value: string | undefined) => {
    if (value !== undefined) members.push(`      .${name} = ${cppString(value)},\n`);
  };
  text("index_name", input.IndexName);
  text("key_condition_expression", input.KeyConditionExpression);
  text("filter_expression", input.FilterExpression);
  const map = (name: string, type: string, entries: [string, string][]) => {
    if (entries.length === 0) return;
    const rows = entries.map(([key, value]) => `{${cppString(key)}, ${value}}`);
    members.push(`      .${name} = ${type}{${rows.join(",\n          ")}},\n`);
  };
  map("expression_attribute_names", "stator::AttributeNames",
    Object.entries(input.ExpressionAttributeNames ?? {}).map(([key, value]) => [key, cppString(value)]));
  map("expression_attribute_values", "stator::Map",
    Object.entries(input.ExpressionAttributeValues ?? {}).map(([key, value]) => [key, cppValue(value)]));
  if (input.ScanIndexForward === false) members.push("      .scan_index_forward = false,\n");
  return `#include <stator/stator.h>

using namespace std::literals;

int main() {
  const auto database = stator::Open(${cppString(place.endpoint)});
  stator::${operation}Input input = {
${members.join("")}  };
  do {
    const auto page = (*database)->${operation}(input);
    if (!page) {
      return 1;  // page.error().message
    }
    for (const stator::Item& item : *page->items) {
      // ...
    }
    input.exclusive_start_key = page->last_evaluated_key;
  } while (input.exclusive_start_key);
}
`;
}
