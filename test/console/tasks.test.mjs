// Tasks: listed, looked into, cancelled through their store.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { call, checkAccess, closeBrowser, openPage, picture, startServer, temporaryFolder } from "./fixtures.mjs";
import { leaseItem, taskItem } from "./stores.mjs";

const PROGRAM = process.env.STATOR_PROGRAM ?? "build/stator";
const HOSTILE = "<img src=x onerror=hit()>";
const ITEMS = [
  taskItem("alice", "t-working", { message: "page 41 of 120", raw: '{"page":9007199254740993,"note":"a,b:{c}"}', arguments: { pages: 120 }, restartable: true, lease: { worker: "w-1", group: "g", attempt: 2 } }),
  leaseItem("alice", "t-working", Date.now() + 3600_000),
  taskItem("alice", "t-lapsed", { ageMs: 120_000, lease: { worker: "w-1", group: "g", attempt: 1 } }),
  leaseItem("alice", "t-lapsed", Date.now() - 5_000),
  taskItem("bob", "t-done", { status: "completed", message: "38 pages", result: { pages: 38 }, hasResult: true, ageMs: 3_000_000 }),
  taskItem("bob", "t-failed", { status: "failed", message: "no paper", error: { code: -32603, message: "no paper" }, ageMs: 4_000_000 }),
  taskItem("bob", "t-asks", { status: "input_required", inputs: [{ id: "q1", method: "elicitation/create", params: { message: "which one?" } }] }),
  taskItem("bob", "t-old", { ageMs: 48 * 3600_000 }),
  taskItem(HOSTILE, HOSTILE, { message: HOSTILE, raw: JSON.stringify({ [HOSTILE]: HOSTILE, __proto__: 1 }), toolName: HOSTILE, createdBy: HOSTILE }),
];

