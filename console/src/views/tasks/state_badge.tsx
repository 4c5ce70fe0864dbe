// The state of a task in a word.

import type { JSX } from "preact";
import { showText } from "../../value/show.ts";

const TONES: { [state: string]: string } = { working: "info", input_required: "warn", lapsed: "warn", completed: "good", failed: "bad" };

export function StateBadge({ state }: { state: string }): JSX.Element {
  return <span class={`badge ${Object.hasOwn(TONES, state) ? TONES[state] ?? "" : ""}`}>{showText(state.replace("_", " "), 24)}</span>;
}
