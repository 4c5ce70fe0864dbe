// Keys of a view, as it is drawn by the time they are pressed: effects come later than keys may.

import { useEffect, useRef } from "preact/hooks";
import { type KeyAction, addKeys } from "../keys.ts";

// There must be equally many each time.
export function useKeys(actions: KeyAction[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => addKeys(actions.map((action, at) => ({ ...action, run: (event: KeyboardEvent) => latest.current[at]?.run(event) }))), []);
}
