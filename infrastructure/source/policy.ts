// Policies as `stator tables policy` prints them, which knows what the verbs of a repository need. They
// name a table by pattern; here the pattern becomes the table of the stack.

import { readFileSync } from "node:fs";
import * as iam from "aws-cdk-lib/aws-iam";

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

export function readPolicy(file: string): Policy {
  const policy = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(policy?.Statement)) {
    throw new Error(`${file} is no policy: it has no list of statements`);
  }
  return policy;
}

// What follows the table's name in an ARN: nothing, or "/index/NAME".
function suffixOf(resource: string): string {
  const found = /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/[^/]+(\/index\/[^/*]+)?$/.exec(resource);
  if (found === null) {
    throw new Error(`${resource} is neither a table nor one of its indexes`);
  }
  return found[1] ?? "";
}

// The statements with the table at `tableArn` in place of the one that they name.
export function statementsFor(policy: Policy, tableArn: string): iam.PolicyStatement[] {
  return policy.Statement.map((statement) => {
    if (statement.Effect !== "Allow" || statement.Action.some((action) => action.includes("*"))) {
      throw new Error("only statements that allow actions by name are taken over");
    }
    return new iam.PolicyStatement({
      effect: iam.Effect.ALLOW,
      actions: statement.Action,
      resources: statement.Resource.map((resource) => tableArn + suffixOf(resource)),
      conditions: statement.Condition,
    });
  });
}
