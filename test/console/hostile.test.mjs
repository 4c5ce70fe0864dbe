// Names and values that want to be more than text. Nothing of them may run, ask elsewhere, or change.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, closeBrowser, makeTable, openPage, picture, putAll, startServer } from "./fixtures.mjs";

const MARKUP = [
  "<script>hit()</script>", '"><svg/onload=hit()>', "</title></textarea></style><script>hit()</script>", "<img src=x onerror=hit()>", "'-hit()-'", "`${hit()}`", "{{hit()}}",
  "javascript:hit()", "data:text/html,<script>hit()</script>", "&lt;img src=x onerror=hit()&gt;", '<a href="javascript:hit()">x</a>', '<iframe srcdoc="<script>hit()</script>">',
  '<math><mi//xlink:href="data:x,<script>hit()</script>">', "<template><img src=x onerror=hit()></template>",
  '{"nodeName":"img","attributes":{"src":"x","onerror":"hit()"},"children":[]}', '{"type":"div","props":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=hit()>"}}}',
];
const NAMES = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "length", "then", "#", ":", ".", "[0]", "a.b", '"', "\\", "''", "``"];
const TEXTS = ["=cmd|'/c calc'!A1", "\u202e\u2066\u200b\ufeff", "\u0000\u001b[31m\u2028\u2029", "Z" + "\u0301".repeat(2000), "👨‍👩‍👧‍👦 مرحبا", "x".repeat(300_000), "%23 %2F %00", "//evil"];
const NUMBERS = ["1E-130", "99999999999999999999999999999999999999", "0.1", "7223372036854775837", "9007199254740993"];

const hostileMap = (depth) => (depth === 0 ? { S: MARKUP[0] } : { M: { [MARKUP[depth % MARKUP.length]]: hostileMap(depth - 1) } });
const items = [
  ...MARKUP.map((text) => ({ pk: { S: text }, sk: { S: text }, [text]: { S: text }, set: { SS: [text, "b"] }, map: { M: { [text]: { S: text } } }, list: { L: [{ S: text }] }, bytes: { B: Buffer.from(text).toString("base64") } })),
  ...NAMES.map((name) => Object.fromEntries([["pk", { S: "names" }], ["sk", { S: name }], [name, { S: name }], ["map", { M: Object.fromEntries([[name, { N: "1" }]]) }]])),
  ...TEXTS.map((text, index) => ({ pk: { S: "texts" }, sk: { S: String(index) }, text: { S: text } })),
  ...NUMBERS.map((number) => ({ pk: { S: "numbers" }, sk: { S: number }, number: { N: number }, numbers: { NS: [number] } })),
  { pk: { S: "deep" }, sk: { S: "0" }, deep: hostileMap(28) },
  { pk: { S: "wide" }, sk: { S: "0" }, ...Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`attribute_${index}`, { S: "v" }])) },
];
let server;
before(async () => {
  server = await startServer("--memory");
  await makeTable(server.endpoint, "hostile.Table-_..");
  for (const item of items) await putAll(server.endpoint, "hostile.Table-_..", [item]);
});
after(async () => { await closeBrowser(); await server.end(); });

const watch = async (page) => {
  await page.addInitScript(() => {
    window.hits = 0;
    window.hit = () => { window.hits += 1; };
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective + " " + event.blockedURI));
  });
};
const unhurt = async (page) => {
  assert.equal(await page.evaluate(() => window.hits), 0);
  assert.deepEqual(await page.evaluate(() => window.violations), []);
  assert.equal(await page.locator("#root script, #root iframe, #root img, #root template, #root math").count(), 0);
};
const everything = async () => (await call(server.endpoint, "Scan", { TableName: "hostile.Table-_..", ConsistentRead: true })).Items.map((item) => JSON.stringify(item)).sort();

test("every item is shown, opened in each form, and stays what it was", async () => {
  const before = await everything();
  const page = await openPage(server.endpoint);
  await watch(page);
  await page.goto(`${server.endpoint}/_stator/tables/hostile.Table-_../items`);
  await page.getByText(/items read/).waitFor();
  await unhurt(page);
  await picture(page, "hostile");
  const keys = items.map((item) => [item.pk.S, item.sk.S]);
  const escape = (text) => text.replace(/[\\:]/g, "\\$&");
  for (const [at, [pk, sk]] of keys.entries()) {
    if (at >= MARKUP.length && at % 2 === 1 && pk !== "deep" && pk !== "wide") continue;
    const fragment = new URLSearchParams({ i: `S:${escape(pk)}:S:${escape(sk)}` });
    await page.goto(`${server.endpoint}/_stator/tables/hostile.Table-_../items#${fragment}`);
    const drawer = page.getByRole("complementary", { name: "Item" });
    await drawer.locator("li").nth(1).waitFor();
    if (at % 5 === 0 || pk === "deep" || pk === "wide") {
      await drawer.getByRole("tab", { name: "JSON", exact: true }).click();
      await page.locator("[data-editor] .cm-content").waitFor();
    }
  }
  await unhurt(page);
  assert.deepEqual(await everything(), before);
  await page.done();
});

