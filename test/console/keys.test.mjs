// The keys of the page: every place, every list and every field without a pointer.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { call, closeBrowser, makeShop, openPage, order, startServer } from "./fixtures.mjs";

const PROGRAM = process.env.STATOR_PROGRAM ?? "build/stator";
let server;
before(async () => {
  server = await startServer("--memory");
  await makeShop(server.endpoint);
  for (const store of ["tasks", "sessions", "events"]) execFileSync(PROGRAM, ["tables", "create", "--for", store, "--data", server.endpoint], { env: { ...process.env, AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any" } });
});
after(async () => { await closeBrowser(); await server.end(); });

const open = async (path) => {
  const page = await openPage(server.endpoint);
  await page.goto(`${server.endpoint}/_stator/${path}`);
  await page.locator("main h1").waitFor();
  return page;
};
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };
const dialog = (page, name) => page.getByRole("dialog", { name });
const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.tagName ?? "");

test("g and a letter go to every view, / to its filter", async () => {
  const page = await open("tables");
  for (const [letter, heading] of [["c", "Changes"], ["r", "Requests"], ["m", "Metrics"], ["k", "Tasks"], ["s", "Sessions"], ["e", "Events"], ["n", "Entities"], ["t", "Tables"]]) {
    await press(page, "g", letter);
    await page.getByRole("heading", { name: heading, level: 1, exact: true }).waitFor();
  }
  for (const [letter, filter] of [["c", "Filter changes"], ["r", "Filter requests"], ["n", "Filter entities"], ["t", "Filter tables"]]) {
    await press(page, "g", letter);
    await page.getByLabel(filter, { exact: true }).waitFor();
    await press(page, "/");
    assert.equal(await focused(page), filter);
    await press(page, "Escape");
    assert.notEqual(await focused(page), filter);
  }
  await page.done();
});

test("letters act outside fields only, and can be switched off", async () => {
  const page = await open("tables");
  await page.getByRole("link", { name: "shop", exact: true }).waitFor();
  await press(page, "/", "g", "t", "?", "n");
  assert.equal(await page.getByLabel("Filter tables").inputValue(), "gt?n");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByLabel("Filter tables").fill("");
  await press(page, "Escape", "?");
  await dialog(page, "Keys").getByLabel("Single letters act").uncheck();
  await press(page, "Escape");
  await dialog(page, "Keys").waitFor({ state: "detached" });
  await press(page, "n", "?", "g", "m");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByRole("heading", { name: "Tables", exact: true }).waitFor();
  await press(page, "Control+k");
  await dialog(page, "Search or jump").waitFor();
  await press(page, "Escape");
  await page.done();
});

test("Escape closes the topmost; the focus comes back to where it was", async () => {
  const page = await open("tables/shop/items#m=query&pk=S:CUSTOMER%234711");
  await page.getByRole("gridcell", { name: order(0).sk.S }).waitFor();
  await page.getByRole("grid").focus();
  await press(page, "Enter");
  const item = page.getByRole("complementary", { name: "Item" });
  await item.getByText("Lyon").waitFor();
  await page.getByRole("button", { name: "Code" }).focus();
  await press(page, "Enter");
  await page.getByRole("dialog").waitFor();
  await press(page, "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(await item.isVisible());
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Code");
  await page.getByRole("grid").focus();
  await press(page, "Escape");
  await item.waitFor({ state: "detached" });
  // The tab key leaves no dialog.
  await press(page, "?");
  await dialog(page, "Keys").waitFor();
  for (let step = 0; step < 8; step += 1) {
    await press(page, "Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest("dialog") !== null));
  }
  await press(page, "Escape");
  await page.done();
});

test("fields keep their own keys: Enter runs, Delete deletes, Ctrl C copies what is selected", async () => {
  const page = await open("tables/shop/items#m=query&pk=S:CUSTOMER%234711");
  await page.getByText("42 of 42 items read").waitFor();
  const field = page.getByLabel("Value of pk");
  await field.focus();
  await press(page, "Home", "Shift+End", "Control+c");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "CUSTOMER#4711");
  await press(page, "Home", "Delete");
  assert.equal(await field.inputValue(), "USTOMER#4711");
  await field.fill("CUSTOMER#105");
  await press(page, "Enter");
  await page.getByText("1 of 1 items read").waitFor();
  await page.done();
});

test("rows are marked and a condition is removed by keys; tabs are stepped through", async () => {
  const page = await open("tables/shop/items#m=query&pk=S:CUSTOMER%234711&f=status:eq:S:paid");
  await page.getByText("9 of 42 items read").waitFor();
  await page.getByRole("grid").focus();
  await press(page, "Space", "Shift+ArrowDown", "Shift+ArrowDown");
  await page.getByText("3 of 9 marked").waitFor();
  await press(page, "x");
  await page.getByText("9 of 9 marked").waitFor();
  await press(page, "x");
  await page.getByText("9 shown").waitFor();
  await press(page, "End");
  assert.equal(await page.getByRole("grid").getAttribute("aria-activedescendant"), "cell-8-0");
  await press(page, "PageUp", "Home", "ArrowRight");
  assert.equal(await page.getByRole("grid").getAttribute("aria-activedescendant"), "cell-0-1");
  await page.getByLabel("Value of status").focus();
  await press(page, "Control+a", "Backspace", "Backspace");
  await page.getByLabel("Value of status").waitFor({ state: "detached" });
  await press(page, "Control+Enter");
  await page.getByText("42 of 42 items read").waitFor();
  await page.getByRole("grid").focus();
  for (const heading of ["The table", "Stream of changes"]) {
    await press(page, "]");
    await page.getByRole("heading", { name: heading }).waitFor();
  }
  await press(page, "[", "[");
  await page.getByRole("grid").waitFor();
  await page.done();
});

test("live lists: moved through, opened, paused by keys", async () => {
  const page = await open("requests");
  await call(server.endpoint, "ListTables", {});
  const list = page.getByRole("listbox", { name: "Requests" });
  await list.getByRole("option").nth(2).waitFor();
  await press(page, "Space");
  await page.getByText("paused", { exact: true }).waitFor();
  await list.focus();
  await press(page, "j", "ArrowDown", "k", "End", "Home", "Enter");
  await page.getByRole("complementary", { name: "Request" }).waitFor();
  assert.equal(await list.locator('[aria-selected="true"]').getAttribute("aria-posinset"), "1");
  await press(page, "Escape");
  await page.getByRole("complementary", { name: "Request" }).waitFor({ state: "detached" });
  await page.locator("main").focus();
  await press(page, "Space");
  await page.getByText("recording", { exact: true }).waitFor();
  await page.done();
});
