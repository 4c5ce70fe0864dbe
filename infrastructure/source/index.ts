// The tables of programs that use Stator, as constructs of the AWS CDK.

export { type Policy, readPolicy } from "./policy.js";
export { readSnapshot, type Snapshot } from "./snapshot.js";
export { type Store, StoreTables, type StoreTablesProps } from "./store_tables.js";
export { VersionedTable, type VersionedTableProps } from "./versioned_table.js";
