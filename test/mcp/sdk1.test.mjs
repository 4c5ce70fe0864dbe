// @modelcontextprotocol/sdk 1.x against `stator mcp`, over stdio and over streamable HTTP: the same
// cases on both transports.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { connect, connectHttp, eventually, startHttp } from "./support.mjs";

const capabilities = { elicitation: { form: {} } };
const create = (client, name, args = {}, task = {}) =>
  client.request(
    { method: "tools/call", params: { name, arguments: args, task } },
    CreateTaskResultSchema,
  );
const code = (number, text = "") => (error) => {
  assert.equal(error.code, number, error.message);
  assert.ok(error.message.includes(text), error.message);
  return true;
};
const collect = async (stream) => {
  const messages = [];
  for await (const message of stream) {
    messages.push(message);
  }
  return messages;
};

const stdio = { start: async () => ({}), connect: async (_, options) => (await connect("memory:", options)).client };
const http = {
  start: async () => startHttp("memory:", "--allow-anonymous"),
  connect: async (server, options) => connectHttp(server.endpoint, options),
};

for (const [transport, { start, connect: open }] of Object.entries({ stdio, http })) {
  describe(`sdk 1.x over ${transport}`, () => {
    let server;
    let client;
    const seen = [];

    before(async () => {
      server = await start();
      client = await open(server, {
        capabilities,
        prepare: (made) => {
          made.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => {
            seen.push(params);
          });
          made.setRequestHandler(ElicitRequestSchema, ({ params }) => {
            assert.equal(params.message, "What is your name?");
            return { action: "accept", content: { name: "Ada" } };
          });
        },
      });
    });

    after(async () => {
      await client.close();
      await server.kill?.("SIGTERM");
    });

    test("tools say whether they run as tasks", async () => {
      const { tools } = await client.listTools();
      const support = Object.fromEntries(tools.map((t) => [t.name, t.execution.taskSupport]));
      assert.deepEqual(support, {
        slow: "optional",
        fails: "optional",
        asks: "optional",
        req: "required",
        plain: "forbidden",
      });
      assert.deepEqual(client.getServerCapabilities().tasks, {
        list: {},
        cancel: {},
        requests: { tools: { call: {} } },
      });
    });

    test("a plain call answers at once, with progress when asked for", async () => {
      const plain = await client.callTool({ name: "plain", arguments: {} });
      assert.equal(plain.content[0].text, "plain");
      const steps = [];
      const slow = await client.callTool({ name: "slow", arguments: { ms: 50 } }, undefined, {
        onprogress: ({ progress }) => steps.push(progress),
      });
      assert.equal(slow.content[0].text, "done in attempt 1");
      // The client drops a report that comes in one packet with the answer.
      assert.deepEqual(steps.slice(0, 5), [0, 1, 2, 3, 4]);
    });

    test("callToolStream: created, polled, result", async () => {
      const messages = await collect(
        client.experimental.tasks.callToolStream(
          { name: "slow", arguments: { ms: 700 } },
          CallToolResultSchema,
          { task: { ttl: 60000 } },
        ),
      );
      assert.equal(messages[0].type, "taskCreated");
      assert.equal(messages[0].task.status, "working");
      assert.equal(messages[0].task.ttl, 60000);
      const last = messages.at(-1);
      assert.equal(last.type, "result");
      assert.equal(last.result.content[0].text, "done in attempt 1");
      assert.deepEqual(last.result._meta["io.modelcontextprotocol/related-task"], {
        taskId: messages[0].task.taskId,
      });
    });

    test("a tool that fails makes a failed task whose result says so", async () => {
      const { task } = await create(client, "fails");
      const result = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
      assert.equal(result.isError, true);
      assert.equal(result.content[0].text, "this tool always fails");
      const now = await client.experimental.tasks.getTask(task.taskId);
      assert.equal(now.status, "failed");
      assert.equal(now.statusMessage, "this tool always fails");
    });

    test("elicitation goes through input_required", async () => {
      const messages = await collect(
        client.experimental.tasks.callToolStream({ name: "asks", arguments: {} }, CallToolResultSchema, {
          task: { ttl: 60000 },
        }),
      );
      const last = messages.at(-1);
      assert.equal(last.type, "result", JSON.stringify(last));
      assert.equal(last.result.content[0].text, "Hello, Ada");
      const id = messages[0].task.taskId;
      await eventually(() => seen.some((t) => t.taskId === id && t.status === "input_required"));
      await eventually(() => seen.some((t) => t.taskId === id && t.status === "completed"));
    });

    test("elicitation works without a task, too", async () => {
      const result = await client.callTool({ name: "asks", arguments: {} });
      assert.equal(result.content[0].text, "Hello, Ada");
    });

    test("progress of a task keeps its token", async () => {
      const steps = [];
      const messages = await collect(
        client.experimental.tasks.callToolStream(
          { name: "slow", arguments: { ms: 600 } },
          CallToolResultSchema,
          { task: {}, onprogress: ({ progress }) => steps.push(progress) },
        ),
      );
      assert.equal(messages.at(-1).type, "result");
      assert.ok(steps.length > 0, "no progress came");
    });

    test("tasks/result waits, tasks/cancel ends the wait", async () => {
      const { task } = await create(client, "slow", { ms: 60000 });
      const waits = assert.rejects(
        client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema),
        code(-32603, "Task was cancelled"),
      );
      const cancelled = await client.experimental.tasks.cancelTask(task.taskId);
      assert.equal(cancelled.status, "cancelled");
      await waits;
      await assert.rejects(
        client.experimental.tasks.cancelTask(task.taskId),
        code(-32602, "Cannot cancel task: already in terminal status 'cancelled'"),
      );
      assert.equal((await client.experimental.tasks.getTask(task.taskId)).status, "cancelled");
    });

    test("lists are pages, youngest first, and refuse foreign cursors", async () => {
      const made = [];
      for (let i = 0; i < 55; ++i) {
        made.unshift((await create(client, "fails")).task.taskId);
      }
      const first = await client.experimental.tasks.listTasks();
      assert.equal(first.tasks.length, 50);
      assert.ok(first.nextCursor);
      const second = await client.experimental.tasks.listTasks(first.nextCursor);
      const ids = [...first.tasks, ...second.tasks].map((t) => t.taskId);
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual(new Set(ids.slice(0, 55)), new Set(made));
      await assert.rejects(client.experimental.tasks.listTasks("nonsense"), code(-32602));
    });

    test("wrong calls have the codes of the specification", async () => {
      const call = (params) => client.request({ method: "tools/call", params }, CallToolResultSchema);
      await assert.rejects(call({ name: "req", arguments: {} }), code(-32601));
      await assert.rejects(call({ name: "plain", arguments: {}, task: {} }), code(-32601));
      await assert.rejects(call({ name: "nothing", arguments: {} }), code(-32602));
      for (const ttl of [0, -1, 1.5, "x"]) {
        await assert.rejects(call({ name: "slow", arguments: {}, task: { ttl } }), code(-32602));
      }
      await assert.rejects(client.experimental.tasks.getTask("unknown"), code(-32602));
      await assert.rejects(
        client.experimental.tasks.getTaskResult("unknown", CallToolResultSchema),
        code(-32602),
      );
      await assert.rejects(client.experimental.tasks.cancelTask("unknown"), code(-32602));
    });

    test("a required tool runs as a task", async () => {
      const { task } = await create(client, "req", { ms: 10 }, { ttl: 86400000000 });
      assert.equal(task.ttl, 86400000);
      const result = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
      assert.equal(result.content[0].text, "done in attempt 1");
    });
  });
}
