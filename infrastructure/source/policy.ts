// Policies as `stator tables policy` prints them, which knows what the verbs of a repository and the
// stores need. They name tables by pattern; here the patterns become the tables of the stack, and
// what the key that encrypts them has to allow is added.

import { readFileSync } from "node:fs";
import * as iam from "aws-cdk-lib/aws-iam";
import type * as kms from "aws-cdk-lib/aws-kms";

interface Statement {
  Effect: "Allow";
  Action: string[];
  Resource: string[];
  Condition?: Record<string, unknown>;
}

export interface Policy {
  Version: string;
  Statement: Statement[];
}

export function readPolicy(file: string | URL): Policy {
  const policy = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(policy?.Statement)) {
    throw new Error(`${file} is no policy: it has no list of statements`);
  }
  return policy;
}

// What of the stack a policy is about.
export interface Subjects {
  // By the name that a policy knows a table by: its ARN. "" is the table of every name.
  tables: Map<string, string>;
  // The key that encrypts them, if it is one of the customer's.
  key?: kms.IKey;
}

// The ARN of what a resource of a policy is in the stack: a table, an index of it, or its streams.
function arnOf(resource: string, subjects: Subjects): string {
  const found =
    /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/([^/]+)(\/index\/[^/*]+|\/stream\/\*)?$/.exec(resource);
  if (found === null) {
    throw new Error(`${resource} is neither a table nor one of its indexes`);
  }
  const arn = subjects.tables.get(found[1]) ?? subjects.tables.get("");
  if (arn === undefined) {
    throw new Error(`there is no table ${found[1]} here; there are ${[...subjects.tables.keys()].join(", ")}`);
  }
  return arn + (found[2] ?? "");
}

function isAbout(statement: Statement, service: string): boolean {
  return statement.Action.every((action) => action.startsWith(`${service}:`));
}

function keyStatement(key: kms.IKey): iam.PolicyStatement {
  return new iam.PolicyStatement({
    effect: iam.Effect.ALLOW,
    actions: ["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey"],
    resources: [key.keyArn],
    conditions: { StringLike: { "kms:ViaService": ["dynamodb.*.amazonaws.com"] } },
  });
}

// The statements with the tables of the stack in place of those that they name. Statements about
// blobs in S3, and about a key that they are encrypted with, are taken as they are.
export function statementsFor(policy: Policy, subjects: Subjects): iam.PolicyStatement[] {
  const statements = policy.Statement.map((statement) => {
    if (statement.Effect !== "Allow" || statement.Action.some((action) => action.includes("*"))) {
      throw new Error("only statements that allow actions by name are taken over");
    }
    const asItIs = isAbout(statement, "s3") || isAbout(statement, "kms");
    if (asItIs && statement.Resource.includes("*")) {
      throw new Error("a statement about everything is not taken over");
    }
    return new iam.PolicyStatement({
      effect: iam.Effect.ALLOW,
      actions: statement.Action,
      resources: asItIs ? statement.Resource : statement.Resource.map((resource) => arnOf(resource, subjects)),
      conditions: statement.Condition,
    });
  });
  return subjects.key === undefined ? statements : [...statements, keyStatement(subjects.key)];
}

// Allows what the policy says to a function, role or user. Throws when that takes no policies,
// rather than leave it without access.
export function grantPolicy(grantee: iam.IGrantable, policy: Policy, subjects: Subjects): void {
  for (const statement of statementsFor(policy, subjects)) {
    if (!grantee.grantPrincipal.addToPrincipalPolicy(statement).statementAdded) {
      throw new Error(`${grantee.grantPrincipal} takes no policies; give it a role of this stack`);
    }
  }
}
