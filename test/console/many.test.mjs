// Many items at once: changed, deleted, exported, imported.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
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
  for (const [format, ending] of [["jsonl", "jsonl"], ["ddb", "jsonl"], ["csv", "csv"]]) {
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
    if (format === "jsonl") assert.equal(now.length, 33);
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
  await dialog.getByRole("button", { name: "Keep them" }).click();
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
