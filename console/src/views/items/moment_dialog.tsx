// Which moment of the table is to be shown.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { serverNow } from "../../api/client.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { fieldText, fromField } from "../../value/moment.ts";

const BACK: readonly (readonly [string, number])[] = [["a minute ago", 60], ["ten minutes", 600], ["an hour", 3_600], ["a day", 86_400]];

export function MomentDialog({ moment, onChoose, onClose }: { moment: string | null; onChoose: (moment: string) => void; onClose: () => void }): JSX.Element {
  const now = serverNow();
  const [text, setText] = useState(fieldText(moment === null ? now - 60_000 : Date.parse(moment)));
  const chosen = fromField(text);
  return (
    <Dialog title="As it was" onClose={onClose}>
      <form class="dialog-form" onSubmit={(event) => { event.preventDefault(); if (chosen !== null) onChoose(chosen); }}>
        <p class="quiet">The table is shown as it was at that moment, every transaction wholly or not at all. Nothing can be changed there.</p>
        <label class="stack quiet"><span>Moment, in your time</span><span class="field"><input type="datetime-local" step={1} max={fieldText(now)} value={text} onInput={(event) => setText(event.currentTarget.value)} /></span></label>
        <div class="line">{BACK.map(([word, seconds]) => <button key={word} class="button small" type="button" onClick={() => setText(fieldText(now - seconds * 1000))}>{word}</button>)}</div>
        <div class="line end">
          <button class="button" type="button" onClick={onClose}>Cancel</button>
          <button class="button primary" type="submit" disabled={chosen === null}>Show</button>
        </div>
      </form>
    </Dialog>
  );
}
