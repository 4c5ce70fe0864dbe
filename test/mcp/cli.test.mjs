// `stator tasks`: provisioning, checking and looking into the store.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { CreateTaskResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { connect, program, withFolder } from "./support.mjs";

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
