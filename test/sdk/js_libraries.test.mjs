// Libraries that are written and tested against DynamoDB Local, as their users use them: the same
// programs on Stator, on Stator with the words of DynamoDB Local, and on DynamoDB Local itself. What
// they expect is the same everywhere but for the words.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as electrodb from "./libraries/electrodb.mjs";
import * as dynamoose from "./libraries/dynamoose.mjs";
import * as toolbox from "./libraries/toolbox.mjs";
import * as onetable from "./libraries/onetable.mjs";
import { plainClient, startDynamoDbLocal, startServer } from "./support.mjs";

const libraries = { electrodb, dynamoose, toolbox, onetable };

const amazon = {
  checkFailed: "The conditional request failed",
  limitBelowOne: /Member must have value greater than or equal to 1$/,
  namedTwice: /Duplicate/,
  noTable: /^Requested resource not found/,
  toleratesUnused: false,
};
const local = {
  checkFailed: "The conditional request failed.",
  limitBelowOne: "Limit must be greater than or equal to 1",
  namedTwice: "Cannot have two attributes with the same name",
  toleratesUnused: false, // Its earlier versions did, and suites were written for them.
};
const servers = {
  Stator: { start: () => startServer("--memory"), words: amazon },
  "Stator as DynamoDB Local": {
    start: () => startServer("--memory", "--like-dynamodb-local"),
    words: { ...local, noTable: amazon.noTable, toleratesUnused: true },
  },
  "DynamoDB Local": {
    start: startDynamoDbLocal,
    words: { ...local, noTable: "Cannot do operations on a non-existent table" },
  },
};

for (const [name, { start, words }] of Object.entries(servers)) {
  describe(name, () => {
    let server;
    let client;
    let documents;

    before(async () => {
      server = await start();
      client = plainClient(server.endpoint);
      documents = DynamoDBDocumentClient.from(client, {
        marshallOptions: { removeUndefinedValues: true },
      });
    });

    after(async () => {
      documents.destroy();
      client.destroy();
      await server.stop();
    });

    for (const [library, { programs }] of Object.entries(libraries)) {
      for (const [what, run] of Object.entries(programs)) {
        test(`${library}: ${what}`, () =>
          run({ client, documents, words, endpoint: server.endpoint }));
      }
    }
  });
}

test("every library has programs", () => {
  for (const { programs } of Object.values(libraries)) {
    assert.ok(Object.keys(programs).length >= 3);
  }
});
