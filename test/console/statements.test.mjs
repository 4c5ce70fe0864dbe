// PartiQL: statements that read, that change, that are wrong, and that somebody else wrote.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, checkAccess, closeBrowser, makeShop, makeTable, openPage, order, picture, putAll, startServer } from "./fixtures.mjs";

let server;
before(async () => { server = await startServer("--memory"); await makeShop(server.endpoint); });
after(async () => { await closeBrowser(); await server.end(); });

const open = async (table, statement = null) => {
  const page = await openPage(server.endpoint);
  await page.addInitScript(() => { window.hits = 0; window.hit = () => { window.hits += 1; }; });
  await page.goto(`${server.endpoint}/_stator/tables/${table}/items${statement === null ? "" : `#${new URLSearchParams({ m: "partiql", s: statement })}`}`);
  return page;
};
const editor = (page) => page.getByRole("textbox", { name: "Statement" });
const write = async (page, statement) => {
  await editor(page).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(statement);
};
const rows = (page, number) => page.locator(".cost").getByText(new RegExp(`^${number} items$`)).waitFor();
const run = (page) => page.getByRole("button", { name: "Run" }).click();
const count = async (table) => (await call(server.endpoint, "Scan", { TableName: table, Select: "COUNT", ConsistentRead: true })).Count;

test("a statement is written with completion, runs by keys alone, and says what it cost", async () => {
  const page = await open("shop");
  await page.getByText("102 of 102 items read").waitFor();
  await page.getByRole("tab", { name: "Query" }).click();
  await page.getByLabel("Value of pk").fill("CUSTOMER#4711");
  await page.getByRole("tab", { name: "PartiQL" }).click();
  await editor(page).getByText(`WHERE "pk" = 'CUSTOMER#4711'`).waitFor();
  await page.keyboard.press("Tab");
  await editor(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" AND tot");
  await page.getByRole("option", { name: "total" }).waitFor();
  await checkAccess(page, "completion");
  await picture(page, "partiql-completion");
  await page.getByRole("option", { name: "total" }).click();
  await editor(page).getByText('AND "total"').waitFor();
  await page.keyboard.type(" > 40");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
  await rows(page, 12);
  await page.getByText(/read units/).waitFor();
  assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("s"), `SELECT * FROM "shop"\nWHERE "pk" = 'CUSTOMER#4711' AND "total" > 40`);
  await checkAccess(page, "a statement and its rows");
  await picture(page, "partiql");
  await page.reload();
  await rows(page, 12);
  await page.getByRole("gridcell", { name: "ORDER#2026-11-03#90030" }).click();
  await page.getByRole("complementary", { name: "Item" }).getByText("Lyon").waitFor();
  await page.done();
});

