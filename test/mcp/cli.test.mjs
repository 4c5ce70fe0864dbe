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
const stator = async (...args) => {
  try {
    return { code: 0, ...(await run(program, ["tasks", ...args])) };
  } catch (error) {
    return error;
  }
};

test("init makes the table once, check finds it in order", () =>
  withFolder(async (folder) => {
    assert.match((await stator("init", "--data", folder)).stdout, /is ready/);
    const missing = await stator("check", "--data", folder, "--table", "other", "--json");
    assert.equal(missing.code, 1);
    assert.equal(JSON.parse(missing.stdout).exists, false);
    const dry = await stator("init", "--data", folder, "--table", "other", "--dry-run");
    assert.match(dry.stdout, /would make/);
    assert.equal((await stator("check", "--data", folder, "--table", "other")).code, 1);
    assert.match((await stator("init", "--data", folder)).stdout, /was ready before/);
    assert.match((await stator("init", "--data", folder, "--dry-run")).stdout, /nothing/);
    const there = await stator("check", "--data", folder, "--json");
    assert.equal(there.code, 0);
    assert.deepEqual(JSON.parse(there.stdout).problems, []);
  }));

test("whoever only looks makes no database", () =>
  withFolder(async (folder) => {
    const typo = join(folder, "typo");
    for (const args of [["ls"], ["check"], ["show", "x"], ["cancel", "x"], ["purge"], ["init", "--dry-run"]]) {
      const { code, stderr } = await stator(...args, "--data", typo);
      assert.equal(code, 1);
      assert.match(stderr, /there is no Stator database in/);
    }
    assert.deepEqual(await readdir(folder), []);
  }));

test("init prints CloudFormation without a database", async () => {
  const { stdout } = await stator("init", "--cloudformation", "--table", "my-tasks");
  const { Properties } = JSON.parse(stdout).Resources.TaskTable;
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
