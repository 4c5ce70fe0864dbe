// Two processes on one database, which hear of each other by the stream of the table.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { callTool, clientOf, flagsFor, forAll, getTask } from "./owners.mjs";
import { eventually, startHttp, withDatabase, withFolder } from "./support.mjs";

test("under load each task is done once, whichever process was called", () =>
  withFolder((folder) =>
    withDatabase(folder, async (address) => {
      const log = join(folder, "log");
      const config = join(folder, "tools.json");
      const command = ["sh", "-c", `echo "$(cat)" >> ${log}`]; // One write: others write, too.
      await writeFile(config, JSON.stringify({ tools: [{ name: "once", description: "Writes a line", command }] }));
      const flags = [...(await flagsFor(folder)), "--config", config, "--push"];
      const servers = [await startHttp(address, ...flags), await startHttp(address, ...flags)];
      try {
        const numbers = Array.from({ length: 200 }, (_, number) => ({ number }));
        await forAll(numbers, async (task) => {
          const call = (which) => clientOf(servers[(task.number + which) % 2].endpoint, `owner${task.number % 5}`);
          const params = { name: "once", arguments: { number: task.number } };
          task.id = (await call(0)("tools/call", params, "once")).taskId;
          // Asked at the other one.
          const ended = await eventually(async () => {
            const now = await getTask(call(1), task.id);
            return now.status !== "working" && now;
          }, 60_000);
          assert.equal(ended.status, "completed");
        });
        const done = (await readFile(log, "utf8")).trim().split("\n").map((line) => JSON.parse(line).number);
        assert.deepEqual(done.sort((a, b) => a - b), numbers.map(({ number }) => number));
      } finally {
        await Promise.all(servers.map((server) => server.kill("SIGTERM")));
      }
    }),
  ));

test("a stream says what happens at the other process", () =>
  withFolder((folder) =>
    withDatabase(folder, async (address) => {
      const flags = [...(await flagsFor(folder)), "--push"];
      const [first, second] = [await startHttp(address, ...flags), await startHttp(address, ...flags)];
      try {
        const { taskId } = await callTool(clientOf(first.endpoint, "alice"), "asks");
        await eventually(async () => (await getTask(clientOf(second.endpoint, "alice"), taskId)).status === "input_required");
        const listening = clientOf(second.endpoint, "alice").listen({ taskIds: [taskId] });
        const told = [];
        for await (const { method, params } of listening) {
          told.push(method === "notifications/tasks" ? params.status : method);
          if (params.status === "input_required") {
            await clientOf(first.endpoint, "alice")("tasks/cancel", { taskId }, taskId);
          }
          if (params.status === "cancelled") {
            break;
          }
        }
        assert.deepEqual(told, ["notifications/subscriptions/acknowledged", "input_required", "cancelled"]);
      } finally {
        await Promise.all([first, second].map((server) => server.kill("SIGTERM")));
      }
    }),
  ));
