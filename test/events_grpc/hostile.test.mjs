// Clients that do what no client should: the server refuses, goes on for the others, and stays within
// its bounds.

import assert from "node:assert/strict";
import { once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import { after, before, test } from "node:test";
import { connect, event, eventsOf, refused, refusedServe, startServer, status, tagged, take } from "./support.mjs";

let server;
let client;
before(async () => {
  server = await startServer();
  client = connect(server);
});
// Whatever happened, others are served.
after(async () => {
  assert.deepEqual(await client.check({}), { status: "SERVING" });
  client.close();
  await server.stop();
});

const frame = (message, flag = 0, length = message.length) => {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
};
const empty = Buffer.alloc(0);

/** Sends a body to a method, and gives the headers and trailers of the answer. */
async function post(session, path, body, headers = {}) {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  const found = {};
  stream.on("response", (fields) => Object.assign(found, fields));
  stream.on("trailers", (fields) => Object.assign(found, fields));
  stream.on("error", () => {});
  stream.resume();
  if (body !== undefined) {
    stream.end(body);
  }
  await new Promise((resolve) => stream.on("close", resolve));
  return found;
}

async function withSession(use) {
  const session = http2.connect(server.address);
  session.on("error", () => {});
  try {
    return await use(session);
  } finally {
    session.destroy();
  }
}

const head = "/umadb.v1.DCB/Head";
const append = "/umadb.v1.DCB/Append";

test("what is no message is told", () =>
  withSession(async (session) => {
    const code = async (...parts) => Number((await post(session, ...parts))["grpc-status"]);
    assert.equal(await code(head, frame(empty)), status.OK);
    assert.equal(await code(append, frame(Buffer.from([0xff, 0xff]))), status.INVALID_ARGUMENT);
    assert.equal(await code(append, frame(Buffer.from("\x0a\x7f"))), status.INVALID_ARGUMENT);
    assert.equal(await code(append, frame(Buffer.from([0x0a, 3, 0x0a, 1, 0xff]))), status.INVALID_ARGUMENT);
    assert.equal(await code(head, frame(empty, 1)), status.UNIMPLEMENTED);
    assert.equal(await code(head, Buffer.concat([frame(empty), frame(empty)])), status.UNIMPLEMENTED);
    assert.equal(await code(head, empty), status.UNIMPLEMENTED);
    assert.equal(await code(head, frame(Buffer.alloc(3), 0, 9)), status.INVALID_ARGUMENT);
    assert.equal(await code(head, Buffer.alloc(2)), status.INVALID_ARGUMENT);
  }));

test("malformed bytes are SERIALIZATION", () =>
  withSession(async (session) => {
    const found = await post(session, append, frame(Buffer.from([0x08])));
    const details = Buffer.from(found["grpc-status-details-bin"], "base64");
    assert.deepEqual([...details.subarray(-2)], [0x10, 1]);
  }));

test("methods that are not there, and requests that are no calls, are refused", () =>
  withSession(async (session) => {
    const unknown = await post(session, "/umadb.v1.DCB/Delete", frame(empty));
    assert.equal(Number(unknown["grpc-status"]), status.UNIMPLEMENTED);
    assert.match(decodeURIComponent(unknown["grpc-message"]), /Delete/);
    const strange = await post(session, "/%00\u{e9}".slice(0, 4), frame(empty));
    assert.equal(Number(strange["grpc-status"]), status.UNIMPLEMENTED);
    assert.equal((await post(session, head, frame(empty), { "content-type": "text/plain" }))[":status"], 415);
    const got = await post(session, head, undefined, { ":method": "GET" });
    assert.equal(got[":status"], 405);
  }));

test("a request that announces too much is refused before it has come", () =>
  withSession(async (session) => {
    const announced = await post(session, append, frame(Buffer.alloc(10), 0, (4 << 20) + 1));
    assert.equal(Number(announced["grpc-status"]), status.RESOURCE_EXHAUSTED);
    // It is answered while the client still sends.
    const stream = session.request({ ":method": "POST", ":path": append, "content-type": "application/grpc" });
    stream.on("error", () => {});
    stream.write(frame(Buffer.alloc(10), 0, 0xffffffff));
    const [fields] = await once(stream, "response");
    assert.equal(Number(fields["grpc-status"]), status.RESOURCE_EXHAUSTED);
  }));

test("the largest request is taken, a larger one is not", async () => {
  const events = (count) => Array.from({ length: count }, () => event("A", [], "x".repeat(100_000)));
  await client.append({ events: events(41) });
  await refused(client.append({ events: events(42) }), status.RESOURCE_EXHAUSTED);
});

test("heads that are too large end their call only", () =>
  withSession(async (session) => {
    const large = await post(session, head, frame(empty), { "x-large": "x".repeat(17_000) });
    assert.equal(large["grpc-status"], undefined);
    assert.equal(Number((await post(session, head, frame(empty)))["grpc-status"]), status.OK);
  }));

/** Bytes of a TCP connection until the server closes it. */
async function converse(...chunks) {
  const socket = net.connect(server.port, "127.0.0.1");
  const received = [];
  socket.on("data", (bytes) => received.push(bytes));
  socket.on("error", () => {});
  for (const chunk of chunks) {
    socket.write(chunk);
  }
  await once(socket, "close");
  return Buffer.concat(received);
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const http2Frame = (type, flags, id, payload = empty, length = payload.length) => {
  const header = Buffer.alloc(9);
  header.writeUIntBE(length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(id, 5);
  return Buffer.concat([header, payload]);
};
const settings = http2Frame(4, 0, 0);

/** The error of the GOAWAY in what a server sent. */
function goAwayOf(bytes) {
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === 7) {
      return bytes.readUInt32BE(at + 9 + 4);
    }
  }
  return undefined;
}

test("what is not HTTP/2 is closed", async () => {
  await converse("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await converse(Buffer.alloc(100_000, 0xa5));
  await converse(preface, Buffer.alloc(1000, 0xff));
});

test("frames that break the protocol close their connection and say why", async () => {
  const tooLong = http2Frame(0, 0, 1, Buffer.alloc(20_000));
  assert.equal(goAwayOf(await converse(preface, settings, tooLong)), 6);
  const unopened = http2Frame(0, 0, 1, Buffer.alloc(4));
  assert.equal(goAwayOf(await converse(preface, settings, unopened)), 1);
  const badHeaders = http2Frame(1, 5, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]));
  assert.equal(goAwayOf(await converse(preface, settings, badHeaders)), 9);
});

