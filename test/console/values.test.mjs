// The part of the console that knows values and questions, without a browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

const console_ = new URL("../../console/", import.meta.url);
const { build } = createRequire(console_)("esbuild");
const bundle = await build({
  stdin: {
    contents: ["attribute", "plain_json", "query", "change", "code", "address", "definition", "show", "fuzzy", "statement", "statement_code", "json_text", "task", "task_timeline", "workflow", "session", "entity", "moment", "bulk", "decimal", "item_file", "binary", "request_code", "kinds"]
      .map((name) => `export * as ${name} from "./src/value/${name}.ts";`).join("\n") +
      'export * as sha256 from "./src/api/sha256.ts"; export * as sigv4 from "./src/api/sigv4.ts";',
    resolveDir: console_.pathname,
  },
  bundle: true, write: false, format: "esm",
});
const { attribute, plain_json, query, change, code, address, definition, show, fuzzy, statement, statement_code, json_text, task, task_timeline, workflow, session, entity, moment, bulk, decimal, item_file, binary, request_code, kinds, sha256, sigv4 } =
  await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].contents).toString("base64")}`);

const HOSTILE = [
  "<script>hit()</script>", '"><svg/onload=hit()>', "'-hit()-'", "`${hit()}`", "{{hit()}}", "'; rm -rf / #", '"""', "\\", "\\\"", "$(hit)",
  "`hit`", "%{hit}", "${hit}", "a\nb", "a\r\n\"", "\u0000", "\u001b[31m", "\u2028\u2029", "\u202e\u2066\u200b\ufeff", "é😀", "??/", "#", ":", ".", "a.b", "a[0]", "",
];

// Values as JSON.parse makes them, __proto__ among their names.
let seed = 7;
const chance = (most) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % most; };
const NAMES = ["a", "b c", "__proto__", "constructor", "toString", "length", "then", "0", "ä", "x.y", ...HOSTILE.slice(0, 8)];
const NUMBERS = ["0", "-0", "1E-130", "99999999999999999999999999999999999999", "0.10", "7223372036854775837", "9007199254740993", "-1.5e3"];
function randomValue(depth) {
  const text = () => HOSTILE[chance(HOSTILE.length)];
  const number = () => NUMBERS[chance(NUMBERS.length)];
  switch (chance(depth > 3 ? 5 : 10)) {
    case 0: return { S: text() };
    case 1: return { N: number() };
    case 2: return { BOOL: chance(2) === 0 };
    case 3: return { NULL: true };
    case 4: return { B: Buffer.from(text()).toString("base64") };
    case 5: return { SS: [...new Set([text(), text(), "x"])] };
    case 6: return { NS: [...new Set([number(), number()])] };
    case 7: return { BS: ["AA==", "AQ=="] };
    case 8: return { L: Array.from({ length: chance(4) }, () => randomValue(depth + 1)) };
    default: return { M: randomItem(depth + 1) };
  }
}
function randomItem(depth = 0) {
  return Object.fromEntries(Array.from({ length: chance(6) }, () => [NAMES[chance(NAMES.length)], randomValue(depth)]));
}

test("plain JSON keeps every type and every digit", () => {
  for (let round = 0; round < 3000; round += 1) {
    const item = randomItem();
    const text = plain_json.toPlainJson(item);
    const again = plain_json.fromPlainJson(text, item);
    assert.ok(attribute.equalItems(again.item, item), text);
    assert.deepEqual(again.notes, []);
  }
});

test("plain JSON says what changed its type, and what is no item", () => {
  const was = { tags: { SS: ["a", "b"] }, photo: { B: "AA==" } };
  assert.deepEqual(plain_json.fromPlainJson('{"tags": ["a", "c"], "photo": "base64:AQ=="}', was),
    { item: { tags: { SS: ["a", "c"] }, photo: { B: "AQ==" } }, notes: [] });
  assert.deepEqual(plain_json.fromPlainJson('{"tags": ["a", 1]}', was).notes, ["tags: SS → L"]);
  assert.deepEqual(plain_json.fromPlainJson('{"n": 0.10}', {}).item, { n: { N: "0.10" } });
  for (const bad of ["", "[]", "{", '{"a": 1,}', '{"a": 1} x', '{"a": 01}', '{"a": 1, "a": 2}', '{"a": "\\x"}', "{a: 1}", '{"a": NaN}', "[".repeat(5000)]) {
    assert.throws(() => plain_json.fromPlainJson(bad, {}), plain_json.JsonFault, bad);
  }
});

test("a difference and its inverse lead there and back", () => {
  for (let round = 0; round < 1500; round += 1) {
    const [was, now] = [randomItem(), randomItem()];
    assert.equal(change.changesOf(was, was).length, 0);
    if (attribute.equalItems(was, now)) continue;
    const there = change.changesOf(was, now);
    const back = change.changesOf(now, was);
    assert.deepEqual(there.map((one) => one.path), back.map((one) => one.path).sort((a, b) => there.findIndex((x) => `${x.path}` === `${a}`) - there.findIndex((x) => `${x.path}` === `${b}`)));
  }
});

test("an update is conditional on what was read", () => {
  const update = change.updateOf("t", { pk: { S: "a" } }, { pk: { S: "a" }, n: { N: "1" }, m: { M: { x: { S: "1" }, y: { S: "2" } } }, old: { S: "" } },
    { pk: { S: "a" }, n: { N: "2" }, m: { M: { x: { S: "1" }, y: { S: "3" } } }, new: { S: "n" } });
  assert.equal(update.UpdateExpression, "SET #n = :v0, #m.#y = :v2, #new = :v5 REMOVE #old");
  assert.equal(update.ConditionExpression, "attribute_exists(#pk) AND #n = :v1 AND #m.#y = :v3 AND #old = :v4 AND attribute_not_exists(#new)");
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`a${index}`, { S: "1" }]));
  const whole = change.updateOf("t", { pk: { S: "a" } }, { m: { M: {} } }, { m: { M: many } });
  assert.equal(whole.UpdateExpression, "SET #m = :v0");
});

test("questions become requests with placeholders only", () => {
  const one = (op, values, path = "size", type = "S") => query.inputOf("t", { mode: "scan", index: null, pk: null, sk: null, filters: [{ path, op, type, values }], descending: false, statement: "" });
  assert.equal(one("eq", ["x"]).FilterExpression, "#size = :v0");
  assert.equal(one("between", ["a", "b"]).FilterExpression, "#size BETWEEN :v0 AND :v1");
  assert.equal(one("in", ["1, 2"], "n", "N").FilterExpression, "#n IN (:v0, :v1)");
  assert.equal(one("excludes", ["x"]).FilterExpression, "NOT contains(#size, :v0)");
  assert.equal(one("exists", []).FilterExpression, "attribute_exists(#size)");
  assert.equal(one("size", ["3"], "a[2].b").FilterExpression, "size(#a[2].#b) > :v0");
  assert.deepEqual(one("eq", ["x"], "a\\.b").ExpressionAttributeNames, { "#n0": "a.b" });
  assert.throws(() => one("eq", ["x"], "n", "N"), /not a number/);
  assert.throws(() => one("eq", ["x"], "a..b"), query.QuestionFault);
  assert.throws(() => query.inputOf("t", { mode: "query", index: null, pk: null, sk: null, filters: [], descending: false, statement: "" }), query.QuestionFault);
  const filters = [["a"], ["b", true], ["c"], ["d", true], ["e", true]].map(([path, or]) => ({ path, op: "eq", type: "S", values: [path], ...(or ? { or } : {}) }));
  const joined = (list) => query.inputOf("t", { mode: "scan", index: null, pk: null, sk: null, filters: list, descending: false, statement: "" }).FilterExpression;
  assert.equal(joined(filters), "(#a = :v0 OR #b = :v1) AND (#c = :v2 OR #d = :v3 OR #e = :v4)");
  assert.equal(joined(filters.slice(0, 2)), "#a = :v0 OR #b = :v1");
  assert.equal(joined(filters.slice(1, 3)), "#b = :v0 AND #c = :v1");
  // Who is taken out of a group joins nobody to another one.
  assert.equal(joined(query.withoutFilter(filters, 2)), "(#a = :v0 OR #b = :v1) AND (#d = :v2 OR #e = :v3)");
  assert.equal(joined(query.withoutFilter(filters, 3)), "(#a = :v0 OR #b = :v1) AND (#c = :v2 OR #e = :v3)");
  for (const name of HOSTILE.filter((text) => text !== "")) {
    const input = one("eq", ["x"], query.pathOf(name));
    assert.deepEqual(Object.values(input.ExpressionAttributeNames), [name]);
    assert.match(input.FilterExpression, /^#\w+ = :v0$/);
  }
});

test("an address leads back to its question", () => {
  const keys = (index) => (index === null ? { pk: "pk", sk: "sk" } : index === "by" ? { pk: "status", sk: null } : null);
  for (const text of HOSTILE) {
    const question = { mode: "query", index: null, pk: { path: "pk", op: "eq", type: "S", values: [text] }, sk: { path: "sk", op: "between", type: "S", values: [text, "z"] }, filters: [{ path: "f:" + text, op: "contains", type: "S", values: [text] }, { path: "or", op: "eq", type: "S", values: [text], or: true }, { path: "and", op: "exists", type: "S", values: [] }], descending: true, statement: "" };
    const fragment = new URLSearchParams(address.toFragment(question).toString());
    const told = { mode: "partiql", index: null, pk: null, sk: null, filters: [], descending: false, statement: text };
    assert.deepEqual(address.fromFragment(new URLSearchParams(address.toFragment(told).toString()), () => null), told);
    assert.deepEqual(address.fromFragment(fragment, keys), question);
    const key = { pk: { S: text }, sk: { N: "5" } };
    assert.deepEqual(address.keyFromText(address.keyText(key, ["pk", "sk"]), ["pk", "sk"]), key);
  }
  const groups = (text) => address.fromFragment(new URLSearchParams(text), keys).filters.map((filter) => [filter.path, filter.or === true]);
  assert.deepEqual(groups("m=scan&or=a:eq:S:1&or=b:eq:S:1&f=c:eq:S:1"), [["a", false], ["b", true], ["c", false]]);
  assert.deepEqual(groups("m=scan&f=a:eq:S:1&f=bad:evil:S:1&or=b:eq:S:1"), [["a", false], ["b", false]]);
  for (const bad of ["", "m=drop", "m=query&sk=nonsense:S:1", "m=scan&f=a:evil:S:x", "m=scan&f=a:eq:Z:x", "m=query&on=none&pk=S:a"]) {
    const question = address.fromFragment(new URLSearchParams(bad), keys);
    assert.ok(question === null || (question.filters.length === 0 && question.sk === null && question.index === null), bad);
  }
});

// What Python reads in programs, without running them.
function readPython(programs) {
  const reader = `
