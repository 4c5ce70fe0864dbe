// What the whole page knows: the home, and which of its parts are open.

import { computed, effect, signal } from "@preact/signals";
import { ApiError, type Home, needsSignature, readHome } from "./api/client.ts";
import { glance } from "./api/entities.ts";
import { refreshTables, tables } from "./api/tables.ts";

export const home = signal<Home | null>(null);
export const isReadOnly = computed(() => home.value?.read_only === true);
export const homeFault = signal<ApiError | null>(null);
export const paletteIsOpen = signal(false);
export const keysAreOpen = signal(false);
export const newTableIsOpen = signal(false);

export async function refreshHome(): Promise<boolean> {
  try {
    home.value = await readHome();
    homeFault.value = null;
    return true;
  } catch (error) {
    homeFault.value = error instanceof ApiError ? error : new ApiError("Error", String(error), -1);
    return false;
  }
}

export async function start(): Promise<void> {
  if (!(await refreshHome())) return;
  await refreshTables();
  if (home.value?.kind !== "remote" && tables.value !== null) await glance().catch(() => undefined);
}

// Whether there is something to show, or somebody to ask.
export const isSignInNeeded = signal(false);
effect(() => { isSignInNeeded.value = needsSignature.value; });
