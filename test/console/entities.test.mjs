// Entities: recorded shapes, versions that items have, what is to be migrated.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { call, checkAccess, closeBrowser, openPage, picture, putAll, startServer, temporaryFolder } from "./fixtures.mjs";

const HOSTILE = "<img src=x onerror=hit()>";
const SCHEMA = fileURLToPath(new URL("../../infrastructure/fixtures/order.schema.json", import.meta.url));
const table = (TableName, sort = true) => ({
  TableName, BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: ["pk", ...(sort ? ["sk"] : [])].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, ...(sort ? [{ AttributeName: "sk", KeyType: "RANGE" }] : [])],
});
const stamp = (version) => ({ data_version: { N: String(version) }, rev: { N: "3" }, write_id: { S: "w" }, last_write: { N: "1" } });
const order = (number, version) => ({ pk: { S: "USER#ann" }, sk: { S: String(number).padStart(8, "0") }, customer: { S: "ann" }, day: { S: "2026-11-17" }, number: { N: String(number) }, ...stamp(version) });

const folder = temporaryFolder();
let server;
const prepare = async (endpoint) => {
  for (const input of [table("order"), table("things", false), table("plain")]) await call(endpoint, "CreateTable", input);
  await putAll(endpoint, "order", Array.from({ length: 300 }, (_, number) => order(number, number < 40 ? 1 : 2)));
  await putAll(endpoint, "things", [{ pk: { S: "t#1" }, [HOSTILE]: { S: HOSTILE }, size: { N: "1" }, ...stamp(4) }, { pk: { S: "t#2" }, size: { S: "big" }, ...stamp(5) }]);
  await putAll(endpoint, "plain", [{ pk: { S: "a" }, sk: { S: "b" } }]);
};
before(async () => {
  mkdirSync(`${folder.path}/schemas/history`, { recursive: true });
  copyFileSync(SCHEMA, `${folder.path}/schemas/order.schema.json`);
  copyFileSync(SCHEMA, `${folder.path}/schemas/history/order.v2.schema.json`);
  server = await startServer("--memory", "--schemas", `${folder.path}/schemas`);
  await prepare(server.endpoint);
});
after(async () => { await closeBrowser(); await server.end(); folder.remove(); });

const open = async (path, options = {}, endpoint = server.endpoint) => {
  const page = await openPage(endpoint, options);
  await page.addInitScript(() => { window.hits = 0; window.hit = () => { window.hits += 1; }; });
  await page.goto(`${endpoint}/_stator/${path}`);
  return page;
};

test("entities are listed, recorded or known by their items, with their versions", async () => {
  const page = await open("tables");
  await page.getByRole("navigation", { name: "Views", exact: true }).getByRole("link", { name: "Entities" }).click();
  const row = page.getByRole("row").filter({ hasText: "order" });
  await row.getByText("v1: 20 %, v2: 80 %").waitFor();
  assert.match(await row.innerText(), /at least 40/);
  const seen = page.getByRole("row").filter({ hasText: "things" });
  await seen.getByText("not recorded").waitFor();
  await seen.getByText("v4: 1 item, v5: 1 item").waitFor();
  assert.equal(await page.getByRole("row").filter({ hasText: "plain" }).count(), 0);
  await checkAccess(page, "entities");
  await picture(page, "entities");
  await page.getByLabel("Filter entities").fill("thin");
  await page.getByText("1 entity", { exact: true }).waitFor();
  for (const key of ["Escape", "g", "n"]) await page.keyboard.press(key);
  await page.getByText("2 entities", { exact: true }).waitFor();
  await page.done();
});

