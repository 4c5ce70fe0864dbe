// Items: asked for, shown, edited, with what somebody else does in between.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import { call, checkAccess, closeBrowser, makeShop, makeTable, openPage, order, picture, putAll, startServer } from "./fixtures.mjs";

let server;
before(async () => { server = await startServer("--memory"); await makeShop(server.endpoint); });
after(async () => { await closeBrowser(); await server.end(); });
// Whatever the test before did to the customer's orders.
beforeEach(async () => {
  const { Items } = await call(server.endpoint, "Query", { TableName: "shop", KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": order(0).pk } });
  for (const { pk, sk } of Items) await call(server.endpoint, "DeleteItem", { TableName: "shop", Key: { pk, sk } });
  await putAll(server.endpoint, "shop", Array.from({ length: 42 }, (_, number) => order(number)));
});

const SHOP = "tables/shop/items";
const PARTITION = `${SHOP}#m=query&pk=S:CUSTOMER%234711`;
const FIRST = "ORDER#2026-11-01#90000";
const open = async (path) => {
  const page = await openPage(server.endpoint);
  await page.goto(`${server.endpoint}/_stator/${path}`);
  return page;
};
const keyOf = (number) => ({ pk: order(number).pk, sk: order(number).sk });
const read = async (number) => (await call(server.endpoint, "GetItem", { TableName: "shop", Key: keyOf(number) })).Item;
const set = (number, name, value) => call(server.endpoint, "UpdateItem", { TableName: "shop", Key: keyOf(number), UpdateExpression: "SET #n = :v", ExpressionAttributeNames: { "#n": name }, ExpressionAttributeValues: { ":v": value } });
const drawer = (page) => page.getByRole("complementary", { name: "Item" });
const openFirst = async (page) => {
  await page.getByRole("gridcell", { name: FIRST }).click();
  await drawer(page).getByText("Lyon").waitFor();
};
// Edits an attribute in the drawer.
const setAttribute = async (page, name, text) => {
  await drawer(page).locator(`li[data-path='["${name}"]'] .tree-value > button`).first().click();
  await drawer(page).getByLabel(`Value of ${name}`).fill(text);
  await page.keyboard.press("Enter");
};

test("a table shows items at once; questions need no syntax and say what they cost", async () => {
  const page = await open(SHOP);
  await page.getByText("102 of 102 items read").waitFor();
  await page.getByRole("tab", { name: "Query" }).click();
  await page.getByLabel("Value of pk").fill("CUSTOMER#4711");
  await page.getByRole("button", { name: "sk" }).click();
  await page.getByLabel("Value of sk").fill("ORDER#2026-11-0");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByLabel("Attribute", { exact: true }).fill("total");
  await page.getByLabel("Operator of total").selectOption("ge");
  await page.getByLabel("Value of total").fill("20");
  await page.keyboard.press("Control+Enter");
  await page.getByText("9 of 18 items read").waitFor();
  await page.getByText(/read units/).waitFor();
  assert.match(decodeURIComponent(page.url()), /m=query&pk=S:CUSTOMER#4711&sk=begins:S:ORDER#2026-11-0&f=total:ge:N:20/);
  await page.getByRole("button", { name: "Code" }).click();
  const dialog = page.getByRole("dialog", { name: "This query as code" });
  for (const [language, pattern] of [["Python", /get_paginator\("query"\)/], ["JavaScript", /paginateQuery/], ["C++", /stator::QueryInput/], ["AWS CLI", /aws dynamodb query/]]) {
    await dialog.getByRole("tab", { name: language }).click();
    assert.match(await dialog.locator("pre").innerText(), pattern);
  }
  await checkAccess(page, "code");
  await page.keyboard.press("Escape");
  await page.getByLabel("Table or index").selectOption("by_status");
  await page.getByLabel("Value of status").fill("paid");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("status = paid").waitFor();
  await page.getByRole("tab", { name: "Scan" }).click();
  await page.getByText(/A query on by_status answers this|Scan: reads all/).waitFor();
  await page.getByLabel("Value of total").fill("many");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("total: This is not a number.").waitFor();
  await page.done();
});

test("columns are sorted and chosen; a key leads to its partition", async () => {
  const page = await open(SHOP);
  await page.getByText("102 of 102 items read").waitFor();
  await page.getByRole("columnheader", { name: "total" }).click();
  await page.getByText("sorted what is loaded").waitFor();
  assert.match(await page.locator(".vrow").first().innerText(), /10\.9/);
  await page.getByRole("button", { name: "Columns" }).click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await dialog.getByLabel("version", { exact: true }).uncheck();
  await checkAccess(page, "columns");
  await dialog.getByRole("button", { name: "Done" }).click();
  assert.equal(await page.getByRole("columnheader", { name: "version" }).count(), 0);
  await page.reload();
  await page.getByText("102 of 102 items read").waitFor();
  assert.equal(await page.getByRole("columnheader", { name: "version" }).count(), 0);
  await page.getByRole("grid").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("p");
  await page.getByText(/^pk = CUSTOMER#/).waitFor();
  await page.done();
});

test("a map is unfolded into columns of its own, sorted, and edited in its item", async () => {
  const page = await open(SHOP);
  await page.getByText("102 of 102 items read").waitFor();
  assert.equal(await page.getByRole("columnheader", { name: "address.city" }).count(), 0);
  await page.getByRole("button", { name: "Columns" }).click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await dialog.getByPlaceholder("Find").fill("address.");
  await dialog.getByLabel("address.city", { exact: true }).check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("columnheader", { name: "address.city" }).click();
  await page.getByText("sorted what is loaded").waitFor();
  const cell = page.locator(".vrow").first().getByRole("gridcell", { name: "Lyon" });
  await picture(page, "items-unfolded");
  await cell.dblclick();
  await page.getByRole("complementary", { name: "Item" }).getByText("12 rue des Tables Claudiennes").waitFor();
  assert.equal(await page.getByLabel("New value").count(), 0);
  await page.reload();
  await page.getByRole("columnheader", { name: "address.city" }).waitFor();
  await page.done();
});

test("one attribute is saved at once and can be undone; several are shown first", async () => {
  const page = await open(PARTITION);
  await openFirst(page);
  await checkAccess(page, "an item");
  await picture(page, "item-dark");
  await setAttribute(page, "status", "refunded");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved.").waitFor();
  assert.equal((await read(0)).status.S, "refunded");
  await page.getByRole("button", { name: "Undo" }).click();
  await drawer(page).locator(`li[data-path='["status"]']`).getByText("paid").waitFor();
  assert.deepEqual(await read(0), { ...order(0), total: { N: "10.9" }, expires_at: (await read(0)).expires_at });
  await setAttribute(page, "status", "cancelled");
  await setAttribute(page, "total", "99999999999999999999999999999999999999");
  await drawer(page).getByRole("button", { name: "Save" }).click();
  const asked = page.getByRole("dialog", { name: "Save these changes?" });
  await asked.getByText("cancelled").waitFor();
  await checkAccess(page, "changes to save");
  await asked.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await read(0)).total.N, "99999999999999999999999999999999999999");
  await call(server.endpoint, "PutItem", { TableName: "shop", Item: order(0) });
  await page.done();
});

test("a change in between is shown and not overwritten", async () => {
  const page = await open(PARTITION);
  await openFirst(page);
  await setAttribute(page, "status", "mine");
  await set(0, "status", { S: "theirs" });
  await drawer(page).getByRole("button", { name: "Save" }).click();
  const conflict = drawer(page).getByRole("alert");
  await conflict.getByText("Changed while you were editing").waitFor();
  assert.deepEqual((await conflict.locator("tbody td").allInnerTexts()).slice(0, 4), ["status", "paid", "theirs", "mine"]);
  assert.equal((await read(0)).status.S, "theirs");
  await checkAccess(page, "a conflict");
  await picture(page, "conflict");
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await page.getByText("Saved.").waitFor();
  assert.equal((await read(0)).status.S, "mine");
  // A change of another attribute is no conflict, and stays.
  await set(0, "version", { N: "8" });
  await setAttribute(page, "status", "paid");
  await drawer(page).getByRole("button", { name: "Save" }).click();
  await drawer(page).locator(`li[data-path='["version"]']`).getByText("8").waitFor();
  assert.equal((await read(0)).status.S, "paid");
  // Deleted in between.
  await setAttribute(page, "status", "late");
  await call(server.endpoint, "DeleteItem", { TableName: "shop", Key: keyOf(0) });
  await drawer(page).getByRole("button", { name: "Save" }).click();
  await drawer(page).getByText("Somebody deleted this item.").waitFor();
  assert.equal(await read(0), undefined);
  await call(server.endpoint, "PutItem", { TableName: "shop", Item: order(0) });
  await page.done();
});

test("cells are edited in place, and a change in between wins there, too", async () => {
  const page = await open(PARTITION);
  const cell = page.getByRole("row").filter({ hasText: "ORDER#2026-11-02#90001" }).getByRole("gridcell", { name: "shipped" });
  await cell.dblclick();
  await page.getByLabel("New value").fill("on its way");
  await page.keyboard.press("Enter");
  await page.getByText("status is on its way.").waitFor();
  assert.equal((await read(1)).status.S, "on its way");
  await page.getByRole("row").filter({ hasText: "ORDER#2026-11-02#90001" }).getByRole("gridcell", { name: "on its way" }).dblclick();
  await set(1, "status", { S: "lost" });
  await page.getByLabel("New value").fill("found");
  await page.keyboard.press("Enter");
  await page.getByText("Somebody changed this item in between.").waitFor();
  assert.equal((await read(1)).status.S, "lost");
  await page.done();
});

test("JSON keeps types; a new item does not replace another; a deleted one comes back", async () => {
  const page = await open(PARTITION);
  await openFirst(page);
  const write = async (change) => {
    const editor = page.locator("[data-editor] .cm-content");
    await editor.waitFor();
    const text = change(await editor.evaluate((element) => element.innerText.replace(/\u00a0/g, " ")));
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  };
  await drawer(page).getByRole("tab", { name: "JSON", exact: true }).click();
  await write((text) => text.replace('"gift"', '"present"'));
  await drawer(page).getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  assert.deepEqual((await read(0)).tags, { SS: ["express", "present"] });
  assert.deepEqual((await read(0)).receipt, order(0).receipt);
  await write(() => '{"pk": "CUSTOMER#4711", ');
  await page.getByText(/line 1/).waitFor();
  assert.ok(await drawer(page).getByRole("button", { name: "Save" }).isDisabled());
  await drawer(page).getByRole("button", { name: "Discard" }).click();
  await drawer(page).getByRole("tab", { name: "DynamoDB JSON" }).click();
  await checkAccess(page, "the editor");
  await picture(page, "item-json");
  await drawer(page).getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted the item.").waitFor();
  assert.equal(await read(0), undefined);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("gridcell", { name: FIRST }).waitFor();
  assert.deepEqual((await read(0)).tags, { SS: ["express", "present"] });
  await page.getByRole("button", { name: "New item" }).click();
  await write(() => '{"pk": "CUSTOMER#4711", "sk": "ORDER#2026-11-02#90001", "status": "new"}');
  await page.getByRole("complementary", { name: "New item" }).getByRole("button", { name: "Save" }).click();
  await page.getByText("Somebody changed this item.").waitFor();
  assert.notEqual((await read(1)).status.S, "new");
  await write(() => '{"pk": "CUSTOMER#4711", "sk": "NEW", "exact": 0.10}');
  await page.getByRole("complementary", { name: "New item" }).getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved the new item.").waitFor();
  const made = await call(server.endpoint, "GetItem", { TableName: "shop", Key: { pk: { S: "CUSTOMER#4711" }, sk: { S: "NEW" } } });
  assert.deepEqual(made.Item.exact, { N: "0.1" });
  await page.done();
});

test("many rows: only those in sight exist, all can be reached", async () => {
  await makeTable(server.endpoint, "many", { stream: false });
  const text = "x".repeat(300);
  await putAll(server.endpoint, "many", Array.from({ length: 16000 }, (_, number) => ({ pk: { S: "one" }, sk: { S: String(number).padStart(6, "0") }, text: { S: text } })));
  const page = await open("tables/many/items#m=query&pk=S:one");
  await page.getByRole("button", { name: "Go on" }).waitFor();
  assert.ok((await page.getByRole("grid").locator("*").count()) < 700);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("16,000 of 16,000 items read").waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await page.getByRole("gridcell", { name: "015999" }).waitFor();
  assert.ok((await page.getByRole("grid").locator("*").count()) < 700);
  await page.keyboard.press("Enter");
  await drawer(page).getByText(text).waitFor();
  await page.done();
});

test("filters are joined with or, by a click and by a key, and the address keeps it", async () => {
  const page = await open("tables/shop/items#m=query&pk=S:CUSTOMER%234711&f=status:eq:S:paid");
  const paid = Array.from({ length: 42 }, (_, number) => number).filter((number) => number % 5 === 0).length;
  const either = Array.from({ length: 42 }, (_, number) => number).filter((number) => number % 5 === 0 || number % 5 === 3).length;
  await page.getByText(`${paid} of 42 items read`).waitFor();
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByPlaceholder("attribute").last().focus();
  await page.keyboard.press("|");
  await page.getByRole("button", { name: "or, before attribute" }).waitFor();
  await page.keyboard.type("status");
  await page.getByLabel("Value of status").last().fill("refunded");
  await page.keyboard.press("Control+Enter");
  await page.getByText(`${either} of 42 items read`).waitFor();
  assert.match(page.url(), /f=status%3Aeq%3AS%3Apaid&or=status%3Aeq%3AS%3Arefunded/);
  await checkAccess(page, "filters joined with or");
  await picture(page, "items-or");
  await page.getByRole("button", { name: "Code" }).click();
  await page.getByRole("dialog").getByText("#status = :v1 OR #status = :v2").waitFor();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByText(`${either} of 42 items read`).waitFor();
  await page.getByRole("button", { name: "or, before status" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Read 42 items, none fits.").waitFor();
  await page.done();
});

test("sets, lists and maps are edited by attribute, binaries are read, a draft is undone", async () => {
  await call(server.endpoint, "PutItem", { TableName: "shop", Item: order(0) });
  const page = await open(PARTITION);
  await openFirst(page);
  const row = (path) => drawer(page).locator(`li[data-path='${JSON.stringify(path)}']`);
  // A set: a double is refused, one goes, one comes.
  await row(["tags"]).getByTitle("Edit").click();
  await row(["tags"]).getByLabel("One more element").fill("gift");
  await page.keyboard.press("Enter");
  await row(["tags"]).getByText("It is in the set already.").waitFor();
  await row(["tags"]).getByLabel("One more element").fill("fragile");
  await page.keyboard.press("Enter");
  await row(["tags"]).getByLabel("Take express out").click();
  await checkAccess(page, "a set that is edited");
  await picture(page, "item-set");
  await row(["tags"]).getByRole("button", { name: "Set", exact: true }).click();
  // One more in a list, and in a map by its name.
  await row(["lines"]).hover();
  await row(["lines"]).getByLabel("Add to lines").click();
  await row(["lines", 1]).getByLabel("Value of [1]").fill("two");
  await page.keyboard.press("Enter");
  await row(["address"]).getByLabel("Add to address").click();
  await drawer(page).getByLabel("Name of a new attribute").fill("country");
  await page.keyboard.press("Enter");
  await row(["address", "country"]).getByLabel("Type of country").selectOption("NS");
  await row(["address", "country"]).getByRole("button", { name: "Set", exact: true }).click();
  await row(["address", "country"]).getByText("A set has one element at least.").waitFor();
  await row(["address", "country"]).getByLabel("One more element").fill("33");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  // The key leads to its partition, bytes are shown.
  await row(["receipt"]).getByLabel("Bytes of receipt").click();
  await drawer(page).getByRole("region", { name: "Bytes of receipt" }).getByText(/25 50 44 46.*%PDF-1\.4/).waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), drawer(page).getByRole("button", { name: "Save to a file" }).click()]);
  assert.equal(file.suggestedFilename(), "stator-binary.bin");
  assert.equal(readFileSync(await file.path(), "utf8"), "%PDF-1.4\n");
  // What is undone is not saved.
  await setAttribute(page, "status", "wrong");
  await row(["status"]).getByText("wrong").waitFor();
  await drawer(page).getByRole("region", { name: "Attributes" }).focus();
  await page.keyboard.press("Control+z");
  await row(["status"]).getByText("wrong").waitFor({ state: "detached" });
  await page.keyboard.press("Control+s");
  await page.getByRole("dialog", { name: "Save these changes?" }).getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const now = await read(0);
  assert.deepEqual([...now.tags.SS].sort(), ["fragile", "gift"]);
  assert.deepEqual(now.lines.L, [...order(0).lines.L, { S: "two" }]);
  assert.deepEqual(now.address.M, { ...order(0).address.M, country: { NS: ["33"] } });
  assert.equal(now.status.S, "paid");
  await call(server.endpoint, "PutItem", { TableName: "shop", Item: order(0) });
  await page.done();
});

test("what can be clicked in an item stays where it is when the item has been read", async () => {
  await call(server.endpoint, "PutItem", { TableName: "shop", Item: order(0) });
  const page = await open(PARTITION);
  await page.getByRole("gridcell", { name: FIRST }).waitFor();
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route("**/*", async (route) => {
    if ((await route.request().allHeaders())["x-amz-target"]?.endsWith(".GetItem")) await released;
    await route.continue();
  });
  await openFirst(page);
  const bytes = drawer(page).getByLabel("Bytes of receipt");
  const remove = drawer(page).getByLabel("Remove receipt");
  const place = await bytes.boundingBox();
  assert.ok(await remove.isDisabled()); // What is changed before would be lost when the item comes.
  release();
  await drawer(page).locator("[aria-label='Remove receipt']:enabled").waitFor({ state: "attached" });
  assert.deepEqual(await bytes.boundingBox(), place);
  await page.done();
});

test("of a conflict each attribute is chosen by itself", async () => {
  const page = await open(PARTITION);
  await openFirst(page);
  await setAttribute(page, "status", "mine");
  await setAttribute(page, "version", "8");
  await set(0, "status", { S: "theirs" });
  await set(0, "version", { N: "9" });
  await drawer(page).getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog", { name: "Save these changes?" }).getByRole("button", { name: "Save" }).click();
  const conflict = drawer(page).getByRole("alert");
  await conflict.getByLabel("Keep of status").selectOption("theirs");
  await checkAccess(page, "a conflict of two attributes");
  await picture(page, "conflict-two");
  await conflict.getByRole("button", { name: "Save as chosen" }).click();
  await page.getByText("Saved.").waitFor();
  const now = await read(0);
  assert.deepEqual([now.status.S, now.version.N], ["theirs", "8"]);
  await call(server.endpoint, "PutItem", { TableName: "shop", Item: order(0) });
  await page.done();
});

test("keys alone: a cell, a row, a key are copied; the grid is left and entered", async () => {
  const page = await open(PARTITION);
  await page.getByRole("gridcell", { name: "ORDER#2026-11-01#90000" }).waitFor();
  await page.getByRole("grid").focus();
  const copied = async (pattern) => { await page.getByText(pattern).waitFor(); return page.evaluate(() => navigator.clipboard.readText()); };
  await page.keyboard.press("Control+c");
  assert.equal(await copied("Copied sk."), order(0).sk.S);
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+c");
  assert.deepEqual(JSON.parse(await copied("Copied the row.")).address, order(0).address);
  await page.keyboard.press("y");
  assert.deepEqual(JSON.parse(await copied("Copied the key.")), { pk: order(0).pk, sk: order(0).sk });
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await drawer(page).getByText(order(28).sk.S).first().waitFor(); // of the same day
  await page.keyboard.press("Escape");
  await drawer(page).waitFor({ state: "detached" });
  await page.getByRole("grid").focus();
  await page.keyboard.press("k");
  await page.keyboard.press("p");
  await page.getByText("42 of 42 items read").waitFor();
  await page.done();
});

test("one table, several kinds of items: told apart, and asked for one by one", async () => {
  await makeTable(server.endpoint, "single", { stream: false });
  await putAll(server.endpoint, "single", Array.from({ length: 12 }, (_, number) => ({ pk: { S: `USER#${number % 3}` }, sk: { S: number % 4 === 0 ? "PROFILE" : `ORDER#${number}` }, n: { N: String(number) } })));
  const page = await open("tables/single/items");
  const group = page.getByRole("group", { name: "Kinds of items" });
  await group.getByRole("button", { name: "ORDER 75 %" }).waitFor();
  await checkAccess(page, "kinds of items");
  await picture(page, "items-kinds");
  await group.getByRole("button", { name: "PROFILE" }).click();
  await page.getByText("3 of 12 items read").waitFor();
  assert.deepEqual(await page.locator("#partition-values option").evaluateAll((options) => options.map((option) => option.value).sort()), ["USER#0", "USER#1", "USER#2"]);
  // What was a filter on the key is a condition of the query.
  await page.getByRole("tab", { name: "Query" }).click();
  await page.getByLabel("Value of pk").fill("USER#1");
  assert.equal(await page.getByLabel("Value of sk").inputValue(), "PROFILE");
  await page.keyboard.press("Control+Enter");
  await page.getByText("1 of 1 items read").waitFor();
  await page.getByRole("button", { name: "Remove the condition on sk" }).click();
  await page.keyboard.press("Control+Enter");
  await page.getByText("4 of 4 items read").waitFor();
  await group.getByRole("button", { name: /^ORDER/ }).click();
  await page.getByText("3 of 3 items read").waitFor();
  assert.match(page.url(), /sk=begins%3AS%3AORDER%23/);
  await page.done();
});
