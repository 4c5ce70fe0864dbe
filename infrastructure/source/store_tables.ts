// The tables of a store: tasks, sessions or events, as `stator tables print --for STORE` has them.
//
//   const sessions = new StoreTables(this, "Sessions", { store: "sessions" });
//   sessions.grant(service);
//
// grant allows what a program does that uses all of the store. For one that does less (that only
// reads events), or that has blobs in S3, pass what `stator tables policy --for STORE …` prints.

import { readFileSync } from "node:fs";
import { CfnResource, RemovalPolicy, Token } from "aws-cdk-lib";
import type * as iam from "aws-cdk-lib/aws-iam";
import type * as kms from "aws-cdk-lib/aws-kms";
import { Construct } from "constructs";
import { grantPolicy, type Policy, readPolicy } from "./policy.js";

export type Store = "tasks" | "sessions" | "events";
const STORES: readonly string[] = ["tasks", "sessions", "events"];

export interface StoreTablesProps {
  store: Store;
  // Other names than those that the store has when its options name none: { sessions: "sessions-2" }.
  tableNames?: Record<string, string>;
  // For tables that may go, as in tests: no protection, no recovery, deleted with the stack.
  disposable?: boolean;
  encryptionKey?: kms.IKey;
}

interface Template {
  Resources: Record<string, { Type: string; Properties: Record<string, any> }>;
}

// What `stator` printed when this package was made.
function fileOf(store: Store, what: string): URL {
  return new URL(`../stores/${store}.${what}.json`, import.meta.url);
}

export class StoreTables extends Construct {
  // By the names that they have when nobody chooses others.
  readonly tables: ReadonlyMap<string, CfnResource>;
  private readonly store: Store;
  private readonly key?: kms.IKey;

  constructor(scope: Construct, id: string, props: StoreTablesProps) {
    super(scope, id);
    if (!STORES.includes(props.store)) {
      throw new Error(`there is no store ${props.store}; there are ${STORES.join(", ")}`);
    }
    this.store = props.store;
    this.key = props.encryptionKey;
    const template: Template = JSON.parse(readFileSync(fileOf(props.store, "template"), "utf8"));
    const tables = new Map<string, CfnResource>();
    for (const [logicalId, resource] of Object.entries(template.Resources)) {
      tables.set(resource.Properties.TableName, this.addTable(logicalId, resource.Properties, props));
    }
    for (const name of Object.keys(props.tableNames ?? {})) {
      if (!tables.has(name)) {
        throw new Error(`${props.store} have no table ${name}; they have ${[...tables.keys()].join(", ")}`);
      }
    }
    this.tables = tables;
  }

  // The name of one of the tables, for the environment of a program.
  tableName(name: string): string {
    const table = this.tables.get(name);
    if (table === undefined) {
      throw new Error(`${this.store} have no table ${name}`);
    }
    return Token.asString(table.ref);
  }

  // Allows what the policy says, on these tables.
  grant(grantee: iam.IGrantable, policy: Policy | string = readPolicy(fileOf(this.store, "policy"))): void {
    const arns = new Map<string, string>();
    for (const [name, table] of this.tables) {
      arns.set(name, Token.asString(table.getAtt("Arn")));
    }
    grantPolicy(grantee, typeof policy === "string" ? readPolicy(policy) : policy, {
      tables: arns,
      key: this.key,
    });
  }

  private addTable(id: string, printed: Record<string, any>, props: StoreTablesProps): CfnResource {
    const properties = { ...printed };
    properties.TableName = props.tableNames?.[printed.TableName] ?? printed.TableName;
    if (props.disposable) {
      delete properties.DeletionProtectionEnabled;
      delete properties.PointInTimeRecoverySpecification;
    }
    if (props.encryptionKey !== undefined) {
      properties.SSESpecification = {
        SSEEnabled: true,
        SSEType: "KMS",
        KMSMasterKeyId: props.encryptionKey.keyArn,
      };
    }
    const table = new CfnResource(this, id, { type: "AWS::DynamoDB::Table", properties });
    table.applyRemovalPolicy(props.disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN);
    return table;
  }
}
