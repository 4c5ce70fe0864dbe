// A worker of `stator mcp --workers`: takes tasks of the tool "shout" and does them.
//
//   node worker.mjs http://127.0.0.1:8080 [TOKEN]

import { hostname } from "node:os";

const [server, token] = process.argv.slice(2);
const name = `${hostname()}-${process.pid}`;

async function post(what, body) {
  const headers = { "content-type": "application/json" };
  if (token) {
    headers.authorization = `Bearer ${token}`;
  }
  const answer = await fetch(`${server}/workers/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null };
}

for (;;) {
  const { status, body: task } = await post("claim", { worker: name, tools: ["shout"], leaseSeconds: 15, waitSeconds: 30 });
  if (status === 204) {
    continue;
  }
  if (status !== 200) {
    throw new Error(task.error);
  }
  const { claim } = task;
  const beat = setInterval(() => post("heartbeat", { claim }).catch(() => {}), 5000);
  try {
    const done = await post("complete", { claim, text: task.arguments.text.toUpperCase() });
    if (done.status !== 200) {
      console.error(task.taskId, done.body.error); // 410: the task is not ours any more.
    }
  } catch (problem) {
    await post("fail", { claim, message: String(problem) }); // Tried again, if its tool may be.
  } finally {
    clearInterval(beat);
  }
}