test("a client that goes in the middle of a frame is forgotten", async () => {
  for (let round = 0; round < 50; ++round) {
    const socket = net.connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(Buffer.concat([preface, settings, http2Frame(1, 4, 1, Buffer.alloc(3), 200)]));
    round % 2 ? socket.destroy() : socket.end();
  }
});

test("floods of pings and settings close their connection", async () => {
  for (const flood of [http2Frame(6, 0, 0, Buffer.alloc(8)), settings]) {
    const socket = net.connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    const closed = once(socket, "close");
    socket.write(preface);
    socket.write(settings);
    const many = Buffer.concat(Array.from({ length: 20_000 }, () => flood));
    let gone = false;
    closed.then(() => (gone = true));
    for (let round = 0; round < 200 && !gone; ++round) {
      await new Promise((resolve) => socket.write(many, () => resolve()));
    }
    // It does not read, so it learns of the end when it looks.
    socket.resume();
    await closed;
  }
});

test("whoever breaks off call after call is told to calm down", () =>
  withSession(async (session) => {
    const told = new Promise((resolve) => session.on("goaway", resolve));
    for (let round = 0; round < 40 && !session.destroyed; ++round) {
      for (let number = 0; number < 50 && !session.destroyed; ++number) {
        const stream = session.request({ ":method": "POST", ":path": append, "content-type": "application/grpc" });
        stream.on("error", () => {});
        stream.write(frame(Buffer.alloc(10), 0, 100));
        stream.close(http2.constants.NGHTTP2_CANCEL);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(await told, http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }));

test("a connection has a hundred calls at a time", () =>
  withSession(async (session) => {
    await once(session, "remoteSettings");
    assert.equal(session.remoteSettings.maxConcurrentStreams, 100);
    assert.equal(session.remoteSettings.maxHeaderListSize, 16 * 1024);
  }));

test("who reads slowly waits for itself alone", async () => {
  const data = "x".repeat(100_000);
  for (let round = 0; round < 10; ++round) {
    await client.append({ events: Array.from({ length: 20 }, () => event("Slow", ["slow:1"], data)) });
  }
  // Each would be 20 MB, if the server had to keep it.
  const sessions = Array.from({ length: 4 }, () => http2.connect(server.address));
  const streams = [];
  for (const session of sessions) {
    session.on("error", () => {});
    for (let number = 0; number < 50; ++number) {
      const stream = session.request({
        ":method": "POST",
        ":path": "/umadb.v1.DCB/Read",
        "content-type": "application/grpc",
      });
      stream.on("error", () => {});
      stream.end(frame(number % 2 ? empty : Buffer.from([0x28, 1])));
      streams.push(stream); // Nobody reads it.
    }
  }
  await Promise.all(streams.map((stream) => once(stream, "response")));
  const call = client.dcb.Read({ query: tagged("fast:1"), subscribe: true });
  const events = eventsOf(call);
  for (let number = 0; number < 50; ++number) {
    await client.append({ events: [event("Fast", ["fast:1"], String(number))] });
    const [next] = await take(events, 1);
    assert.equal(next.event.data.toString(), String(number));
  }
  call.cancel();
  const metrics = await (await fetch(`${server.http}/metrics`)).text();
  const resident = Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)[1]);
  assert.ok(resident < 1.5e9, `${resident} bytes`);
  // One of them wakes up, and gets everything that there was when it asked.
  let bytes = 0;
  streams[1].on("data", (chunk) => (bytes += chunk.length));
  await new Promise((resolve) => streams[1].on("end", resolve));
  assert.ok(bytes > 20_000_000);
  for (const session of sessions) {
    session.destroy();
  }
});

test("an address beyond this machine is refused", async () => {
  const { code, text } = await refusedServe("--port", "0", "--grpc-port", "0", "--host", "0.0.0.0");
  assert.notEqual(code, 0);
  assert.match(text, /refusing/);
});

test("a port that is taken, or none, is an error", async () => {
  const taken = await refusedServe("--port", "0", "--grpc-port", String(server.port));
  assert.notEqual(taken.code, 0);
  assert.match(taken.text, /cannot listen/);
  for (const wrong of [["--grpc-prot", "0"], ["--grpc-port", "x"], ["--grpc-port", "70000"]]) {
    const { code, text } = await refusedServe("--port", "0", ...wrong);
    assert.notEqual(code, 0);
    assert.match(text, /grpc-p/);
  }
});
