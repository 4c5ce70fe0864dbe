// Dynamoose: models that make their own tables, documents with schemas, queries and scans by chains of
// calls, batches, transactions.

import assert from "node:assert/strict";
import dynamoose from "dynamoose";
import { settings } from "../support.mjs";

const fields = () => ({
  band: { type: String, hashKey: true },
  album: { type: String, rangeKey: true },
  label: { type: String, index: { name: "byLabel", type: "global", rangeKey: "year" } },
  year: { type: Number, index: { name: "byYear", type: "local" } },
  price: { type: Number, default: 10 },
  tags: { type: Set, schema: [String] },
  tracks: { type: Array, schema: [String] },
  press: { type: Object, schema: { city: String, run: Number } },
  bytes: Buffer,
  limited: Boolean,
  released: Date,
});

const table = "dynamoose-records";

// A model of the table, which is made when it is not there.
async function open({ endpoint }) {
  dynamoose.aws.ddb.set(new dynamoose.aws.ddb.DynamoDB(settings(endpoint)));
  const Record = dynamoose.model("Record", new dynamoose.Schema(fields()));
  const made = new dynamoose.Table(table, [Record], {
    throughput: "ON_DEMAND",
    expires: { ttl: 60_000, attribute: "expires", items: { returnExpired: true } },
    waitForActive: { enabled: true, check: { timeout: 30_000, frequency: 20 } },
    initialize: false,
  });
  await made.initialize();
  return Record;
}

const albums = (records) => Array.from(records, ({ album }) => album);
const conditionFailed = { name: "ConditionalCheckFailedException" };

