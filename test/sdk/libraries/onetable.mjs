// OneTable: one table for many models with value templates, made and described by the library itself;
// unique attributes by transactions, find and scan, batches, expiry.

import assert from "node:assert/strict";
import { Table } from "dynamodb-onetable";

const schema = {
  format: "onetable:1.1.0",
  version: "0.0.1",
  indexes: {
    primary: { hash: "pk", sort: "sk" },
    gs1: { hash: "gs1pk", sort: "gs1sk", project: "all" },
    ls1: { type: "local", sort: "id", project: ["pk", "sk", "id", "status"] },
  },
  models: {
    Account: {
      pk: { type: String, value: "account#${id}" },
      sk: { type: String, value: "account#" },
      gs1pk: { type: String, value: "account#" },
      gs1sk: { type: String, value: "account#${name}" },
      id: { type: String, required: true },
      name: { type: String, required: true },
      email: { type: String, unique: true },
      status: { type: String, default: "active", enum: ["active", "closed"] },
      balance: { type: Number, default: 0 },
      address: { type: Object, schema: { street: { type: String }, zip: { type: String } } },
      tags: { type: Set },
      phones: { type: Array, items: { type: String } },
      raw: { type: Buffer },
      ends: { type: Date, ttl: true },
    },
    User: {
      pk: { type: String, value: "account#${account}" },
      sk: { type: String, value: "user#${id}" },
      account: { type: String, required: true },
      id: { type: String, required: true },
      visits: { type: Number },
    },
  },
  queries: {},
  params: { isoDates: true, timestamps: false, nulls: false },
};

const name = "onetable";
const open = ({ client }) =>
  new Table({ client, name, schema, partial: true, logger: false, hidden: false });
const ids = (items) => Array.from(items, ({ id }) => id);

