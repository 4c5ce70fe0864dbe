// The tables of the stores, by the templates that they make; that what is packed with them is what
// `stator` prints; and that the package of a clean checkout has everything.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { App, Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import * as iam from "aws-cdk-lib/aws-iam";
import * as kms from "aws-cdk-lib/aws-kms";
import { type Policy, type Store, StoreTables, type StoreTablesProps } from "./index.js";

const PROGRAM = process.env.STATOR_PROGRAM;
const ROOT = new URL("..", import.meta.url).pathname;
const COUNTS: [Store, number][] = [["tasks", 1], ["sessions", 1], ["events", 3]];

function synthesize(props: StoreTablesProps, policy?: Policy | string, key = false) {
  const stack = new Stack(new App(), "Test");
  const encryptionKey = key ? new kms.Key(stack, "Key") : undefined;
  const tables = new StoreTables(stack, "Tables", { ...props, encryptionKey });
  tables.grant(new iam.Role(stack, "Service", { assumedBy: new iam.AnyPrincipal() }), policy);
  return Template.fromStack(stack);
}

function statementsOf(template: Template): any[] {
  const [granted] = Object.values(template.findResources("AWS::IAM::Policy"));
  return granted.Properties.PolicyDocument.Statement;
}

for (const [store, count] of COUNTS) {
  test(`${store}: tables, kept, and a grant on exactly them`, () => {
    const template = synthesize({ store });
    template.resourceCountIs("AWS::DynamoDB::Table", count);
    template.allResources("AWS::DynamoDB::Table", { DeletionPolicy: "Retain" });
    const ids = Object.keys(template.findResources("AWS::DynamoDB::Table"));
    const text = JSON.stringify(statementsOf(template));
    for (const id of ids) {
      assert.ok(text.includes(id), `nothing is granted on ${id}`);
    }
    assert.ok(!text.includes("arn:aws:dynamodb:*"), "a table by pattern");
    assert.ok(!text.includes("kms:"));
  });
}

test("names can be chosen, and a table that is not there cannot", () => {
  const template = synthesize({ store: "sessions", tableNames: { sessions: "mine" }, disposable: true });
  template.hasResource("AWS::DynamoDB::Table", {
    DeletionPolicy: "Delete",
    Properties: { TableName: "mine", DeletionProtectionEnabled: Match.absent() },
  });
  assert.throws(() => synthesize({ store: "sessions", tableNames: { sesions: "mine" } }), /have no table sesions/);
  assert.throws(() => synthesize({ store: "session" as Store }), /there is no store session/);
});

test("a key encrypts the tables, and who uses them may use it", () => {
  const template = synthesize({ store: "events" }, undefined, true);
  template.allResourcesProperties("AWS::DynamoDB::Table", {
    SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: Match.anyValue() },
  });
  assert.deepEqual(statementsOf(template).at(-1).Action, ["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey"]);
});

test("a policy of one's own is taken over, one for other tables is not", { skip: !PROGRAM }, () => {
  const printed = (...args: string[]) =>
    JSON.parse(execFileSync(PROGRAM!, ["tables", "policy", ...args], { encoding: "utf8" }));
  const blobs = printed("--for", "tasks", "--blobs", "s3://files/tasks", "--kms-key", "arn:aws:kms:a:1:key/2");
  const text = JSON.stringify(statementsOf(synthesize({ store: "tasks" }, blobs)));
  assert.ok(text.includes("arn:aws:s3:::files/tasks/*") && text.includes("arn:aws:kms:a:1:key/2"));
  assert.throws(() => synthesize({ store: "tasks" }, printed("--for", "sessions")), /there is no table sessions here/);
});

test("what is packed is what stator prints", { skip: !PROGRAM }, () => {
  for (const [store] of COUNTS) {
    for (const [what, args] of [["template", ["print", "--as", "cloudformation"]], ["policy", ["policy"]]] as const) {
      const printed = execFileSync(PROGRAM!, ["tables", ...args, "--for", store], { encoding: "utf8" });
      const file = join(ROOT, "stores", `${store}.${what}.json`);
      if (process.env.STATOR_STORES === "update") {
        writeFileSync(file, printed);
      }
      assert.equal(readFileSync(file, "utf8"), printed, `${file}; STATOR_STORES=update writes it`);
    }
  }
});

test("npm pack of a clean checkout has what a stack needs", () => {
  const folder = mkdtempSync(join(tmpdir(), "stator-pack-"));
  try {
    for (const part of ["source", "stores", "package.json", "package-lock.json", "tsconfig.json", "README.md"]) {
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    }
    // What `npm ci` installs, without the network.
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const packed = JSON.parse(execFileSync("npm", ["pack", "--json"], { cwd: folder, encoding: "utf8" }).replace(/^[^[]*/, ""));
    const files = packed[0].files.map((file: { path: string }) => file.path);
    for (const needed of ["build/index.js", "build/index.d.ts", "build/store_tables.js", "stores/events.policy.json"]) {
      assert.ok(files.includes(needed), `${needed} is not among ${files}`);
    }
    assert.ok(!files.some((file: string) => file.includes(".test.") || file.startsWith("source/")));
    execFileSync("tar", ["xzf", packed[0].filename], { cwd: folder });
    const script =
      'import { App, Stack } from "aws-cdk-lib"; import { StoreTables } from "./package/build/index.js";' +
      'new StoreTables(new Stack(new App(), "T"), "S", { store: "tasks" }); console.log("made");';
    writeFileSync(join(folder, "stack.mjs"), script);
    assert.equal(execFileSync("node", ["stack.mjs"], { cwd: folder, encoding: "utf8" }), "made\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
