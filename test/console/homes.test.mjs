// `stator console LOCATION`: the same page on a directory, on a server, on DynamoDB Local.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { call, checkAccess, closeBrowser, makeShop, openPage, order, picture, startServer, temporaryFolder } from "./fixtures.mjs";

const PROGRAM = process.env.STATOR_PROGRAM ?? "build/stator";
const folder = temporaryFolder();
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
const startConsole = (location) => start(PROGRAM, ["console", location, "--die-with-parent"], /console\s+(http\S+)/, { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local", AWS_REGION: "us-east-1" });

async function walk(location, name) {
  const console_ = await startConsole(location);
  const address = new URL(console_.found);
  const page = await openPage(address.origin);
  await page.goto(`${address.origin}/_stator/`);
  await page.getByLabel("Access key").waitFor(); // Without the key nobody gets in.
  assert.equal((await fetch(`${address.origin}/_stator/api/home`)).status, 401);
  await page.goto("about:blank");
  await page.goto(console_.found);
  await page.getByRole("link", { name: "shop", exact: true }).waitFor();
  assert.ok(!page.url().includes("key="));
  await checkAccess(page, name);
  await picture(page, `home-${name}`);
  await page.getByRole("link", { name: "shop", exact: true }).click();
  await page.getByText("102 of 102 items read").waitFor();
  await page.goto(`${address.origin}/_stator/tables/shop/items#m=query&pk=S:CUSTOMER%234711`);
  await page.getByText("42 of 42 items read").waitFor();
  const cell = page.getByRole("row").filter({ hasText: order(1).sk.S }).getByRole("gridcell", { name: "shipped" });
  await cell.dblclick();
  await page.getByLabel("New value").fill(name);
  await page.keyboard.press("Enter");
  await page.getByText(`status is ${name}.`).waitFor();
  await page.done();
  await console_.end();
}

test("on a directory", async () => {
  const path = `${folder.path}/data`;
  const server = await startServer("--data", path);
  await makeShop(server.endpoint);
  await server.end();
  await walk(path, "directory");
  const again = await startServer("--data", path);
  assert.equal((await call(again.endpoint, "GetItem", { TableName: "shop", Key: { pk: order(1).pk, sk: order(1).sk } })).Item.status.S, "directory");
  await again.end();
});

test("on a server", async () => {
  const server = await startServer("--memory");
  await makeShop(server.endpoint);
  await walk(server.endpoint, "server");
  assert.equal((await call(server.endpoint, "GetItem", { TableName: "shop", Key: { pk: order(1).pk, sk: order(1).sk } })).Item.status.S, "server");
  await server.end();
});

test("on DynamoDB Local", async () => {
  const local = await start("python3", [fileURLToPath(new URL("../../tools/dynamodb_local.py", import.meta.url))], /(\d+)/);
  const endpoint = `http://127.0.0.1:${local.found}`;
  const signed = { authorization: "AWS4-HMAC-SHA256 Credential=local/20261116/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0" };
  const plain = globalThis.fetch;
  globalThis.fetch = (address, options) => plain(address, { ...options, headers: { ...options?.headers, ...signed } });
  try {
    await makeShop(endpoint);
  } finally {
    globalThis.fetch = plain;
  }
  await walk(endpoint, "local");
  await local.end();
});

test("a mistyped directory is an error, and makes nothing", async () => {
  await assert.rejects(startConsole(`${folder.path}/nothing`), /stator: /);
});
