// What a view shows when it has nothing else to show.

import type { ComponentChildren, JSX } from "preact";
import type { ApiError } from "../api/client.ts";
import { Code } from "../parts/code.tsx";
import { Icon } from "../parts/icon.tsx";
import { isReadOnly, start } from "../state.ts";

// The action that a refusal names, as a line for a policy.
function missingAction(message: string): string | null {
  const found = /perform: ([a-z]+:[A-Za-z*]+)(?: on resource: (\S+))?/.exec(message);
  return found === null ? null : `{"Effect": "Allow", "Action": "${found[1]}", "Resource": "${found[2] ?? "*"}"}`;
}

export function FaultState({ fault, onRetry }: { fault: ApiError; onRetry?: () => void }): JSX.Element {
  const line = missingAction(fault.message);
  return (
    <div class="state padded" role="alert">
      <p class="bad">{fault.code}</p>
      <p class="quiet">{fault.message}</p>
      {line !== null && <Code text={line} what="the line for a policy" />}
      <button class="button small" type="button" onClick={() => { if (onRetry === undefined) void start(); else onRetry(); }}><Icon name="again" />Try again</button>
    </div>
  );
}

// Why nothing here can be pressed.
export function ReadOnlyNote(): JSX.Element | null {
  return isReadOnly.value ? <p class="note" role="note">Read only: this console was started with --read-only.</p> : null;
}

export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <div class="state padded empty">{children}</div>;
}

// Rows of the right height, after a moment (style.css), instead of something that turns.
export function Loading(): JSX.Element {
  return (
    <div class="loading" role="status" aria-label="Reading">
      {Array.from({ length: 8 }, (_, index) => <div key={index} />)}
    </div>
  );
}
