// @modelcontextprotocol/client 2.x with @modelcontextprotocol/ext-tasks against `stator mcp`.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { connect2 } from "./support.mjs";

describe("client 2.x with ext-tasks", () => {
  let client;
  let session;

  before(async () => {
    ({ client } = await connect2("memory:"));
    session = createTaskSessionFromClient(client, { endpointId: "stator" });
  });

  after(async () => {
    await client.close();
  });

  test("settle gives the result of a task", async () => {
    const execution = await session.callTool("slow", { ms: 300 }, {
      task: { preference: "require", retentionMs: 60000 },
    });
    const { outcome } = await execution.settle();
    const result = resultFromTaskOutcome(outcome);
    assert.equal(result.content[0].text, "done in attempt 1");
  });

  test("without a preference an optional tool runs inline", async () => {
    const execution = await session.callTool("slow", { ms: 10 });
    const { outcome } = await execution.settle();
    assert.equal(resultFromTaskOutcome(outcome).content[0].text, "done in attempt 1");
  });

  test("tasks are listed and cancelled", async () => {
    const execution = await session.callTool("slow", { ms: 60000 }, { task: { preference: "prefer" } });
    let reference;
    await execution.handoff((given) => {
      reference = given;
    });
    const { tasks } = await session.listTasks();
    const id = tasks[0].taskId ?? tasks[0].id;
    assert.ok(JSON.stringify(reference).includes(id));
    await session.cancelTask(id);
    const again = await session.listTasks();
    assert.equal(again.tasks.find((task) => (task.taskId ?? task.id) === id).status, "cancelled");
  });
});