import ast, json, sys
class Decode(ast.NodeTransformer):
    def visit_Call(self, node):
        return ast.Constant({"bytes": node.args[0].value}) if getattr(node.func, "attr", "") == "b64decode" else self.generic_visit(node)
def value(node):
    if isinstance(node, ast.Dict): return {value(k): value(v) for k, v in zip(node.keys, node.values)}
    return node.value["bytes"] if isinstance(node.value, dict) else node.value
def read(text):
    tree = Decode().visit(ast.parse(text))
    return [value(node.keywords[0].value) for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "paginate"][0]
sys.stdout.write(json.dumps([read(text) for text in json.load(sys.stdin)]))`;
  return JSON.parse(execFileSync("python3", ["-c", reader], { input: JSON.stringify(programs) }));
}

test("code keeps whatever a value holds inside its quotes", () => {
  const place = { endpoint: "http://127.0.0.1:8000", region: "us-east-1" };
  const inputs = HOSTILE.map((text) => ({ TableName: "t", FilterExpression: "#n0 = :v0", ExpressionAttributeNames: { "#n0": text || "x" }, ExpressionAttributeValues: { ":v0": { S: text }, ":v1": { B: "AAEC" } } }));
  const all = (language) => inputs.map((input) => code.codeOf(language, "Scan", input, place));
  assert.deepEqual(readPython(all("Python")), inputs);
  for (const [at, script] of all("JavaScript").entries()) {
    const literal = /const input = ([\s\S]*?);\nfor await/.exec(script)[1];
    assert.deepEqual(JSON.parse(JSON.stringify(new Function("Buffer", `return ${literal}`)({ from: (base64) => base64 }))), inputs[at]);
  }
  const shell = all("AWS CLI").map((text) => text.replace("aws dynamodb", "printf '%s\\n'").replaceAll(" \\\n", " ")).join("\n");
  const words = execFileSync("bash", ["-c", shell]).toString().split(/^scan\n/m).slice(1);
  assert.deepEqual(words.map((text) => JSON.parse(text.slice(text.indexOf("{")))), inputs);
  for (const cpp of all("C++")) {
    assert.match(cpp, /^[\x0a\x20-\x7e]*$/);
    assert.equal(cpp.replace(/\\./g, "").split('"').length % 2, 1, cpp);
  }
});

test("the code of a statement keeps it inside its quotes", () => {
  const place = { endpoint: "http://127.0.0.1:8000", region: "us-east-1" };
  const all = (language) => HOSTILE.map((text) => statement_code.codeOfStatement(language, { Statement: text }, place));
  const python = `import ast, json, sys
