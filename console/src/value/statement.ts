// A PartiQL statement as far as the page must know it: whether it only reads, which table it is about,
// and where the server's complaint points. The server alone decides what it means.

export interface StatementToken {
  kind: "word" | "name" | "text" | "symbol"; // name: "quoted", text: 'quoted'
  value: string; // without quotes; words as they are written
  from: number;
  to: number;
  isClosed: boolean; // false: its quote never ends
}

const WORD = /[A-Za-z_$][\w$]*/y;
const BLANK = /(?:\s+|--[^\r\n]*|\/\*[\s\S]*?\*\/)+/y;

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function quotedToken(text: string, from: number): StatementToken {
  const quote = text[from] ?? "";
  let value = "";
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] !== quote) value += text[at] ?? "";
    else if (text[at + 1] === quote && quote !== "`") {
      value += quote;
      at += 1;
    } else return { kind: quote === '"' ? "name" : "text", value, from, to: at + 1, isClosed: true };
  }
  return { kind: quote === '"' ? "name" : "text", value, from, to: text.length, isClosed: false };
}

export function tokensOf(text: string): StatementToken[] {
  const tokens: StatementToken[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = match(BLANK, text, at);
    if (blank !== null) {
      at += blank.length;
      continue;
    }
    const word = match(WORD, text, at);
    let token: StatementToken;
    if (word !== null) token = { kind: "word", value: word, from: at, to: at + word.length, isClosed: true };
    else if (text[at] === '"' || text[at] === "'" || text[at] === "`") token = quotedToken(text, at);
    else token = { kind: "symbol", value: text[at] ?? "", from: at, to: at + 1, isClosed: true };
    tokens.push(token);
    at = token.to;
  }
  return tokens;
}

function isWord(token: StatementToken | undefined, word: string): boolean {
  return token?.kind === "word" && token.value.toUpperCase() === word;
}

export interface StatementShape {
  verb: string; // its first word, in capitals
  isRead: boolean; // everything else is taken for a change
  table: string | null; // when it is plain
  isWhole: boolean; // its rows are whole items: SELECT * FROM
}

export function shapeOf(statement: string): StatementShape {
  const tokens = tokensOf(statement);
  const verb = tokens[0]?.kind === "word" ? tokens[0].value.toUpperCase() : "";
  let at = -1;
  if (verb === "SELECT" || verb === "DELETE") at = tokens.findIndex((token) => isWord(token, "FROM"));
  else if (verb === "INSERT" && isWord(tokens[1], "INTO")) at = 1;
  else if (verb === "UPDATE" || verb === "FROM") at = 0;
  const named = at < 0 ? undefined : tokens[at + 1];
  return {
    verb,
    isRead: verb === "SELECT",
    table: named !== undefined && (named.kind === "word" || named.kind === "name") ? named.value : null,
    isWhole: verb === "SELECT" && tokens[1]?.value === "*" && tokens[1].kind === "symbol" && at === 2,
  };
}

// Quoted, so that any name and any keyword will do.
export function statementName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function statementText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export interface FaultPlace {
  from: number; // in the statement
  to: number;
  line: number;
  column: number;
}

// Where a message ends with "at LINE:COLUMN:LENGTH", counted in characters as the server does.
export function faultPlace(statement: string, message: string): FaultPlace | null {
  const found = / at (\d{1,9}):(\d{1,9}):(\d{1,9})\b/.exec(message);
  if (found === null) return null;
  const [line, column, length] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const lines = statement.split(/\r\n|\r|\n/);
  const content = lines[line - 1];
  if (content === undefined || column < 1) return null;
  const before = Array.from(content).slice(0, column - 1).join("").length;
  let start = before;
  for (const earlier of lines.slice(0, line - 1)) start += earlier.length + 1;
  const rest = Array.from(statement.replace(/\r\n?/g, "\n").slice(start)).slice(0, Math.max(1, length)).join("");
  return { from: start, to: start + rest.length, line, column };
}

const KEYWORDS = "SELECT FROM WHERE AND OR NOT IN BETWEEN IS MISSING NULL TRUE FALSE ORDER BY ASC DESC INSERT INTO VALUE UPDATE SET REMOVE DELETE RETURNING ALL MODIFIED OLD NEW";
const FUNCTIONS = "begins_with contains size attribute_type attribute_exists attribute_not_exists list_append set_add set_delete";

export interface Word {
  label: string;
  apply: string;
  kind: "keyword" | "function" | "attribute" | "table" | "index";
}

// What can be completed: the language, what the tables are called, which attributes were seen.
export function statementWords(tables: readonly { name: string; indexes: readonly { name: string }[] }[], attributes: readonly string[]): Word[] {
  return [
    ...attributes.map((name): Word => ({ label: name, apply: statementName(name), kind: "attribute" })),
    ...tables.map(({ name }): Word => ({ label: name, apply: statementName(name), kind: "table" })),
    ...tables.flatMap((table) => table.indexes.map((index): Word => ({ label: `${table.name}.${index.name}`, apply: `${statementName(table.name)}.${statementName(index.name)}`, kind: "index" }))),
    ...KEYWORDS.split(" ").map((word): Word => ({ label: word, apply: word, kind: "keyword" })),
    ...FUNCTIONS.split(" ").map((word): Word => ({ label: word, apply: `${word}(`, kind: "function" })),
  ];
}
