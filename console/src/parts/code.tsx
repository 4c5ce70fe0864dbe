// Text to read and to take along.

import type { JSX } from "preact";
import { copy } from "../messages.ts";
import { Icon } from "./icon.tsx";

export function Code({ text, what, label }: { text: string; what: string; label?: string }): JSX.Element {
  return (
    <div class="code-box">
      <pre class="code" tabIndex={0} role="region" aria-label={label ?? what}>{text}</pre>
      <button class="button small" type="button" onClick={() => void copy(text, what)}><Icon name="copy" />Copy</button>
    </div>
  );
}