print(json.dumps([[node.value.values[0].value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Assign) and node.targets[0].id == "request"][0] for text in json.load(sys.stdin)]))`;
  assert.deepEqual(JSON.parse(execFileSync("python3", ["-c", python.replace("node.targets[0].id", 'getattr(node.targets[0], "id", "")')], { input: JSON.stringify(all("Python")) })), HOSTILE);
  for (const [at, script] of all("JavaScript").entries()) assert.equal(new Function(`return ${/const Statement = (.*);/.exec(script)[1]}`)(), HOSTILE[at]);
  const shell = all("AWS CLI").map((text) => text.replace("aws dynamodb", "printf '%s\\n'").replaceAll(" \\\n", " ")).join("\n");
  const words = execFileSync("bash", ["-c", shell]).toString().split(/^execute-statement\n/m).slice(1);
  assert.deepEqual(words.map((text) => JSON.parse(text.slice(text.indexOf("{"))).Statement), HOSTILE);
  for (const cpp of all("C++")) {
    assert.match(cpp, /^[\x0a\x20-\x7e]*$/);
    assert.equal(cpp.replace(/\\./g, "").split('"').length % 2, 1, cpp);
  }
});

test("of a statement the page knows whether it reads, and what it is about", () => {
  const { shapeOf } = statement;
  assert.deepEqual(shapeOf("SELECT * FROM t"), { verb: "SELECT", isRead: true, table: "t", isWhole: true });
  assert.deepEqual(shapeOf('/* update */ -- x\n select a, "from" FROM "t.""x"."by"'), { verb: "SELECT", isRead: true, table: 't."x', isWhole: false });
  for (const [text, table] of [["INSERT INTO t VALUE {'from': 1}", "t"], ['UPDATE "a b" SET x = 1', "a b"], ["DELETE FROM t WHERE s = 'FROM u'", "t"], ["FROM t WHERE a = 1 SET b = 1", "t"]]) {
    assert.deepEqual([shapeOf(text).isRead, shapeOf(text).table, shapeOf(text).isWhole], [false, table, false], text);
  }
  for (const text of ["", "--SELECT", "'SELECT'", '"SELECT" * FROM t', "/* SELECT", "(SELECT * FROM t)", "EXISTS(SELECT * FROM t)", "SELECTED * FROM t"]) assert.equal(shapeOf(text).isRead, false, text);
  assert.equal(shapeOf("SELECT 'it''s FROM x' FROM t").table, "t");
  for (const text of HOSTILE) {
    assert.equal(shapeOf(`SELECT * FROM ${statement.statementName(text)} WHERE a = ${statement.statementText(text)}`).table, text);
    assert.equal(statement.tokensOf(`${statement.statementText(text)} AND`).at(-1).value, "AND");
  }
  assert.deepEqual(statement.faultPlace("a\n😀b cd", "Wrong at 2:4:2"), { from: 6, to: 8, line: 2, column: 4 });
  assert.equal(statement.faultPlace("a", "Wrong at 7:1:1"), null);
  assert.equal(statement.faultPlace("a", "Wrong at noon"), null);
});

test("JSON is laid out and taken apart without losing a digit", () => {
  const { membersOf, elementsOf, prettyJson, plainMember } = json_text;
  const text = '{"a":9007199254740993,"b":{"c":[1,2,{"d":"},]"}]},"e":"x\\"y","__proto__":null,"f":{},"g":[],"h":1E-130,"":true}';
  assert.deepEqual([...membersOf(text)], [["a", "9007199254740993"], ["b", '{"c":[1,2,{"d":"},]"}]}'], ["e", '"x\\"y"'], ["__proto__", "null"], ["f", "{}"], ["g", "[]"], ["h", "1E-130"], ["", "true"]]);
  assert.deepEqual(elementsOf('[1, {"a": [2, 3]}, "],"]'), ["1", '{"a":[2,3]}', '"],"']);
  assert.equal(prettyJson('{"a":[1.10,{}],"b":"{,}"}'), '{\n  "a": [\n    1.10,\n    {}\n  ],\n  "b": "{,}"\n}');
  assert.equal(plainMember(membersOf(text), "a"), "9007199254740993");
  assert.equal(plainMember(membersOf(text), "b"), null);
  for (const bad of ["", "{", "[1", "nonsense", '{"a":}', "5", "[]"]) assert.equal(membersOf(bad), null);
  for (const bad of ["", "[", "{}", "5"]) assert.deepEqual(elementsOf(bad), []);
  for (const hostile of HOSTILE) {
    const object = JSON.stringify({ [hostile]: hostile, list: [hostile, { [hostile]: [hostile] }] });
    assert.deepEqual(JSON.parse(prettyJson(object)), JSON.parse(object));
    assert.equal(plainMember(membersOf(object), hostile), hostile);
    assert.deepEqual(elementsOf(membersOf(object).get("list")).map((part) => JSON.parse(part)), [hostile, { [hostile]: [hostile] }]);
  }
});

test("tasks are read whatever stands in their items", () => {
  const key = { PK: { S: "OWNER#a#b" }, SK: { S: "TASK#t" } };
  assert.equal(task.readHead({ PK: { S: "x" }, SK: { S: "TASK#t" } }), null);
  assert.equal(task.readLease({ ...key, SK: { S: "WORK#t" } }), null);
  assert.deepEqual(task.readHead(key), { owner: "a#b", id: "t", status: "unknown", message: null, created: null, updated: null, expires: null });
  for (const data of ["", "5", "[]", "{}", '{"task":5,"inputs":5,"lease":[]}', '{"task":{"status":{"a":1},"createdAt":"never"}}', ...HOSTILE]) {
    const record = task.readRecord({ ...key, data: { S: data }, head: { S: data }, version: { S: "x" } });
    assert.equal(record.status, "unknown");
    assert.deepEqual(record.questions, []);
  }
  const head = { owner: "a", id: "t", status: "working", message: null, created: 0, updated: 0, expires: null };
  assert.equal(task.stateOf(head, { worker: "w", group: "g", until: 5 }, 6), "lapsed");
  assert.equal(task.stateOf(head, { worker: "w", group: "g", until: 7 }, 6), "working");
  assert.equal(task.stateOf({ ...head, status: "failed" }, { worker: "w", group: "g", until: 5 }, 6), "failed");
});

test("definitions hold the table", () => {
  const table = { name: "shop.v2", pk: { name: "pk", type: "S" }, sk: null, indexes: [{ name: "by", isLocal: false, pk: { name: "${x}", type: "N" }, sk: null, projection: "INCLUDE", included: ["a'b"] }], stream: "NEW_IMAGE", ttl: "t", recovery: true, isProtected: true };
  assert.match(definition.definitionOf("Terraform", table), /hash_key = "\$\$\{x\}"/);
  assert.match(definition.definitionOf("CloudFormation", table), /ShopV2Table:\n {4}Type: "AWS::DynamoDB::Table"/);
  const cli = definition.definitionOf("AWS CLI", table);
  const lines = execFileSync("bash", ["-c", cli.replaceAll("aws dynamodb", "printf '%s\\n' ").replaceAll(" \\\n", " ")]).toString();
  assert.deepEqual(JSON.parse(lines.slice(lines.indexOf("{"), lines.indexOf("\n}\n") + 2)), definition.createInput(table));
});

test("values are shown bounded, and what is invisible is seen", () => {
  assert.equal(show.showText("a\u202eb\u0000\nc"), "a⟨U+202E⟩b␀⏎c");
  assert.equal(show.showText("\ud800x"), "⟨U+D800⟩x");
  assert.equal(show.showText("x".repeat(1_000_000)).length, 201);
  assert.equal(show.showValue({ S: "" }), '""');
  assert.equal(show.showValue({ N: "99999999999999999999999999999999999999" }), "99999999999999999999999999999999999999");
  assert.equal(show.countdown({ N: "1000" }, 400), "in 10m");
  assert.equal(show.countdown({ N: "1000" }, 1300), "expired 5m ago");
  assert.equal(show.countdown({ S: "1000" }, 0), null);
  assert.equal(show.showBytes(999), "999 B");
  assert.equal(show.showBytes(412_600_000), "412.6 MB");
  assert.ok(fuzzy.fit("Query by_status of shop", "shop by") !== null);
  assert.equal(fuzzy.fit("Tables", "xyz"), null);
});

test("signatures are Amazon's", () => {
  for (const size of [0, 1, 55, 56, 63, 64, 65, 1000]) {
    const bytes = randomBytes(size);
    assert.equal(sha256.hex(sha256.sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
    assert.equal(sha256.hex(sha256.hmac(bytes, "text")), createHmac("sha256", bytes).update("text").digest("hex"));
  }
  // The example of Amazon's documentation, for its service.
  let key = Buffer.from("AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
  for (const part of ["20150830", "us-east-1", "dynamodb", "aws4_request"]) key = createHmac("sha256", key).update(part).digest();
  assert.equal(sigv4.signingKey("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "20150830", "us-east-1"), key.toString("hex"));
});

test("every pair of text and ground has the contrast of WCAG AA", () => {
  const css = readFileSync(new URL("src/style/tokens.css", console_), "utf8");
  const themes = { dark: css.slice(0, css.indexOf("[data-theme")), light: css.slice(css.indexOf("[data-theme")) };
  const luminance = (hex) => {
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const [theme, text] of Object.entries(themes)) {
    const token = (name) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(text)[1];
    const contrast = (one, other) => {
      const [a, b] = [luminance(token(one)), luminance(token(other))].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    };
    for (const words of ["text-1", "text-2", "text-3", "accent", "copper", "good", "warn", "bad", "info", "type-n", "type-bool", "type-b", "type-set"]) {
      for (const ground of ["bg-0", "bg-1", "bg-2", "bg-3"]) assert.ok(contrast(words, ground) >= 4.5, `${theme}: ${words} on ${ground}`);
    }
    for (const state of ["good", "warn", "bad", "info"]) assert.ok(contrast(state, `${state}-bg`) >= 4.5, `${theme}: ${state}`);
    for (const words of ["text-1", "text-2", "text-3"]) assert.ok(contrast(words, "accent-bg") >= 4.5, `${theme}: ${words} on accent-bg`);
    assert.ok(contrast("on-accent", "accent") >= 4.5);
    for (const ground of ["bg-0", "bg-1", "bg-2"]) assert.ok(contrast("line-control", ground) >= 3, `${theme}: line-control`);
  }
});

const WORKFLOW = workflow.workflowOf({
  name: "w",
  steps: [{ name: "d", after: ["b", "c"] }, { name: "a" }, { name: "b", after: ["a"] }, { name: "c", after: ["a"] }, { name: "alone" }],
  kinds: [{ name: "job", prefix: "JOB#", step: "b", machine: { working: "open", done: "done", failed: "bad" }, items: { list: "items" } }, { name: "file", prefix: "FILE#" }],
});

test("steps are laid out behind what they depend on, and taken with all that depend on them", () => {
  const at = Object.fromEntries(workflow.layOut(WORKFLOW).map((place) => [place.step.name, [place.layer, place.row, place.rows]]));
  assert.deepEqual(at, { a: [0, 0, 2], alone: [0, 1, 2], b: [1, 0, 2], c: [1, 1, 2], d: [2, 0, 1] });
  assert.deepEqual(workflow.stepsFrom(WORKFLOW, "b", true), ["d", "b"]);
  assert.deepEqual(workflow.stepsFrom(WORKFLOW, "a", false), ["d", "b", "c"]);
  assert.deepEqual(workflow.stepsFrom(WORKFLOW, "d", false), []);
  // Whatever somebody wrote is a workflow, if an empty one; a circle ends.
  for (const odd of [null, 1, [], { steps: 1, kinds: "x" }, { steps: [null, { after: "x" }] }]) workflow.layOut(workflow.workflowOf(odd));
  const circle = workflow.workflowOf({ steps: [{ name: "a", after: ["b"] }, { name: "b", after: ["a"] }] });
  assert.equal(workflow.layOut(circle).length, 2);
  assert.deepEqual(workflow.stepsFrom(circle, "a", true), ["a", "b"]);
});

test("records of a session are seen in their epoch, whole and alive", () => {
  const head = session.readSessionHead({ PK: { S: "SESSION#x" }, SK: { S: "META" }, epoch: { M: { b: { N: "2" }, session: { N: "1" } } } }, [WORKFLOW]);
  assert.equal(head.id, "x");
  const job = (id, more) => ({ PK: { S: "SESSION#x" }, SK: { S: `JOB#${id}` }, status: { S: "open" }, epoch: { N: "2" }, ...more });
  const items = [
    job("now", { pending: { SS: ["p"] }, results: { M: { r: { M: { phase: { S: "error" } } } } } }), job("old", { epoch: { N: "1" } }), job("building", { building: { S: "1" } }), job("gone", { expiresAt: { N: "99" } }),
    { SK: { S: "FILE#f" }, epoch: { N: "1" } }, { SK: { S: "FILE#former" } }, { SK: { S: "JOB#now#I#1" }, phase: { S: "done" } }, { SK: { S: "JOB#many" }, status: { S: "done" }, epoch: { N: "2" }, totalCount: { N: "7" }, completedCount: { N: "7" } }, { SK: { S: "x" } },
  ];
  const whole = session.readSessionOf(head, items, WORKFLOW, 100);
  assert.deepEqual(whole.records.filter((one) => !one.isStale).map((one) => one.key), ["JOB#now", "FILE#f", "JOB#many"]);
  assert.deepEqual(whole.records.filter((one) => one.isStale).map((one) => one.why), ["invalidated, epoch 1", "not all of it is written yet", "expired", "invalidated, epoch 0"]);
  assert.deepEqual(whole.unknown, ["x"]);
  assert.equal(session.stateOfStep(whole.records, "b"), "work");
  assert.equal(session.stateOfStep(whole.records, "a"), "wait");
  assert.deepEqual(whole.records.at(-1).items, { done: 7, all: 7, failed: 0 });
  assert.equal(session.readSessionHead({ PK: { N: "1" }, SK: { S: "META" } }, []), null);
});

