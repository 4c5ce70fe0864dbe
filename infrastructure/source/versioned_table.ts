// The table of an entity, from the snapshot that its program keeps in its repository: keys, indexes
// and expiry as recorded; recoverable to any second, protected from deletion, kept when the stack
// goes.
//
//   const accounts = new VersionedTable(this, "Accounts", { snapshot: "schema/account.schema.json" });
//   accounts.grant(service, "schema/policies/account.service.json");
//
// The policy is what `stator tables policy --for entity account --verbs read,insert,modify` prints: the actions that
// the repository's verbs need, on the table and the indexes that it queries, and nothing else. There
// is deliberately no grantReadWriteData here, which would allow scans, streams and batches, too.

import { RemovalPolicy } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as iam from "aws-cdk-lib/aws-iam";
import * as kms from "aws-cdk-lib/aws-kms";
import * as ssm from "aws-cdk-lib/aws-ssm";
import { Construct } from "constructs";
import { grantPolicy, type Policy, readPolicy } from "./policy.js";
import { type IndexDeclaration, type KeyDeclaration, readSnapshot, type Snapshot } from "./snapshot.js";

export interface VersionedTableProps {
  // A file, or what readSnapshot made of it.
  snapshot: Snapshot | string;
  // Otherwise the entity's name, as a repository expects it unless it is told another.
  tableName?: string;
  // 1 to 35; 35 if nothing is said.
  recoveryDays?: number;
  // For tables that may go, as in tests: no protection, no recovery, deleted with the stack.
  disposable?: boolean;
  stream?: dynamodb.StreamViewType;
  encryptionKey?: kms.IKey;
  // An SSM parameter that tells programs the table's name.
  parameterName?: string;
}

function attribute(key: KeyDeclaration): dynamodb.Attribute {
  return { name: key.attribute, type: key.type as dynamodb.AttributeType };
}

function projection(index: IndexDeclaration) {
  return {
    projectionType: index.projection as dynamodb.ProjectionType,
    nonKeyAttributes: index.projection === "INCLUDE" ? index.projected : undefined,
  };
}

export class VersionedTable extends Construct {
  readonly table: dynamodb.Table;
  readonly snapshot: Snapshot;

  constructor(scope: Construct, id: string, props: VersionedTableProps) {
    super(scope, id);
    this.snapshot =
      typeof props.snapshot === "string" ? readSnapshot(props.snapshot) : props.snapshot;
    const recoveryDays = props.recoveryDays ?? 35;
    if (!Number.isInteger(recoveryDays) || recoveryDays < 1 || recoveryDays > 35) {
      throw new Error(`recoveryDays is ${recoveryDays}, not 1 to 35`);
    }
    const { partition, sort } = this.snapshot["x-keys"];
    this.table = new dynamodb.Table(this, "Table", {
      tableName: props.tableName ?? this.snapshot["x-entity"],
      partitionKey: attribute(partition),
      sortKey: sort && attribute(sort),
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: this.snapshot["x-ttl"],
      pointInTimeRecoverySpecification: props.disposable
        ? undefined
        : { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: recoveryDays },
      deletionProtection: props.disposable ? undefined : true,
      removalPolicy: props.disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      stream: props.stream,
      encryptionKey: props.encryptionKey,
    });
    for (const index of this.snapshot["x-indexes"] ?? []) {
      this.addIndex(index);
    }
    if (props.parameterName !== undefined) {
      new ssm.StringParameter(this, "Name", {
        parameterName: props.parameterName,
        stringValue: this.table.tableName,
      });
    }
  }

  // Allows what the policy says, on this table and with the key that encrypts it.
  grant(grantee: iam.IGrantable, policy: Policy | string): void {
    grantPolicy(grantee, typeof policy === "string" ? readPolicy(policy) : policy, {
      tables: new Map([["", this.table.tableArn]]),
      key: this.table.encryptionKey,
    });
  }

  private addIndex(index: IndexDeclaration): void {
    if (index.local) {
      if (index.sort === undefined) {
        throw new Error(`the local index ${index.name} has no sort key`);
      }
      this.table.addLocalSecondaryIndex({
        indexName: index.name,
        sortKey: attribute(index.sort),
        ...projection(index),
      });
      return;
    }
    this.table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: attribute(index.partition),
      sortKey: index.sort && attribute(index.sort),
      ...projection(index),
    });
  }
}