export const programs = {
  async "documents of every type come back"(world) {
    const Record = await open(world);
    const released = new Date("1997-06-16T00:00:00Z");
    await Record.create({
      band: "radio",
      album: "third",
      label: "p",
      year: 1997,
      tags: new Set(["a", "b"]),
      tracks: ["x", "y"],
      press: { city: "Leeds", run: 500 },
      bytes: Buffer.from([0, 255]),
      limited: true,
      released,
    });
    const record = await Record.get({ band: "radio", album: "third" });
    assert.deepEqual([...record.tags].sort(), ["a", "b"]);
    assert.deepEqual([record.tracks, record.press], [["x", "y"], { city: "Leeds", run: 500 }]);
    assert.deepEqual([...Buffer.from(record.bytes)], [0, 255]);
    assert.deepEqual([record.limited, record.price, record.released], [true, 10, released]);
    assert.ok(record.expires instanceof Date);
    assert.equal(await Record.get({ band: "radio", album: "none" }), undefined);
    await assert.rejects(Record.create({ band: "radio", album: "third" }), conditionFailed);
  },

  async "updates set, add, append, remove and ask first"(world) {
    const Record = await open(world);
    const key = { band: "update", album: "one" };
    await Record.create({ ...key, price: 5, tracks: ["a"], label: "x", limited: false });
    const updated = await Record.update(key, {
      $SET: { label: "y" },
      $ADD: { price: 3, tracks: ["b"] },
      $REMOVE: ["limited"],
    });
    assert.deepEqual(
      [updated.label, updated.price, updated.tracks, updated.limited],
      ["y", 8, ["a", "b"], undefined],
    );
    const condition = new dynamoose.Condition().where("price").gt(100);
    await assert.rejects(
      Record.update(key, { $SET: { label: "z" } }, { condition }),
      conditionFailed,
    );
    const other = new dynamoose.Condition()
      .where("price")
      .between(1, 9)
      .and()
      .where("label")
      .eq("y");
    await Record.update(key, { $SET: { label: "z" } }, { condition: other });
    assert.equal((await Record.get(key)).label, "z");
    await Record.delete(key, { condition: new dynamoose.Condition().where("label").exists() });
    assert.equal(await Record.get(key), undefined);
  },

  async "queries and scans"(world) {
    const Record = await open(world);
    const years = { first: 2001, second: 2003, third: 2002, fourth: 2004 };
    await Record.batchPut(
      Object.entries(years).map(([album, year]) => ({ band: "query", album, year, label: "lab" })),
    );
    const query = () => Record.query("band").eq("query");
    assert.deepEqual(albums(await query().exec()), ["first", "fourth", "second", "third"]);
    assert.deepEqual(albums(await query().sort("descending").limit(2).exec()), ["third", "second"]);
    assert.deepEqual(albums(await query().where("album").beginsWith("f").exec()), [
      "first",
      "fourth",
    ]);
    assert.deepEqual(albums(await query().using("byYear").where("year").ge(2003).exec()), [
      "second",
      "fourth",
    ]);
    const byLabel = Record.query("label").eq("lab").using("byLabel");
    assert.deepEqual(albums(await byLabel.exec()), ["first", "third", "second", "fourth"]);
    assert.deepEqual(albums(await query().filter("label").in(["lab", "x"]).limit(2).exec()), [
      "first",
      "fourth",
    ]);
    assert.equal((await query().count().exec()).count, 4);
    const seen = [];
    let page = await query().limit(3).exec();
    seen.push(...albums(page));
    page = await query().startAt(page.lastKey).exec();
    seen.push(...albums(page));
    assert.deepEqual(seen, ["first", "fourth", "second", "third"]);
    assert.equal((await query().limit(1).all().exec()).length, 4);
    const scan = await Record.scan("band").eq("query").filter("year").lt(2003).exec();
    assert.deepEqual(albums(scan).sort(), ["first", "third"]);
    const parallel = await Record.scan("band").eq("query").parallel(3).all().exec();
    assert.equal(parallel.length, 4);
    const parts = await query().attributes(["year"]).exec();
    assert.deepEqual(
      Array.from(parts, (one) => ({ ...one })),
      [2001, 2004, 2003, 2002].map((year) => ({ year })),
    );
  },

  async batches(world) {
    const Record = await open(world);
    const keys = Array.from({ length: 25 }, (_, at) => ({ band: "batch", album: `a${at}` }));
    assert.deepEqual((await Record.batchPut(keys)).unprocessedItems, []);
    const found = await Record.batchGet([...keys.slice(0, 5), { band: "batch", album: "none" }]);
    assert.deepEqual(albums(found).sort(), ["a0", "a1", "a2", "a3", "a4"]);
    assert.deepEqual((await Record.batchDelete(keys)).unprocessedItems, []);
    assert.equal((await Record.query("band").eq("batch").exec()).length, 0);
  },

  async transactions(world) {
    const Record = await open(world);
    await Record.create({ band: "both", album: "there" });
    await dynamoose.transaction([
      Record.transaction.create({ band: "both", album: "new" }),
      Record.transaction.update({ band: "both", album: "there" }, { $SET: { price: 99 } }),
    ]);
    await assert.rejects(
      dynamoose.transaction([
        Record.transaction.delete({ band: "both", album: "there" }),
        Record.transaction.create({ band: "both", album: "new" }),
      ]),
      (error) => {
        const [kept, failed] = error.CancellationReasons;
        return kept.Code === "None" && failed.Message === "The conditional request failed";
      },
    );
    assert.equal((await Record.get({ band: "both", album: "there" })).price, 99);
    const check = Record.transaction.condition(
      { band: "both", album: "there" },
      new dynamoose.Condition().where("price").eq(1),
    );
    const both = [check, Record.transaction.delete({ band: "both", album: "new" })];
    await assert.rejects(dynamoose.transaction(both), (error) => {
      return error.CancellationReasons[0].Message === world.words.checkFailed;
    });
    const got = await dynamoose.transaction([
      Record.transaction.get({ band: "both", album: "there" }),
      Record.transaction.get({ band: "both", album: "new" }),
    ]);
    assert.equal(got.length, 2);
  },
};