test("a shape in words, and what items say of their version", () => {
  const words = (schema) => Object.values(entity.typeOfSchema(schema)).join(" / ");
  assert.equal(words({ type: "array", uniqueItems: true, items: { type: "string", contentEncoding: "base64" } }), "set of bytes / BS");
  assert.equal(words({ anyOf: [{ type: "integer" }, { type: "null" }] }), "integer or null / N NULL");
  assert.equal(words({ type: "object", additionalProperties: { $ref: "#/$defs/Comment" } }), "map of Comment / M");
  for (const odd of [null, [], 7, { type: "array" }, { anyOf: [{ anyOf: [{ anyOf: [{}] }] }] }]) entity.typeOfSchema(odd);
  const found = entity.recordedEntity({ schema: { "x-entity": "e", "x-data-version": 3, "x-steps": [2], properties: JSON.parse('{"__proto__": {"type": "string"}, "n": {"type": "integer"}}'), required: ["n"], "x-keys": { partition: { attribute: "pk", template: "E#{id}" } } }, history: [{ "x-data-version": 2, properties: { n: {} } }, { "x-data-version": 3, properties: JSON.parse('{"n": {}, "__proto__": {}}') }] });
  assert.deepEqual(found.fields.map((field) => [field.name, field.stored, field.isOptional, field.since]), [["__proto__", "S", true, 3], ["n", "N", false, 2]]);
  assert.equal(entity.belongsTo(found, { pk: { S: "E#1" } }), true);
  assert.equal(entity.belongsTo(found, { pk: { S: "F#1" } }), false);
  assert.equal(entity.looksLikeEntity({ data_version: { N: "1" }, write_id: { S: "x" } }), true);
  assert.equal(entity.looksLikeEntity({ data_version: { S: "1" }, write_id: { S: "x" } }), false);
  assert.equal(entity.pendingOf(found, { stored: new Map([[2, 5], [3, 7], [9, 1]]) }), 5);
});

