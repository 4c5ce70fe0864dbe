// Dark or light, kept on this machine.
import { recall, remember } from "./memory.ts";

const NAME = "stator.theme";

export function startTheme(): void {
  const system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  const chosen = recall(NAME);
  document.documentElement.dataset["theme"] = chosen === "light" || chosen === "dark" ? chosen : system;
}

export function toggleTheme(): void {
  const root = document.documentElement;
  const next = root.dataset["theme"] === "light" ? "dark" : "light";
  root.dataset["theme"] = next;
  remember(NAME, next);
}
