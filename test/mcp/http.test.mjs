// The streamable HTTP transport, request by request: what it refuses and with which status.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startHttp } from "./support.mjs";

let server;
const accept = "application/json, text/event-stream";
const post = (body, headers = {}, endpoint = server.endpoint) =>
  fetch(endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: accept, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const message = (method, params, id = 1) => ({ jsonrpc: "2.0", id, method, params });
const initialize = message("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
const open = async () => (await post(initialize)).headers.get("mcp-session-id");

before(async () => {
  server = await startHttp("memory:");
});
after(() => server.kill("SIGTERM"));

test("a session begins with initialize and is needed from then on", async () => {
  const answer = await post(initialize);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/json");
  const id = answer.headers.get("mcp-session-id");
  assert.match(id, /^[\x21-\x7e]+$/);
  assert.equal((await post(message("ping"))).status, 400);
  assert.equal((await post(message("ping"), { "Mcp-Session-Id": "unknown" })).status, 404);
  const pong = await post(message("ping"), { "Mcp-Session-Id": id });
  assert.deepEqual(await pong.json(), { jsonrpc: "2.0", id: 1, result: {} });
});

test("anonymous clients have no tasks unless they are allowed", async () => {
  const { result } = await (await post(initialize)).json();
  assert.equal(result.capabilities.tasks, undefined);
});

test("notifications are accepted, broken messages refused", async () => {
  const session = { "Mcp-Session-Id": await open() };
  const note = { jsonrpc: "2.0", method: "notifications/initialized" };
  assert.equal((await post(note, session)).status, 202);
  const broken = await post("{", session);
  assert.equal(broken.status, 400);
  assert.equal((await broken.json()).error.code, -32700);
  assert.equal((await post([message("ping")], session)).status, 400);
});

test("origins of other sites are refused", async () => {
  assert.equal((await post(initialize, { Origin: "https://evil.example" })).status, 403);
  assert.equal((await post(initialize, { Origin: "http://localhost.evil.example" })).status, 403);
  assert.equal((await post(initialize, { Origin: "http://localhost:3000" })).status, 200);
  assert.equal((await post(initialize, { Origin: "http://127.0.0.1" })).status, 200);
});

test("what cannot be understood has its status", async () => {
  const { endpoint } = server;
  assert.equal((await post(initialize, { "Content-Type": "text/plain" })).status, 415);
  assert.equal((await post(initialize, { Accept: "application/json" })).status, 406);
  assert.equal((await post(initialize, { "MCP-Protocol-Version": "1999-01-01" })).status, 400);
  assert.equal((await post(initialize, {}, endpoint.replace("/mcp", "/other"))).status, 404);
  assert.equal((await fetch(endpoint, { method: "PUT" })).status, 405);
  assert.equal((await fetch(endpoint, { headers: { Accept: "text/event-stream" } })).status, 400);
  const huge = await post(`"${"x".repeat(17 * 1024 * 1024)}"`).catch(() => ({ status: 413 }));
  assert.equal(huge.status, 413);
});

test("calls are answered by a stream of events", async () => {
  const session = { "Mcp-Session-Id": await open() };
  const answer = await post(
    message("tools/call", { name: "slow", arguments: { ms: 10 }, _meta: { progressToken: "p" } }, 7),
    session,
  );
  assert.equal(answer.headers.get("content-type"), "text/event-stream");
  const events = (await answer.text())
    .split("\n\n")
    .filter((event) => event.includes("event: message"))
    .map((event) => JSON.parse(event.split("data: ")[1]));
  assert.deepEqual(
    events.slice(0, -1).map((event) => event.params.progress),
    [0, 1, 2, 3, 4, 5],
  );
  assert.equal(events.at(-1).id, 7);
});

// Reads events until one has the number that is asked for, then drops the connection.
const eventsUntil = async (answer, controller, number) => {
  let text = "";
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes(`-${number}\nevent`)) {
      controller.abort();
      break;
    }
  }
  return parse(text);
};
const parse = (text) =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("id: "))
    .map((event) => ({
      id: event.split("\n")[0].slice(4),
      data: event.split("data: ")[1] === "" ? null : JSON.parse(event.split("data: ")[1]),
    }));
