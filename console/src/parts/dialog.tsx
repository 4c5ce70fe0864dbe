// What asks before something happens. The browser's own dialog keeps the focus inside and gives it
// back; the harmless button comes first and has it.

import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { home } from "../state.ts";

export function Dialog(props: { title: string; wide?: boolean; onClose: () => void; children: ComponentChildren }): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const isOver = useRef(false);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      isOver.current = true;
      dialog?.close(); // while it is open, nothing else takes the focus
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = () => { if (!isOver.current) props.onClose(); };
  return (
    <dialog
      ref={element}
      class={`float dialog${props.wide === true ? " wide-dialog" : ""}`}
      aria-label={props.title}
      onClose={close}
      onCancel={close}
      onMouseDown={(event) => { if (event.target === element.current) close(); }}
    >
      <h2>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

// Where something is about to happen, when that is not Stator's own.
export function WhoseHome(): JSX.Element | null {
  return home.value?.kind === "remote" ? <p class="quiet">In <span class="mono warn wrap">{home.value.location}</span></p> : null;
}

export interface Question {
  title: string;
  body: ComponentChildren;
  act: string; // what the button says
  keep?: string;
  typed?: string; // must be typed before
  isHarmless?: boolean;
}

const open = signal<{ question: Question; answer: (yes: boolean) => void } | null>(null);

// Resolves with whether it may happen.
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    open.value = { question, answer: (yes) => { open.value = null; resolve(yes); } };
  });
}

export function Confirmation(): JSX.Element | null {
  return open.value === null ? null : <Asking key={open.value.question.title} {...open.value} />;
}

function Asking({ question, answer }: { question: Question; answer: (yes: boolean) => void }): JSX.Element {
  const [typed, setTyped] = useState("");
  const fits = question.typed === undefined || typed === question.typed;
  return (
    <Dialog title={question.title} onClose={() => answer(false)}>
      <form
        class="dialog-form"
        onSubmit={(event) => { event.preventDefault(); if (fits) answer(true); }}
      >
        <div class="quiet">{question.body}</div>
        <WhoseHome />
        {question.typed !== undefined && (
          <label class="quiet stack">
            <span>Type <span class="mono">{question.typed}</span> to confirm</span>
            <span class="field">
              <input value={typed} autofocus autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} />
            </span>
          </label>
        )}
        <div class="line end">
          <button class="button" type="button" autofocus={question.typed === undefined} onClick={() => answer(false)}>{question.keep ?? "Keep it"}</button>
          <button class={question.isHarmless === true ? "button primary" : "button danger"} type="submit" disabled={!fits}>{question.act}</button>
        </div>
      </form>
    </Dialog>
  );
}
