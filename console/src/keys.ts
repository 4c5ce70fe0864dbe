// Keys of the whole page and of the view that is shown. Single letters act only outside fields.

import { effect, signal } from "@preact/signals";

export interface KeyAction {
  keys: string; // "g t", "Ctrl+K", "/", "?"
  does: string;
  when?: (event: KeyboardEvent) => boolean; // otherwise somebody else may take it
  run?: (event: KeyboardEvent) => void; // without it the key is only told: whoever has the focus takes it
}

const page: KeyAction[] = [];
const views = signal<readonly (readonly KeyAction[])[]>([]);
export const lettersAreOff = signal(false);

export function setPageKeys(actions: KeyAction[]): void {
  page.splice(0, page.length, ...actions);
}

// Until what is returned is called.
export function addKeys(actions: KeyAction[]): () => void {
  views.value = [...views.value, actions];
  return () => { views.value = views.value.filter((other) => other !== actions); };
}

export function allKeys(): { page: readonly KeyAction[]; view: readonly KeyAction[] } {
  return { page, view: views.value.flat() };
}

export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ||
      target.isContentEditable || target.shadowRoot !== null)
  );
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (key === " " ? "Space" : key);
}

let pending = "";
let pendingTimer: ReturnType<typeof setTimeout> | undefined;

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const name = nameOf(event);
  const plain = !event.ctrlKey && !event.metaKey;
  // A checkbox takes the space bar, but letters are free there.
  const box = event.target instanceof HTMLInputElement && event.target.type === "checkbox";
  if (plain && name.length === 1 && (lettersAreOff.value || (isField(event.target) && !box))) return;
  if (plain && name === "Space" && (isField(event.target) || event.target instanceof HTMLButtonElement)) return;
  if (document.querySelector("dialog[open]") !== null && plain) return;
  const wanted = pending === "" ? name : `${pending} ${name}`;
  pending = "";
  clearTimeout(pendingTimer);
  const actions = [...views.value.flat().reverse(), ...page];
  const action = actions.find((other) => other.keys === wanted && other.run !== undefined && other.when?.(event) !== false);
  if (action?.run !== undefined) {
    event.preventDefault();
    action.run(event);
  } else if (plain && actions.some((other) => other.keys.startsWith(`${name} `))) {
    pending = name;
    pendingTimer = setTimeout(() => { pending = ""; }, 1_000);
  }
}

export function startKeys(): void {
  addEventListener("keydown", onKey);
  effect(() => { document.documentElement.dataset["letters"] = lettersAreOff.value ? "off" : "on"; });
}
