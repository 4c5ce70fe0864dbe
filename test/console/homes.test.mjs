// The same page wherever the data are: files that outlive a killed server, behind credentials and their
// policies, and through `stator console LOCATION` on a directory, a server, DynamoDB Local. Each home is walked
// through the features with the page alone; what they do in every detail is in the other files, in memory.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { call, checkAccess, closeBrowser, makeShop, makeTable, openPage, order, picture, startServer, temporaryFolder } from "./fixtures.mjs";
import { SCHEMA, SESSION, makeStores } from "./stores.mjs";

const PROGRAM = process.env.STATOR_PROGRAM ?? "build/stator";
const folder = temporaryFolder();
mkdirSync(`${folder.path}/schemas`);
copyFileSync(SCHEMA, `${folder.path}/schemas/order.schema.json`);
const SCHEMAS = ["--schemas", `${folder.path}/schemas`];
after(async () => { await closeBrowser(); folder.remove(); });

// A child that prints something; `end` stops it.
function start(command, flags, pattern, environment = {}) {
  const child = spawn(command, flags, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } });
  let said = "";
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (bytes) => {
        said += bytes;
        const found = pattern.exec(said);
        if (found) resolve({ found: found[1], end: () => new Promise((done) => { child.on("exit", done); child.kill("SIGTERM"); }) });
      });
    }
    child.on("exit", () => reject(new Error(said)));
  });
}
const startConsole = (location, ...flags) => start(PROGRAM, ["console", location, "--die-with-parent", ...SCHEMAS, ...flags], /console\s+(http\S+)/, { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local", AWS_REGION: "us-east-1" });

// Where the page is, and how somebody comes in.
const plain = (endpoint) => async (path) => {
  const page = await openPage(endpoint);
  await page.goto(`${endpoint}/_stator/${path}`);
  return page;
};
const withKey = (endpoint, name) => async (path) => {
  const page = await plain(endpoint)(path);
  await page.getByLabel("Access key").fill(`AKID${name.toUpperCase()}`);
  await page.getByLabel("Secret").fill(`secret/of+${name}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByTitle("Where this is").waitFor();
  return page;
};
const withAddress = (address) => async (path) => {
  const page = await openPage(new URL(address).origin);
  await page.goto(address);
  await page.getByTitle("Where this is").waitFor();
  assert.ok(!page.url().includes("key="));
  await page.goto(`${new URL(address).origin}/_stator/${path}`);
  return page;
};

const cellOf = (page, row, value) => page.getByRole("row").filter({ hasText: row }).getByRole("gridcell", { name: value, exact: true });
const editCell = async (page, row, was, text) => {
  await cellOf(page, row, was).dblclick();
  await page.getByLabel("New value").fill(text);
  await page.keyboard.press("Enter");
};

async function makeATable(page) {
  await page.getByRole("button", { name: "New table" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New table" });
  await dialog.getByLabel("Name", { exact: true }).fill("made");
  await dialog.getByLabel("Stream of changes").selectOption("NEW_AND_OLD_IMAGES");
  await dialog.getByLabel("Attribute with the time of expiry, or nothing").fill("ends");
  await dialog.getByRole("button", { name: "Make table" }).click();
  await page.getByRole("heading", { name: "made", exact: true }).waitFor();
  await page.getByRole("link", { name: "Definition" }).click();
  for (const [format, pattern] of [["AWS CLI", /aws dynamodb create-table/], ["CloudFormation", /AWS::DynamoDB::Table/], ["Terraform", /aws_dynamodb_table/]]) {
    await page.getByRole("tab", { name: format }).click();
    assert.match(await page.locator("pre").first().innerText(), pattern);
  }
  await page.getByRole("link", { name: "Items" }).click();
  await page.getByText("No items yet.").waitFor();
}

async function importItems(page, name) {
  folder.write("items.csv", `pk,sk,state,total,ends\n${Array.from({ length: 6 }, (_, row) => `${name},${row},new,${row}.50,${Math.floor(Date.now() / 1000) + 200_000}\n`).join("")}`);
  await page.getByRole("button", { name: "Import, export" }).click();
  await page.getByRole("tab", { name: "Import" }).click();
  await page.getByLabel(/^A file/).setInputFiles(`${folder.path}/items.csv`);
  await page.getByText("6 items", { exact: true }).waitFor();
  for (const column of ["total", "ends"]) await page.getByLabel(`Type of ${column}`).selectOption("N");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("Imported 6 items.").waitFor();
  await page.keyboard.press("Escape");
}

async function askFor(page, name) {
  await page.getByRole("tab", { name: "Query" }).click();
  await page.getByLabel("Value of pk").fill(name);
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByLabel("Attribute", { exact: true }).fill("total");
  await page.getByLabel("Operator of total").selectOption("ge");
  await page.getByLabel("Value of total").fill("2");
  await page.keyboard.press("Control+Enter");
  await page.getByText("4 of 6 items read").waitFor();
  await page.getByText(/read units/).waitFor();
  await page.getByRole("gridcell", { name: /^in 2d/ }).first().waitFor();
  await page.getByRole("button", { name: "Code" }).click();
  for (const [language, pattern] of [["Python", /get_paginator\("query"\)/], ["JavaScript", /paginateQuery/], ["C++", /stator::QueryInput/], ["AWS CLI", /aws dynamodb query/]]) {
    await page.getByRole("dialog").getByRole("tab", { name: language }).click();
    assert.match(await page.getByRole("dialog").locator("pre").innerText(), pattern);
  }
  await page.keyboard.press("Escape");
}

async function runStatement(page, origin, name) {
  await page.goto(`${origin}/_stator/tables/made/items#${new URLSearchParams({ m: "partiql", s: `SELECT * FROM "made" WHERE "pk" = '${name}' AND "total" < 2` })}`);
  await page.locator(".cost").getByText("2 items", { exact: true }).waitFor();
  await page.goto(`${origin}/_stator/tables/made/items#m=query&pk=S:${name}`);
  await page.getByText("6 of 6 items read").waitFor();
}

// Two people at the same item: nobody overwrites what the other did.
async function editBoth(page, open, name) {
  const other = await open(`tables/made/items#m=query&pk=S:${name}`);
  await other.getByText("6 of 6 items read").waitFor();
  await editCell(page, "0.5", "new", "mine");
  await page.getByText("state is mine.").waitFor();
  await editCell(other, "0.5", "new", "theirs");
  await other.getByText("Somebody changed this item in between.").waitFor();
  return other;
}

async function changeMany(page) {
  await page.getByRole("grid").focus();
  await page.keyboard.press("x");
  await page.getByText("6 of 6 marked").waitFor();
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByPlaceholder("attribute").fill("state");
  await dialog.getByPlaceholder("value").fill("done");
  await dialog.getByText("mine → done").waitFor();
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByText("Changed 6 items.").waitFor();
}

// On a home that is not Stator's own it asks first, and says where.
async function deleteAndUndo(page, elsewhere) {
  await cellOf(page, "5.5", "done").click();
  const drawer = page.getByRole("complementary", { name: "Item" });
  await drawer.getByRole("button", { name: "Delete" }).click();
  if (elsewhere !== null) {
    const asked = page.getByRole("dialog", { name: "Delete this item?" });
    await asked.getByText(elsewhere).waitFor();
    await asked.getByRole("button", { name: "Delete item" }).click();
  }
  await page.getByText("Deleted the item.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await cellOf(page, "5.5", "done").waitFor();
}

async function exportAll(page, name) {
  await page.getByRole("button", { name: "Import, export" }).click();
  await page.getByLabel("Which items").selectOption("table");
  await page.getByLabel("Format").selectOption("csv");
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export", exact: true }).click()]);
  await file.saveAs(`${folder.path}/${name}.csv`);
  assert.equal(readFileSync(`${folder.path}/${name}.csv`, "utf8").match(/done/g).length, 6);
  await page.keyboard.press("Escape");
}

// Changes, requests and figures, while the other page does something.
async function seeLive(page, other, name) {
  await page.getByRole("link", { name: "Changes" }).first().click();
  await page.getByText("Nothing has changed since this page was opened.").waitFor();
  await other.getByRole("button", { name: "Run" }).click();
  await editCell(other, "3.5", "done", "seen");
  const row = page.getByRole("option", { name: /modify\s*made/ });
  await row.waitFor();
  assert.match(await row.innerText(), /state[\s\S]*done → [\s\S]*seen/);
  await page.getByRole("link", { name: "Requests" }).first().click();
  await page.getByLabel("this page's own").check();
  await page.getByLabel("Filter requests").fill("op:UpdateItem");
  await page.getByRole("option", { name: /UpdateItem/ }).first().waitFor();
  await page.getByRole("link", { name: "Metrics" }).first().click();
  await page.getByText("Requests since the start").waitFor();
  await checkAccess(page, `${name}, metrics`);
}

// What the stores keep is changed by the stores themselves.
async function seeStores(page, origin) {
  await page.goto(`${origin}/_stator/tasks#${new URLSearchParams({ i: "S:alice:S:t-1" })}`);
  const drawer = page.getByRole("complementary", { name: "Task" });
  await drawer.getByText("page 41 of 120").first().waitFor();
  await drawer.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog", { name: "Cancel this task?" }).getByRole("button", { name: "Cancel the task" }).click();
  await drawer.locator(".badge").getByText("cancelled").waitFor();
  await page.goto(`${origin}/_stator/sessions#i=${SESSION}&step=selection`);
  await page.getByText("1 record, of selection").waitFor();
  await page.getByRole("button", { name: "Invalidate" }).click();
  await page.getByRole("dialog", { name: "Invalidate what was made" }).getByRole("button", { name: "Invalidate" }).click();
  await page.getByText(/^Invalidated selection.*; removed 1 item/).waitFor();
}

// The log and its parts, and the entities with their versions, are read from their tables.
async function seeEventsAndEntities(page, origin, name, elsewhere) {
  await page.goto(`${origin}/_stator/events/school`);
  await page.getByText(/^3 events of 3/).waitFor();
  await page.getByLabel("Tag or type").fill("course:c1");
  await page.keyboard.press("Enter");
  await page.getByText(/^2 events of 2/).waitFor();
  await page.getByRole("listbox", { name: "Events" }).getByRole("option").last().click();
  const event = page.getByRole("complementary", { name: "Event" });
  await event.getByText("9007199254740993").waitFor();
  await event.getByText("Subscribed").first().waitFor();
  await checkAccess(page, `${name}, an event`);
  await picture(page, `home-${name}-events`);
  await page.goto(`${origin}/_stator/events/school/tags`);
  await page.getByText("student:s1").waitFor();
  await page.goto(`${origin}/_stator/events/school/projections`);
  await page.getByRole("heading", { name: "Events" }).waitFor();
  await page.goto(`${origin}/_stator/entities`);
  if (elsewhere !== null) await page.getByRole("button", { name: "Look" }).click(); // it says what that reads
  await page.getByRole("link", { name: "order", exact: true }).first().click();
  await page.getByText("v1: 2 items, v2: 3 items").waitFor();
  await checkAccess(page, `${name}, an entity`);
  await page.getByRole("link", { name: "Items of version 1" }).click();
  await page.getByText("2 of 5 items read").waitFor();
}

async function deleteTheTable(page, origin) {
  await page.goto(`${origin}/_stator/tables/made/settings`);
  await page.getByRole("button", { name: "Delete the table" }).click();
  const asked = page.getByRole("dialog", { name: "Delete made?" });
  await asked.getByRole("textbox").fill("made");
  await asked.getByRole("button", { name: "Delete table" }).click();
  await page.getByText("Deleted made.").waitFor();
}

// `between` is what happens to the server in the middle; `elsewhere` is a home that is not Stator's own.
async function walk(name, open, { between = async () => undefined, elsewhere = null } = {}) {
  const page = await open("tables");
  const { origin } = new URL(page.url());
  await page.getByRole("link", { name: "shop", exact: true }).waitFor();
  await checkAccess(page, name);
  await picture(page, `home-${name}`);
  await makeATable(page);
  await importItems(page, name);
  await askFor(page, name);
  await between(page);
  await runStatement(page, origin, name);
  const other = await editBoth(page, open, name);
  await changeMany(page);
  await deleteAndUndo(page, elsewhere);
  await exportAll(page, name);
  await seeLive(page, other, name);
  await seeStores(page, origin);
  await seeEventsAndEntities(page, origin, name, elsewhere);
  await deleteTheTable(page, origin);
  await editCell(await shopOf(page, origin), order(1).sk.S, "shipped", name);
  await page.getByText(`status is ${name}.`).waitFor();
  await other.done();
  await page.done();
}
async function shopOf(page, origin) {
  await page.goto(`${origin}/_stator/tables/shop/items#m=query&pk=S:CUSTOMER%234711`);
  await page.getByText("42 of 42 items read").waitFor();
  return page;
}
const prepare = async (endpoint) => { await makeShop(endpoint); await makeStores(endpoint); };
const statusIn = async (endpoint) => (await call(endpoint, "GetItem", { TableName: "shop", Key: { pk: order(1).pk, sk: order(1).sk } })).Item.status.S;

test("files: a killed server comes back with everything, and the page goes on", async () => {
  const path = `${folder.path}/files`;
  let server = await startServer("--data", path, ...SCHEMAS);
  await prepare(server.endpoint);
  await walk("files", plain(server.endpoint), { between: async (page) => {
    await server.kill();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("The server does not answer. What is shown stays readable.").waitFor();
    await page.getByText("4 of 6 items read").waitFor();
    await cellOf(page, "5.5", "new").waitFor();
    server = await startServer("--data", path, ...SCHEMAS, "--port", new URL(server.endpoint).port);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("The server does not answer. What is shown stays readable.").waitFor({ state: "detached" });
    await page.getByText("4 of 6 items read").waitFor();
    assert.equal(await page.getByText("NoAnswer").count(), 0);
  } });
  assert.equal(await statusIn(server.endpoint), "files");
  await server.end();
});

test("with credentials: everything for the one, what a policy allows for others", async () => {
  const path = `${folder.path}/guarded`;
  const first = await startServer("--data", path);
  await prepare(first.endpoint);
  await makeTable(first.endpoint, "secret", { stream: false });
  await first.end();
  const policy = (name, ...Statement) => folder.write(`${name}.json`, JSON.stringify({ Version: "2012-10-17", Statement }));
  policy("reader", { Effect: "Allow", Action: ["dynamodb:List*", "dynamodb:Describe*", "dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan"], Resource: "*" });
  policy("shop", { Effect: "Allow", Action: "dynamodb:ListTables", Resource: "*" }, { Effect: "Allow", Action: "dynamodb:*", Resource: ["arn:aws:dynamodb:*:*:table/shop", "arn:aws:dynamodb:*:*:table/shop/*"] });
  folder.write("credentials", ["all", "reader", "shop"].map((name) => `[${name}]\naws_access_key_id = AKID${name.toUpperCase()}\naws_secret_access_key = secret/of+${name}\n${name === "all" ? "" : `stator_policy = ${name}.json\n`}`).join("\n"));
  const server = await startServer("--data", path, ...SCHEMAS, "--credentials", `${folder.path}/credentials`);
  await walk("credentials", withKey(server.endpoint, "all"));

  const reader = await withKey(server.endpoint, "reader")("tables/shop/items#m=query&pk=S:CUSTOMER%234711");
  await reader.getByText("42 of 42 items read").waitFor();
  await editCell(reader, order(0).sk.S, "paid", "mine");
  await reader.getByText(/not authorized to perform: dynamodb:UpdateItem/).waitFor();
  await reader.getByRole("link", { name: "Requests" }).first().click();
  await reader.getByText(/stator:ReadRequests/).first().waitFor();
  await reader.done();

  const one = await withKey(server.endpoint, "shop")("tables");
  await one.getByRole("link", { name: "shop", exact: true }).waitFor();
  assert.equal(await one.getByRole("link", { name: "secret", exact: true }).count(), 0);
  await one.goto(`${server.endpoint}/_stator/tables/secret/items`);
  await one.getByText("secret is not there any more.").waitFor();
  await editCell(await shopOf(one, server.endpoint), order(0).sk.S, "paid", "mine");
  await one.getByText("status is mine.").waitFor();
  await one.done();
  await server.end();
});

// Nobody comes in without the key of the address.
async function walkConsole(location, name) {
  const console_ = await startConsole(location);
  const { origin } = new URL(console_.found);
  const stranger = await plain(origin)("");
  await stranger.getByLabel("Access key").waitFor();
  assert.equal((await fetch(`${origin}/_stator/api/home`)).status, 401);
  await stranger.done();
  await walk(name, withAddress(console_.found), { elsewhere: location.startsWith("http") ? location : null });
  await console_.end();
}

test("stator console on a directory", async () => {
  const path = `${folder.path}/data`;
  const server = await startServer("--data", path);
  await prepare(server.endpoint);
  await server.end();
  await walkConsole(path, "directory");
  const again = await startServer("--data", path);
  assert.equal(await statusIn(again.endpoint), "directory");
  await again.end();
});

test("stator console on a server", async () => {
  const server = await startServer("--memory");
  await prepare(server.endpoint);
  await walkConsole(server.endpoint, "server");
  assert.equal(await statusIn(server.endpoint), "server");
  await server.end();
});

test("stator console on DynamoDB Local", async () => {
  const local = await start("python3", [fileURLToPath(new URL("../../tools/dynamodb_local.py", import.meta.url))], /(\d+)/);
  const endpoint = `http://127.0.0.1:${local.found}`;
  const signed = { authorization: "AWS4-HMAC-SHA256 Credential=local/20261116/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0" };
  const unsigned = globalThis.fetch;
  globalThis.fetch = (address, options) => unsigned(address, { ...options, headers: { ...options?.headers, ...signed } });
  try {
    await prepare(endpoint);
  } finally {
    globalThis.fetch = unsigned;
  }
  await walkConsole(endpoint, "local");
  await local.end();
});

test("stator console --read-only changes nothing, whoever asks", async () => {
  const server = await startServer("--memory");
  await prepare(server.endpoint);
  const console_ = await startConsole(server.endpoint, "--read-only");
  const { origin } = new URL(console_.found);
  const page = await withAddress(console_.found)("tables");
  await page.getByRole("link", { name: "shop", exact: true }).waitFor();
  await page.getByText("read only").waitFor();
  assert.ok(await page.getByRole("button", { name: "New table" }).isDisabled());
  await shopOf(page, origin);
  assert.ok(await page.getByRole("button", { name: "New item" }).isDisabled());
  await cellOf(page, order(1).sk.S, "shipped").dblclick();
  const drawer = page.getByRole("complementary", { name: "Item" });
  await drawer.getByText("Lyon").waitFor();
  assert.equal(await page.getByLabel("New value").count() + await drawer.getByRole("button", { name: "Save" }).count() + await drawer.getByRole("button", { name: "Delete" }).count(), 0);
  await checkAccess(page, "read only");
  await page.goto(`${origin}/_stator/tables/shop/items#${new URLSearchParams({ m: "partiql", s: `DELETE FROM "shop" WHERE "pk" = 'CUSTOMER#4711' AND "sk" = '${order(1).sk.S}'` })}`);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("dialog", { name: "Run this statement?" }).getByRole("button", { name: "Run" }).click();
  await page.getByText(/not authorized to perform: dynamodb:PartiQLDelete/).first().waitFor();
  for (const view of ["settings", "indexes"]) {
    await page.goto(`${origin}/_stator/tables/shop/${view}`);
    await page.getByText("Read only: this console was started with --read-only.").waitFor();
    for (const name of ["Turn off", "Delete the table", "Delete all items", "Delete", "Index"]) for (const button of await page.getByRole("button", { name, exact: true }).all()) assert.ok(await button.isDisabled(), name);
    await checkAccess(page, `read only, ${view}`);
  }
  await page.goto(`${origin}/_stator/tasks#${new URLSearchParams({ i: "S:alice:S:t-1" })}`);
  const task = page.getByRole("complementary", { name: "Task" });
  await task.getByText("page 41 of 120").first().waitFor();
  assert.ok(await task.getByRole("button", { name: "Cancel" }).isDisabled());
  await page.goto(`${origin}/_stator/sessions#i=${SESSION}&step=selection`);
  await page.getByText("1 record, of selection").waitFor();
  assert.ok(await page.getByRole("button", { name: "Invalidate" }).isDisabled());
  await page.goto(`${origin}/_stator/requests`);
  await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
  assert.equal(await page.getByText("AccessDenied").count(), 0);
  await page.done();
  assert.equal(await statusIn(server.endpoint), "shipped");
  await console_.end();
  await server.end();
});

test("a mistyped directory is an error, and makes nothing", async () => {
  await assert.rejects(startConsole(`${folder.path}/nothing`), /stator: /);
});
