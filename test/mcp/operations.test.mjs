// What whoever runs `stator mcp` sees of it: health, numbers, and the audit log; and results that are
// larger than an item.

import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { callTool, clientOf, flagsFor, getTask } from "./owners.mjs";
import { eventually, program, startHttp, withFolder } from "./support.mjs";

test("health, readiness and metrics need no token and name nobody", () =>
  withFolder(async (folder) => {
    const server = await startHttp("memory:", ...(await flagsFor(folder)));
    const client = clientOf(server.endpoint, "alice");
    const { taskId } = await callTool(client, "asks");
    await eventually(async () => (await getTask(client, taskId)).status === "input_required");
    const page = async (path) => {
      const answer = await fetch(new URL(path, server.endpoint));
      return { status: answer.status, text: await answer.text() };
    };
    assert.deepEqual(await page("/healthz"), { status: 200, text: "ok\n" });
    assert.deepEqual(await page("/readyz"), { status: 200, text: "ok\n" });
    const { status, text } = await page("/metrics");
    assert.equal(status, 200);
    assert.match(text, /^stator_mcp_task_events_total\{event="created"\} 1$/m);
    assert.match(text, /^stator_mcp_parked_tasks 1$/m);
    assert.ok(!text.includes("alice") && !text.includes(taskId));
    assert.equal((await page("/mcp")).status, 401);
    await server.kill("SIGTERM");
  }));

test("an owner has as many tasks as it may, others have theirs", () =>
  withFolder(async (folder) => {
    const server = await startHttp("memory:", ...(await flagsFor(folder)), "--owner-tasks-max", "2");
    const alice = clientOf(server.endpoint, "alice");
    await callTool(alice, "asks");
    await callTool(alice, "asks");
    await assert.rejects(callTool(alice, "asks"), /too many active tasks/);
    assert.ok((await callTool(clientOf(server.endpoint, "bob"), "asks")).taskId);
    await server.kill("SIGTERM");
  }));

test("the audit log has a line for everything, also of two processes", () =>
  withFolder(async (folder) => {
    const audit = join(folder, "audit.jsonl");
    const refused = () =>
      execFileSync(program, ["mcp", "--data", "memory:", "--audit", join(folder, "no/such")], { stdio: "pipe" });
    assert.throws(refused, (error) => error.stderr.toString().includes("cannot write"));
    const flags = [...(await flagsFor(folder)), "--audit", audit];
    const servers = [await startHttp("memory:", ...flags), await startHttp("memory:", ...flags)];
    for (const { endpoint } of servers) {
      await callTool(clientOf(endpoint, "alice"), "asks");
    }
    const lines = (await readFile(audit, "utf8")).trim().split("\n").map(JSON.parse);
    assert.deepEqual(lines.map(({ event, detail }) => [event, detail]), [["created", "asks"], ["created", "asks"]]);
    for (const line of lines) {
      assert.match(line.owner, /alice/);
      assert.match(line.by, /^client /);
      assert.match(line.at, /^\d{4}-\d\d-\d\dT.*Z$/);
    }
    await Promise.all(servers.map((server) => server.kill("SIGTERM")));
  }));

test("a result beyond an item goes to --blobs and comes back from there, also after a restart", () =>
  withFolder(async (folder) => {
    const config = join(folder, "tools.json");
    const tool = {
      name: "large",
      description: "Says much",
      command: [process.execPath, "-e", "process.stdout.write('x'.repeat(3000000))"],
      taskSupport: "required",
      outputBytesMax: 4_000_000,
    };
    await writeFile(config, JSON.stringify({ tools: [tool] }));
    const data = join(folder, "data");
    const blobs = join(folder, "blobs");
    const flags = [...(await flagsFor(folder)), "--config", config];
    const run = async (...more) => {
      const server = await startHttp(data, ...flags, ...more);
      const client = clientOf(server.endpoint, "alice");
      const { taskId } = await callTool(client, "large");
      const ended = await eventually(async () => {
        const task = await getTask(client, taskId);
        return task.status !== "working" && task;
      });
      await server.kill("SIGTERM");
      return ended;
    };
    const refused = await run();
    assert.equal(refused.status, "failed");
    const kept = await run("--blobs", blobs);
    assert.equal(kept.status, "completed");
    assert.equal(kept.result.content[0].text.length, 3_000_000);
    assert.equal((await readdir(blobs)).length > 0, true);

    const server = await startHttp(data, ...flags, "--blobs", blobs);
    const again = await getTask(clientOf(server.endpoint, "alice"), kept.taskId);
    assert.equal(again.result.content[0].text.length, 3_000_000);
    await server.kill("SIGTERM");
    const swept = execFileSync(program, ["tasks", "sweep", "--data", data, "--blobs", blobs], { encoding: "utf8" });
    assert.equal(swept, "removed 0 results that no task has\n");
  }));

test("the table of the tasks is named by the environment, and an option says otherwise", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data");
    const flags = await flagsFor(folder);
    process.env.STATOR_TASKS_TABLE = "from_environment";
    try {
      for (const more of [[], ["--table", "from_option"]]) {
        const server = await startHttp(data, ...flags, ...more);
        await callTool(clientOf(server.endpoint, "alice"), "asks");
        await server.kill("SIGTERM");
      }
      const listed = (...more) =>
        execFileSync(program, ["tasks", "owners", "--data", data, ...more], { encoding: "utf8" });
      assert.match(listed(), /alice/);
      assert.match(listed("--table", "from_option"), /alice/);
      assert.throws(
        () => execFileSync(program, ["tasks", "owners", "--data", data, "--table", "pmcp_tasks"], { stdio: "pipe" }),
        (error) => error.stderr.toString().includes("pmcp_tasks"),
      );
    } finally {
      delete process.env.STATOR_TASKS_TABLE;
    }
  }));
