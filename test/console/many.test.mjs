// Many items at once: changed, deleted, exported, imported.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { call, checkAccess, closeBrowser, makeTable, openPage, picture, putAll, startServer, temporaryFolder } from "./fixtures.mjs";

const items = [
  { pk: { S: "a" }, sk: { S: "1" }, n: { N: "9007199254740993" }, t: { S: "=cmd|'/c calc'!A1" }, set: { SS: ["x", "y"] }, b: { B: "AAEC" } },
  { pk: { S: "a" }, sk: { S: "2" }, n: { N: "-2.5" }, t: { S: 'quote " comma, line\r\nend' }, ok: { BOOL: true }, none: { NULL: true } },
  { pk: { S: "a" }, sk: { S: "3" }, t: { S: "'=kept" }, list: { L: [{ N: "1" }, { M: { deep: { S: "é😀" } } }] } },
  ...Array.from({ length: 30 }, (_, number) => ({ pk: { S: "b" }, sk: { S: String(number).padStart(2, "0") }, state: { S: "new" } })),
];
const folder = temporaryFolder();
let server;
before(async () => {
  server = await startServer("--memory");
  for (const name of ["from", "into"]) await makeTable(server.endpoint, name, { stream: false });
  await putAll(server.endpoint, "from", items);
});
after(async () => { await closeBrowser(); await server.end(); folder.remove(); });

const sorted = (list) => list.map((item) => JSON.stringify(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))).sort();
const all = async (table) => sorted((await call(server.endpoint, "Scan", { TableName: table })).Items);
const open = async (path) => {
  const page = await openPage(server.endpoint);
  await page.goto(`${server.endpoint}/_stator/${path}`);
  return page;
};

