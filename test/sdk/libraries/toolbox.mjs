// DynamoDB-Toolbox: entities with schemas, commands, updates by verbs, queries over entities, batches,
// transactions.

import assert from "node:assert/strict";
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { ScanCommand as PlainScanCommand } from "@aws-sdk/lib-dynamodb";
import {
  $add,
  $append,
  $delete,
  $get,
  $prepend,
  $remove,
  $subtract,
  $sum,
  BatchDeleteRequest,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  DeleteTransaction,
  Entity,
  GetItemCommand,
  GetTransaction,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  ScanCommand,
  Table,
  UpdateItemCommand,
  UpdateTransaction,
  any,
  binary,
  boolean,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  item,
  list,
  map,
  number,
  set,
  string,
} from "dynamodb-toolbox";

const name = "toolbox";

function open({ documents }) {
  const table = new Table({
    documentClient: documents,
    name,
    partitionKey: { name: "pk", type: "string" },
    sortKey: { name: "sk", type: "number" },
    entityAttributeSavedAs: "_et",
    indexes: {
      byColour: {
        type: "global",
        partitionKey: { name: "colour", type: "string" },
        sortKey: { name: "weight", type: "number" },
      },
    },
  });
  const schema = item({
    pk: string().key(),
    sk: number().key(),
    colour: string().optional(),
    weight: number().optional(),
    tags: set(string()).optional(),
    steps: list(string()).optional(),
    box: map({ height: number(), width: number().optional() }).optional(),
    bytes: binary().optional(),
    broken: boolean().default(false),
    more: any().optional(),
  });
  const Part = new Entity({ name: "Part", table, schema, timestamps: false });
  return { table, Part };
}

const conditionFailed = { name: "ConditionalCheckFailedException" };
const numbers = ({ Items = [] }) => Items.map(({ sk }) => sk);