test("the code of a statement is a program in each language", async () => {
  const page = await open("shop", `SELECT sk FROM "shop" WHERE pk = 'CUSTOMER#4711'`);
  await rows(page, 42);
  await page.getByRole("button", { name: "Code" }).click();
  const dialog = page.getByRole("dialog", { name: "This query as code" });
  for (const [language, pattern] of [["Python", /execute_statement/], ["JavaScript", /ExecuteStatementCommand/], ["C++", /stator::ExecuteStatementInput/], ["AWS CLI", /aws dynamodb execute-statement/]]) {
    await dialog.getByRole("tab", { name: language }).click();
    assert.match(await dialog.locator("pre").innerText(), pattern);
    assert.match(await dialog.locator("pre").innerText(), /CUSTOMER#4711/);
  }
  await page.done();
});

test("rows that are no whole items are neither edited nor marked; with their key they open", async () => {
  const page = await open("shop", `SELECT address.city, sk FROM "shop" WHERE pk = 'CUSTOMER#4711'`);
  await rows(page, 42);
  assert.equal(await page.getByLabel("Mark row 1", { exact: true }).isDisabled(), true);
  assert.equal(await page.getByRole("columnheader", { name: "pk" }).count(), 0);
  await page.getByRole("gridcell", { name: "Lyon" }).first().dblclick();
  await page.getByText("Select pk and sk as well.").waitFor();
  assert.equal(await page.getByLabel("New value").count(), 0);
  await write(page, `SELECT pk, sk, address.city FROM "shop" WHERE pk = 'CUSTOMER#4711'`);
  await run(page);
  await page.getByRole("columnheader", { name: "pk" }).waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Item" }).getByText("12 rue des Tables Claudiennes").waitFor();
  await page.done();
});

test("pages are read to the end by their tokens", async () => {
  await makeTable(server.endpoint, "large", { stream: false });
  await putAll(server.endpoint, "large", Array.from({ length: 25 }, (_, number) => ({ pk: { S: "p" }, sk: { S: String(number).padStart(2, "0") }, text: { S: "x".repeat(100_000) } })));
  const page = await open("large", "SELECT pk, sk FROM large WHERE pk = 'p'");
  await rows(page, 25);
  await page.getByText(/\d pages/).waitFor();
  assert.equal(await page.getByRole("button", { name: "Go on" }).count(), 0);
  await page.done();
});

test("what cannot be read is marked at its place", async () => {
  const page = await open("shop", `SELECT * FROM "shop" -- 😀\nWHERE pk = 'é😀' AND strange(pk)`);
  await page.getByText("ValidationException").waitFor();
  await page.getByText("Unrecognized function: strange").waitFor();
  await page.getByText("It is about line 2, column 21.").waitFor();
  assert.equal(await page.locator("[data-editor] .cm-fault").innerText(), "strange");
  await checkAccess(page, "a statement that cannot be read");
  await picture(page, "partiql-fault");
  await write(page, `SELECT * FROM "shop" WHERE pk = 'CUSTOMER#4711'`);
  assert.equal(await page.locator("[data-editor] .cm-fault").count(), 0);
  await run(page);
  await rows(page, 42);
  await write(page, `SELECT * FRM "shop"`);
  await run(page);
  await page.getByText("Expected FROM after SELECT list").waitFor();
  await write(page, " ");
  await run(page);
  await page.getByText("The statement is missing.").waitFor();
  await write(page, "SELECT * FROM nowhere");
  await run(page);
  await page.getByText("ResourceNotFoundException").waitFor();
  await page.done();
});

test("a statement about another table goes there", async () => {
  const page = await open("shop", "SELECT * FROM carts");
  await page.getByRole("heading", { name: "carts" }).waitFor();
  await rows(page, 12);
  await write(page, `SELECT * FROM "shop"."by_status" WHERE status = 'paid'`);
  await run(page);
  await page.getByRole("heading", { name: "shop" }).waitFor();
  await rows(page, "[1-9]\\d*");
  await page.done();
});

test("what changes something asks first, each time, and an address alone runs nothing", async () => {
  await makeTable(server.endpoint, "written", { sort: false, stream: false });
  const insert = `INSERT INTO "written" VALUE {'pk': '<img src=x onerror=hit()>', 'n': 9007199254740993}`;
  const page = await open("written", insert);
  await editor(page).getByText("INSERT").waitFor();
  await page.getByText("INSERT changes an item, and asks first.").waitFor();
  await page.getByText("Nothing was asked yet.").waitFor();
  assert.equal(await count("written"), 0);
  await run(page);
  const asked = page.getByRole("dialog", { name: "Run this statement?" });
  await asked.getByText("hit()").waitFor();
  await checkAccess(page, "a statement that asks");
  await page.keyboard.press("Enter");
  await asked.waitFor({ state: "detached" });
  assert.equal(await count("written"), 0);
  await run(page);
  await asked.getByRole("button", { name: "Run" }).click();
  await page.getByText("Done.").waitFor();
  await page.getByText(/write units/).waitFor();
  assert.equal((await call(server.endpoint, "Scan", { TableName: "written" })).Items[0].n.N, "9007199254740993");
  await page.reload();
  await page.getByText("Nothing was asked yet.").waitFor();
  await run(page);
  await asked.getByRole("button", { name: "Run" }).click();
  await page.getByText("DuplicateItemException").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await asked.getByRole("button", { name: "Cancel" }).click();
  await write(page, `UPDATE "written" SET n = n + 1 WHERE pk = '<img src=x onerror=hit()>' RETURNING ALL NEW *`);
  await run(page);
  await asked.getByRole("button", { name: "Run" }).click();
  await page.getByRole("gridcell", { name: "9007199254740994" }).waitFor();
  await write(page, `-- select\n/* select */ DELETE FROM "written" WHERE pk = '<img src=x onerror=hit()>'`);
  await run(page);
  await asked.getByRole("button", { name: "Run" }).click();
  await page.getByText("The statement answered with no items.").waitFor();
  assert.equal(await count("written"), 0);
  await page.goBack();
  await page.getByText("Nothing was asked yet.").waitFor();
  assert.equal(await count("written"), 0);
  assert.equal(await page.evaluate(() => window.hits), 0);
  await page.done();
});

test("hostile names are completed with their quotes, and are only words", async () => {
  await makeTable(server.endpoint, "names.of-all_kinds", { stream: false });
  const names = ['a"b', "<img src=x onerror=hit()>", "select", "__proto__", "'; DELETE"];
  await putAll(server.endpoint, "names.of-all_kinds", [{ pk: { S: "p" }, sk: { S: "'s" }, ...Object.fromEntries(names.map((name) => [name, { S: name }])) }]);
  const page = await open("names.of-all_kinds", `SELECT * FROM "names.of-all_kinds" WHERE pk = 'p' AND sk = '''s'`);
  await rows(page, 1);
  await editor(page).focus();
  for (const [typed, label, whole] of [['"a', '"a""b"', '"a""b"'], ["imgsrc", "<img src=x onerror=hit()>", '"<img src=x onerror=hit()>"'], ['"sel', '"select"', '"select"']]) {
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" AND ");
    await page.keyboard.type(typed.replace("imgsrc", "img"));
    // A list that is drawn anew between looking and clicking closes without a choice: it is asked for again.
    for (let attempt = 0, chosen = false; !chosen && attempt < 5; attempt += 1) {
      if (attempt > 0) await page.keyboard.press("Control+Space");
      await page.getByRole("option").filter({ hasText: label }).first().click();
      chosen = await editor(page).getByText(`AND ${whole}`).waitFor({ timeout: 10_000 }).then(() => true, () => false);
    }
    await page.keyboard.type(" = '");
    await page.keyboard.type((label.startsWith('"') ? label.slice(1, -1).replaceAll('""', '"') : label).replaceAll("'", "''"));
    await page.keyboard.type("'");
    await editor(page).getByText(`AND ${whole} =`).waitFor();
  }
  await page.keyboard.press("Control+Enter");
  await rows(page, 1);
  assert.equal(await page.evaluate(() => window.hits), 0);
  await page.done();
});