test("moments to the microsecond, and back from an address", () => {
  assert.equal(moment.momentOf(1_763_388_000_000_001), "2025-11-17T14:00:00.000001Z");
  assert.equal(moment.parseMoment("2026-11-16T14:29:51Z"), "2026-11-16T14:29:51Z");
  for (const text of ["", "latest", "2026-11-16", "2026-99-16T14:29:51Z", "2026-11-16T14:29:51Z\r\nx: y", "<b>"]) assert.equal(moment.parseMoment(text), null);
});

test("the timeline of a task from its versions", () => {
  const item = (status, more = {}) => ({ PK: { S: "OWNER#o" }, SK: { S: "TASK#t" }, data: { S: JSON.stringify({ task: { status, statusMessage: more.message }, requestMethod: "tools/call", variables: more.variables ?? {}, lease: more.lease, inputs: more.inputs ?? [] }) } });
  const lease = { worker: "w1", attempt: 1 };
  const ask = { id: "q", method: "elicitation/create", params: {} };
  const steps = task_timeline.timelineOf([
    { since: 6_000_000, item: null },
    { since: 5_000_000, item: item("completed", { lease: { worker: "w2", attempt: 2 }, variables: { page: 2 }, inputs: [{ ...ask, answer: {} }] }) },
    { since: 4_000_000, item: item("working", { lease: { worker: "w2", attempt: 2 }, message: "page 2", variables: { page: 2 }, inputs: [ask] }) },
    { since: 3_000_000, item: item("working", { lease, variables: { page: 1 } }) },
    { since: 2_000_000, item: item("working") },
    { since: null, item: null },
  ]).map((step) => [step.at, step.what, step.detail]);
  assert.deepEqual(steps, [
    [6_000, "removed", null],
    [5_000, "completed", null],
    [5_000, "was answered: elicitation/create", "{}"],
    [4_000, "page 2", "variables changed: page"],
    [4_000, "asks its client: elicitation/create", "{}"],
    [4_000, "claimed by w2", "attempt 2, taken over from w1"],
    [3_000, "variables changed", "page"],
    [3_000, "claimed by w1", "attempt 1"],
    [2_000, "made", "tools/call"],
  ]);
});

