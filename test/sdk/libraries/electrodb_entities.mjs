// The table and the entities that electrodb.mjs works with: books and loans of a library.

import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { Entity, Service } from "electrodb";

const table = "electro";
const service = "library";

export async function makeTable({ client, words }) {
  const keys = ["pk", "sk", "gsi1pk", "gsi1sk", "lsi1sk", "author", "city", "year"];
  const key = (hash, range) => [
    { AttributeName: hash, KeyType: "HASH" },
    ...(range ? [{ AttributeName: range, KeyType: "RANGE" }] : []),
  ];
  const Projection = { ProjectionType: "ALL" };
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: "PAY_PER_REQUEST",
      // Definitions that no key uses come from shared lists of them.
      AttributeDefinitions: [...keys, ...(words.toleratesUnused ? ["gsi2pk"] : [])].map((name) => ({
        AttributeName: name,
        AttributeType: name === "year" ? "N" : "S",
      })),
      KeySchema: key("pk", "sk"),
      LocalSecondaryIndexes: [{ IndexName: "lsi1", KeySchema: key("pk", "lsi1sk"), Projection }],
      GlobalSecondaryIndexes: [
        { IndexName: "gsi1", KeySchema: key("gsi1pk", "gsi1sk"), Projection },
        {
          IndexName: "places",
          KeySchema: [
            ...key("author"),
            ...key("city"),
            { AttributeName: "year", KeyType: "RANGE" },
          ],
          Projection,
        },
      ],
    }),
  );
}

const bookSchema = {
  model: { entity: "book", version: "1", service },
  attributes: {
    isbn: { type: "string", required: true },
    shelf: { type: "string", required: true, default: "new" },
    author: { type: "string" },
    city: { type: "string" },
    year: { type: "number" },
    title: { type: "string", required: true, default: "untitled" },
    pages: { type: "number" },
    copies: { type: "number", default: 0 },
    genres: { type: "set", items: "string" },
    notes: { type: "list", items: { type: "string" } },
    print: {
      type: "map",
      properties: { format: { type: "string" }, weight: { type: "number" } },
    },
    expires: { type: "number" },
  },
  indexes: {
    book: {
      pk: { field: "pk", composite: ["isbn"] },
      sk: { field: "sk", composite: [] },
    },
    shelf: {
      index: "gsi1",
      collection: "shelved",
      pk: { field: "gsi1pk", composite: ["shelf"] },
      sk: { field: "gsi1sk", composite: ["title", "isbn"] },
    },
    places: {
      index: "places",
      type: "composite",
      pk: { composite: ["author", "city"] },
      sk: { composite: ["year"] },
    },
  },
};

const loanSchema = {
  model: { entity: "loan", version: "1", service },
  attributes: {
    isbn: { type: "string", required: true },
    reader: { type: "string", required: true },
    due: { type: "string", required: true },
    shelf: { type: "string" },
    returned: { type: "boolean" },
  },
  indexes: {
    loan: {
      pk: { field: "pk", composite: ["isbn"] },
      sk: { field: "sk", composite: ["reader"] },
    },
    due: {
      index: "lsi1",
      pk: { field: "pk", composite: ["isbn"] },
      sk: { field: "lsi1sk", composite: ["due"] },
    },
    shelf: {
      index: "gsi1",
      collection: "shelved",
      pk: { field: "gsi1pk", composite: ["shelf"] },
      sk: { field: "gsi1sk", composite: ["reader"] },
    },
  },
};

export function open({ documents: client }) {
  const book = new Entity(bookSchema, { client, table });
  const loan = new Entity(loanSchema, { client, table });
  return { book, loan, library: new Service({ book, loan }, { client, table }) };
}
