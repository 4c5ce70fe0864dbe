// Tables that stand at the side, of the server that the page came from; the browser keeps them.

import { signal } from "@preact/signals";
import { recallList, remember } from "./memory.ts";

const NAME = "stator.pins";
const MOST = 20;

export const pins = signal<readonly string[]>(recallList(NAME).slice(0, MOST));

export function pin(table: string, on: boolean): void {
  const others = pins.value.filter((name) => name !== table);
  pins.value = on ? [...others, table].slice(-MOST) : others;
  remember(NAME, JSON.stringify(pins.value));
}
