// UmaDB's gRPC service as a client of another language sees it: appending, reading, conditions, events
// that are appended once, and every way in which a read is cut into answers.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { connect, event, positions, refused, startServer, status, tagged } from "./support.mjs";

let server;
let client;
before(async () => {
  server = await startServer();
  client = connect(server);
});
after(async () => {
  client.close();
  await server.stop();
});

// Each test has tags of its own, and asks where the store ends.
let tests = 0;
const tag = () => `test:${++tests}`;
const headNow = async () => (await client.head({})).position ?? 0;

test("an empty store has no head, and says so once", async () => {
  const empty = await startServer();
  const first = connect(empty);
  try {
    assert.deepEqual(await first.head({}), {});
    assert.deepEqual(await first.read(), [{ events: [] }]);
    assert.deepEqual(await first.read({ limit: 5 }), [{ events: [] }]);
    assert.deepEqual(await first.read({ backwards: true }), [{ events: [] }]);
    assert.equal((await first.append({ events: [event("First")] })).position, 1);
    assert.deepEqual(await first.head({}), { position: 1, _position: "position" });
  } finally {
    first.close();
    await empty.stop();
  }
});

test("what is appended is read back", async () => {
  const mine = tag();
  const id = randomUUID();
  const bytes = Buffer.from([0, 255, 1, 128]);
  const { position } = await client.append({
    events: [event("Übung", [mine, "a"], "{}"), { ...event("B", [mine]), data: bytes, uuid: id }],
  });
  const [answer, ...more] = await client.read({ query: tagged(mine) });
  assert.deepEqual(more, []);
  assert.equal(answer.head, position);
  assert.deepEqual(answer.events, [
    {
      position: position - 1,
      event: { event_type: "Übung", tags: ["a", mine], data: Buffer.from("{}"), uuid: "" },
    },
    { position, event: { event_type: "B", tags: [mine], data: bytes, uuid: id } },
  ]);
  assert.equal(await headNow(), position);
});

test("queries choose by types and tags", async () => {
  const mine = tag();
  const { position } = await client.append({
    events: [event("A", [mine, "x"]), event("B", [mine, "y"]), event("C", [mine, "x", "y"])],
  });
  const base = position - 3;
  const chosen = async (...items) =>
    positions(await client.read({ query: { items }, start: base + 1 })).map((each) => each - base);
  assert.deepEqual(await chosen(), [1, 2, 3]);
  assert.deepEqual(await chosen({ types: ["A", "C"], tags: [mine] }), [1, 3]);
  assert.deepEqual(await chosen({ tags: [mine, "y"] }), [2, 3]);
  assert.deepEqual(await chosen({ tags: [mine, "x", "y"] }, { types: ["A"] }), [1, 3]);
  assert.deepEqual(await chosen({ types: ["D"] }), []);
  assert.deepEqual(await chosen({}), [1, 2, 3]);
});

test("reads begin anywhere, in both directions, and end at their limit", async () => {
  const mine = tag();
  const events = Array.from({ length: 12 }, (_, number) => event(`T${number % 2}`, [mine]));
  const { position } = await client.append({ events });
  const base = position - 12;
  const read = async (options) => {
    const answers = await client.read({ query: tagged(mine), ...options });
    return positions(answers).map((each) => each - base);
  };
  assert.deepEqual(await read({ start: base + 10 }), [10, 11, 12]);
  assert.deepEqual(await read({ start: base + 3, backwards: true }), [3, 2, 1]);
  assert.deepEqual(await read({ backwards: true, limit: 2 }), [12, 11]);
  assert.deepEqual(await read({ start: base + 2, limit: 2 }), [2, 3]);
  assert.deepEqual(await read({ start: 0, limit: 1 }), [1]);
  assert.deepEqual(await read({ start: position + 99 }), []);
  assert.deepEqual(await read({ start: 0, backwards: true }), []);
  assert.deepEqual(await read({ limit: 0 }), []);
});

test("answers have as many events as was asked for, and a head that fits", async () => {
  const mine = tag();
  const events = Array.from({ length: 250 }, () => event("T", [mine]));
  await client.append({ events });
  const { position } = await client.append({ events: [event("Other")] });
  const sizes = (answers) => answers.map((answer) => answer.events.length);

  const usual = await client.read({ query: tagged(mine) });
  assert.deepEqual(sizes(usual), [100, 100, 50]);
  assert.deepEqual(usual.map((answer) => answer.head), [position, position, position]);

  const small = await client.read({ query: tagged(mine), batch_size: 120, backwards: true });
  assert.deepEqual(sizes(small), [120, 120, 10]);
  assert.ok(small.every((answer) => answer.head === position));

  const limited = await client.read({ query: tagged(mine), batch_size: 2, limit: 5 });
  assert.deepEqual(sizes(limited), [2, 2, 1]);
  for (const answer of limited) {
    assert.equal(answer.head, answer.events.at(-1).position);
  }

  const nothing = await client.read({ query: tagged("nobody") });
  assert.deepEqual(nothing, [{ events: [], head: position, _head: "head" }]);
});

test("large events make small batches", async () => {
  const mine = tag();
  const large = "x".repeat(200_000);
  for (let round = 0; round < 3; ++round) {
    await client.append({ events: Array.from({ length: 10 }, () => event("Large", [mine], large)) });
  }
  const answers = await client.read({ query: tagged(mine), batch_size: 1000 });
  assert.equal(positions(answers).length, 30);
  assert.ok(answers.every((answer) => answer.events.length <= 2));
});

