// What the tests of the console share: a live server, a browser, tables to look at.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const PROGRAM = process.env.STATOR_PROGRAM ?? "build/stator";
const CHROMIUM = process.env.STATOR_CHROMIUM ?? "/usr/bin/chromium";
const PICTURES = process.env.STATOR_PICTURES ?? "build/console-pictures";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// A server on a free port unless it is given one; `end` stops it, `kill` gives it no time to.
export async function startServer(...flags) {
  const child = spawn(PROGRAM, ["serve", ...(flags.includes("--port") ? [] : ["--port", "0"]), "--die-with-parent", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (bytes) => { said += bytes; });
  const endpoint = await new Promise((resolve, reject) => {
    child.stdout.on("data", (bytes) => {
      said += bytes;
      const found = /endpoint\s+(https?:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    child.on("exit", () => reject(new Error(`the server ended: ${said}`)));
  });
  const stop = (signal) => () => new Promise((resolve) => { child.on("exit", resolve); child.kill(signal); });
  return { endpoint, end: stop("SIGTERM"), kill: stop("SIGKILL") };
}

// DynamoDB's protocol without a client.
export async function call(endpoint, operation, input) {
  const streams = ["ListStreams", "DescribeStream"].includes(operation);
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `${streams ? "DynamoDBStreams" : "DynamoDB"}_20120810.${operation}` },
    body: JSON.stringify(input),
  });
  const value = await response.json();
  if (!response.ok) throw new Error(`${operation}: ${JSON.stringify(value)}`);
  return value;
}

export async function makeTable(endpoint, name, { sort = true, index = false, stream = true, ttl = null } = {}) {
  const definitions = ["pk", ...(sort ? ["sk"] : []), ...(index ? ["status"] : [])];
  await call(endpoint, "CreateTable", {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: definitions.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, ...(sort ? [{ AttributeName: "sk", KeyType: "RANGE" }] : [])],
    ...(index ? { GlobalSecondaryIndexes: [{ IndexName: "by_status", KeySchema: [{ AttributeName: "status", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }], Projection: { ProjectionType: "ALL" } }] } : {}),
    ...(stream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } } : {}),
  });
  if (ttl) await call(endpoint, "UpdateTimeToLive", { TableName: name, TimeToLiveSpecification: { Enabled: true, AttributeName: ttl } });
}

export async function putAll(endpoint, table, items) {
  for (let at = 0; at < items.length; at += 25) {
    const RequestItems = { [table]: items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } })) };
    await call(endpoint, "BatchWriteItem", { RequestItems });
  }
}

const STATES = ["paid", "shipped", "delivered", "refunded", "cancelled"];

export function order(number, customer = 4711) {
  const day = String(1 + (number % 28)).padStart(2, "0");
  return {
    pk: { S: `CUSTOMER#${customer}` },
    sk: { S: `ORDER#2026-11-${day}#${90000 + number}` },
    status: { S: STATES[number % STATES.length] },
    total: { N: String(10 + number) + ".90" },
    lines: { L: Array.from({ length: 1 + (number % 4) }, (_, line) => ({ M: { sku: { S: `SKU-${line}` }, count: { N: "1" } } })) },
    ...(number % 3 === 0 ? { tags: { SS: ["express", "gift"] } } : {}),
    ...(number % 4 === 0 ? { expires_at: { N: String(Math.floor(Date.now() / 1000) + 187_000) } } : {}),
    address: { M: { city: { S: "Lyon" }, street: { S: "12 rue des Tables Claudiennes" }, zip: { S: "69001" } } },
    express: { BOOL: number % 2 === 0 },
    coupon: { NULL: true },
    receipt: { B: "JVBERi0xLjQK" },
    version: { N: "7" },
  };
}

export async function makeShop(endpoint) {
  await makeTable(endpoint, "shop", { index: true, ttl: "expires_at" });
  await putAll(endpoint, "shop", Array.from({ length: 42 }, (_, number) => order(number)));
  await putAll(endpoint, "shop", Array.from({ length: 60 }, (_, number) => order(number, 100 + number)));
  await makeTable(endpoint, "carts", { sort: false, stream: false });
  await putAll(endpoint, "carts", Array.from({ length: 12 }, (_, number) => ({ pk: { S: `c-${20000 + number}` }, total: { N: `${number}.50` } })));
}

let browser;

// A page that fails the test when the console throws, or its policy is violated, or it asks elsewhere.
export async function openPage(endpoint, options = {}) {
  assert.ok(existsSync(CHROMIUM), `${CHROMIUM} is missing: apt-get install chromium`);
  browser ??= await chromium.launch({ timeout: 120_000, executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "dark", reducedMotion: "reduce", acceptDownloads: true, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: endpoint });
  const page = await context.newPage();
  page.faults = [];
  page.setDefaultTimeout(120_000); // what is waited for is a state; machines may be busy
  page.on("pageerror", (error) => page.faults.push(`threw: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" || /Failed to load resource/.test(message.text())) return;
    page.faults.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(endpoint).origin && !request.url().startsWith("data:") && !request.url().startsWith("blob:")) page.faults.push(`asked elsewhere: ${request.url()}`);
  });
  page.done = async () => {
    assert.deepEqual(page.faults, []);
    await context.close();
  };
  return page;
}

export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

export async function picture(page, name) {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled" });
}

// No violation of WCAG 2.2 A and AA nor of best practices. The policy of the page keeps scripts out,
// so axe comes through the debugger, in a world of its own.
export async function checkAccess(page, what) {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: "axe" });
  const run = async (expression) => {
    const answer = await session.send("Runtime.evaluate", { expression, contextId, awaitPromise: true, returnByValue: true });
    assert.equal(answer.exceptionDetails, undefined, JSON.stringify(answer.exceptionDetails));
    return answer.result.value;
  };
  await run(`${AXE}; undefined`);
  const found = await run(`axe.run(document, {resultTypes: ["violations"]}).then((result) => JSON.stringify(result.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.target + " " + node.failureSummary).join(" | "))))`);
  assert.deepEqual(JSON.parse(found), [], `axe on ${what}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wide, 0, `${what} scrolls sideways`);
  await session.detach();
}

export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "stator-console-"));
  return { path, write: (name, text, mode = 0o600) => writeFileSync(join(path, name), text, { mode }), remove: () => rmSync(path, { recursive: true, force: true }) };
}
