// For tests: many owners of one server over HTTP, whose tokens are signed here.

import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const prefix = "io.modelcontextprotocol";
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

function tokenOf(owner) {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const text = `${encode({ alg: "ES256" })}.${encode({ iss: "https://id.example", aud: "many", sub: owner, exp })}`;
  return `${text}.${sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

/** Requests of 2026-07-28 on behalf of one owner. */
export function clientOf(endpoint, owner) {
  const authorization = `Bearer ${tokenOf(owner)}`;
  const send = (method, params, name) => {
    const _meta = {
      [`${prefix}/protocolVersion`]: "2026-07-28",
      [`${prefix}/clientCapabilities`]: { elicitation: { form: {} }, extensions: { [`${prefix}/tasks`]: {} } },
      [`${prefix}/clientInfo`]: { name: "t", version: "1" },
    };
    return fetch(endpoint, {
      method: "POST",
      headers: {
        authorization,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(name ? { "mcp-name": name } : {}),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    });
  };
  const client = async (...request) => {
    const body = await (await send(...request)).json();
    assert.ok(body.result, JSON.stringify(body));
    return body.result;
  };
  // The messages of a subscription, until nobody wants more.
  client.listen = async function* (notifications) {
    const answer = await send("subscriptions/listen", { notifications });
    let text = "";
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split("\n\n");
      text = events.pop();
      for (const event of events) {
        const data = event.split("\n").filter((line) => line.startsWith("data: "));
        if (data.length > 0) {
          yield JSON.parse(data.map((line) => line.slice(6)).join("\n"));
        }
      }
    }
  };
  return client;
}

export const callTool = (client, name) => client("tools/call", { name, arguments: {} }, name);
export const getTask = (client, taskId) => client("tasks/get", { taskId }, taskId);

/** Ten at a time. */
export async function forAll(things, run) {
  const left = [...things];
  const work = async () => {
    for (let thing = left.pop(); thing; thing = left.pop()) {
      await run(thing);
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
}

/** The flags of a server that takes these tokens. */
export async function flagsFor(folder) {
  const keys = join(folder, "keys.json");
  await writeFile(keys, JSON.stringify({ keys: [publicKey.export({ format: "jwk" })] }));
  return ["--oauth-issuer", "https://id.example", "--oauth-keys", keys, "--oauth-audience", "many"];
}