export const programs = {
  async "makes and describes its table"(world) {
    const table = open(world);
    assert.equal(await table.exists(), false);
    await table.createTable();
    assert.equal(await table.exists(), true);
    assert.ok((await table.listTables()).includes(name));
    const { Table: described } = await table.describeTable();
    assert.deepEqual(
      described.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName),
      ["gs1"],
    );
    assert.deepEqual(
      described.LocalSecondaryIndexes.map(({ IndexName }) => IndexName),
      ["ls1"],
    );
    await table.saveSchema();
    assert.equal((await table.readSchema()).version, "0.0.1");
  },

  async "items of every type, unique attributes"(world) {
    const Account = open(world).getModel("Account");
    const account = await Account.create({
      id: "1",
      name: "Zeta",
      email: "z@example.com",
      address: { street: "High", zip: "1" },
      tags: new Set(["a", "b"]),
      phones: ["1", "2"],
      raw: Buffer.from([9, 8]),
      ends: new Date("2030-01-01T00:00:00Z"),
    });
    assert.deepEqual([account.status, account.balance], ["active", 0]);
    const got = await Account.get({ id: "1" });
    assert.deepEqual(
      [got.address, [...got.tags].sort(), got.phones],
      [{ street: "High", zip: "1" }, ["a", "b"], ["1", "2"]],
    );
    assert.deepEqual([[...got.raw], got.ends], [[9, 8], new Date("2030-01-01T00:00:00Z")]);
    assert.equal(await Account.get({ id: "none" }), undefined);
    await assert.rejects(Account.create({ id: "1", name: "Again" }), /Cannot create/);
    await assert.rejects(
      Account.create({ id: "2", name: "Other", email: "z@example.com" }),
      /unique/i,
    );
    assert.equal(await Account.get({ id: "2" }), undefined);
    await Account.update({ id: "1", email: "new@example.com" });
    await Account.create({ id: "2", name: "Other", email: "z@example.com" });
    await Account.remove({ id: "2" });
    await Account.create({ id: "3", name: "Third", email: "z@example.com" });
  },

  async updates(world) {
    const Account = open(world).getModel("Account");
    const key = { id: "10" };
    await Account.create({
      ...key,
      name: "Up",
      balance: 5,
      phones: ["1"],
      tags: new Set(["a"]),
      address: { street: "S", zip: "Z" },
    });
    const updated = await Account.update(key, {
      add: { balance: 7 },
      set: { "address.zip": "Y", status: "closed" },
      push: { phones: ["2"] },
      remove: ["address.street"],
    });
    assert.deepEqual(
      [updated.balance, updated.address, updated.status, updated.phones],
      [12, { zip: "Y" }, "closed", ["1", "2"]],
    );
    const where = "${balance} > {100}";
    await assert.rejects(
      Account.update({ ...key, status: "active" }, { where }),
      /Conditional|conditional/,
    );
    await Account.update(
      { ...key, status: "active" },
      { where: "${balance} BETWEEN {1} AND {20}" },
    );
    const computed = await Account.update(key, { set: { balance: "${balance} - {2}" } });
    assert.equal(computed.balance, 10);
    const fewer = await Account.update(key, { delete: { tags: new Set(["a"]) } });
    assert.equal(fewer.tags, undefined);
    await assert.rejects(Account.update({ id: "none", status: "active" }), {
      name: "OneTableError",
    });
    const made = await Account.upsert({ id: "11", name: "Made" });
    assert.equal(made.name, "Made");
  },

  async "find and scan, page by page"(world) {
    const table = open(world);
    const User = table.getModel("User");
    for (let at = 0; at < 7; ++at) {
      await User.create({ account: "20", id: `u${at}`, visits: at });
    }
    const find = (more = {}, options = {}) => User.find({ account: "20", ...more }, options);
    assert.deepEqual(ids(await find()), ["u0", "u1", "u2", "u3", "u4", "u5", "u6"]);
    assert.deepEqual(ids(await find({}, { reverse: true, limit: 2 })), ["u6", "u5"]);
    assert.deepEqual(ids(await find({ sk: { between: ["user#u2", "user#u4"] } })), [
      "u2",
      "u3",
      "u4",
    ]);
    assert.deepEqual(ids(await find({ sk: { ">=": "user#u5" } })), ["u5", "u6"]);
    assert.deepEqual(ids(await find({}, { where: "${visits} IN ({1}, {6})" })), ["u1", "u6"]);
    const seen = [];
    let page = await find({}, { limit: 3 });
    for (let round = 0; round < 10 && page.length > 0; ++round) {
      seen.push(...ids(page));
      page = page.next ? await find({}, { limit: 3, next: page.next }) : [];
    }
    assert.deepEqual(seen, ["u0", "u1", "u2", "u3", "u4", "u5", "u6"]);
    assert.equal((await find({}, { count: true })).count, 7);
    const scanned = await User.scan({}, { where: '${account} = {"20"}' });
    assert.deepEqual(ids(scanned).sort(), ["u0", "u1", "u2", "u3", "u4", "u5", "u6"]);
    const all = await table.queryItems({ pk: "account#20" }, { parse: true, hidden: true });
    assert.equal(all.length, 7);
    const accounts = await table.getModel("Account").find({}, { index: "gs1", limit: 3 });
    assert.deepEqual(ids(accounts), ["11", "3", "10"]);
  },

  async "batches and transactions"(world) {
    const table = open(world);
    const User = table.getModel("User");
    const batch = {};
    for (const id of ["a", "b", "c"]) {
      await User.create({ account: "30", id }, { batch });
    }
    await table.batchWrite(batch);
    const wanted = {};
    await User.get({ account: "30", id: "a" }, { batch: wanted });
    await User.get({ account: "30", id: "none" }, { batch: wanted });
    assert.deepEqual(ids(await table.batchGet(wanted, { parse: true, hidden: false })), ["a"]);
    const transaction = {};
    await User.update({ account: "30", id: "a", visits: 1 }, { transaction });
    await User.remove({ account: "30", id: "b" }, { transaction });
    await table.transact("write", transaction, { parse: true });
    const failing = {};
    await User.remove({ account: "30", id: "a" }, { transaction: failing });
    await User.create({ account: "30", id: "c" }, { transaction: failing });
    await assert.rejects(table.transact("write", failing), /Transaction|conditional/i);
    assert.equal((await User.get({ account: "30", id: "a" })).visits, 1);
    const removed = await User.remove({ account: "30", id: "c" });
    assert.equal(removed.id, "c");
    await assert.rejects(User.scan({}, { limit: -1 }), (error) => {
      const { limitBelowOne: wantedWords } = world.words;
      const text = error.context?.err?.message ?? error.message;
      return wantedWords instanceof RegExp ? wantedWords.test(text) : text.includes(wantedWords);
    });
  },
};
