// What the view that is shown can do, for the palette.

import { signal } from "@preact/signals";

export interface ViewAction {
  text: string;
  hint: string;
  run: () => void;
}

export const viewActions = signal<readonly ViewAction[]>([]);

// Until what is returned is called.
export function offer(actions: ViewAction[]): () => void {
  viewActions.value = actions;
  return () => { if (viewActions.value === actions) viewActions.value = []; };
}
