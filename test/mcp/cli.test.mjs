// `stator tasks`: provisioning, checking and looking into the store.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { CreateTaskResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { connect, connectHttp, program, startHttp, withFolder } from "./support.mjs";

const run = promisify(execFile);
const command = (name) => async (...args) => {
  try {
    return { code: 0, ...(await run(program, [name, ...args])) };
  } catch (error) {
    return error;
  }
};
const stator = command("tasks");
const tables = command("tables");

test("tables are made once and verified", () =>
  withFolder(async (folder) => {
    const ready = ["--for", "tasks", "--data", folder];
    assert.match((await tables("create", ...ready, "--no-recovery")).stdout, /is made/);
    const missing = await tables("verify", ...ready, "--table", "other", "--json");
    assert.equal(missing.code, 1);
    assert.equal(JSON.parse(missing.stdout).kind, "missing-table");
    assert.match((await tables("create", ...ready, "--no-recovery")).stdout, /is as it should be/);
    assert.equal((await tables("verify", ...ready)).code, 0);
  }));

test("whoever only looks makes no database", () =>
  withFolder(async (folder) => {
    const typo = join(folder, "typo");
    const looks = [["ls"], ["show", "x"], ["cancel", "x"], ["purge"]].map((args) => stator(...args, "--data", typo));
    looks.push(tables("verify", "--for", "tasks", "--data", typo));
    for (const { code, stderr } of await Promise.all(looks)) {
      assert.equal(code, 1);
      assert.match(stderr, /there is no Stator database in/);
    }
    assert.deepEqual(await readdir(folder), []);
  }));

test("tables print writes CloudFormation without a database", async () => {
  const { stdout } = await tables("print", "--for", "tasks", "--as", "cloudformation", "--table", "my-tasks");
  const { Properties } = JSON.parse(stdout).Resources.MyTasksTable;
  assert.equal(Properties.TableName, "my-tasks");
  assert.equal(Properties.TimeToLiveSpecification.AttributeName, "expires_at");
});

test("ls, show, cancel and purge", () =>
  withFolder(async (folder) => {
    const { client, pid } = await connect(folder);
    const { task } = await client.request(
      { method: "tools/call", params: { name: "slow", arguments: { ms: 60000 }, task: {} } },
      CreateTaskResultSchema,
    );
    process.kill(pid, "SIGKILL");
    await client.close();

    const list = await stator("ls", "--data", folder, "--json");
    assert.equal(JSON.parse(list.stdout).taskId, task.taskId);
    const shown = await stator("show", task.taskId, "--data", folder, "--json");
    assert.equal(JSON.parse(shown.stdout).toolName, "slow");
    assert.equal((await stator("show", "unknown", "--data", folder)).code, 1);
    assert.match((await stator("purge", "--data", folder)).stdout, /removed 0 tasks/);
    assert.match((await stator("cancel", task.taskId, "--data", folder)).stdout, /cancelled/);
    assert.equal((await stator("cancel", task.taskId, "--data", folder)).code, 1);
    assert.match((await stator("purge", "--data", folder, "--dry-run")).stdout, /would remove 1/);
    assert.match((await stator("purge", "--data", folder)).stdout, /removed 1 tasks/);
    assert.equal((await stator("ls", "--data", folder)).stdout, "");
  }));

test("owners, stats, lapsed, dead and retry", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data");
    const tools = join(folder, "tools.json");
    await writeFile(tools, JSON.stringify({ tools: [{ name: "work", description: "d", worker: true }] }));
    const flags = ["--allow-anonymous", "--workers", "--config", tools];
    const server = await startHttp(data, ...flags);
    const client = await connectHttp(server.endpoint);
    const begin = async () =>
      (
        await client.request({ method: "tools/call", params: { name: "work", arguments: { n: 7 }, task: {} } }, CreateTaskResultSchema)
      ).task.taskId;
    const post = (what, body) =>
      fetch(server.endpoint.replace("mcp", `workers/${what}`), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const failing = await begin();
    const { claim } = await (await post("claim", { worker: "w", tools: ["work"], waitSeconds: 20 })).json();
    assert.equal((await post("fail", { claim, message: "no luck" })).status, 200);
    const waiting = await begin();
    await client.close();
    await server.kill("SIGTERM");

    const look = async (...args) => JSON.parse((await stator(...args, "--data", data, "--json")).stdout);
    assert.deepEqual((await look("owners")).tasks, { failed: 1, working: 1 });
    assert.deepEqual(await look("stats"), { owner: "1 owners", tasks: { failed: 1, working: 1 }, leased: 0, lapsed: 1, dead: 1 });
    assert.equal((await look("lapsed", "--group", "work:work")).taskId, waiting);
    const dead = await look("dead");
    assert.deepEqual([dead.taskId, dead.status, dead.statusMessage], [failing, "failed", "no luck"]);
    const again = await look("retry", failing);
    assert.equal(again.status, "working");
    assert.equal((await stator("dead", "--data", data)).stdout, "");
    assert.equal((await stator("retry", again.taskId, "--data", data)).code, 1);

    const next = await startHttp(data, ...flags);
    try {
      const claimed = await Promise.all(
        [1, 2].map(async () => {
          const body = JSON.stringify({ worker: "w", tools: ["work"], waitSeconds: 20 });
          const headers = { "content-type": "application/json" };
          return (await fetch(next.endpoint.replace("mcp", "workers/claim"), { method: "POST", headers, body })).json();
        }),
      );
      assert.deepEqual(new Set(claimed.map((task) => task.taskId)), new Set([waiting, again.taskId]));
      assert.deepEqual(claimed[0].arguments, { n: 7 });
    } finally {
      await next.kill("SIGTERM");
    }
  }));
