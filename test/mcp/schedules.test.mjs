// Tasks by schedule, and a running server that is looked into by its address.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { callTool, clientOf, flagsFor, getTask } from "./owners.mjs";
import { eventually, startHttp, statorTasks, withDatabase, withFolder } from "./support.mjs";

const owner = "https://id.example|alice";

// The flags of a server with a tool that writes a line, and that file.
async function ticking(folder) {
  const log = join(folder, "ticks");
  await writeFile(log, "");
  const config = join(folder, "tools.json");
  const tick = {
    name: "tick",
    description: "Writes a line",
    command: ["sh", "-c", `echo "$(cat)" >> ${log}`], // One write: others write, too.
    taskSupport: "required",
    idempotent: true,
  };
  await writeFile(config, JSON.stringify({ tools: [tick] }));
  return { log, flags: [...(await flagsFor(folder)), "--config", config, "--lease", "0.5"] };
}

async function look(address, ...args) {
  const { code, stdout, stderr } = await statorTasks(...args, "--data", address, "--json");
  assert.equal(code, 0, stderr);
  return stdout.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

test("a schedule makes one task for every due time, at two processes of which one is killed and comes back", () =>
  withFolder((folder) =>
    withDatabase(folder, async (address) => {
      const { log, flags } = await ticking(folder);
      const servers = [await startHttp(address, ...flags), await startHttp(address, ...flags)];
      try {
        const list = async () => (await look(address, "ls", "--owner", owner, "--limit", "1000")).filter((task) => task._meta);
        const of = ["--owner", owner, "--key", "ticks"];
        const rules = ["--every", "1s", "--missed", "all", "--arguments", '{"n":1}'];
        const [made] = await look(address, "schedule", "tick", ...rules, ...of);
        const [again] = await look(address, "schedule", "tick", ...rules, ...of);
        assert.equal(again.taskId, made.taskId);
        assert.match(made.statusMessage, /^every 1s, next at /);
        const [listed] = await look(address, "schedules");
        assert.deepEqual([listed.taskId, listed.owner], [made.taskId, owner]);

        await eventually(async () => (await list()).length >= 3);
        await servers[0].kill("SIGKILL");
        const then = (await list()).length;
        await eventually(async () => (await list()).length >= then + 3);
        servers[0] = await startHttp(address, ...flags);
        await eventually(async () => (await list()).length >= then + 5);

        assert.equal((await look(address, "cancel", made.taskId, "--owner", owner))[0].status, "cancelled");
        const tasks = await eventually(async () => {
          const now = await list();
          return now.every((task) => task.status === "completed") && now;
        });
        const due = tasks.map((task) => Date.parse(task._meta["stator/due"])).sort();
        for (let at = 1; at < due.length; at += 1) {
          assert.equal(due[at] - due[at - 1], 1000, "no due time twice, none missing");
        }
        assert.ok(tasks.every((task) => task._meta["stator/schedule"] === made.taskId));
        assert.match(await readFile(log, "utf8"), /^(\{"n":1\}\n)+$/);
        assert.deepEqual(await look(address, "schedules"), []);
      } finally {
        await Promise.all(servers.map((server) => server.kill("SIGTERM")));
      }
    }),
  ));

test("a wrong schedule is refused with what is wrong", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data");
    const refused = async (...args) => {
      const { code, stderr } = await statorTasks("schedule", "tick", ...args, "--data", data);
      assert.notEqual(code, 0);
      return stderr;
    };
    assert.match(await refused(), /either "every" or "cron"/);
    assert.match(await refused("--every", "soon"), /"every" is a number and s, m, h or d/);
    assert.match(await refused("--cron", "61 * * * *"), /minute/);
    assert.match(await refused("--every", "1s", "--arguments", "[1]"), /must be a JSON object/);
    assert.match(await refused("--every", "1s"), /./, "and no database is made");
  }));

test("a running server is looked into by its address", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data");
    const server = await startHttp(data, ...(await flagsFor(folder)), "--database-port", "0");
    try {
      const client = clientOf(server.endpoint, "alice");
      const { taskId } = await callTool(client, "asks");
      await eventually(async () => (await getTask(client, taskId)).status === "input_required");
      assert.notEqual((await statorTasks("stats", "--data", data)).code, 0, "the directory is in use");
      const address = await eventually(() => /the database is at (http:\S+)/.exec(server.said())?.[1]);
      assert.deepEqual((await look(address, "stats"))[0].tasks, { input_required: 1 });
      assert.equal((await look(address, "owners"))[0].owner, owner);
      assert.deepEqual(await look(address, "lapsed"), []);
      await look(address, "cancel", taskId, "--owner", owner);
      assert.equal((await getTask(client, taskId)).status, "cancelled");
      const [again] = await look(address, "retry", taskId, "--owner", owner);
      await eventually(async () => (await getTask(client, again.taskId)).status === "input_required");
    } finally {
      await server.kill("SIGTERM");
    }
  }));