test("an entity shows its fields, keys, indexes and what is to be migrated", async () => {
  const page = await open("entities/order");
  await page.getByRole("heading", { name: "order", exact: true }).waitFor();
  await page.getByText("At least 40 items of older versions").waitFor();
  await page.getByRole("button", { name: "Count all" }).click();
  await page.getByText("All 300 items of the table were looked at.").waitFor();
  await page.getByText("v1: 40 items, v2: 260 items").waitFor();
  assert.match((await page.getByRole("row").filter({ hasText: "memo" }).innerText()).replace(/\s+/g, " "), /memo text S optional v2/);
  await page.getByText("USER#{customer}", { exact: true }).waitFor();
  await page.getByText("1 to 2").waitFor();
  await page.getByText(/Retired names: coupon/).waitFor();
  await checkAccess(page, "an entity");
  await picture(page, "entity");
  await page.getByRole("link", { name: "Items of version 1" }).click();
  await page.getByText("40 of 300 items read").waitFor();
  await page.done();
});

test("what nobody recorded is shown as it was seen, hostile names as words", async () => {
  const page = await open("entities/things");
  await page.getByText(HOSTILE).first().waitFor();
  assert.match((await page.getByRole("row").filter({ hasText: "size" }).innerText()).replace(/\s+/g, " "), /size N S N S always v4/);
  for (const name of ["nothing", "%3Cscript%3E", "__proto__"]) {
    await page.goto(`${server.endpoint}/_stator/entities/${name}`);
    await page.getByText(/is not there\./).waitFor();
  }
  assert.equal(await page.evaluate(() => window.hits), 0);
  await page.done();
});

test("items of a version that no step leads from, or of a newer program, are loud", async () => {
  const other = await startServer("--memory", "--schemas", `${folder.path}/schemas`);
  await call(other.endpoint, "CreateTable", table("order"));
  await putAll(other.endpoint, "order", [order(1, 0), order(2, 3), order(3, 2)]);
  const page = await open("entities/order", {}, other.endpoint);
  await page.getByText("No step leads from version 0 to 2").waitFor();
  await page.getByText("1 item of version 3: a newer program wrote them").waitFor();
  await checkAccess(page, "an entity with faults");
  await page.done();
  await other.end();
});

test("policies hold; a folder that is not there is an error; on a phone, in light", async () => {
  const reads = ["dynamodb:List*", "dynamodb:Describe*", "dynamodb:Scan"];
  folder.write("all.json", JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: [...reads, "stator:ReadEntities"], Resource: "*" }] }));
  folder.write("some.json", JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: reads, Resource: "*" }] }));
  folder.write("credentials", ["all", "some"].map((name) => `[${name}]\naws_access_key_id = AK${name.toUpperCase()}\naws_secret_access_key = secret-${name}\nstator_policy = ${name}.json\n`).join("\n"));
  const first = await startServer("--data", `${folder.path}/data`);
  await prepare(first.endpoint);
  await first.end();
  const guarded = await startServer("--data", `${folder.path}/data`, "--schemas", `${folder.path}/schemas`, "--credentials", `${folder.path}/credentials`);
  for (const [name, isRecorded] of [["all", true], ["some", false]]) {
    const page = await open("entities", {}, guarded.endpoint);
    await page.getByLabel("Access key").fill(`AK${name.toUpperCase()}`);
    await page.getByLabel("Secret").fill(`secret-${name}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    const row = page.getByRole("row").filter({ hasText: "order" });
    await row.waitFor();
    assert.equal(await row.getByText("not recorded").count(), isRecorded ? 0 : 1);
    await page.done();
  }
  await guarded.end();
  await assert.rejects(startServer("--memory", "--schemas", `${folder.path}/nothing`), /cannot list .*nothing/);
  const empty = await startServer("--memory");
  const none = await open("entities", {}, empty.endpoint);
  await none.getByText("There are no entities.").waitFor();
  await checkAccess(none, "no entities");
  await none.done();
  await empty.end();
  const phone = await open("entities/order", { viewport: { width: 360, height: 760 }, colorScheme: "light" });
  await phone.getByText("At least 40 items of older versions").waitFor();
  await checkAccess(phone, "an entity on a phone");
  await picture(phone, "entity-phone");
  await phone.goto(`${server.endpoint}/_stator/entities`);
  await phone.getByText("v1: 20 %, v2: 80 %").waitFor();
  await checkAccess(phone, "entities on a phone");
  await phone.done();
});
