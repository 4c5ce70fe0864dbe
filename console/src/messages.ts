// One line at the foot of the page: what was done, and for a while a way back.

import { signal } from "@preact/signals";
import { ApiError } from "./api/client.ts";
import { isReadOnly } from "./state.ts";

export interface Message {
  text: string;
  isBad: boolean;
  undo: (() => Promise<void>) | null;
}

export const message = signal<Message | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

const SHOWN_MS = 10_000;

export function say(text: string, undo: (() => Promise<void>) | null = null, isBad = false): void {
  clearTimeout(timer);
  message.value = { text, isBad, undo };
  timer = setTimeout(() => { message.value = null; }, SHOWN_MS);
}

export function complain(error: unknown): void {
  const isRefused = isReadOnly.value && error instanceof ApiError && (error.code === "AccessDeniedException" || error.code === "AccessDenied");
  say(isRefused ? "Nothing is changed here: this console was started with --read-only." : error instanceof Error ? error.message : String(error), null, true);
}

export function unsay(): void {
  clearTimeout(timer);
  message.value = null;
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied ${what}.`);
  } catch {
    say("The browser does not let this page copy. Select the text instead.", null, true);
  }
}
