// The keys that work everywhere.

import { setPageKeys } from "./keys.ts";
import type { IconName } from "./parts/icon.tsx";
import { go } from "./router.ts";
import { keysAreOpen, paletteIsOpen } from "./state.ts";

export interface ViewPlace {
  letter: string;
  name: string;
  path: string;
  icon: IconName;
  group: "Data" | "Live" | "Stores";
}

export const VIEWS: readonly ViewPlace[] = [
  { letter: "t", name: "Tables", path: "tables", icon: "table", group: "Data" },
  { letter: "c", name: "Changes", path: "changes", icon: "changes", group: "Live" },
  { letter: "r", name: "Requests", path: "requests", icon: "requests", group: "Live" },
  { letter: "m", name: "Metrics", path: "metrics", icon: "metrics", group: "Live" },
  { letter: "k", name: "Tasks", path: "tasks", icon: "tasks", group: "Stores" },
  { letter: "s", name: "Sessions", path: "sessions", icon: "sessions", group: "Stores" },
  { letter: "e", name: "Events", path: "events", icon: "events", group: "Stores" },
  { letter: "n", name: "Entities", path: "entities", icon: "entities", group: "Stores" },
];

export function startPageKeys(): void {
  setPageKeys([
    { keys: "Ctrl+k", does: "Search or jump", run: () => { paletteIsOpen.value = true; } },
    { keys: "/", does: "Filter of this view", run: focusFilter },
    ...VIEWS.map((view) => ({ keys: `g ${view.letter}`, does: `Go to ${view.name}`, run: () => go([view.path]) })),
    { keys: "?", does: "Keys of this view", run: () => { keysAreOpen.value = true; } },
    { keys: "[", does: "Previous tab", run: () => stepTab(-1) },
    { keys: "]", does: "Next tab", run: () => stepTab(1) },
    { keys: "Escape", does: "Close, or leave the field", run: leave },
  ]);
}

function focusFilter(): void {
  const field = document.querySelector<HTMLInputElement>("main [data-filter]");
  field?.focus();
  field?.select();
}

function stepTab(step: number): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("main nav.tabs a")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  links[at + step]?.click();
}

function leave(): void {
  const close = document.querySelector<HTMLButtonElement>(".drawer [data-close]");
  const active = document.activeElement;
  if (active instanceof HTMLElement && active.matches("input, select, textarea") && active.closest(".drawer") === null) active.blur();
  else if (close !== null) close.click();
  else if (active instanceof HTMLElement) active.blur();
}
