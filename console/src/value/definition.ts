// A table as a definition to take along: the call of the CLI, CloudFormation, Terraform.

export type KeyType = "S" | "N" | "B";
export interface KeySpec {
  name: string;
  type: KeyType;
}
export interface IndexSpec {
  name: string;
  isLocal: boolean;
  pk: KeySpec;
  sk: KeySpec | null;
  projection: string;
  included: string[];
}
export interface TableSpec {
  name: string;
  pk: KeySpec;
  sk: KeySpec | null;
  indexes: IndexSpec[];
  stream: string | null;
  ttl: string | null;
  recovery: boolean;
  isProtected: boolean;
}

export const FORMATS = ["AWS CLI", "CloudFormation", "Terraform"] as const;
export type Format = (typeof FORMATS)[number];

function schema(keys: { pk: KeySpec; sk: KeySpec | null }) {
  return [
    { AttributeName: keys.pk.name, KeyType: "HASH" },
    ...(keys.sk === null ? [] : [{ AttributeName: keys.sk.name, KeyType: "RANGE" }]),
  ];
}

function attributes(table: TableSpec): { AttributeName: string; AttributeType: KeyType }[] {
  const types = new Map<string, KeyType>();
  for (const keys of [table, ...table.indexes]) {
    types.set(keys.pk.name, keys.pk.type);
    if (keys.sk !== null) types.set(keys.sk.name, keys.sk.type);
  }
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

export function indexInput(index: IndexSpec) {
  return {
    IndexName: index.name,
    KeySchema: schema(index),
    Projection: {
      ProjectionType: index.projection,
      ...(index.projection === "INCLUDE" ? { NonKeyAttributes: index.included } : {}),
    },
  };
}

// The input of CreateTable. Expiry and recovery are calls of their own.
export function createInput(table: TableSpec) {
  const global = table.indexes.filter((index) => !index.isLocal).map(indexInput);
  const local = table.indexes.filter((index) => index.isLocal).map(indexInput);
  return {
    TableName: table.name,
    KeySchema: schema(table),
    AttributeDefinitions: attributes(table),
    BillingMode: "PAY_PER_REQUEST",
    ...(global.length === 0 ? {} : { GlobalSecondaryIndexes: global }),
    ...(local.length === 0 ? {} : { LocalSecondaryIndexes: local }),
    ...(table.stream === null ? {} : { StreamSpecification: { StreamEnabled: true, StreamViewType: table.stream } }),
    ...(table.isProtected ? { DeletionProtectionEnabled: true } : {}),
  };
}

export function definitionOf(format: Format, table: TableSpec): string {
  return format === "AWS CLI" ? cli(table) : format === "CloudFormation" ? cloudFormation(table) : terraform(table);
}

function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function cli(table: TableSpec): string {
  const lines = [`aws dynamodb create-table --cli-input-json ${shell(JSON.stringify(createInput(table), null, 2))}`];
  if (table.ttl !== null) {
    lines.push(`aws dynamodb update-time-to-live --table-name ${shell(table.name)} \\\n  --time-to-live-specification ${shell(JSON.stringify({ Enabled: true, AttributeName: table.ttl }))}`);
  }
  if (table.recovery) {
    lines.push(`aws dynamodb update-continuous-backups --table-name ${shell(table.name)} \\\n  --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`);
  }
  return lines.join("\n") + "\n";
}

// JSON strings are strings of YAML, so whatever a name holds stays one.
function yaml(value: unknown, depth: number): string {
  const pad = "  ".repeat(depth);
  if (Array.isArray(value)) return value.map((inner) => `\n${pad}- ${yaml(inner, depth + 1).replace(/^\n\s*/, "")}`).join("");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).map(([name, inner]) => `\n${pad}${name}:${typeof inner === "object" ? yaml(inner, depth + 1) : ` ${yaml(inner, depth)}`}`).join("");
  }
  return JSON.stringify(value);
}

function cloudFormation(table: TableSpec): string {
  const { StreamSpecification: stream, ...input } = createInput(table);
  const properties = {
    ...input,
    ...(stream === undefined ? {} : { StreamSpecification: { StreamViewType: stream.StreamViewType } }),
    ...(table.ttl === null ? {} : { TimeToLiveSpecification: { AttributeName: table.ttl, Enabled: true } }),
    ...(table.recovery ? { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } } : {}),
  };
  const template = { Resources: { [logicalName(table.name)]: { Type: "AWS::DynamoDB::Table", DeletionPolicy: "Retain", Properties: properties } } };
  return yaml(template, 0).replace(/^\n/, "") + "\n";
}

function logicalName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("") + "Table";
}

// Of Terraform's templates, ${ and %{ begin one.
function hcl(text: string): string {
  return JSON.stringify(text).replace(/[$%](?=\{)/g, (sign) => sign + sign);
}

function terraform(table: TableSpec): string {
  const lines = [`resource "aws_dynamodb_table" ${hcl(table.name.replace(/[^A-Za-z0-9_]/g, "_").replace(/^\d/, "_$&"))} {`];
  const put = (name: string, value: string, pad = "  ") => lines.push(`${pad}${name} = ${value}`);
  put("name", hcl(table.name));
  put("billing_mode", '"PAY_PER_REQUEST"');
  put("hash_key", hcl(table.pk.name));
  if (table.sk !== null) put("range_key", hcl(table.sk.name));
  if (table.isProtected) put("deletion_protection_enabled", "true");
  if (table.stream !== null) {
    put("stream_enabled", "true");
    put("stream_view_type", hcl(table.stream));
  }
  const block = (name: string, members: [string, string][]) => {
    lines.push("", `  ${name} {`);
    for (const [member, value] of members) put(member, value, "    ");
    lines.push("  }");
  };
  for (const attribute of attributes(table)) block("attribute", [["name", hcl(attribute.AttributeName)], ["type", hcl(attribute.AttributeType)]]);
  for (const index of table.indexes) {
    block(index.isLocal ? "local_secondary_index" : "global_secondary_index", [
      ["name", hcl(index.name)],
      ...(index.isLocal ? [] : [["hash_key", hcl(index.pk.name)] as [string, string]]),
      ...(index.sk === null ? [] : [["range_key", hcl(index.sk.name)] as [string, string]]),
      ["projection_type", hcl(index.projection)],
      ...(index.projection === "INCLUDE" ? [["non_key_attributes", `[${index.included.map(hcl).join(", ")}]`] as [string, string]] : []),
    ]);
  }
  if (table.ttl !== null) block("ttl", [["attribute_name", hcl(table.ttl)], ["enabled", "true"]]);
  if (table.recovery) block("point_in_time_recovery", [["enabled", "true"]]);
  return lines.join("\n") + "\n}\n";
}
