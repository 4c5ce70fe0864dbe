// Sessions: listed, their steps as a graph, records, invalidated through their store.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { call, checkAccess, closeBrowser, openPage, picture, startServer, temporaryFolder } from "./fixtures.mjs";
import { meta, now, record } from "./stores.mjs";

const PROGRAM = process.env.STATOR_PROGRAM ?? "build/stator";
const HOSTILE = "<img src=x onerror=hit()>";
const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const status = (word) => ({ status: { S: word } });
const ITEMS = [
  meta(ID, "m.okafor", { epochs: { enhancement: 2, grouping: 1 } }),
  record(ID, "TRIAGE#triage-1", "triage", status("complete")),
  record(ID, "SELECTION#sel-1", "selection", status("complete")),
  record(ID, "ENHANCE#enh-1", "enhancement", { epoch: 1, ...status("complete") }),
  record(ID, "ENHANCE#enh-2", "enhancement", {
    epoch: 2, ...status("processing"), totalCount: { N: "3" }, completedCount: { N: "2" }, lease_owner: { S: "w-3" }, lease_until: { N: String(Date.now() + 3600_000) },
    pending: { SS: ["c.jpg"] }, results: { M: { "a.jpg": { M: { key: { S: "a.jpg" }, phase: { S: "complete" } } }, "b.jpg": { M: { key: { S: "b.jpg" }, phase: { S: "error" }, error: { S: HOSTILE } } } } },
  }),
  record(ID, "GROUP#g1", "group", { epoch: 1, name: { S: "Beach" } }),
  record(ID, "DESC#desc-1", "description", { ...status("error"), error: { S: "the model is away" } }),
  record(ID, "OTHER#x", "other"),
  record(ID, "FILE#f1", "file"),
  meta("1f8fad5b-d9cb-469f-a165-70867728950e", HOSTILE),
  record("1f8fad5b-d9cb-469f-a165-70867728950e", `GROUP#${HOSTILE}`, "group", { name: { S: HOSTILE } }),
  meta("2f8fad5b-d9cb-469f-a165-70867728950e", "gone", { expires: now() - 10 }),
];
const WORKFLOW = JSON.stringify({
  name: "print", steps: [{ name: "layout" }, { name: "cover" }, { name: "bind", after: ["layout", "cover"] }],
  kinds: [{ name: "layout", prefix: "LAYOUT#", step: "layout", machine: { initial: ["open"], changes: [{ from: "open", to: "done" }], working: "open", done: "done" } }, { name: "binding", prefix: "BIND#", step: "bind" }],
});
const PRINT = [meta("p-1", "ann"), record("p-1", "LAYOUT#l1", "layout", status("open")), record("p-1", "BIND#b1", "binding")];

