// A thousand tasks that wait for people: kill -9 loses none of them, they keep nobody from being
// served, and of two processes on one database one goes on with each.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { callTool, clientOf, flagsFor, forAll, getTask } from "./owners.mjs";
import { eventually, startHttp, withDatabase, withFolder } from "./support.mjs";

const thousand = Number(process.env.STATOR_WAITING_TASKS ?? 1000);
const tasksOfOwner = 100; // as many as one may have
const ownersOf = (count) => Array.from({ length: Math.ceil(count / tasksOfOwner) }, (_, number) => `owner${number}`);

// Begins so many tasks that ask, of several owners.
async function begin(endpoint, count) {
  const clients = ownersOf(count).map((owner) => clientOf(endpoint, owner));
  const made = [];
  await forAll(Array.from({ length: count }, (_, number) => ({ owner: Math.floor(number / tasksOfOwner) })), async ({ owner }) => {
    const { taskId } = await callTool(clients[owner], "asks");
    made.push({ owner, id: taskId });
  });
  assert.equal(new Set(made.map(({ id }) => id)).size, count);
  await forAll(made, ({ owner, id }) =>
    eventually(async () => (await getTask(clients[owner], id)).status === "input_required"),
  );
  return made;
}

const answer = (client, id) =>
  client("tasks/update", { taskId: id, inputResponses: { q0: { action: "accept", content: { name: id } } } }, id);

// Answers every one at the endpoint that `endpointOf` names, and wants the result of each.
async function finish(made, endpointOf) {
  const client = ({ owner, id }) => clientOf(endpointOf(id), `owner${owner}`);
  await forAll(made, (task) => answer(client(task), task.id));
  await forAll(made, async (task) => {
    const ended = await eventually(async () => {
      const now = await getTask(client(task), task.id);
      return now.status !== "working" && now;
    }, 120_000);
    assert.equal(ended.status, "completed");
    assert.equal(ended.result.content[0].text, `Hello, ${task.id}`);
  });
}

test("kill -9 with a thousand tasks that wait: each is answered at the next server", () =>
  withFolder(async (folder) => {
    const data = join(folder, "data");
    const flags = await flagsFor(folder);
    const first = await startHttp(data, ...flags);
    const made = await begin(first.endpoint, thousand);
    // A stranger is served while they wait, and so is one of the crowd.
    for (const owner of ["stranger", "owner0"]) {
      const result = await callTool(clientOf(first.endpoint, owner), "plain");
      assert.equal(result.content[0].text, "plain");
    }
    await first.kill("SIGKILL");

    const second = await startHttp(data, ...flags);
    const stillWaits = await getTask(clientOf(second.endpoint, `owner${made[0].owner}`), made[0].id);
    assert.equal(stillWaits.status, "input_required");
    await finish(made, () => second.endpoint);
    await second.kill("SIGTERM");
  }));

test("two processes on one database: each task is done by one, wherever it is answered", () =>
  withFolder(async (folder) => {
    await withDatabase(folder, async (address) => {
      const flags = await flagsFor(folder);
      const servers = [await startHttp(address, ...flags), await startHttp(address, ...flags)];
      const made = (await Promise.all(servers.map(({ endpoint }) => begin(endpoint, 50)))).flat();
      // Every second one at the process that did not ask.
      await finish(made, (id) => servers[made.findIndex((task) => task.id === id) % 2].endpoint);
      await Promise.all(servers.map((server) => server.kill("SIGTERM")));
    });
  }));