test("a condition that fails is 9, with INTEGRITY", async () => {
  const mine = tag();
  const when = (after) => ({
    events: [event("A", [mine])],
    condition: { fail_if_events_match: tagged(mine), ...(after === undefined ? {} : { after }) },
  });
  const { position } = await client.append(when());
  const failure = await refused(client.append(when()), status.FAILED_PRECONDITION, "INTEGRITY");
  assert.ok(failure.details.length > 0);
  await refused(client.append(when(0)), status.FAILED_PRECONDITION, "INTEGRITY");
  await refused(client.append(when(position - 1)), status.FAILED_PRECONDITION, "INTEGRITY");
  const second = await client.append(when(position));
  assert.equal(second.position, position + 1);
  // Without a query everything conflicts.
  await refused(
    client.append({ events: [event("A")], condition: { after: position } }),
    status.FAILED_PRECONDITION,
    "INTEGRITY",
  );
  const [answer] = await client.read({ query: tagged(mine) });
  assert.equal(answer.events.length, 2);
  assert.equal((await client.append(when(answer.head))).position, position + 2);
});

test("of many who decide on the same, one succeeds", async () => {
  const mine = tag();
  const [{ head }] = await client.read({ query: tagged(mine) });
  const attempts = Array.from({ length: 20 }, () =>
    client.append({
      events: [event("Once", [mine])],
      condition: { fail_if_events_match: tagged(mine), after: head },
    }),
  );
  const outcomes = await Promise.allSettled(attempts);
  assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 1);
  for (const outcome of outcomes) {
    assert.equal(outcome.reason?.code ?? status.FAILED_PRECONDITION, status.FAILED_PRECONDITION);
  }
});

test("events with a uuid are appended once, whatever became of the condition", async () => {
  const mine = tag();
  const request = {
    events: [event("A", [mine], "", randomUUID()), event("B", [mine], "", randomUUID())],
    condition: { fail_if_events_match: tagged(mine) },
  };
  const first = await client.append(request);
  await client.append({ events: [event("C", [mine])] });
  const again = await client.append(request);
  assert.equal(again.position, first.position);
  const shouted = structuredClone(request);
  shouted.events = request.events.map((each) => ({ ...each, uuid: each.uuid.toUpperCase() }));
  assert.equal((await client.append(shouted)).position, first.position);
  assert.equal(positions(await client.read({ query: tagged(mine) })).length, 3);

  const half = { events: [request.events[0], event("D", [mine], "", randomUUID())] };
  await refused(client.append(half), status.INVALID_ARGUMENT, "INVALID_ARGUMENT");
  const none = { events: [event("E", [mine], "", "first")] };
  await refused(client.append(none), status.INVALID_ARGUMENT, "INVALID_ARGUMENT");
  assert.equal(positions(await client.read({ query: tagged(mine) })).length, 3);
});

test("what cannot be is refused, and nothing of it is appended", async () => {
  const position = await headNow();
  const wrong = (promise) => refused(promise, status.INVALID_ARGUMENT, "INVALID_ARGUMENT");
  await wrong(client.append({ events: [] }));
  await wrong(client.append({ events: [event("A"), event("")] }));
  await wrong(client.append({ events: [event("A", [""])] }));
  await wrong(client.append({ events: Array.from({ length: 10_001 }, () => event("A")) }));
  await wrong(client.append({ events: [event("A", Array.from({ length: 1001 }, (_, n) => `t${n}`))] }));
  await wrong(client.read({ subscribe: true, backwards: true }));
  await wrong(client.read({ query: { items: Array.from({ length: 101 }, () => ({ types: ["A"] })) } }));
  await wrong(client.read({ query: tagged("") }));
  assert.equal(await headNow(), position);
});

test("tracking is not there, and appends with it do nothing", async () => {
  const position = await headNow();
  const tracked = { events: [event("A")], tracking_info: { source: "s", position: 1 } };
  await refused(client.append(tracked), status.UNIMPLEMENTED);
  await refused(client.tracking({ source: "s" }), status.UNIMPLEMENTED);
  assert.equal(await headNow(), position);
});

test("health is told for the service and for all", async () => {
  assert.deepEqual(await client.check({}), { status: "SERVING" });
  assert.deepEqual(await client.check({ service: "umadb.v1.DCB" }), { status: "SERVING" });
  await refused(client.check({ service: "other" }), status.NOT_FOUND);
  await refused(
    new Promise((resolve, reject) => client.checks.Watch({}).on("error", reject).resume()),
    status.UNIMPLEMENTED,
  );
});

test("a thousand calls at once are all answered", async () => {
  const mine = tag();
  const position = await headNow();
  const appended = await Promise.all(
    Array.from({ length: 500 }, () => client.append({ events: [event("A", [mine])] })),
  );
  const places = appended.map((answer) => answer.position).sort((left, right) => left - right);
  assert.deepEqual(places, Array.from({ length: 500 }, (_, number) => position + number + 1));
  const reads = await Promise.all(
    Array.from({ length: 1000 }, (_, number) =>
      number % 2 ? client.head({}) : client.read({ query: tagged(mine), start: position + 490 }),
    ),
  );
  for (const [number, answer] of reads.entries()) {
    const right = number % 2 ? answer.position === position + 500 : positions(answer).length === 11;
    assert.ok(right, `call ${number}`);
  }
});

test("both protocols serve the same events", async () => {
  const mine = tag();
  const { position } = await client.append({ events: [event("A", [mine], '{"n":1}')] });
  const read = await fetch(`${server.http}/read`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: tagged(mine) }),
  });
  const [found] = await read.json();
  assert.equal(found.position, position);
  assert.equal(found.data, '{"n":1}');
});
