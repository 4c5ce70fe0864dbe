// Tables: found, made, changed, deleted; the page's frame, keys and addresses.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, checkAccess, closeBrowser, makeShop, openPage, picture, startServer } from "./fixtures.mjs";

let server;
before(async () => { server = await startServer("--memory"); });
after(async () => { await closeBrowser(); await server.end(); });

const open = async (path, options) => {
  const page = await openPage(server.endpoint, options);
  await page.goto(`${server.endpoint}/_stator/${path}`);
  return page;
};

test("an empty server says what to do, and a table is made, changed and deleted", async () => {
  const page = await open("");
  await page.getByText("No tables yet.").waitFor();
  await checkAccess(page, "no tables");
  await page.getByRole("button", { name: "New table" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New table" });
  await dialog.getByLabel("Name", { exact: true }).fill("orders");
  await dialog.getByRole("button", { name: "Index" }).click();
  const index = dialog.getByRole("group", { name: "Index" });
  await index.getByLabel("Name").fill("by_state");
  await index.getByLabel("Partition key", { exact: true }).fill("state");
  await dialog.getByLabel("Stream of changes").selectOption("NEW_AND_OLD_IMAGES");
  await dialog.getByLabel("Attribute with the time of expiry, or nothing").fill("ends");
  await dialog.getByRole("tab", { name: "Terraform" }).click();
  assert.match(await dialog.locator("pre").innerText(), /resource "aws_dynamodb_table" "orders"[\s\S]*by_state[\s\S]*attribute_name = "ends"/);
  await checkAccess(page, "new table");
  await picture(page, "new-table");
  await dialog.getByRole("button", { name: "Make table" }).click();
  await page.getByRole("heading", { name: "orders", exact: true }).waitFor();
  const made = (await call(server.endpoint, "DescribeTable", { TableName: "orders" })).Table;
  assert.equal(made.GlobalSecondaryIndexes[0].IndexName, "by_state");
  assert.equal(made.StreamSpecification.StreamViewType, "NEW_AND_OLD_IMAGES");

  await page.getByRole("link", { name: "Keys and indexes" }).click();
  await page.getByText("by_state").first().waitFor();
  await checkAccess(page, "indexes");
  await page.getByRole("link", { name: "Settings" }).click();
  const setting = (name) => page.locator("section.setting").filter({ has: page.getByRole("heading", { name, exact: true }) });
  await setting("Protection").getByRole("button", { name: "Turn on" }).click();
  await setting("Protection").getByRole("button", { name: "Turn off" }).waitFor();
  assert.equal((await call(server.endpoint, "DescribeTable", { TableName: "orders" })).Table.DeletionProtectionEnabled, true);
  await checkAccess(page, "settings");
  await setting("Protection").getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await setting("Delete").getByRole("button").click();
  const asked = page.getByRole("dialog", { name: "Delete orders?" });
  assert.ok(await asked.getByRole("button", { name: "Delete table" }).isDisabled());
  await asked.getByRole("textbox").fill("order");
  await page.keyboard.press("Enter");
  assert.ok(await asked.isVisible());
  await checkAccess(page, "delete dialog");
  await asked.getByRole("textbox").fill("orders");
  await asked.getByRole("button", { name: "Delete table" }).click();
  await page.getByText("No tables yet.").waitFor();
  assert.deepEqual((await call(server.endpoint, "ListTables", {})).TableNames, []);
  await page.done();
});

test("tables are listed, sorted, filtered; views have addresses; keys alone suffice", async () => {
  await makeShop(server.endpoint);
  const page = await open("tables");
  const names = () => page.locator("table.tables a.name").allInnerTexts();
  await page.getByRole("link", { name: "shop", exact: true }).waitFor();
  assert.deepEqual(await names(), ["carts", "shop"]);
  await page.getByRole("button", { name: "Items" }).click();
  assert.deepEqual(await names(), ["shop", "carts"]);
  await checkAccess(page, "tables");
  await picture(page, "tables-dark");
  await page.getByRole("button", { name: "Dark or light" }).click();
  await checkAccess(page, "tables, light");
  await picture(page, "tables-light");
  await page.keyboard.press("/");
  await page.keyboard.type("car");
  assert.deepEqual(await names(), ["carts"]);
  assert.match(page.url(), /#q=car$/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or jump" });
  await palette.getByRole("combobox").fill("shop CUSTOMER#4711");
  await palette.getByText("Partition CUSTOMER#4711").waitFor();
  await checkAccess(page, "palette");
  await picture(page, "palette");
  await page.keyboard.press("Enter");
  await page.getByText("42 of 42 items read").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("]");
  await page.getByRole("heading", { name: "The table" }).waitFor();
  await page.goBack();
  await page.getByText("42 of 42 items read").waitFor();
  await page.reload();
  await page.getByText("42 of 42 items read").waitFor();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.getByText("Go to Tables").waitFor();
  await checkAccess(page, "keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.getByRole("heading", { name: "Tables" }).waitFor();
  await page.goto(`${server.endpoint}/_stator/tables/gone/items`);
  await page.getByText("gone is not there any more.").waitFor();
  await page.done();
});

test("the frame fits a phone and a wall", async () => {
  for (const width of [360, 2560]) {
    const page = await open("tables", { viewport: { width, height: 800 } });
    await page.getByRole("link", { name: "shop", exact: true }).waitFor();
    await checkAccess(page, `tables at ${width}`);
    await picture(page, `tables-${width}`);
    await page.goto(`${server.endpoint}/_stator/tables/shop/items#m=query&pk=S:CUSTOMER%234711`);
    await page.getByRole("gridcell", { name: "ORDER#2026-11-01#90000" }).waitFor();
    await checkAccess(page, `items at ${width}`);
    await picture(page, `items-${width}`);
    await page.getByRole("gridcell", { name: "ORDER#2026-11-01#90000" }).click();
    await page.getByRole("complementary", { name: "Item" }).getByText("Lyon").waitFor();
    await checkAccess(page, `item at ${width}`);
    await picture(page, `item-${width}`);
    await page.done();
  }
});

test("settings: tags, and how many items expiry would take; tables at the side", async () => {
  const page = await open("tables/carts/settings");
  const setting = (name) => page.locator("section.block").filter({ has: page.getByRole("heading", { name, exact: true }) });
  await setting("Tags").getByText("None.").waitFor();
  await setting("Tags").getByLabel("Name of a new tag").fill("team");
  await setting("Tags").getByLabel("Value of a new tag").fill("a+b c/d");
  await page.keyboard.press("Enter");
  await setting("Tags").getByText("team = a+b c/d").waitFor();
  const { TableArn } = (await call(server.endpoint, "DescribeTable", { TableName: "carts" })).Table;
  assert.deepEqual((await call(server.endpoint, "ListTagsOfResource", { ResourceArn: TableArn })).Tags, [{ Key: "team", Value: "a+b c/d" }]);
  await checkAccess(page, "tags");
  await picture(page, "settings");
  await setting("Tags").getByLabel("Remove the tag team").click();
  await setting("Tags").getByText("None.").waitFor();
  const now = Math.floor(Date.now() / 1000);
  for (const [pk, ends] of [["gone", now - 60], ["old", now - 10 * 365 * 86_400], ["later", now + 600]]) await call(server.endpoint, "PutItem", { TableName: "carts", Item: { pk: { S: pk }, ends: { N: String(ends) } } });
  await setting("Expiry").getByLabel("Attribute with the time").fill("ends");
  await setting("Expiry").getByRole("button", { name: "Turn on" }).click();
  const asked = page.getByRole("dialog", { name: "Turn expiry on?" });
  await asked.getByText("Of all 15 items, 1 goes at once.").waitFor();
  await asked.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Pin" }).click();
  await page.goto(`${server.endpoint}/_stator/tables/shop/items`);
  const side = page.getByRole("navigation", { name: "Views", exact: true });
  await side.getByRole("link", { name: "carts", exact: true }).click();
  await page.getByRole("button", { name: "Unpin" }).click();
  await page.goto(`${server.endpoint}/_stator/tables/shop/items`);
  await page.getByRole("heading", { name: "shop", exact: true }).waitFor();
  assert.equal(await side.getByRole("link", { name: "carts", exact: true }).count(), 0);
  await page.done();
});