test("every one of them can be edited, and only what was edited changes", async () => {
  const page = await openPage(server.endpoint);
  await watch(page);
  for (const item of items.filter((_, index) => index % 6 === 0)) {
    const escape = (text) => text.replace(/[\\:]/g, "\\$&");
    await page.goto("about:blank");
    await page.goto(`${server.endpoint}/_stator/tables/hostile.Table-_../items#${new URLSearchParams({ i: `S:${escape(item.pk.S)}:S:${escape(item.sk.S)}` })}`);
    const read = async () => (await call(server.endpoint, "GetItem", { TableName: "hostile.Table-_..", Key: { pk: item.pk, sk: item.sk } })).Item;
    const was = await read();
    const drawer = page.getByRole("complementary", { name: "Item" });
    await drawer.locator("li").nth(1).waitFor();
    await drawer.getByPlaceholder("New attribute").fill(MARKUP[3] + "!");
    await drawer.getByRole("button", { name: "Add", exact: true }).click();
    await drawer.locator("textarea").fill("{\"__proto__\": 1} <b>");
    await page.keyboard.press("Enter");
    await drawer.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const now = await read();
    const expected = Object.fromEntries([...Object.entries(was), [MARKUP[3] + "!", { S: "{\"__proto__\": 1} <b>" }]]);
    const sorted = (value) => JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
    assert.equal(sorted(now), sorted(expected));
    await unhurt(page);
  }
  await page.done();
});

test("hostile addresses and fields are only words", async () => {
  const page = await openPage(server.endpoint);
  await watch(page);
  for (const path of ["tables/%3Cscript%3Ehit()%3C%2Fscript%3E/items", "%00", "%2F..%2F..", "tables/%E0%A4%A/items", "sign-in#next=//evil.example", "sign-in#next=javascript:hit()", "tables#q=%3Cimg%20src=x%20onerror=hit()%3E",
    "tables/hostile.Table-_../items#m=query&pk=S:%3Csvg/onload=hit()%3E&sk=evil:S:x&f=a:evil:S:x", `tables/hostile.Table-_../items#m=scan&f=${"x".repeat(200_000)}`, "tables/hostile.Table-_../items#i=S:x", "#key=nonsense",
    "tables/hostile.Table-_../items#m=scan&or=a:eq:S:%3Cimg%20src=x%20onerror=hit()%3E&or=__proto__:exists:S&f=%5C:eq:S:x", "tables/hostile.Table-_../changes#k=__proto__&q=%3Cscript%3E&i=x", "changes#k=constructor&in=%3Cscript%3E"]) {
    await page.goto("about:blank");
    await page.goto(`${server.endpoint}/_stator/${path}`);
    await page.locator("h1").first().waitFor();
    await unhurt(page);
    assert.ok(page.url().startsWith(server.endpoint));
  }
  await page.goto(`${server.endpoint}/_stator/tables/hostile.Table-_../items`);
  for (const text of MARKUP.slice(0, 6)) {
    await page.getByRole("tab", { name: "Query" }).click();
    await page.getByLabel("Value of pk").fill(text);
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("1 of 1 items read").waitFor();
    await page.getByRole("button", { name: "Code" }).click();
    await page.getByRole("dialog").locator("pre").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump" }).fill(`hostile.Table-_.. ${text}`);
    await page.keyboard.press("Escape");
    await unhurt(page);
  }
  await page.done();
});

test("previews, bytes, kinds and code hold it as words, too", async () => {
  const before = await everything();
  const page = await openPage(server.endpoint);
  await watch(page);
  const text = MARKUP[3];
  await page.goto(`${server.endpoint}/_stator/tables/hostile.Table-_../items#${new URLSearchParams({ m: "query", pk: `S:${text}` })}`);
  await page.getByText("1 of 1 items read").waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("x");
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const dialog = page.getByRole("dialog");
  for (const name of [text, "__proto__", "constructor", "set"]) {
    await dialog.getByPlaceholder("attribute").fill(name);
    await dialog.getByPlaceholder("value").fill(MARKUP[1]);
    await dialog.locator("ins").getByText(MARKUP[1]).first().waitFor();
    await unhurt(page);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("gridcell", { name: text, exact: true }).first().click();
  const drawer = page.getByRole("complementary", { name: "Item" });
  await drawer.getByLabel("Bytes of bytes").click();
  await drawer.getByRole("region", { name: "Bytes of bytes" }).getByText(/<img src/).waitFor();
  await drawer.locator("li[data-path='[\"set\"]']").getByTitle("Edit").click();
  await drawer.getByLabel(`Take ${text} out`).waitFor();
  await unhurt(page);
  await page.goto(`${server.endpoint}/_stator/requests`);
  await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
  await page.locator(".badge").getByText("recording").waitFor(); // Bodies are kept from the first look on.
  await call(server.endpoint, "GetItem", { TableName: "hostile.Table-_..", Key: { pk: { S: text }, sk: { S: text } } });
  await page.getByRole("option", { name: /GetItem\s*hostile/ }).first().click();
  await page.getByRole("complementary", { name: "Request" }).getByRole("tab", { name: "Code" }).click();
  for (const language of ["AWS CLI", "Python", "curl"]) {
    await page.getByRole("complementary", { name: "Request" }).getByRole("tab", { name: language }).click();
    await page.getByRole("complementary", { name: "Request" }).getByText(/onerror=hit/).waitFor();
    await unhurt(page);
  }
  assert.deepEqual(await everything(), before);
  await page.done();
});