const resume = (session, id) =>
  fetch(server.endpoint, { headers: { Accept: "text/event-stream", "Last-Event-ID": id, ...session } });
const beginSlow = (session, controller, ms, id) =>
  fetch(server.endpoint, {
    method: "POST",
    signal: controller.signal,
    headers: { "Content-Type": "application/json", Accept: accept, ...session },
    body: JSON.stringify(
      message("tools/call", { name: "slow", arguments: { ms }, _meta: { progressToken: "p" } }, id),
    ),
  });

test("a stream that broke is resumed behind the last event", async () => {
  const session = { "Mcp-Session-Id": await open() };
  const controller = new AbortController();
  const first = await eventsUntil(await beginSlow(session, controller, 1000, 21), controller, 2);
  assert.equal(first[0].data, null);
  const last = first.find((event) => event.id.endsWith("-2"));
  const again = await resume(session, last.id);
  assert.equal(again.headers.get("content-type"), "text/event-stream");
  const rest = parse(await again.text()).filter((event) => event.data);
  const progress = rest.slice(0, -1).map((event) => event.data.params.progress);
  assert.deepEqual(progress, [2, 3, 4, 5]);
  assert.deepEqual(rest.map((event) => Number(event.id.split("-")[1])), [3, 4, 5, 6, 7]);
  assert.equal(rest.at(-1).data.id, 21);
  assert.equal(rest.at(-1).data.result.content[0].text, "done in attempt 1");
  // All was said now.
  assert.equal((await resume(session, last.id)).status, 400);
});

test("a client may come back before the server notices that it went", async () => {
  const session = { "Mcp-Session-Id": await open() };
  const controller = new AbortController();
  const stalled = await beginSlow(session, controller, 600, 22);
  const reader = stalled.body.getReader();
  const beginning = new TextDecoder().decode((await reader.read()).value);
  const id = beginning.match(/id: (\S+)/)[1];
  const rest = parse(await (await resume(session, id)).text()).filter((event) => event.data);
  assert.equal(rest.at(-1).data.id, 22);
  assert.equal(rest.length, 7);
  controller.abort();
});

test("what cannot be resumed is refused", async () => {
  const session = { "Mcp-Session-Id": await open() };
  const other = { "Mcp-Session-Id": await open() };
  const controller = new AbortController();
  const events = await eventsUntil(await beginSlow(session, controller, 2000, 23), controller, 1);
  for (const id of ["", "x", "1", "999999-1", "-", events.at(-1).id + "0"]) {
    assert.equal((await resume(session, id)).status, 400, id);
  }
  assert.equal((await resume(other, events.at(-1).id)).status, 400);
  const rest = parse(await (await resume(session, events.at(-1).id)).text());
  assert.equal(rest.at(-1).data.id, 23);
});

test("older clients get no event without data", async () => {
  const answer = await post(message("initialize", { protocolVersion: "2025-06-18", capabilities: {} }));
  const session = { "Mcp-Session-Id": answer.headers.get("mcp-session-id") };
  const events = parse(await (await beginSlow(session, new AbortController(), 0, 24)).text());
  assert.ok(events.every((event) => event.data));
});

test("a session ends with DELETE", async () => {
  const session = { "Mcp-Session-Id": await open() };
  const end = () => fetch(server.endpoint, { method: "DELETE", headers: session });
  assert.equal((await end()).status, 204);
  assert.equal((await end()).status, 404);
  assert.equal((await post(message("ping"), session)).status, 404);
});

test("a client that goes away leaves the server well", async () => {
  const session = { "Mcp-Session-Id": await open() };
  const controller = new AbortController();
  const call = fetch(server.endpoint, {
    method: "POST",
    signal: controller.signal,
    headers: { "Content-Type": "application/json", Accept: accept, ...session },
    body: JSON.stringify(message("tools/call", { name: "slow", arguments: { ms: 60000 } }, 9)),
  });
  const answer = await call;
  controller.abort();
  await assert.rejects(answer.text());
  assert.equal((await post(message("ping", undefined, 10), session)).status, 200);
});