export const programs = {
  async "makes its table"({ client }) {
    const of = (attribute, type) => ({ AttributeName: attribute, AttributeType: type });
    const key = (hash, range) => [
      { AttributeName: hash, KeyType: "HASH" },
      { AttributeName: range, KeyType: "RANGE" },
    ];
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [of("pk", "S"), of("sk", "N"), of("colour", "S"), of("weight", "N")],
        KeySchema: key("pk", "sk"),
        GlobalSecondaryIndexes: [
          {
            IndexName: "byColour",
            KeySchema: key("colour", "weight"),
            Projection: { ProjectionType: "ALL" },
          },
        ],
      }),
    );
  },

  async "items of every type come back"(world) {
    const { Part } = open(world);
    const part = {
      pk: "all",
      sk: 1,
      colour: "red",
      weight: 1.5,
      tags: new Set(["a", "b"]),
      steps: ["cut"],
      box: { height: 2 },
      bytes: new Uint8Array([1, 2]),
      more: { deep: [1, { er: null }] },
    };
    const { Attributes } = await Part.build(PutItemCommand)
      .item(part)
      .options({ returnValues: "ALL_OLD" })
      .send();
    assert.equal(Attributes, undefined);
    const get = Part.build(GetItemCommand).key({ pk: "all", sk: 1 });
    const { Item } = await get.options({ consistent: true }).send();
    assert.deepEqual(
      { ...Item, bytes: [...Item.bytes] },
      { ...part, broken: false, bytes: [1, 2] },
    );
    const { Item: some } = await get.options({ attributes: ["colour", "box.height"] }).send();
    assert.deepEqual(some, { colour: "red", box: { height: 2 } });
    const again = Part.build(PutItemCommand)
      .item(part)
      .options({ condition: { attr: "pk", exists: false } });
    await assert.rejects(again.send(), conditionFailed);
  },

  async "updates by verbs"(world) {
    const { Part } = open(world);
    const key = { pk: "update", sk: 1 };
    await Part.build(PutItemCommand)
      .item({
        ...key,
        weight: 10,
        tags: new Set(["a"]),
        steps: ["b"],
        box: { height: 1, width: 1 },
        colour: "red",
      })
      .send();
    const update = (values, options = {}) =>
      Part.build(UpdateItemCommand)
        .item({ ...key, ...values })
        .options({ returnValues: "ALL_NEW", ...options })
        .send();
    const { Attributes } = await update({
      weight: $sum($get("weight"), 5),
      tags: $add(new Set(["b", "c"])),
      steps: $append(["c"]),
      box: { height: $subtract($get("box.height"), 3), width: $remove() },
      colour: $remove(),
    });
    assert.deepEqual(
      [
        Attributes.weight,
        [...Attributes.tags].sort(),
        Attributes.steps,
        Attributes.box,
        Attributes.colour,
      ],
      [15, ["a", "b", "c"], ["b", "c"], { height: -2 }, undefined],
    );
    const { Attributes: after } = await update({
      weight: $add(1),
      tags: $delete(new Set(["a", "c"])),
      steps: $prepend(["a"]),
      colour: $get("colour", "blue"),
    });
    assert.deepEqual(
      [after.weight, [...after.tags], after.steps, after.colour],
      [16, ["b"], ["a", "b", "c"], "blue"],
    );
    const condition = {
      or: [{ attr: "weight", gt: 100 }, { not: { attr: "colour", eq: "blue" } }],
    };
    await assert.rejects(update({ weight: 0 }, { condition }), conditionFailed);
    const size = { size: "steps", gte: 3 };
    const { Attributes: changed } = await update(
      { steps: { 0: "A" } },
      { condition: size, returnValues: "UPDATED_NEW" },
    );
    assert.ok(changed.steps);
  },

  async "queries and scans"(world) {
    const { table, Part } = open(world);
    for (let sk = 1; sk <= 6; ++sk) {
      const colour = sk % 2 ? "odd" : "even";
      await Part.build(PutItemCommand)
        .item({ pk: "query", sk, colour, weight: 10 - sk })
        .send();
    }
    const query = (range, options = {}) =>
      table
        .build(QueryCommand)
        .entities(Part)
        .query({ partition: "query", ...range })
        .options(options)
        .send();
    assert.deepEqual(numbers(await query({})), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(
      numbers(await query({ range: { between: [2, 4] } }, { reverse: true })),
      [4, 3, 2],
    );
    assert.deepEqual(numbers(await query({ range: { gt: 4 } })), [5, 6]);
    const filters = { Part: { attr: "weight", in: [9, 5] } };
    assert.deepEqual(numbers(await query({}, { filters })), [1, 5]);
    const first = await query({}, { limit: 4 });
    assert.deepEqual(
      numbers(await query({}, { exclusiveStartKey: first.LastEvaluatedKey })),
      [5, 6],
    );
    assert.equal((await query({}, { select: "COUNT" })).Count, 6);
    const index = { index: "byColour", partition: "odd", range: { gte: 6 } };
    assert.deepEqual(
      numbers(await table.build(QueryCommand).entities(Part).query(index).send()),
      [3, 1],
    );
    const scan = await table
      .build(ScanCommand)
      .entities(Part)
      .options({
        filters: { Part: { attr: "pk", eq: "query" } },
        maxPages: Infinity,
        segment: 0,
        totalSegments: 1,
      })
      .send();
    assert.deepEqual(numbers(scan).sort(), [1, 2, 3, 4, 5, 6]);
    const nothing = new PlainScanCommand({ TableName: name, Limit: 0 });
    await assert.rejects(world.documents.send(nothing), { message: world.words.limitBelowOne });
  },

  async "batches and transactions"(world) {
    const { table, Part } = open(world);
    const keys = [1, 2, 3].map((sk) => ({ pk: "batch", sk }));
    await executeBatchWrite(
      table
        .build(BatchWriteCommand)
        .requests(...keys.map((key) => Part.build(BatchPutRequest).item(key))),
    );
    await executeBatchWrite(
      table.build(BatchWriteCommand).requests(Part.build(BatchDeleteRequest).key(keys[1])),
    );
    const { Responses } = await executeBatchGet(
      table
        .build(BatchGetCommand)
        .requests(...keys.map((key) => Part.build(BatchGetRequest).key(key))),
    );
    assert.deepEqual(
      Responses[0].map((one) => one?.sk ?? null),
      [1, null, 3],
    );
    await executeTransactWrite(
      { clientRequestToken: "toolbox-1" },
      Part.build(PutTransaction).item(keys[1]),
      Part.build(UpdateTransaction).item({ ...keys[0], weight: $add(4) }),
      Part.build(DeleteTransaction).key(keys[2]),
    );
    const check = Part.build(ConditionCheck).key(keys[0]).condition({ attr: "weight", lt: 4 });
    await assert.rejects(
      executeTransactWrite(check, Part.build(DeleteTransaction).key(keys[1])),
      (error) => error.CancellationReasons[0].Message === world.words.checkFailed,
    );
    const { Responses: got } = await executeTransactGet(
      ...keys.map((key) => Part.build(GetTransaction).key(key)),
    );
    assert.deepEqual(
      got.map(({ Item }) => Item?.weight ?? null),
      [4, null, null],
    );
    const { Attributes } = await Part.build(DeleteItemCommand)
      .key(keys[0])
      .options({ returnValues: "ALL_OLD" })
      .send();
    assert.equal(Attributes.weight, 4);
  },
};
