// JSON as text: laid out and taken apart without reading its numbers, which may have more digits than
// a number of JavaScript holds.

const TOKEN = /\s+|"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gsy;

function tokens(text: string): string[] {
  return (text.match(TOKEN) ?? []).filter((token) => token.trim() !== "");
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

// With two blanks for each level; what is no JSON stays as it is.
export function prettyJson(text: string): string {
  if (!isJson(text)) return text;
  let out = "";
  let depth = 0;
  let before = "";
  for (const token of tokens(text)) {
    if (token === "}" || token === "]") {
      depth -= 1;
      if (before !== "{" && before !== "[") out += "\n" + "  ".repeat(depth);
    } else if (before === "{" || before === "[" || before === ",") out += "\n" + "  ".repeat(depth);
    out += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth += 1;
    before = token;
  }
  return out;
}

// What stands between the outermost brackets and their commas, token by token.
function partsOf(text: string, opening: "{" | "["): string[][] | null {
  const list = isJson(text) ? tokens(text) : [];
  if (list[0] !== opening) return null;
  const parts: string[][] = [];
  let part: string[] = [];
  let depth = 0;
  for (const token of list) {
    if (token === "}" || token === "]") depth -= 1;
    const isBorder = depth === 0 || (depth === 1 && token === ",");
    if (!isBorder) part.push(token);
    else if (part.length > 0) {
      parts.push(part);
      part = [];
    }
    if (token === "{" || token === "[") depth += 1;
  }
  return parts;
}

// The members of an object, each as its text; null for anything else.
export function membersOf(text: string): Map<string, string> | null {
  const parts = partsOf(text, "{");
  return parts === null ? null : new Map(parts.map(([name = '""', , ...value]) => [JSON.parse(name) as string, value.join("")]));
}

// The elements of a list as texts; none for anything else.
export function elementsOf(text: string): string[] {
  return (partsOf(text, "[") ?? []).map((part) => part.join(""));
}

// A text, a number or a truth for people; null for what is missing, null, or more than that.
export function plainMember(members: Map<string, string> | null, name: string): string | null {
  const text = members?.get(name);
  if (text === undefined || text === "null" || text.startsWith("{") || text.startsWith("[")) return null;
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}
