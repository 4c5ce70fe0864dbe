// What was: versions of an item, differences, the way back; a table as of a moment.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, checkAccess, closeBrowser, makeTable, openPage, picture, startServer, temporaryFolder } from "./fixtures.mjs";

const HOSTILE = "<img src=x onerror=hit()>";
const key = (sk) => ({ pk: { S: "CUSTOMER#1" }, sk: { S: sk } });
const keyAddress = (sk) => `S:CUSTOMER#1:S:${sk}`;
const items = (fragment, table = "orders") => `tables/${table}/items#${new URLSearchParams(fragment)}`;

async function recover(endpoint, table) {
  await call(endpoint, "UpdateContinuousBackups", { TableName: table, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
}

const pause = () => new Promise((resolve) => { setTimeout(resolve, 5); });

// An order that was made, paid, changed to something hostile, deleted, and made again; another one that only is.
async function prepare(endpoint) {
  await makeTable(endpoint, "orders", { index: true });
  await makeTable(endpoint, "plain");
  await call(endpoint, "PutItem", { TableName: "plain", Item: key("x") });
  await call(endpoint, "PutItem", { TableName: "orders", Item: { ...key("old"), status: { S: "paid" } } });
  await recover(endpoint, "orders");
  const put = async (item) => { await call(endpoint, "PutItem", { TableName: "orders", Item: { ...key("o1"), ...item } }); await pause(); };
  await put({ status: { S: "new" }, total: { N: "9007199254740993" } });
  await put({ status: { S: "paid" }, total: { N: "9007199254740993" }, tags: { SS: ["gift"] } });
  await put({ status: { S: "paid" }, total: { N: "9007199254740993" }, [HOSTILE]: { S: HOSTILE } });
  const moment = new Date().toISOString();
  await pause();
  await call(endpoint, "DeleteItem", { TableName: "orders", Key: key("o1") });
  await pause();
  await put({ status: { S: "again" }, total: { N: "1" } });
  for (let number = 0; number < 60; number += 1) await call(endpoint, "PutItem", { TableName: "orders", Item: { ...key("often"), count: { N: String(number) } } });
  return moment;
}

let server;
let moment;
before(async () => { server = await startServer("--memory"); moment = await prepare(server.endpoint); });
after(async () => { await closeBrowser(); await server.end(); });

const open = async (path, options = {}, endpoint = server.endpoint) => {
  const page = await openPage(endpoint, options);
  await page.addInitScript(() => { window.hits = 0; window.hit = () => { window.hits += 1; }; });
  await page.goto(`${endpoint}/_stator/${path}`);
  return page;
};
const drawer = (page) => page.getByRole("complementary", { name: "Item" });
const versions = (page) => drawer(page).locator(".versions li");
const stored = async (sk, endpoint = server.endpoint) => (await call(endpoint, "GetItem", { TableName: "orders", Key: key(sk), ConsistentRead: true })).Item;

test("the versions of an item, newest first, with what changed, and any two compared", async () => {
  const page = await open(items({ m: "query", pk: "S:CUSTOMER#1", i: keyAddress("o1") }));
  await drawer(page).getByRole("tab", { name: "History" }).click();
  await versions(page).nth(5).waitFor();
  const words = (await versions(page).locator("button").allInnerTexts()).join("|");
  assert.equal(words, "made|deleted|changed|changed|made|not there before");
  assert.match(page.url(), /t=history/);
  await versions(page).nth(2).getByRole("button").click();
  const difference = drawer(page).getByRole("region", { name: "Difference" });
  await difference.getByText(HOSTILE).first().waitFor();
  assert.match(await difference.innerText(), /−\s*tags\s*gift/);
  await difference.getByLabel("Compared with").selectOption({ label: "what it is now" });
  await difference.getByText("again", { exact: true }).waitFor();
  await checkAccess(page, "history of an item");
  await picture(page, "history");
  await page.reload();
  await versions(page).nth(5).waitFor();
  assert.equal(await page.evaluate(() => window.hits), 0);
  await page.done();
});

test("a version is restored after a preview, undone, and never over a change in between", async () => {
  const page = await open(items({ i: keyAddress("o1"), t: "history" }));
  await versions(page).nth(3).getByRole("button").click();
  await drawer(page).getByRole("button", { name: "Restore this" }).click();
  const asked = page.getByRole("dialog", { name: "Restore this version?" });
  await asked.getByText("9007199254740993").waitFor();
  await checkAccess(page, "restoring");
  await picture(page, "history-restore");
  await page.keyboard.press("Enter"); // the harmless button has the focus
  await asked.waitFor({ state: "detached" });
  assert.equal((await stored("o1")).status.S, "again");
  await drawer(page).getByRole("button", { name: "Restore this" }).click();
  await asked.getByRole("button", { name: "Restore" }).click();
  await page.getByText("Restored.").waitFor();
  const restored = await stored("o1");
  assert.deepEqual([restored.status.S, restored.total.N, restored.tags.SS], ["paid", "9007199254740993", ["gift"]]);
  await versions(page).nth(6).waitFor(); // one more
  await page.getByRole("button", { name: "Undo" }).click();
  await versions(page).nth(7).waitFor();
  assert.equal((await stored("o1")).status.S, "again");
  // Somebody is faster.
  await call(server.endpoint, "UpdateItem", { TableName: "orders", Key: key("o1"), UpdateExpression: "SET #s = :s", ExpressionAttributeNames: { "#s": "status" }, ExpressionAttributeValues: { ":s": { S: "theirs" } } });
  await versions(page).nth(5).getByRole("button").click();
  await drawer(page).getByRole("button", { name: "Restore this" }).click();
  await asked.getByRole("button", { name: "Restore" }).click();
  await page.getByText(/Somebody changed this item in between/).waitFor();
  assert.equal((await stored("o1")).status.S, "theirs");
  // To a moment at which it was not there.
  await versions(page).filter({ hasText: "deleted" }).first().getByRole("button").click();
  await drawer(page).getByRole("button", { name: "Restore this" }).click();
  await page.getByRole("dialog", { name: "Delete the item, as it was then?" }).getByRole("button", { name: "Restore" }).click();
  await page.getByText("Restored.").waitFor();
  assert.equal(await stored("o1"), undefined);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("This item is not there any more").waitFor({ state: "detached" });
  assert.equal((await stored("o1")).status.S, "theirs");
  await page.done();
});

test("many versions come page by page, and what began before recovery says so", async () => {
  const page = await open(items({ i: keyAddress("often"), t: "history" }));
  await versions(page).nth(49).waitFor();
  assert.equal(await versions(page).count(), 50);
  await drawer(page).getByRole("button", { name: "Older ones" }).click();
  await versions(page).nth(60).waitFor();
  assert.equal(await versions(page).last().getByRole("button").innerText(), "not there before");
  await page.goto("about:blank");
  await page.goto(`${server.endpoint}/_stator/${items({ i: keyAddress("old"), t: "history" })}`);
  await versions(page).getByRole("button", { name: "as it was when recovery began" }).waitFor();
  await page.goto("about:blank");
  await page.goto(`${server.endpoint}/_stator/${items({ i: keyAddress("x"), t: "history" }, "plain")}`);
  await drawer(page).getByText("What items were is kept from when recovery is on.").waitFor();
  await drawer(page).getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Recovery to any second" }).waitFor();
  await page.done();
});

test("a table as of a moment: read only, bordered, addressed, and left with one key", async () => {
  const page = await open(items({ m: "scan" }));
  await page.getByText(/3 of 3 items read/).waitFor();
  await page.getByRole("button", { name: "As of" }).click();
  const dialog = page.getByRole("dialog", { name: "As it was" });
  await dialog.getByRole("button", { name: "a minute ago" }).click();
  await checkAccess(page, "choosing a moment");
  await dialog.getByRole("button", { name: "Show" }).click();
  await page.getByText(/must be within/).waitFor(); // recovery is younger
  await page.goto("about:blank");
  await page.goto(`${server.endpoint}/_stator/${items({ m: "query", pk: "S:CUSTOMER#1", at: moment })}`);
  await page.getByText(/^As it was at/).waitFor();
  await page.getByText("2 of 2 items read").waitFor();
  await page.getByRole("row").filter({ hasText: "o1" }).getByRole("gridcell").nth(1).click();
  await page.keyboard.press("Enter");
  await drawer(page).getByText(HOSTILE).first().waitFor();
  assert.equal(await drawer(page).getByRole("button", { name: "Save" }).count(), 0);
  assert.equal(await drawer(page).getByRole("button", { name: "Delete" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "New item" }).isDisabled(), true);
  await checkAccess(page, "a moment of the past");
  await picture(page, "as-of");
  for (const pressed of ["Escape", "b"]) await page.keyboard.press(pressed);
  await page.getByText("3 of 3 items read").waitFor();
  assert.doesNotMatch(page.url(), /at=/);
  // What has no past says so, and an address that is none as well.
  for (const [fragment, said] of [[{ m: "scan", on: "by_status", at: moment }, /An index has no history/], [{ m: "partiql", s: "SELECT * FROM orders", at: moment }, /Statements read the present/], [{ m: "scan", at: "<script>hit()</script>" }, /is no moment/]]) {
    await page.goto("about:blank");
    await page.goto(`${server.endpoint}/_stator/${items(fragment)}`);
    await page.getByRole("alert").getByText(said).waitFor();
  }
  assert.equal(await page.evaluate(() => window.hits), 0);
  await page.done();
});

test("a change leads to the history of its item; on a phone, in light", async () => {
  const page = await open("changes#in=orders");
  await page.getByText("Nothing has changed").waitFor();
  await call(server.endpoint, "PutItem", { TableName: "orders", Item: { ...key("seen"), count: { N: "1" } } });
  await page.getByRole("option", { name: /seen/ }).first().click();
  await page.getByRole("complementary", { name: "Change" }).getByRole("link", { name: "History" }).click();
  await versions(page).first().waitFor();
  await page.done();
  const phone = await open(items({ i: keyAddress("o1"), t: "history" }), { viewport: { width: 360, height: 760 }, colorScheme: "light" });
  await versions(phone).first().waitFor();
  await checkAccess(phone, "history on a phone");
  await picture(phone, "history-phone");
  await phone.done();
});

test("in files and with credentials: for whom may read the item, and nobody waits", async () => {
  const folder = temporaryFolder();
  const first = await startServer("--data", `${folder.path}/data`);
  await prepare(first.endpoint);
  await first.end();
  const policies = { reader: ["dynamodb:List*", "dynamodb:Describe*", "dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan"], lister: ["dynamodb:List*", "dynamodb:Describe*", "dynamodb:Scan"] };
  for (const [name, Action] of Object.entries(policies)) folder.write(`${name}.json`, JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] }));
  folder.write("credentials", Object.keys(policies).map((name) => `[${name}]\naws_access_key_id = AK${name.toUpperCase()}\naws_secret_access_key = secret-${name}\nstator_policy = ${name}.json\n`).join("\n"));
  const guarded = await startServer("--data", `${folder.path}/data`, "--credentials", `${folder.path}/credentials`);
  for (const name of Object.keys(policies)) {
    const page = await open(items({ i: keyAddress("o1"), t: "history" }), {}, guarded.endpoint);
    await page.getByLabel("Access key").fill(`AK${name.toUpperCase()}`);
    await page.getByLabel("Secret").fill(`secret-${name}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    if (name === "lister") {
      await drawer(page).getByText(/dynamodb:GetItem/).first().waitFor();
      await page.done();
      continue;
    }
    await versions(page).nth(5).waitFor();
    await versions(page).nth(3).getByRole("button").click();
    await drawer(page).getByRole("button", { name: "Restore this" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await page.getByText(/dynamodb:UpdateItem/).waitFor();
    await page.done();
  }
  const refused = await fetch(`${guarded.endpoint}/_stator/api/item-history`, { method: "POST", headers: { "content-type": "application/json", "x-stator-console": "1" }, body: JSON.stringify({ table: "orders", key: key("o1") }) });
  assert.equal(refused.status, 401);
  await guarded.end();
  folder.remove();
  assert.match(await (await fetch(`${server.endpoint}/metrics`)).text(), /^stator_io_thread_waits_total 0$/m);
});
