// Reads that stay open: what is there, what is appended by whomever, and every way in which they end.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect, event, eventsOf, refused, startServer, status, tagged, take } from "./support.mjs";

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

let tests = 0;
const tag = () => `test:${++tests}`;
const dataOf = (events) => events.map((each) => each.event.data.toString());
const append = (mine, ...data) =>
  client.append({ events: data.map((text) => event("A", [mine], text)) });

test("a subscription gives what is there and then what is appended", async () => {
  const mine = tag();
  await append(mine, "1", "2");
  const call = client.dcb.Read({ query: tagged(mine), subscribe: true });
  const events = eventsOf(call);
  assert.deepEqual(dataOf(await take(events, 2)), ["1", "2"]);
  await append("other:1", "no");
  await append(mine, "3");
  await append(mine, "4", "5");
  assert.deepEqual(dataOf(await take(events, 3)), ["3", "4", "5"]);
  call.cancel();
  assert.ok((await events.next()).done);
});

test("answers of a subscription have no head, and it can begin anywhere", async () => {
  const mine = tag();
  const { position } = await append(mine, "1", "2", "3");
  const call = client.dcb.Read({ query: tagged(mine), subscribe: true, start: position });
  const [answer] = await take(call[Symbol.asyncIterator](), 1);
  assert.equal(answer.head, undefined);
  assert.deepEqual(dataOf(answer.events), ["3"]);
  call.on("error", () => {}).cancel();
  const later = client.dcb.Read({ query: tagged(mine), subscribe: true, start: position + 2 });
  const events = eventsOf(later);
  await append(mine, "4", "5");
  assert.deepEqual(dataOf(await take(events, 1)), ["5"]);
  later.cancel();
});

test("the head of the answer comes before the first event", async () => {
  const mine = tag();
  const call = client.dcb.Read({ query: tagged(mine), subscribe: true });
  await new Promise((resolve) => call.on("metadata", resolve));
  const events = eventsOf(call);
  await append(mine, "1");
  assert.deepEqual(dataOf(await take(events, 1)), ["1"]);
  call.cancel();
});

test("a limit ends a subscription", async () => {
  const mine = tag();
  await append(mine, "1");
  const call = client.dcb.Read({ query: tagged(mine), subscribe: true, limit: 3 });
  const events = eventsOf(call);
  await take(events, 1);
  await append(mine, "2", "3", "4");
  assert.deepEqual(dataOf(await take(events, 2)), ["2", "3"]);
  assert.ok((await events.next()).done);
});

test("two subscribers do not disturb each other, and one may leave", async () => {
  const mine = tag();
  const other = connect(server);
  const first = client.dcb.Read({ query: tagged(mine), subscribe: true });
  const second = other.dcb.Read({ query: { items: [{ types: ["A"] }] }, subscribe: true });
  const [firstEvents, secondEvents] = [eventsOf(first), eventsOf(second)];
  await append(mine, "for both");
  assert.deepEqual(dataOf(await take(firstEvents, 1)), ["for both"]);
  while (dataOf(await take(secondEvents, 1))[0] !== "for both") {
    // What the tests before have appended.
  }
  first.cancel();
  assert.ok((await firstEvents.next()).done);
  await append(mine, "for one");
  assert.deepEqual(dataOf(await take(secondEvents, 1)), ["for one"]);
  second.cancel();
  other.close();
  assert.ok((await secondEvents.next()).done);
});

test("many subscribers get each event once, in order, while many append", async () => {
  const mine = tag();
  const subscribers = Array.from({ length: 40 }, () => {
    const call = client.dcb.Read({ query: tagged(mine), subscribe: true, batch_size: 7 });
    return { call, events: eventsOf(call) };
  });
  const takers = subscribers.map(({ events }) => take(events, 200));
  await Promise.all(
    Array.from({ length: 20 }, async (_, writer) => {
      for (let number = 0; number < 10; ++number) {
        await append(mine, `${writer}.${number}`);
        await append(`other:${writer}`, "noise");
      }
    }),
  );
  for (const taken of await Promise.all(takers)) {
    const places = taken.map((each) => each.position);
    assert.deepEqual(places, [...places].sort((left, right) => left - right));
    assert.equal(new Set(dataOf(taken)).size, 200);
  }
  for (const { call } of subscribers) {
    call.cancel();
  }
});

test("appends by the other protocol arrive, too", async () => {
  const mine = tag();
  const call = client.dcb.Read({ query: tagged(mine), subscribe: true });
  const events = eventsOf(call);
  const taken = take(events, 1);
  await fetch(`${server.http}/append`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ events: [{ type: "A", data: "json", tags: [mine] }] }),
  });
  assert.deepEqual(dataOf(await taken), ["json"]);
  call.cancel();
});

test("there may be a thousand subscriptions, and not one more", async () => {
  const mine = tag();
  const clients = Array.from({ length: 11 }, () => connect(server));
  const calls = Array.from({ length: 1000 }, (_, number) => {
    const call = clients[number % 10].dcb.Read({ query: tagged(mine), subscribe: true });
    return { call, events: eventsOf(call) };
  });
  await Promise.all(calls.map(({ call }) => new Promise((resolve) => call.on("metadata", resolve))));
  await refused(
    clients[10].read({ query: tagged(mine), subscribe: true }),
    status.RESOURCE_EXHAUSTED,
  );
  await append(mine, "all");
  for (const taken of await Promise.all(calls.map(({ events }) => take(events, 1)))) {
    assert.deepEqual(dataOf(taken), ["all"]);
  }
  for (const each of clients) {
    each.close();
  }
  for (const { call } of calls) {
    call.cancel();
  }
  // Their places become free as soon as the server has heard of it.
  for (let attempt = 0; ; ++attempt) {
    const call = client.dcb.Read({ query: tagged(mine), subscribe: true });
    try {
      await take(eventsOf(call), 1);
      call.cancel();
      break;
    } catch (error) {
      assert.equal(error.code, status.RESOURCE_EXHAUSTED);
      assert.ok(attempt < 1000, "nobody left");
    }
  }
});

test("a server that stops ends subscriptions with 14", async () => {
  const brief = await startServer();
  const watcher = connect(brief);
  const call = watcher.dcb.Read({ subscribe: true });
  await new Promise((resolve) => call.on("metadata", resolve));
  const ended = new Promise((resolve) => call.on("error", resolve).resume());
  await brief.stop();
  assert.equal((await ended).code, status.UNAVAILABLE);
  watcher.close();
});