const folder = temporaryFolder();
folder.write("print.json", WORKFLOW);
let server;
const prepare = async (endpoint) => {
  execFileSync(PROGRAM, ["tables", "create", "--for", "sessions", "--data", endpoint, "--no-deletion-protection"], { env: { ...process.env, AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any" } });
  for (const Item of [...ITEMS, ...PRINT]) await call(endpoint, "PutItem", { TableName: "sessions", Item });
};
before(async () => { server = await startServer("--memory", "--workflow", `${folder.path}/print.json`); await prepare(server.endpoint); });
after(async () => { await closeBrowser(); await server.end(); folder.remove(); });

const open = async (fragment, options = {}, endpoint = server.endpoint) => {
  const page = await openPage(endpoint, options);
  await page.addInitScript(() => { window.hits = 0; window.hit = () => { window.hits += 1; }; });
  await page.goto(`${endpoint}/_stator/sessions#${new URLSearchParams(fragment)}`);
  return page;
};
const drawer = (page) => page.getByRole("complementary", { name: "Record" });
const step = (page, name) => page.getByRole("group", { name: "Steps" }).getByRole("button", { name: new RegExp(`^${name}( |$)`) });
const keysOf = async (id, endpoint = server.endpoint) => (await call(endpoint, "Query", { TableName: "sessions", KeyConditionExpression: "PK = :pk", ExpressionAttributeValues: { ":pk": { S: `SESSION#${id}` } }, ConsistentRead: true })).Items.map((item) => item.SK.S);

test("sessions are listed with their owners and steps, without those that have expired", async () => {
  const page = await openPage(server.endpoint);
  await page.goto(`${server.endpoint}/_stator/tables`);
  await page.getByRole("navigation", { name: "Views", exact: true }).getByRole("link", { name: "Sessions" }).click();
  const row = page.getByRole("option", { name: /m\.okafor/ });
  await row.waitFor();
  await page.getByText(/^3 sessions of 3, [\d.]+ read units$/).waitFor();
  assert.match(await row.innerText(), /media[\s\S]*triage done, selection done, enhancement working, grouping done, description failed[\s\S]*1 failed/);
  assert.match(await page.getByRole("option", { name: /ann/ }).innerText(), /print/);
  await checkAccess(page, "sessions");
  await picture(page, "sessions");
  await page.getByLabel("Filter sessions").fill("okafor");
  await page.getByText(/^1 session of 3/).waitFor();
  await page.getByRole("listbox", { name: "Sessions" }).focus();
  for (const key of ["Home", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("heading", { name: ID }).waitFor();
  await page.goBack();
  await page.getByText(/^1 session of 3/).waitFor();
  for (const key of ["g", "s"]) await page.keyboard.press(key);
  await page.getByText(/^3 sessions of 3/).waitFor();
  await page.done();
});

test("a session is a graph of steps with epochs; records, those that are stale behind a fold", async () => {
  const page = await open({ i: ID });
  await page.getByText("media, of m.okafor").waitFor();
  await step(page, "enhancement 2 of 3 epoch 2").waitFor();
  for (const words of ["triage complete", "grouping 1 record epoch 1", "description error", "publish not yet"]) await step(page, words).waitFor();
  assert.deepEqual([await page.locator(".node.done").count(), await page.locator(".node.work").count(), await page.locator(".node.fail").count()], [3, 1, 1]);
  await page.getByText("6 records, 1 stale").waitFor();
  await page.getByText(/1 item of kinds that the workflow does not know: OTHER#x/).waitFor();
  assert.equal(await page.getByText("invalidated, epoch 1").count(), 0);
  await page.getByRole("button", { name: "Show 1 stale record" }).click();
  await page.getByRole("cell", { name: "invalidated, epoch 1" }).waitFor();
  await page.getByRole("cell", { name: "the model is away" }).waitFor();
  await page.getByRole("row").filter({ hasText: "enh-2" }).getByRole("button").click();
  await drawer(page).getByText(/^epoch 2, held by w-3 until/).waitFor();
  await drawer(page).getByText("2 of 3, 1 failed").waitFor();
  assert.match((await drawer(page).locator(".steps li").allInnerTexts()).join("|").replaceAll("\n", " "), /^b\.jpg failed.*\|c\.jpg pending\|a\.jpg done/);
  await checkAccess(page, "a session");
  await picture(page, "session");
  await drawer(page).getByRole("tab", { name: "Record" }).click();
  await drawer(page).getByText('"totalCount": 3').waitFor();
  // A step alone, by keyboard; the address keeps it.
  await step(page, "description").focus();
  await page.keyboard.press("Enter");
  await page.getByText("1 record, of description").waitFor();
  assert.match(page.url(), /step=description/);
  await page.reload();
  await page.getByText("1 record, of description").waitFor();
  await page.goto(`${server.endpoint}/_stator/sessions#${new URLSearchParams({ i: ID, r: "ENHANCE#enh-2" })}`);
  await drawer(page).getByRole("link", { name: "Open item" }).click();
  await page.getByRole("complementary", { name: "Item" }).getByText("SESSION#").first().waitFor();
  assert.equal(await page.evaluate(() => window.hits), 0);
  await page.done();
});

test("invalidating shows what goes, asks, and is done by the store", async () => {
  const page = await open({ i: ID, step: "enhancement" });
  await page.getByText("1 record, 1 stale, of enhancement").waitFor();
  await page.getByRole("button", { name: "Invalidate" }).click();
  const dialog = page.getByRole("dialog", { name: "Invalidate what was made" });
  await dialog.getByText("enhancement, grouping, download, description, publish").waitFor();
  await dialog.getByText("3 records will not be there for anybody:").waitFor();
  await dialog.getByText("w-3 still works").waitFor();
  await dialog.getByLabel("How far").selectOption("after");
  await dialog.getByText("2 records will not be there for anybody:").waitFor();
  await dialog.getByLabel("How far").selectOption("from");
  await checkAccess(page, "invalidating");
  await picture(page, "session-invalidate");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal((await keysOf(ID)).length, 9);
  await page.getByRole("button", { name: "Invalidate" }).click();
  await dialog.getByRole("button", { name: "Invalidate" }).click();
  await page.getByText(/^Invalidated enhancement, grouping, download, description, publish; removed \d items/).waitFor();
  assert.deepEqual(await keysOf(ID), ["FILE#f1", "META", "OTHER#x", "SELECTION#sel-1", "TRIAGE#triage-1"]);
  await step(page, "enhancement not yet epoch 3").waitFor();
  await page.goto(`${server.endpoint}/_stator/sessions#i=p-1`);
  await page.getByText("print, of ann").waitFor();
  await step(page, "layout open").waitFor();
  await page.getByRole("button", { name: "Invalidate" }).click();
  await dialog.getByLabel("Step").selectOption("bind");
  await dialog.getByLabel("How far").selectOption("after");
  await dialog.getByText("Nothing depends on it.").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Invalidate" }).isDisabled(), true);
  await dialog.getByLabel("How far").selectOption("from");
  await dialog.getByRole("button", { name: "Invalidate" }).click();
  await page.getByText("Invalidated bind; removed 1 item.").waitFor();
  assert.match(await (await fetch(`${server.endpoint}/metrics`)).text(), /^stator_io_thread_waits_total 0$/m);
  await page.done();
});

test("hostile ids and owners are only words; what is not there says so", async () => {
  const page = await open({ i: "1f8fad5b-d9cb-469f-a165-70867728950e", r: `GROUP#${HOSTILE}` });
  await drawer(page).getByText(HOSTILE).first().waitFor();
  for (const fragment of [{ i: "nobody" }, { i: HOSTILE }, { i: "%00" }]) {
    await page.goto("about:blank");
    await page.goto(`${server.endpoint}/_stator/sessions#${new URLSearchParams(fragment)}`);
    await page.getByText("There is no such session any more.").waitFor();
  }
  await page.goto("about:blank");
  await page.goto(`${server.endpoint}/_stator/sessions#${new URLSearchParams({ i: ID, w: "__proto__", step: "constructor", r: "toString" })}`);
  await page.getByText("constructor has no records yet.").waitFor();
  assert.equal(await page.evaluate(() => window.hits), 0);
  const url = `${server.endpoint}/_stator/api/sessions/invalidate`;
  const body = JSON.stringify({ table: "sessions", workflow: "print", session: "p-1", from: "layout" });
  assert.equal((await fetch(url, { method: "POST", headers: { "content-type": "text/plain" }, body })).status, 400);
  assert.equal((await fetch(url, { method: "POST", headers: { "content-type": "application/json", "x-stator-console": "1", origin: "http://evil.example" }, body })).status, 403);
  assert.equal((await keysOf("p-1")).includes("LAYOUT#l1"), true);
  await page.done();
});

test("policies hold, and files say what is wrong with them", async () => {
  const first = await startServer("--data", `${folder.path}/data`);
  await prepare(first.endpoint);
  await first.end();
  const reads = ["dynamodb:List*", "dynamodb:Describe*", "dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:Scan"];
  const policies = { stranger: reads, viewer: [...reads, "stator:ReadSessions"], clerk: [...reads, "stator:ReadSessions", "stator:ChangeSessions"] };
  for (const [name, Action] of Object.entries(policies)) folder.write(`${name}.json`, JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] }));
  folder.write("credentials", Object.keys(policies).map((name) => `[${name}]\naws_access_key_id = AK${name.toUpperCase()}\naws_secret_access_key = secret-${name}\nstator_policy = ${name}.json\n`).join("\n"));
  const guarded = await startServer("--data", `${folder.path}/data`, "--credentials", `${folder.path}/credentials`);
  for (const [name, said] of [["stranger", /stator:ReadSessions/], ["viewer", /stator:ChangeSessions/], ["clerk", /dynamodb:UpdateItem/]]) {
    const page = await open({ i: ID }, {}, guarded.endpoint);
    await page.getByLabel("Access key").fill(`AK${name.toUpperCase()}`);
    await page.getByLabel("Secret").fill(`secret-${name}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    if (name !== "stranger") {
      await page.getByRole("button", { name: "Invalidate" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Invalidate" }).click();
    }
    await page.getByText(said).first().waitFor();
    await page.done();
  }
  await guarded.end();
  await assert.rejects(startServer("--memory", "--workflow", `${folder.path}/nothing.json`), /cannot read/);
  folder.write("bad.json", "{");
  await assert.rejects(startServer("--memory", "--workflow", `${folder.path}/bad.json`), /the server ended: stator: /);
  await assert.rejects(startServer("--memory", "--workflow", `${folder.path}/print.json`, "--workflow", `${folder.path}/print.json`), /two workflows are called 'print'/);
});

test("no table of sessions is said; on a phone, in light", async () => {
  const other = await startServer("--memory");
  const page = await open({}, {}, other.endpoint);
  await page.getByText("There is no table of sessions.").waitFor();
  await checkAccess(page, "no sessions");
  await page.done();
  await other.end();
  const phone = await open({}, { viewport: { width: 360, height: 760 }, colorScheme: "light" });
  await phone.getByRole("option", { name: /m\.okafor/ }).waitFor();
  await checkAccess(phone, "sessions on a phone");
  await phone.getByRole("option", { name: /m\.okafor/ }).click();
  await step(phone, "triage complete").waitFor();
  await checkAccess(phone, "a session on a phone");
  await picture(phone, "session-phone");
  await phone.done();
});
