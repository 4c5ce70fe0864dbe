// A task outlives the server that began it: create, kill -9, another server on the same data,
// resume, result. With both clients, and for tools that may and may not be run again.

import assert from "node:assert/strict";
import { createConnection, createServer } from "node:net";
import { test } from "node:test";
import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { CallToolResultSchema, CreateTaskResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { connect, connect2, connectHttp, startHttp, withFolder } from "./support.mjs";

const flags = ["--lease", "1"];
const create = (client, name, args) =>
  client.request(
    { method: "tools/call", params: { name, arguments: args, task: { ttl: 60000 } } },
    CreateTaskResultSchema,
  );

test("sdk 1.x: a restartable task is finished by the next server", () =>
  withFolder(async (folder) => {
    const first = await connect(folder, { flags });
    const { task } = await create(first.client, "slow", { ms: 2000 });
    process.kill(first.pid, "SIGKILL");
    await first.client.close();

    const { client } = await connect(folder, { flags });
    const before = await client.experimental.tasks.getTask(task.taskId);
    assert.equal(before.status, "working");
    assert.equal(before.createdAt, task.createdAt);
    const result = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    assert.equal(result.content[0].text, "done in attempt 2");
    await client.close();
  }));

test("sdk 1.x: a task that may not be run again fails and says why", () =>
  withFolder(async (folder) => {
    const first = await connect(folder, { flags });
    const { task } = await create(first.client, "req", { ms: 60000 });
    process.kill(first.pid, "SIGKILL");
    await first.client.close();

    const { client } = await connect(folder, { flags });
    await assert.rejects(
      client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema),
      (error) => error.code === -32603 && error.message.includes("was lost"),
    );
    const now = await client.experimental.tasks.getTask(task.taskId);
    assert.equal(now.status, "failed");
    await client.close();
  }));

test("sdk 1.x: a finished task keeps its result over a restart", () =>
  withFolder(async (folder) => {
    const first = await connect(folder, { flags });
    const { task } = await create(first.client, "slow", { ms: 10 });
    const { getTaskResult } = first.client.experimental.tasks;
    const before = await getTaskResult.call(first.client.experimental.tasks, task.taskId, CallToolResultSchema);
    process.kill(first.pid, "SIGKILL");
    await first.client.close();

    const { client } = await connect(folder, { flags });
    const again = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    assert.deepEqual(again, before);
    await client.close();
  }));

test("client 2.x with ext-tasks: handoff, kill -9, resume on another server", () =>
  withFolder(async (folder) => {
    const first = await connect2(folder, { flags });
    const session = createTaskSessionFromClient(first.client, { endpointId: "stator" });
    const execution = await session.callTool("slow", { ms: 2000 }, {
      task: { preference: "require", retentionMs: 60000 },
    });
    let reference;
    await execution.handoff((given) => {
      reference = given;
    });
    process.kill(first.pid, "SIGKILL");
    await first.client.close();

    const second = await connect2(folder, { flags });
    const resumed = await createTaskSessionFromClient(second.client, {
      endpointId: "stator",
    }).resumeTask(reference);
    const { outcome } = await resumed.settle();
    assert.equal(resultFromTaskOutcome(outcome).content[0].text, "done in attempt 2");
    await second.client.close();
  }));

test("over HTTP: a server that is stopped lets go, the next one goes on at once", () =>
  withFolder(async (folder) => {
    const first = await startHttp(folder, "--allow-anonymous", "--lease", "60");
    const client = await connectHttp(first.endpoint);
    const { task } = await create(client, "slow", { ms: 3000 });
    await client.close();
    await first.kill("SIGTERM");

    const second = await startHttp(folder, "--allow-anonymous", "--lease", "4");
    const other = await connectHttp(second.endpoint);
    const result = await other.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    assert.equal(result.content[0].text, "done in attempt 2");
    await other.close();
    await second.kill("SIGTERM");
  }));

// Passes connections on to the server, until they are all cut.
async function startProxy(endpoint) {
  const open = new Set();
  const proxy = createServer((incoming) => {
    const outgoing = createConnection(Number(new URL(endpoint).port), "127.0.0.1");
    for (const [socket, other] of [[incoming, outgoing], [outgoing, incoming]]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => other.destroy());
      socket.pipe(other);
    }
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = new URL(endpoint);
  url.port = String(proxy.address().port);
  return {
    endpoint: url.href,
    cut: () => {
      for (const socket of open) {
        socket.destroy();
      }
      open.clear();
    },
    close: () => proxy.close(),
  };
}

test("over HTTP: a call survives its connection, by Last-Event-ID", async () => {
  const server = await startHttp("memory:", "--allow-anonymous");
  const proxy = await startProxy(server.endpoint);
  const client = await connectHttp(proxy.endpoint);
  const steps = [];
  const call = client.callTool({ name: "slow", arguments: { ms: 3000 } }, undefined, {
    onprogress: ({ progress }) => {
      steps.push(progress);
      if (progress === 1) {
        proxy.cut();
      }
    },
  });
  assert.equal((await call).content[0].text, "done in attempt 1");
  assert.deepEqual(steps.slice(0, 5), [0, 1, 2, 3, 4]);
  await client.close();
  proxy.cut();
  proxy.close();
  await server.kill("SIGTERM");
});
