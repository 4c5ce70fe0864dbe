// Where we are. The path says where, the fragment what was asked: keys and values stand only there,
// so they reach no server and no log.

import { signal } from "@preact/signals";

const ROOT = "/_stator/";

export interface Place {
  parts: string[]; // of the path below /_stator/, decoded
  asked: URLSearchParams;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function read(): Place {
  const below = location.pathname.startsWith(ROOT) ? location.pathname.slice(ROOT.length) : "";
  return {
    parts: below.split("/").filter((part) => part !== "").map(decode),
    asked: new URLSearchParams(location.hash.slice(1)),
  };
}

export const place = signal<Place>(read());

export function pathOf(...parts: string[]): string {
  return ROOT + parts.map(encodeURIComponent).join("/");
}

export function addressOf(parts: string[], asked?: URLSearchParams): string {
  const fragment = asked?.toString() ?? "";
  return pathOf(...parts) + (fragment === "" ? "" : `#${fragment}`);
}

export function go(parts: string[], asked?: URLSearchParams, replace = false): void {
  const address = addressOf(parts, asked);
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.value = read();
}

// Changes members of the fragment; null takes one out. Steps that back should not stop at replace.
export function ask(members: { [name: string]: string | null }, replace = false): void {
  const asked = new URLSearchParams(place.value.asked);
  for (const [name, value] of Object.entries(members)) {
    if (value === null) asked.delete(name);
    else asked.set(name, value);
  }
  go(place.value.parts, asked, replace);
}

export function startRouter(): void {
  addEventListener("popstate", () => { place.value = read(); });
  addEventListener("hashchange", () => { place.value = read(); });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.origin !== location.origin || !link.pathname.startsWith(ROOT) || link.hasAttribute("download")) return;
    if (link.getAttribute("href")?.startsWith("#") === true) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    place.value = read();
  });
}
