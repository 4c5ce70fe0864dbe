// `stator mcp --tables`: a database's tables as tools, asked by real clients of both generations.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { connect, connect2, program, withFolder } from "./support.mjs";

const run = promisify(execFile);
const reads = ["describe_table", "get_item", "list_tables", "query", "select"];
const writes = ["delete_item", "execute_statement", "put_item"];

/** A database with a table of orders, keys PK and SK, with one order in it. */
async function withOrders(flags, check, attempt = connect) {
  await withFolder(async (folder) => {
    const data = join(folder, "data");
    await run(program, ["tables", "create", "--for", "sessions", "--table", "orders", "--data", data]);
    const insert = "INSERT INTO orders VALUE {'PK': 'a', 'SK': '1', 'total': 12.5, 'tags': <<'x', 'y'>>}";
    await run(program, ["shell", data, "-c", insert]);
    const opened = await attempt(data, { flags });
    const call = async (name, args) => {
      const result = await opened.client.callTool({ name, arguments: args });
      return result.isError ? result.content[0].text : result.structuredContent;
    };
    try {
      await check({ ...opened, call, folder, data });
    } finally {
      await opened.client.close();
    }
  });
}

for (const [name, attempt] of [["first", connect], ["second", connect2]]) {
  test(`a client of the ${name} generation looks into tables`, () =>
    withOrders(
      ["--tables"],
      async ({ client, call }) => {
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map((tool) => tool.name).sort(), reads);
        assert.ok(tools.every((tool) => tool.annotations.readOnlyHint));
        assert.deepEqual(await call("list_tables", {}), { tables: ["orders"] });
        const described = await call("describe_table", { table: "orders" });
        assert.deepEqual(described.Table.KeySchema.map((key) => key.AttributeName), ["PK", "SK"]);
        const order = { PK: "a", SK: "1", total: 12.5, tags: ["x", "y"] };
        assert.deepEqual(await call("get_item", { table: "orders", key: { PK: "a", SK: "1" } }), { found: true, item: order });
        assert.deepEqual(
          await call("query", { table: "orders", keyCondition: "PK = :p", filter: "#t > :t", names: { "#t": "total" }, values: { ":p": "a", ":t": 12 } }),
          { items: [order] },
        );
        assert.deepEqual(
          await call("select", { statement: "SELECT tags FROM orders WHERE PK = ?", parameters: [{ S: "a" }], typed: true }),
          { items: [{ tags: { SS: ["x", "y"] } }] },
        );
      },
      attempt,
    ));
}

test("without the flag for it nothing is written, and tasks of others are out of reach", () =>
  withOrders(["--tables"], async ({ client, call }) => {
    for (const name of writes) {
      await assert.rejects(client.callTool({ name, arguments: {} }), /-32602/);
    }
    assert.match(await call("select", { statement: "DELETE FROM orders WHERE PK = 'a' AND SK = '1'" }), /takes a SELECT/);
    assert.match(await call("describe_table", { table: "pmcp_tasks" }), /there is no table/);
    assert.match(await call("select", { statement: "SELECT * FROM pmcp_tasks" }), /there is no table/);
    assert.equal((await call("get_item", { table: "orders", key: { PK: "a", SK: "1" } })).found, true);
  }));

test("with it items are put, changed and deleted", () =>
  withOrders(["--tables-writable"], async ({ client, call }) => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), [...reads, ...writes].sort());
    assert.deepEqual(await call("put_item", { table: "orders", item: { PK: "b", SK: "1", n: 1 } }), { stored: true });
    await call("execute_statement", { statement: "UPDATE orders SET n = n + ? WHERE PK = 'b' AND SK = '1'", parameters: [6] });
    const key = { PK: "b", SK: "1" };
    assert.equal((await call("get_item", { table: "orders", key })).item.n, 7);
    assert.deepEqual(await call("delete_item", { table: "orders", key }), { existed: true });
    assert.deepEqual(await call("get_item", { table: "orders", key }), { found: false });
  }));

test("tools of a file stand beside them, unless one has the same name", () =>
  withOrders(["--tables"], async ({ client, folder }) => {
    await client.close();
    const file = join(folder, "tools.json");
    const data = join(folder, "other");
    const write = (name) =>
      writeFile(file, JSON.stringify({ tools: [{ name, description: "d", command: ["cat"] }] }));
    await write("cat");
    const both = await connect(data, { flags: ["--tables", "--config", file] });
    const { tools } = await both.client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), ["cat", ...reads]);
    await both.client.close();
    await write("query");
    const failed = await run(program, ["mcp", "--data", data, "--tables", "--config", file]).catch((error) => error);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /the tool "query" of the file is called like one of --tables/);
  }));
