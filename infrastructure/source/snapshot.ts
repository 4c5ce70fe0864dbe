// The snapshot of an entity, as `stator schema` keeps it: here, the parts that say what its table
// looks like. include/stator/schema/snapshot.h describes the whole file.

import { readFileSync } from "node:fs";

export interface KeyDeclaration {
  attribute: string;
  type: "S" | "N" | "B";
  template: string;
}

export interface IndexDeclaration {
  name: string;
  local: boolean;
  partition: KeyDeclaration;
  sort?: KeyDeclaration;
  projection: "ALL" | "KEYS_ONLY" | "INCLUDE";
  projected?: string[];
}

export interface Snapshot {
  "x-entity": string;
  "x-data-version": number;
  "x-keys": { partition: KeyDeclaration; sort?: KeyDeclaration };
  "x-indexes"?: IndexDeclaration[];
  "x-ttl"?: string;
  "x-storage"?: { lock: string; naming: string; unique?: string[] };
}

// Throws when the file is no snapshot: synthesis must not go on with half of a table.
export function readSnapshot(file: string): Snapshot {
  const snapshot = JSON.parse(readFileSync(file, "utf8"));
  for (const part of ["x-entity", "x-data-version", "x-keys"]) {
    if (snapshot?.[part] === undefined) {
      throw new Error(`${file} is no snapshot of an entity: it has no ${part}`);
    }
  }
  return snapshot;
}