test("sums are exact, whatever their size", () => {
  for (const [one, other, sum] of [
    ["0.1", "0.2", "0.3"], ["99999999999999999999999999999999999998", "1", "99999999999999999999999999999999999999"], ["-0.5", "1", "0.5"], ["1E-130", "0", `0.${"0".repeat(129)}1`],
    ["1e3", "-1000", "0"], ["100", "0.00", "100"], ["+5", ".5", "5.5"], ["-1.50", "-1.50", "-3"], ["9e125", "1e125", `1${"0".repeat(126)}`], ["-0", "0", "0"],
  ]) assert.equal(decimal.sumOf(one, other), sum, `${one} + ${other}`);
  for (const bad of ["", ".", "x", "1e", "1e9999", "0x1", "NaN"]) assert.equal(decimal.sumOf(bad, "1"), null, bad);
});

test("a change of many items becomes what its words say, and nothing else", () => {
  const item = { pk: { S: "a" }, n: { N: "1" }, tags: { SS: ["x"] } };
  const to = (deed, name, type, text) => bulk.becomes({ deed, name, type, text }, item);
  assert.deepEqual(to("set", "__proto__", "S", "x"), Object.fromEntries([...Object.entries(item), ["__proto__", { S: "x" }]]));
  assert.deepEqual(to("add", "n", "N", "0.5").n, { N: "1.5" });
  assert.deepEqual(to("add", "other", "N", "2").other, { N: "2" });
  assert.deepEqual(to("add", "tags", "SS", "x, y").tags, { SS: ["x", "y"] });
  assert.deepEqual(to("remove", "tags", "S", ""), { pk: item.pk, n: item.n });
  assert.equal(to("delete", "", "S", ""), null);
  for (const [name, type, text] of [["n", "SS", "a"], ["tags", "N", "1"], ["tags", "NS", "1"], ["n", "N", "x"], ["tags", "NS", "1, x"], ["tags", "SS", " , "]]) assert.equal(typeof to("add", name, type, text), "string", `${name} ${type} ${text}`);
});

