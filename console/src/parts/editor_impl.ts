// CodeMirror, loaded when somebody edits. It lives in a shadow root, where its styles are sheets and
// not elements, which the policy of the page would refuse.

import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { sql } from "@codemirror/lang-sql";
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type Word, tokensOf } from "../value/statement.ts";

export interface EditorOptions {
  label: string;
  text: string;
  language: "json" | "sql";
  readOnly: boolean;
  words: () => Word[]; // to complete, of statements
  onChange: (text: string) => void;
  onSubmit: () => void; // Ctrl Enter, Ctrl S
}

const look = EditorView.theme({
  "&": { color: "var(--text-1)", backgroundColor: "var(--bg-1)", fontSize: "12px", height: "100%" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--accent)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-gutters": { backgroundColor: "var(--bg-1)", color: "var(--text-3)", border: "none" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--bg-3)" },
  ".cm-tooltip": { backgroundColor: "var(--bg-1)", border: "1px solid var(--line)", color: "var(--text-1)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-bg)", color: "var(--text-1)" },
  ".cm-completionDetail": { color: "var(--text-3)" },
  ".cm-fault": { textDecoration: "underline wavy var(--bad)", backgroundColor: "var(--bad-bg)" },
  ".cm-specialChar": { color: "var(--warn)" },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--text-2)" },
  { tag: tags.string, color: "var(--text-1)" },
  { tag: tags.number, color: "var(--type-n)" },
  { tag: [tags.bool, tags.null], color: "var(--type-bool)" },
  { tag: tags.keyword, color: "var(--accent)" },
  { tag: tags.comment, color: "var(--text-3)" },
]);

// Nothing inside of texts; behind a double quote names only, which end with theirs.
function complete(words: () => Word[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const before = context.state.sliceDoc(0, context.pos);
    const last = tokensOf(before).at(-1);
    if (last?.kind === "text" && !last.isClosed) return null;
    const isQuoted = last?.kind === "name" && !last.isClosed;
    const typed = isQuoted ? null : context.matchBefore(/[A-Za-z_$][\w$]*/);
    if (!isQuoted && typed === null && !context.explicit) return null;
    const isName = (word: Word) => word.kind !== "keyword" && word.kind !== "function";
    return {
      from: isQuoted ? last.from : typed?.from ?? context.pos,
      options: words().filter((word) => !isQuoted || isName(word)).map((word, at) => ({
        label: isQuoted ? word.apply : word.label,
        apply: word.apply,
        detail: word.kind,
        boost: -Math.min(99, at),
      })),
    };
  };
}

// The browser would carry the style of what it replaces along, as an attribute that the policy refuses.
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  if (event.inputType !== "insertText" || event.data === null || event.isComposing || view.state.readOnly || view.state.selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

const setFaultEffect = StateEffect.define<{ from: number; to: number } | null>();
const faultField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    let next = transaction.docChanged ? Decoration.none : marks;
    for (const effect of transaction.effects) {
      if (!effect.is(setFaultEffect)) continue;
      const end = transaction.newDoc.length;
      const from = Math.min(effect.value?.from ?? 0, end);
      const to = Math.min(effect.value?.to ?? 0, end);
      next = effect.value === null || from >= to ? Decoration.none : Decoration.set([Decoration.mark({ class: "cm-fault" }).range(from, to)]);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface EditorHandle {
  text: () => string;
  setText: (text: string) => void;
  setFault: (place: { from: number; to: number } | null) => void;
  destroy: () => void;
}

export function makeEditor(parent: HTMLElement, options: EditorOptions): EditorHandle {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  root.replaceChildren();
  const submit = () => { options.onSubmit(); return true; };
  let silent = false;
  const language = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        keymap.of([{ key: "Mod-Enter", run: submit }, { key: "Mod-s", run: submit }]),
        history(), lineNumbers(), foldGutter(), drawSelection(), highlightSpecialChars(), bracketMatching(), indentOnInput(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
        language.of(options.language === "json" ? json() : sql()),
        ...(options.language === "sql" ? [autocompletion({ override: [complete(options.words)], icons: false })] : []),
        faultField,
        syntaxHighlighting(colours), look, EditorView.lineWrapping,
        EditorState.readOnly.of(options.readOnly),
        EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        EditorView.updateListener.of((update) => { if (update.docChanged && !silent) options.onChange(update.state.doc.toString()); }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => {
      if (text === view.state.doc.toString()) return;
      silent = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      silent = false;
    },
    setFault: (place) => view.dispatch({ effects: setFaultEffect.of(place) }),
    destroy: () => view.destroy(),
  };
}
