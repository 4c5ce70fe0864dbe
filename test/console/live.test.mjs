// What happens, as it happens: changes, requests, figures.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, checkAccess, closeBrowser, makeShop, openPage, order, picture, startServer } from "./fixtures.mjs";

let server;
before(async () => { server = await startServer("--memory"); await makeShop(server.endpoint); });
after(async () => { await closeBrowser(); await server.end(); });

const open = async (path, options) => {
  const page = await openPage(server.endpoint, options);
  await page.goto(`${server.endpoint}/_stator/${path}`);
  return page;
};
const drawer = (page, name) => page.getByRole("complementary", { name });
const put = (item) => call(server.endpoint, "PutItem", { TableName: "shop", Item: item });

test("changes appear with what differs, stand still while one is open, and are filtered", async () => {
  const page = await open("changes");
  await page.getByText("Nothing has changed since this page was opened.").waitFor();
  await page.getByText("carts").waitFor();
  await checkAccess(page, "no changes");
  await put({ ...order(0), status: { S: "shipped" }, weight: { N: "12" } });
  const row = page.getByRole("option", { name: /modify\s*shop\s*CUSTOMER#4711/ });
  await row.first().waitFor();
  assert.match(await row.first().innerText(), /status[\s\S]*paid → [\s\S]*shipped/);
  await row.first().click();
  await drawer(page, "Change").locator(".diff .add").getByText("shipped").waitFor();
  await drawer(page, "Change").locator(".diff .del").getByText("paid").waitFor();
  await checkAccess(page, "a change");
  await put(order(900));
  await call(server.endpoint, "DeleteItem", { TableName: "shop", Key: { pk: order(900).pk, sk: order(900).sk } });
  await page.getByText("2 new changes").waitFor();
  await picture(page, "changes-dark");
  await drawer(page, "Change").getByRole("tab", { name: "After" }).click();
  await drawer(page, "Change").getByText('"weight"').waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("option", { name: /remove\s*shop/ }).waitFor();
  await page.getByLabel("Filter changes").fill("ORDER#2026-11-05#90900");
  assert.equal(await page.getByRole("listbox", { name: "Changes" }).getByRole("option").count(), 2);
  await page.getByLabel("Filter changes").fill("");
  await page.keyboard.press("Escape");
  await page.getByLabel("Kind").selectOption("remove");
  await page.getByRole("option", { name: /modify\s*shop/ }).first().waitFor({ state: "detached" });
  assert.equal(await page.getByRole("listbox", { name: "Changes" }).getByRole("option").count(), 1);
  assert.match(page.url(), /k=remove/);
  await page.getByLabel("Kind").selectOption("");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Pause" }).click();
  await put(order(901));
  await page.getByText("1 new change").waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("option", { name: /insert\s*shop/ }).first().waitFor();
  await page.done();
});

test("a table shows its own changes, or how to have some", async () => {
  const page = await open("tables/shop/changes");
  await page.getByText("Nothing has changed since this page was opened.").waitFor();
  await call(server.endpoint, "PutItem", { TableName: "shop", Item: order(950) });
  await page.getByRole("option", { name: /insert\s*shop/ }).first().click();
  await drawer(page, "Change").waitFor();
  await checkAccess(page, "changes of a table");
  await page.keyboard.press("Escape");
  await page.goto(`${server.endpoint}/_stator/tables/carts/changes`);
  await page.getByText("This table has no stream.").waitFor();
  await page.getByRole("button", { name: "Turn the stream on" }).click();
  await page.getByText("Nothing has changed since this page was opened.").waitFor();
  await call(server.endpoint, "PutItem", { TableName: "carts", Item: { pk: { S: "new" } } });
  await page.getByRole("option", { name: /insert\s*carts/ }).first().waitFor();
  await page.done();
});

test("requests are listed with what they cost, their bodies, and can be sent again", async () => {
  const page = await open("requests");
  await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
  await page.locator(".badge").getByText("recording").waitFor(); // Bodies are kept from the first look on.
  const key = { pk: order(1).pk, sk: order(1).sk };
  await call(server.endpoint, "GetItem", { TableName: "shop", Key: key, ReturnConsumedCapacity: "TOTAL" });
  await assert.rejects(call(server.endpoint, "PutItem", { TableName: "shop", Item: order(1), ConditionExpression: "attribute_not_exists(pk)" }));
  const failed = page.getByRole("option", { name: /PutItem.*ConditionalCheckFailed/ });
  await failed.waitFor();
  await failed.click();
  await drawer(page, "Request").getByText("Why it failed").waitFor();
  await drawer(page, "Request").getByText("The conditional request failed").waitFor();
  await checkAccess(page, "a request");
  await picture(page, "requests-dark");
  await drawer(page, "Request").getByRole("button", { name: "Replay" }).click();
  await page.getByRole("dialog", { name: "Send PutItem again?" }).getByRole("button", { name: "Send it" }).click();
  await drawer(page, "Request").getByText("Sent again").waitFor();
  await page.getByLabel("Filter requests").fill("op:GetItem table:shop ms<10000");
  await page.getByRole("option", { name: /GetItem\s*shop/ }).first().click();
  await drawer(page, "Request").getByRole("button", { name: "Replay" }).click();
  await drawer(page, "Request").getByText(/"Item"/).first().waitFor();
  await drawer(page, "Request").getByRole("tab", { name: "Code" }).click();
  for (const [language, pattern] of [["AWS CLI", /^aws dynamodb get-item [\s\S]*"TableName": "shop"/], ["Python", /client\.get_item\(\*\*\{/], ["curl", /X-Amz-Target: DynamoDB_20120810\.GetItem/]]) {
    await drawer(page, "Request").getByRole("tab", { name: language }).click();
    assert.match(await drawer(page, "Request").locator("pre").innerText(), pattern);
  }
  await checkAccess(page, "the code of a request");
  await page.getByLabel("Filter requests").fill("op:Nothing");
  await page.getByText("No request fits.").waitFor();
  await page.done();
});

test("figures are drawn and can be read", async () => {
  const page = await open("metrics");
  await page.getByRole("heading", { name: "Requests", exact: true }).waitFor();
  for (let round = 0; round < 20; round += 1) await call(server.endpoint, "GetItem", { TableName: "shop", Key: { pk: order(1).pk, sk: order(1).sk } });
  await page.locator(".chart canvas").first().waitFor();
  await page.getByRole("region", { name: "Latency" }).getByText("As a table").click();
  await page.getByRole("columnheader", { name: "p99" }).waitFor();
  await page.getByText("Requests since the start").waitFor();
  // A moment is read by keys, all its series at once.
  const moment = page.getByRole("slider", { name: "Latency, at a moment" });
  await moment.focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("region", { name: "Latency" }).getByText(/^−\d+ s: .* p99, .* p50$/).waitFor();
  assert.equal(await moment.getAttribute("aria-valuenow"), "-1");
  await checkAccess(page, "metrics");
  await page.waitForTimeout(2500);
  await picture(page, "metrics-dark");
  await page.done();
});

test("keys are counted when somebody wants it, and lead to their items", async () => {
  const page = await open("metrics");
  const keys = page.locator("section.used-keys");
  await keys.getByText("No keys are counted.").waitFor();
  for (const name of ["shop", "shop, by_status"]) {
    await keys.getByLabel("Table or index to count").selectOption(name);
    await keys.getByRole("button", { name: "Count its keys" }).click();
    await page.getByText(`The keys of ${name} are counted from now on.`).waitFor();
  }
  await keys.getByText("Nothing was asked since.").first().waitFor();
  const hostile = { pk: { S: "<img src=x onerror=hit()>" }, sk: { S: "__proto__" } };
  await put({ ...order(2), ...hostile });
  for (let round = 0; round < 9; round += 1) await call(server.endpoint, "GetItem", { TableName: "shop", Key: { pk: order(1).pk, sk: order(1).sk }, ConsistentRead: true });
  await call(server.endpoint, "Query", { TableName: "shop", IndexName: "by_status", KeyConditionExpression: "#s = :s", ExpressionAttributeNames: { "#s": "status" }, ExpressionAttributeValues: { ":s": { S: "paid" } } });
  const row = (table, text) => keys.getByRole("table", { name: table, exact: true }).getByRole("row").filter({ hasText: text });
  await row("Partitions of shop", "CUSTOMER#4711").locator("td.num").getByText("9", { exact: true }).waitFor();
  await row("Items of shop", hostile.pk.S).waitFor();
  await row("Partitions of shop, by_status", "paid").waitFor();
  await checkAccess(page, "most used keys");
  await row("Partitions of shop", "CUSTOMER#4711").scrollIntoViewIfNeeded();
  await picture(page, "used-keys");
  await row("Items of shop", order(1).sk.S).getByRole("link").click();
  await page.getByText("1 of 1 items read").waitFor();
  await page.goBack();
  await row("Partitions of shop, by_status", "paid").getByRole("link").click();
  await page.getByText("status = paid").waitFor();
  await page.goBack();
  await keys.getByRole("button", { name: "Stop counting shop", exact: true }).click();
  await page.getByRole("dialog", { name: "Count no more?" }).getByRole("button", { name: "Stop counting" }).click();
  await page.getByText("The keys of shop are not counted any more.").waitFor();
  assert.equal((await call(server.endpoint, "DescribeContributorInsights", { TableName: "shop" })).ContributorInsightsStatus, "DISABLED");
  await page.done();
});

test("live views fit a phone, in light", async () => {
  const page = await open("requests", { viewport: { width: 360, height: 740 }, colorScheme: "light" });
  await page.getByRole("option").first().waitFor();
  await checkAccess(page, "requests, small");
  await picture(page, "requests-360");
  for (const view of ["changes", "metrics"]) {
    await page.goto(`${server.endpoint}/_stator/${view}`);
    await page.locator("h1").waitFor();
    await checkAccess(page, `${view}, small`);
  }
  await page.done();
});
