// A request that was seen, as something to run: the AWS CLI, Python, curl. Whatever its body holds stays inside quotes.

import { type CodePlace, asciiJson, pythonString, shellText } from "./code.ts";
import { isOfStreams, targetOf } from "./operation.ts";

export const REQUEST_LANGUAGES = ["AWS CLI", "Python", "curl"] as const;
export type RequestLanguage = (typeof REQUEST_LANGUAGES)[number];

const words = (operation: string, between: string) => operation.replace(/(?<=[a-z])(?=[A-Z])/g, between).toLowerCase();

// boto3 wants bytes where the wire has base64: in {"B": …} and {"BS": […]}, which nothing else looks like.
function python(value: unknown, pad: string): string {
  if (value === null) return "None";
  if (typeof value === "string") return pythonString(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return String(value);
  const bytes = (text: string) => `base64.b64decode(${pythonString(text)})`;
  if (Array.isArray(value)) return `[${value.map((inner) => python(inner, pad)).join(", ")}]`;
  const entries = Object.entries(value as { [name: string]: unknown });
  const [name, inner] = entries[0] ?? ["", null];
  if (entries.length === 1 && name === "B" && typeof inner === "string") return `{"B": ${bytes(inner)}}`;
  if (entries.length === 1 && name === "BS" && Array.isArray(inner)) return `{"BS": [${inner.map(String).map(bytes).join(", ")}]}`;
  if (entries.length === 0) return "{}";
  const deeper = `${pad}    `;
  return `{\n${entries.map(([key, one]) => `${deeper}${pythonString(key)}: ${python(one, deeper)},\n`).join("")}${pad}}`;
}

// Null for what no client sends: a body that is no JSON, an operation that is no name.
export function requestCode(language: RequestLanguage, operation: string, body: string, place: CodePlace): string | null {
  let input: unknown;
  if (!/^[A-Za-z]+$/.test(operation)) return null;
  try {
    input = JSON.parse(body);
  } catch {
    return null;
  }
  const service = isOfStreams(operation) ? "dynamodbstreams" : "dynamodb";
  switch (language) {
    case "AWS CLI":
      return `aws ${service} ${words(operation, "-")} --endpoint-url ${shellText(place.endpoint)} --region ${shellText(place.region)} \\\n  --cli-input-json ${shellText(asciiJson(input, 2))}\n`;
    case "Python": {
      const call = `client.${words(operation, "_")}(**${python(input, "")})`;
      return `${call.includes("base64.b64decode(") ? "import base64\n" : ""}import boto3\n\nclient = boto3.client("${service}", endpoint_url=${pythonString(place.endpoint)}, region_name=${pythonString(place.region)})\nprint(${call})\n`;
    }
    case "curl":
      return `curl ${shellText(`${place.endpoint}/`)} \\\n  -H 'Content-Type: application/x-amz-json-1.0' \\\n  -H 'X-Amz-Target: ${targetOf(operation)}' \\\n  -d ${shellText(body)}\n`;
  }
}
