// Keys of a view, as it is drawn by the time they are pressed: before it is painted, because other effects come later than keys may.

import { useLayoutEffect, useRef } from "preact/hooks";
import { type KeyAction, addKeys } from "../keys.ts";

// There must be equally many each time.
export function useKeys(actions: KeyAction[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  useLayoutEffect(() => addKeys(actions.map((action, at) => ({
    ...action,
    ...(action.when === undefined ? {} : { when: (event: KeyboardEvent) => latest.current[at]?.when?.(event) ?? true }),
    ...(action.run === undefined ? {} : { run: (event: KeyboardEvent) => latest.current[at]?.run?.(event) }),
  }))), []);
}