test("items are found in files of any making", () => {
  for (let round = 0; round < 200; round += 1) {
    const items = Array.from({ length: 1 + chance(3) }, (_, number) => ({ key: { S: String(number) }, ...randomItem() }));
    const plain = JSON.parse(JSON.stringify(items));
    for (const text of [
      items.map((item) => JSON.stringify(item)).join("\n"), JSON.stringify(items), JSON.stringify(items, null, 2), JSON.stringify({ Items: items, Count: items.length }, null, 4),
      JSON.stringify({ Items: items }), items.map((Item) => JSON.stringify({ Item })).join("\r\n"),
    ]) assert.deepEqual(item_file.itemTexts(text).map(item_file.itemOfText), plain);
  }
  assert.deepEqual(item_file.itemTexts("").length, 0);
  assert.deepEqual(item_file.itemOfText('{"Item": {"S": "x"}, "n": 9007199254740993}'), { Item: { M: { S: { S: "x" } } }, n: { N: "9007199254740993" } });
  assert.throws(() => item_file.itemOfText("nonsense"));
});

test("bytes are shown as figures and text, bounded", () => {
  assert.deepEqual(binary.hexLines(Buffer.from("a\u0000<b>").toString("base64")), ["0000  61 00 3c 62 3e           a·<b>"]);
  assert.deepEqual(binary.hexLines(""), []);
  const long = binary.hexLines(Buffer.alloc(400_000).toString("base64"));
  assert.deepEqual([long.length, long.at(-1)], [129, "and 398,976 bytes more"]);
});

