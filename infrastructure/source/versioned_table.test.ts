// The construct, by the templates that it makes; and that these say the same as those of `stator`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { App, Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import * as iam from "aws-cdk-lib/aws-iam";
import * as kms from "aws-cdk-lib/aws-kms";
import { type Policy, readSnapshot, VersionedTable, type VersionedTableProps } from "./index.js";

const FILE = new URL("../fixtures/order.schema.json", import.meta.url).pathname;
const PROGRAM = process.env.STATOR_PROGRAM;

function synthesize(props: Partial<VersionedTableProps> = {}, policy?: Policy) {
  const stack = new Stack(new App(), "Test");
  const table = new VersionedTable(stack, "Orders", { snapshot: FILE, ...props });
  if (policy !== undefined) {
    const role = new iam.Role(stack, "Service", { assumedBy: new iam.AnyPrincipal() });
    table.grant(role, policy);
  }
  return Template.fromStack(stack);
}

const POLICY: Policy = {
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      Action: ["dynamodb:GetItem", "dynamodb:PutItem"],
      Resource: ["arn:aws:dynamodb:*:*:table/order"],
    },
    {
      Effect: "Allow",
      Action: ["dynamodb:Query"],
      Resource: ["arn:aws:dynamodb:*:*:table/order/index/by_day"],
      Condition: { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": ["USER#${owner}"] } },
    },
  ],
};

test("the table is recoverable, protected and kept", () => {
  const template = synthesize();
  template.hasResource("AWS::DynamoDB::Table", {
    DeletionPolicy: "Retain",
    UpdateReplacePolicy: "Retain",
    Properties: {
      TableName: "order",
      BillingMode: "PAY_PER_REQUEST",
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: true,
        RecoveryPeriodInDays: 35,
      },
    },
  });
});

test("keys, indexes and expiry are those of the snapshot", () => {
  synthesize().hasResourceProperties("AWS::DynamoDB::Table", {
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
    GlobalSecondaryIndexes: [
      {
        IndexName: "by_day",
        KeySchema: [{ AttributeName: "day", KeyType: "HASH" }],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["memo"] },
      },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: "a_local",
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "day", KeyType: "RANGE" },
        ],
        Projection: { ProjectionType: "ALL" },
      },
    ],
  });
});

test("a disposable table goes with its stack", () => {
  const template = synthesize({ disposable: true });
  template.hasResource("AWS::DynamoDB::Table", {
    DeletionPolicy: "Delete",
    Properties: {
      DeletionProtectionEnabled: Match.absent(),
      PointInTimeRecoverySpecification: Match.absent(),
    },
  });
});

test("names and days can be chosen", () => {
  const template = synthesize({ tableName: "orders-2", recoveryDays: 7, parameterName: "/orders" });
  template.hasResourceProperties("AWS::DynamoDB::Table", {
    TableName: "orders-2",
    PointInTimeRecoverySpecification: { RecoveryPeriodInDays: 7 },
  });
  template.hasResourceProperties("AWS::SSM::Parameter", { Name: "/orders" });
  assert.throws(() => synthesize({ recoveryDays: 36 }), /not 1 to 35/);
});

test("a grant is exactly the policy, on the table of the stack", () => {
  const template = synthesize({}, POLICY);
  const [id] = Object.keys(template.findResources("AWS::DynamoDB::Table"));
  const arn = { "Fn::GetAtt": [id, "Arn"] };
  const policies = Object.values(template.findResources("AWS::IAM::Policy"));
  assert.equal(policies.length, 1);
  assert.deepEqual(policies[0].Properties.PolicyDocument.Statement, [
    { Effect: "Allow", Action: ["dynamodb:GetItem", "dynamodb:PutItem"], Resource: arn },
    {
      Effect: "Allow",
      Action: "dynamodb:Query",
      Resource: { "Fn::Join": ["", [arn, "/index/by_day"]] },
      Condition: POLICY.Statement[1].Condition,
    },
  ]);
});

test("policies that say too much are refused", () => {
  const change = (part: object) => ({ ...POLICY, Statement: [{ ...POLICY.Statement[0], ...part }] });
  assert.throws(() => synthesize({}, change({ Action: ["dynamodb:*"] })), /by name/);
  assert.throws(() => synthesize({}, change({ Effect: "Deny" }) as Policy), /only statements/);
  assert.throws(() => synthesize({}, change({ Resource: ["*"] })), /neither a table/);
  const streams = ["arn:aws:dynamodb:*:*:table/order/stream/x"];
  assert.throws(() => synthesize({}, change({ Action: ["kms:Decrypt"], Resource: ["*"] })), /everything/);
  assert.throws(() => synthesize({}, change({ Resource: streams })), /neither a table/);
});

test("a principal that takes no policies is refused rather than left without access", () => {
  const stack = new Stack(new App(), "Test");
  const table = new VersionedTable(stack, "Orders", { snapshot: FILE });
  const service = new iam.ServicePrincipal("lambda.amazonaws.com");
  assert.throws(() => table.grant({ grantPrincipal: service }, POLICY), /takes no policies/);
});

test("who may use an encrypted table may use its key, through DynamoDB alone", () => {
  const stack = new Stack(new App(), "Test");
  const encryptionKey = new kms.Key(stack, "Key");
  const table = new VersionedTable(stack, "Orders", { snapshot: FILE, encryptionKey });
  table.grant(new iam.Role(stack, "Service", { assumedBy: new iam.AnyPrincipal() }), POLICY);
  const [granted] = Object.values(Template.fromStack(stack).findResources("AWS::IAM::Policy"));
  assert.deepEqual(granted.Properties.PolicyDocument.Statement.at(-1), {
    Effect: "Allow",
    Action: ["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey"],
    Resource: { "Fn::GetAtt": [stack.getLogicalId(encryptionKey.node.defaultChild as kms.CfnKey), "Arn"] },
    Condition: { StringLike: { "kms:ViaService": ["dynamodb.*.amazonaws.com"] } },
  });
});

test("a file that is no snapshot is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "stator-cdk-"));
  try {
    writeFileSync(join(folder, "a.json"), "{}");
    assert.throws(() => readSnapshot(join(folder, "a.json")), /no snapshot/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const byName = (left: { AttributeName: string }, right: { AttributeName: string }) =>
  left.AttributeName < right.AttributeName ? -1 : 1;

// AttributeDefinitions are a set, whose order is left to whoever writes them.
function sorted(properties: Record<string, any>) {
  return { ...properties, AttributeDefinitions: [...properties.AttributeDefinitions].sort(byName) };
}

test("stator prints the same table and a policy that is taken over", { skip: !PROGRAM }, () => {
  const folder = new URL("../fixtures", import.meta.url).pathname;
  const stator = (...args: string[]) =>
    JSON.parse(
      execFileSync(PROGRAM!, ["tables", ...args, "--for", "entity", "order", "--folder", folder], { encoding: "utf8" }),
    );
  const theirs = stator("print", "--as", "cloudformation").Resources.OrderTable;
  const policy = stator("policy", "--verbs", "read,query", "--index", "by_day");
  const template = synthesize({}, policy);
  const [ours] = Object.values(template.findResources("AWS::DynamoDB::Table"));
  assert.deepEqual(sorted(ours.Properties), sorted(theirs.Properties));
  assert.equal(ours.DeletionPolicy, theirs.DeletionPolicy);
  const [granted] = Object.values(template.findResources("AWS::IAM::Policy"));
  assert.equal(granted.Properties.PolicyDocument.Statement.length, policy.Statement.length);
});