let server;
const prepare = async (endpoint) => {
  execFileSync(PROGRAM, ["tables", "create", "--for", "tasks", "--data", endpoint, "--no-recovery", "--no-deletion-protection"], { env: { ...process.env, AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any" } });
  for (const Item of ITEMS) await call(endpoint, "PutItem", { TableName: "pmcp_tasks", Item });
};
before(async () => { server = await startServer("--memory"); await prepare(server.endpoint); });
after(async () => { await closeBrowser(); await server.end(); });

const open = async (path, endpoint = server.endpoint) => {
  const page = await openPage(endpoint);
  await page.addInitScript(() => { window.hits = 0; window.hit = () => { window.hits += 1; }; });
  await page.goto(`${endpoint}/_stator/${path}`);
  return page;
};
const drawer = (page) => page.getByRole("complementary", { name: "Task" });
const stored = async (owner, id) => (await call(server.endpoint, "GetItem", { TableName: "pmcp_tasks", Key: { PK: { S: `OWNER#${owner}` }, SK: { S: `TASK#${id}` } }, ConsistentRead: true })).Item;

test("tasks are listed by state, youngest first, without those that have expired", async () => {
  const page = await open("tables");
  await page.getByRole("navigation", { name: "Views", exact: true }).getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("option", { name: /t-working/ }).waitFor();
  await page.getByText(/^6 tasks of 6, [\d.]+ read units$/).waitFor();
  assert.equal(await page.getByRole("option", { name: /t-old/ }).count(), 0);
  assert.match(await page.getByRole("option").last().innerText(), /t-failed/);
  await checkAccess(page, "tasks");
  await picture(page, "tasks");
  await page.getByRole("tab", { name: /lapsed/ }).click();
  await page.getByText(/^1 task of 6/).waitFor();
  await page.getByText(/lease lapsed/).waitFor();
  await page.getByRole("tab", { name: /^all/ }).click();
  await page.keyboard.press("Escape");
  await page.getByLabel("Filter tasks").fill("paper");
  await page.getByText(/^1 task of 6/).waitFor();
  await page.reload();
  await page.getByText(/^1 task of 6/).waitFor();
  assert.match(page.url(), /q=paper/);
  await page.done();
});

test("a task shows what happened to it, and every digit of what it holds", async () => {
  const page = await open("tasks");
  await page.getByRole("option", { name: /t-working/ }).waitFor();
  await page.getByRole("listbox", { name: "Tasks" }).focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await drawer(page).waitFor();
  await page.goto(`${server.endpoint}/_stator/tasks#${new URLSearchParams({ i: "S:alice:S:t-working" })}`);
  await drawer(page).getByText("claimed by w-1").waitFor();
  await drawer(page).getByText("holds it, attempt 2, may be begun again").waitFor();
  await drawer(page).getByText("page 41 of 120").waitFor();
  await checkAccess(page, "a task");
  await picture(page, "task");
  await drawer(page).getByRole("tab", { name: "Variables" }).click();
  assert.equal(await drawer(page).locator("pre").innerText(), '{\n  "page": 9007199254740993,\n  "note": "a,b:{c}"\n}');
  await drawer(page).getByRole("tab", { name: "Request" }).click();
  await drawer(page).getByText("tools/call").waitFor();
  assert.match(await drawer(page).locator("pre").innerText(), /"pages": 120/);
  await drawer(page).getByRole("tab", { name: "Result" }).click();
  await drawer(page).getByText("There is no result yet.").waitFor();
  await page.getByRole("button", { name: "All of alice" }).click();
  await page.getByText(/^2 tasks of 2/).waitFor();
  await page.goto(`${server.endpoint}/_stator/tasks#${new URLSearchParams({ i: "S:bob:S:t-asks" })}`);
  await drawer(page).getByText("asks its client: elicitation/create").waitFor();
  await page.goto(`${server.endpoint}/_stator/tasks#${new URLSearchParams({ i: "S:bob:S:t-failed" })}`);
  await drawer(page).getByRole("tab", { name: "Result" }).click();
  await drawer(page).getByText("-32603").waitFor();
  assert.equal(await drawer(page).getByRole("button", { name: "Cancel" }).isDisabled(), true);
  await page.goto(`${server.endpoint}/_stator/tasks#${new URLSearchParams({ i: "S:bob:S:nobody" })}`);
  await drawer(page).getByText("There is no such task any more.").waitFor();
  await drawer(page).getByRole("link", { name: "Its item" }).click();
  await page.getByRole("heading", { name: "pmcp_tasks" }).waitFor();
  await page.done();
});

test("cancelling asks, goes through the store, and says when somebody was faster", async () => {
  const page = await open(`tasks#${new URLSearchParams({ i: "S:alice:S:t-lapsed" })}`);
  await drawer(page).getByText(/lease lapsed/).waitFor();
  await drawer(page).getByRole("button", { name: "Cancel" }).click();
  const asked = page.getByRole("dialog", { name: "Cancel this task?" });
  await asked.getByText(/w-1 works on it/).waitFor();
  await checkAccess(page, "a task that is to be cancelled");
  await page.keyboard.press("Enter");
  await asked.waitFor({ state: "detached" });
  assert.equal((await stored("alice", "t-lapsed")).status.S, "working");
  await drawer(page).getByRole("button", { name: "Cancel" }).click();
  await asked.getByRole("button", { name: "Cancel the task" }).click();
  await page.getByText("Cancelled.").waitFor();
  await drawer(page).locator(".badge").getByText("cancelled").waitFor();
  await page.getByRole("option", { name: /t-lapsed.*cancelled/ }).waitFor();
  const now = await stored("alice", "t-lapsed");
  assert.equal(now.status.S, "cancelled");
  assert.equal(now.version.N, "2");
  assert.equal(now.active_key, undefined);
  await page.goto(`${server.endpoint}/_stator/tasks#${new URLSearchParams({ i: "S:bob:S:t-asks" })}`);
  await drawer(page).getByText("asks its client").waitFor();
  execFileSync(PROGRAM, ["tasks", "cancel", "t-asks", "--owner", "bob", "--data", server.endpoint], { env: { ...process.env, AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any" } });
  await drawer(page).getByRole("button", { name: "Cancel" }).click();
  await asked.getByText("Nobody works on it.").waitFor();
  await asked.getByRole("button", { name: "Cancel the task" }).click();
  await page.getByText(/invalid transition from cancelled/).waitFor();
  await page.done();
});

test("hostile owners, ids and messages are only words, and can be cancelled", async () => {
  const page = await open(`tasks#${new URLSearchParams({ i: `S:${HOSTILE}:S:${HOSTILE}` })}`);
  await drawer(page).getByText("made", { exact: true }).waitFor();
  for (const tab of ["Variables", "Request", "Result", "Timeline"]) await drawer(page).getByRole("tab", { name: tab }).click();
  await drawer(page).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the task" }).click();
  await page.getByText("Cancelled.").waitFor();
  assert.equal((await stored(HOSTILE, HOSTILE)).status.S, "cancelled");
  for (const fragment of ["i=nonsense", "i=S:a", "state=__proto__", "state=constructor", "owner=%3Cscript%3E", "in=none&q=%00"]) {
    await page.goto("about:blank");
    await page.goto(`${server.endpoint}/_stator/tasks#${fragment}`);
    await page.getByText(/tasks? of \d/).waitFor();
  }
  assert.equal(await page.evaluate(() => window.hits), 0);
  await page.done();
});

test("with recovery on, a task tells every step that its table remembers", async () => {
  const own = await startServer("--memory");
  await prepare(own.endpoint);
  await call(own.endpoint, "UpdateContinuousBackups", { TableName: "pmcp_tasks", PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
  const put = (options) => call(own.endpoint, "PutItem", { TableName: "pmcp_tasks", Item: taskItem("carol", "t-told", options) });
  await put({});
  await put({ message: "page 1 of 2", raw: '{"page":1}', lease: { worker: "w-7", group: "g", attempt: 1 } });
  await put({ message: "page 2 of 2", raw: '{"page":2}', lease: { worker: "w-8", group: "g", attempt: 2 } });
  await put({ status: "completed", message: "2 pages", raw: '{"page":2}', lease: { worker: "w-8", group: "g", attempt: 2 }, result: { pages: 2 }, hasResult: true });
  const page = await open(`tasks#${new URLSearchParams({ i: "S:carol:S:t-told" })}`, own.endpoint);
  await drawer(page).getByText("attempt 2, taken over from w-7").waitFor();
  assert.match((await drawer(page).locator(".steps li b").allInnerTexts()).join("|"), /^is removed in .*\|completed\|page 2 of 2\|claimed by w-8\|page 1 of 2\|claimed by w-7\|made$/);
  await checkAccess(page, "the timeline of a task");
  await picture(page, "task-timeline");
  await drawer(page).getByRole("button", { name: "Close" }).click();
  await page.done();
  await own.end();
});

test("items of a store say whose they are, and are edited by hand only by who insists", async () => {
  const page = await open("tables");
  await page.getByRole("row").filter({ hasText: "pmcp_tasks" }).getByRole("link", { name: "tasks", exact: true }).waitFor();
  await page.goto(`${server.endpoint}/_stator/tables/pmcp_tasks/items#${new URLSearchParams({ m: "query", pk: "S:OWNER#alice", sk: "eq:S:TASK#t-working" })}`);
  await page.getByRole("gridcell", { name: "working", exact: true }).dblclick();
  const item = page.getByRole("complementary", { name: "Item" });
  await item.getByRole("link", { name: "belongs to tasks" }).waitFor();
  await item.getByText("t-working").first().waitFor();
  assert.equal(await page.getByLabel("New value").count() + await item.getByRole("button", { name: "Save" }).count() + await item.getByTitle("Edit").count(), 0);
  await checkAccess(page, "an item of a store");
  await picture(page, "item-of-store");
  await item.getByRole("button", { name: "Edit anyway" }).click();
  await page.getByRole("dialog", { name: "Edit what belongs to tasks?" }).getByRole("button", { name: "Edit anyway" }).click();
  await item.getByRole("button", { name: "Save" }).waitFor();
  assert.ok(await item.getByTitle("Edit").count() > 0);
  await page.keyboard.press("Escape");
  await page.getByRole("grid").focus();
  for (const key of ["x", "Delete"]) await page.keyboard.press(key);
  await page.getByRole("dialog").getByText("These items belong to the store of tasks").waitFor();
  await page.keyboard.press("Escape");
  await page.done();
});

test("a page of somebody else cannot cancel", async () => {
  const url = `${server.endpoint}/_stator/api/tasks/cancel`;
  const body = JSON.stringify({ table: "pmcp_tasks", owner: "alice", task: "t-working" });
  const send = (headers) => fetch(url, { method: "POST", headers, body });
  assert.equal((await send({ "content-type": "text/plain" })).status, 400);
  assert.equal((await send({ "content-type": "application/json" })).status, 400);
  assert.equal((await send({ "content-type": "application/json", "x-stator-console": "1", origin: "http://evil.example" })).status, 403);
  const preflight = await fetch(url, { method: "OPTIONS", headers: { origin: "http://localhost:1", "access-control-request-method": "POST", "access-control-request-headers": "x-stator-console" } });
  assert.equal(preflight.headers.get("access-control-allow-origin"), null);
  assert.equal((await stored("alice", "t-working")).status.S, "working");
});

test("policies hold: cancelling needs its own action and what the store does", async () => {
  const folder = temporaryFolder();
  const reads = ["dynamodb:List*", "dynamodb:Describe*", "dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan"];
  const policies = { viewer: reads, clerk: [...reads, "stator:ChangeTasks"], boss: [...reads, "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "stator:ChangeTasks"] };
  for (const [name, Action] of Object.entries(policies)) folder.write(`${name}.json`, JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] }));
  folder.write("credentials", Object.keys(policies).map((name) => `[${name}]\naws_access_key_id = AK${name.toUpperCase()}\naws_secret_access_key = secret-${name}\nstator_policy = ${name}.json\n`).join("\n"));
  const first = await startServer("--data", `${folder.path}/data`);
  await prepare(first.endpoint);
  await first.end();
  const guarded = await startServer("--data", `${folder.path}/data`, "--credentials", `${folder.path}/credentials`);
  for (const [name, said] of [["viewer", /stator:ChangeTasks/], ["clerk", /dynamodb:(PutItem|UpdateItem)/], ["boss", "Cancelled."]]) {
    const page = await openPage(guarded.endpoint);
    await page.goto(`${guarded.endpoint}/_stator/tasks#${new URLSearchParams({ i: "S:alice:S:t-working" })}`);
    await page.getByLabel("Access key").fill(`AK${name.toUpperCase()}`);
    await page.getByLabel("Secret").fill(`secret-${name}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await drawer(page).getByText("claimed by w-1").waitFor();
    await drawer(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the task" }).click();
    await page.getByText(said).waitFor();
    await page.done();
  }
  await guarded.end();
  folder.remove();
});

test("no table of tasks is said; on a phone, in light", async () => {
  const other = await startServer("--memory");
  const page = await open("tasks", other.endpoint);
  await page.getByText("There is no table of tasks.").waitFor();
  await checkAccess(page, "no tasks");
  await page.done();
  await other.end();
  const phone = await openPage(server.endpoint, { viewport: { width: 360, height: 760 }, colorScheme: "light" });
  await phone.goto(`${server.endpoint}/_stator/tasks`);
  await phone.getByRole("option", { name: /t-working/ }).waitFor();
  await checkAccess(phone, "tasks on a phone");
  await picture(phone, "tasks-phone");
  await phone.getByRole("option", { name: /t-working/ }).click();
  await drawer(phone).getByText("claimed by w-1").waitFor();
  await checkAccess(phone, "a task on a phone");
  await phone.done();
});