test("the code of a request keeps its body inside its quotes", () => {
  const place = { endpoint: "http://127.0.0.1:8000", region: "us-east-1" };
  const bodies = HOSTILE.map((text) => ({ TableName: "t", Key: { pk: { S: text }, b: { B: "AAE=" }, set: { BS: ["AA==", "AQ=="] } }, Limit: 5, Deep: { L: [{ BOOL: true }, { NULL: true }, { M: {} }] } }));
  const texts = bodies.map((body) => request_code.requestCode("Python", "GetItem", JSON.stringify(body), place));
  const reader = `
import ast, base64, json, sys
def read(text):
    call = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get_item"][0]
    return eval(compile(ast.Expression(call.keywords[0].value), "", "eval"), {"base64": base64})
plain = lambda value: base64.b64encode(value).decode() if isinstance(value, bytes) else value
sys.stdout.write(json.dumps([read(text) for text in json.load(sys.stdin)], default=plain))`;
  assert.deepEqual(JSON.parse(execFileSync("python3", ["-c", reader], { input: JSON.stringify(texts) })), bodies);
  for (const body of bodies.filter((one) => one.Key.pk.S !== "\u0000")) {
    const shell = request_code.requestCode("AWS CLI", "BatchGetItem", JSON.stringify(body), place);
    assert.match(shell, /^aws dynamodb batch-get-item --endpoint-url 'http:\/\/127/);
    const printed = execFileSync("sh", ["-c", shell.replace(/^aws dynamodb batch-get-item [\s\S]*?--cli-input-json/, "printf %s")]).toString();
    assert.deepEqual(JSON.parse(printed), body);
    const curl = request_code.requestCode("curl", "GetItem", JSON.stringify(body), place);
    assert.deepEqual(JSON.parse(execFileSync("sh", ["-c", curl.replace(/^curl [\s\S]*?-d/, "printf %s")]).toString()), body);
  }
  assert.match(request_code.requestCode("AWS CLI", "GetRecords", "{}", place), /^aws dynamodbstreams get-records/);
  for (const [operation, body] of [["Get'; rm -rf /", "{}"], ["", "{}"], ["GetItem", "no JSON"]]) assert.equal(request_code.requestCode("curl", operation, body, place), null);
});

test("kinds of items are told by the beginning of their sort key, when they say so", () => {
  const of = (...keys) => kinds.kindsOf(keys.map((text) => ({ sk: { S: text } })), "sk").map(({ name, start, share }) => `${name} ${start} ${share}`);
  assert.deepEqual(of("ORDER#1", "ORDER#2", "PROFILE", "ORDER#3"), ["ORDER ORDER# 0.75", "PROFILE PROFILE 0.25"]);
  for (const keys of [[], ["a", "b"], ["ORDER#1", "ORDER#2"], Array.from({ length: 20 }, (_, number) => `k${number}#`), ["<b>#1", "#", "5#2"]]) assert.deepEqual(of(...keys), []);
});