test("what is exported is imported again, as it was", async () => {
  const before = await all("from");
  for (const [format, ending] of [["jsonl", "jsonl"], ["json", "json"], ["ddb", "jsonl"], ["csv", "csv"]]) {
    const page = await open("tables/from/items");
    await page.getByText("33 of 33 items read").waitFor();
    await page.getByRole("button", { name: "Import, export" }).click();
    await page.getByLabel("Which items").selectOption("table");
    await page.getByLabel("Format").selectOption(format);
    await checkAccess(page, "export");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export", exact: true }).click()]);
    assert.equal(file.suggestedFilename(), `stator-export.${ending}`);
    const path = `${folder.path}/${format}.${ending}`;
    await file.saveAs(path);
    if (format === "csv") assert.match(readFileSync(path, "utf8"), /'=cmd/);
    await page.goto(`${server.endpoint}/_stator/tables/into/items`);
    await page.getByText("No items yet.").waitFor();
    await page.getByRole("button", { name: "Import, export" }).click();
    await page.getByRole("tab", { name: "Import" }).click();
    await page.getByLabel(/^A file/).setInputFiles(path);
    await page.getByText("33 items", { exact: true }).waitFor();
    if (format === "csv") await page.getByLabel("Type of b").selectOption("B");
    await checkAccess(page, "import");
    await picture(page, `import-${format}`);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("Imported 33 items.").waitFor();
    const now = await all("into");
    // Plain JSON has no sets and binaries, and says so by making lists and texts of them.
    if (format.startsWith("json")) assert.equal(now.length, 33);
    else assert.deepEqual(now, before, format);
    for (const item of (await call(server.endpoint, "Scan", { TableName: "into" })).Items) await call(server.endpoint, "DeleteItem", { TableName: "into", Key: { pk: item.pk, sk: item.sk } });
    await page.done();
  }
});

test("an import leaves what is there, names what it cannot read, and loses nothing", async () => {
  await putAll(server.endpoint, "into", [{ pk: { S: "a" }, sk: { S: "1" }, mine: { S: "stays" } }]);
  folder.write("bad.jsonl", '{"pk": "a", "sk": "1", "n": 1}\n{"pk": "a"}\nnonsense\n{"pk": "a", "sk": "9", "n": 0.10}\n');
  const page = await open("tables/into/items");
  await page.getByRole("button", { name: "Import, export" }).click();
  await page.getByRole("tab", { name: "Import" }).click();
  await page.getByLabel(/^A file/).setInputFiles(`${folder.path}/bad.jsonl`);
  await page.getByText("2 that cannot be read").waitFor();
  await page.getByText(/line 2: the key sk is missing/).waitFor();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("Imported 1 item, 1 were there already.").waitFor();
  const there = (await call(server.endpoint, "GetItem", { TableName: "into", Key: { pk: { S: "a" }, sk: { S: "1" } } })).Item;
  assert.deepEqual(there.mine, { S: "stays" });
  await page.done();
});

test("marked rows are changed and deleted after a preview, those that changed in between are not", async () => {
  const page = await open("tables/from/items#m=query&pk=S:b");
  await page.getByText("30 of 30 items read").waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("x");
  await page.getByText("30 of 30 marked").waitFor();
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByPlaceholder("attribute").fill("state");
  await dialog.getByPlaceholder("value").fill("done");
  await dialog.getByText("b 00: new → done").waitFor();
  await checkAccess(page, "bulk change");
  await picture(page, "bulk");
  await call(server.endpoint, "UpdateItem", { TableName: "from", Key: { pk: { S: "b" }, sk: { S: "07" } }, UpdateExpression: "SET #s = :s", ExpressionAttributeNames: { "#s": "state" }, ExpressionAttributeValues: { ":s": { S: "theirs" } } });
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await dialog.getByText("b 07: changed in between").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  const states = (await call(server.endpoint, "Query", { TableName: "from", KeyConditionExpression: "pk = :b", ExpressionAttributeValues: { ":b": { S: "b" } } })).Items.map((item) => item.state.S);
  assert.deepEqual([states.filter((state) => state === "done").length, states[7]], [29, "theirs"]);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("gridcell", { name: "theirs" }).waitFor();
  await page.getByRole("grid").focus();
  for (const key of ["Space", "Shift+ArrowDown", "Delete"]) await page.keyboard.press(key);
  await page.getByRole("dialog", { name: "Delete 2 items?" }).getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Deleted 2 items.").waitFor();
  assert.equal((await call(server.endpoint, "Query", { TableName: "from", KeyConditionExpression: "pk = :b", ExpressionAttributeValues: { ":b": { S: "b" } } })).Count, 28);
  await page.done();
});

test("files of other programs are read: what the AWS CLI prints, what an export to S3 holds", async () => {
  const typed = items.slice(0, 3);
  folder.write("scan.json", JSON.stringify({ Items: typed, Count: 3, ScannedCount: 3, ConsumedCapacity: null }, null, 4));
  folder.write("short.json", JSON.stringify({ Items: typed, Count: 3 }));
  folder.write("one.json", JSON.stringify(typed[0], null, 2));
  folder.write("export.json.gz", gzipSync(typed.map((Item) => `${JSON.stringify({ Item })}\n`).join("")));
  folder.write("array.json", JSON.stringify(typed, null, 2));
  folder.write("broken.json.gz", "this is not compressed");
  const page = await open("tables/into/items");
  for (const item of (await call(server.endpoint, "Scan", { TableName: "into" })).Items) await call(server.endpoint, "DeleteItem", { TableName: "into", Key: { pk: item.pk, sk: item.sk } });
  await page.getByRole("button", { name: "Import, export" }).click();
  await page.getByRole("tab", { name: "Import" }).click();
  await page.getByLabel(/^A file/).setInputFiles(`${folder.path}/broken.json.gz`);
  await page.getByText("This file cannot be read.").waitFor();
  await page.keyboard.press("Escape");
  for (const [file, count] of [["scan.json", 3], ["short.json", 3], ["one.json", 1], ["export.json.gz", 3], ["array.json", 3]]) {
    await page.getByRole("button", { name: "Import, export" }).click();
    await page.getByRole("tab", { name: "Import" }).click();
    await page.getByLabel(/^A file/).setInputFiles(`${folder.path}/${file}`);
    await page.getByRole("dialog").getByText(`${count} item${count === 1 ? "" : "s"}`, { exact: true }).waitFor();
    // Over what is there only by typing where.
    await page.getByLabel("Replace items that are there").check();
    assert.ok(await page.getByRole("button", { name: "Import", exact: true }).isDisabled());
    await page.getByLabel(/^What is there is lost/).fill("into");
    await checkAccess(page, `import of ${file}`);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText(`Imported ${count} item${count === 1 ? "" : "s"}.`).waitFor();
    assert.deepEqual(await all("into"), sorted(typed.slice(0, count)), file);
    for (const item of typed) await call(server.endpoint, "DeleteItem", { TableName: "into", Key: { pk: item.pk, sk: item.sk } });
  }
  await page.done();
});

test("numbers and sets are added to, to the last digit; what cannot be is left and named", async () => {
  const big = "99999999999999999999999999999999999998";
  await putAll(server.endpoint, "into", [
    { pk: { S: "n" }, sk: { S: "1" }, n: { N: big }, tags: { SS: ["a"] } },
    { pk: { S: "n" }, sk: { S: "2" }, n: { N: "-0.5" }, tags: { SS: ["b", "c"] } },
    { pk: { S: "n" }, sk: { S: "3" }, n: { S: "text" } },
    { pk: { S: "n" }, sk: { S: "4" } },
  ]);
  const page = await open("tables/into/items#m=query&pk=S:n");
  await page.getByText("4 of 4 items read").waitFor();
  const change = async (name, type, value) => {
    await page.getByRole("grid").focus();
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What to do").selectOption("add");
    await dialog.getByPlaceholder("attribute").fill(name);
    await dialog.getByLabel("Type").selectOption(type);
    await dialog.getByLabel("Value", { exact: true }).fill(value);
    return dialog;
  };
  const numbers = await change("n", "N", "1");
  await numbers.getByText("n 2: -0.5 → 0.5").waitFor();
  await numbers.getByText("n is S, not N").waitFor();
  await checkAccess(page, "adding to numbers");
  await numbers.getByRole("button", { name: "Change", exact: true }).click();
  await numbers.getByText("n 3: n is S, not N").waitFor();
  await numbers.getByRole("button", { name: "Close" }).click();
  const sets = await change("tags", "SS", "c, d");
  await sets.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByText("Changed 4 items.").waitFor();
  const now = (await call(server.endpoint, "Query", { TableName: "into", KeyConditionExpression: "pk = :n", ExpressionAttributeValues: { ":n": { S: "n" } } })).Items;
  assert.deepEqual(now.map((item) => Object.values(item.n)[0]), ["99999999999999999999999999999999999999", "0.5", "text", "1"]);
  assert.deepEqual(now.map((item) => [...item.tags.SS].sort().join("")), ["acd", "bcd", "cd", "cd"]);
  await page.done();
});

test("all that match is marked, beyond what is shown; a table is emptied by typing its name", async () => {
  await makeTable(server.endpoint, "many", { stream: false });
  await putAll(server.endpoint, "many", Array.from({ length: 420 }, (_, number) => ({ pk: { S: `p-${number}` }, sk: { S: "x" }, state: { S: number % 2 === 0 ? "even" : "odd" } })));
  const page = await open("tables/many/items");
  await page.getByText("300 of at least 300 items read").waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("x");
  await page.getByText("300 of 300 marked").waitFor();
  await page.getByRole("button", { name: "Mark all that match" }).click();
  await page.getByText("420 of 420 marked").waitFor();
  assert.equal(await page.getByRole("button", { name: "Mark all that match" }).count(), 0);
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Change 420 items" });
  await dialog.getByPlaceholder("attribute").fill("seen");
  await dialog.getByPlaceholder("value").fill("yes");
  assert.ok(await dialog.getByRole("button", { name: "Change", exact: true }).isDisabled());
  await dialog.getByLabel(/^Type/).last().fill("420");
  await checkAccess(page, "changing many");
  await picture(page, "bulk-many");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByText("Changed 420 items.").waitFor();
  const seen = async () => (await call(server.endpoint, "Scan", { TableName: "many", Select: "COUNT", FilterExpression: "seen = :y", ExpressionAttributeValues: { ":y": { S: "yes" } } })).Count;
  assert.equal(await seen(), 420);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Delete all items" }).click();
  const asked = page.getByRole("dialog", { name: "Delete all items of many?" });
  await asked.getByRole("textbox").fill("man");
  await page.keyboard.press("Enter");
  assert.ok(await asked.getByRole("button", { name: "Delete all items" }).isDisabled());
  await asked.getByRole("textbox").fill("many");
  await checkAccess(page, "emptying a table");
  await picture(page, "empty-table");
  await page.keyboard.press("Enter");
  await page.getByText("Deleted 420 items of many.").waitFor();
  assert.equal((await call(server.endpoint, "Scan", { TableName: "many" })).Count, 0);
  assert.equal((await call(server.endpoint, "DescribeTable", { TableName: "many" })).Table.TableStatus, "ACTIVE");
  await page.done();
});
