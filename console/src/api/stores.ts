// Whose items a table holds: those of a store of Stator's, which alone knows what belongs together in them.

import { computed } from "@preact/signals";
import { eventTables } from "../value/event.ts";
import { isSessionTable } from "../value/session.ts";
import { isTaskTable } from "../value/task.ts";
import { type TableInfo, tables } from "./tables.ts";

export type StoreName = "tasks" | "sessions" | "events"; // as their views are called

const ofEvents = computed(() => new Set(eventTables(tables.value ?? []).flatMap((one) => [one.events.name, one.tags.name, ...(one.states === null ? [] : [one.states.name])])));

export function storeOf(table: TableInfo): StoreName | null {
  if (isTaskTable(table)) return "tasks";
  if (isSessionTable(table)) return "sessions";
  return ofEvents.value.has(table.name) ? "events" : null;
}
