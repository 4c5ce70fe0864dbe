// A place for editing text; what it needs is loaded when it is shown first.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Word } from "../value/statement.ts";
import type { EditorHandle } from "./editor_impl.ts";

export interface EditorProps {
  label: string;
  text: string;
  language?: "json" | "sql";
  readOnly?: boolean;
  words?: Word[]; // to complete
  fault?: { from: number; to: number } | null; // what is wrong in it
  onChange: (text: string) => void;
  onSubmit?: () => void;
}

export function Editor(props: EditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const handle = useRef<EditorHandle | null>(null);
  const said = useRef(new Set<string>()); // by the editor, and perhaps not drawn yet
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let gone = false;
    void import("./editor_impl.ts").then(({ makeEditor }) => {
      if (gone || place.current === null) return;
      handle.current = makeEditor(place.current, {
        label: props.label,
        text: latest.current.text,
        language: props.language ?? "json",
        readOnly: props.readOnly ?? false,
        words: () => latest.current.words ?? [],
        onChange: (text) => { said.current.add(text); latest.current.onChange(text); },
        onSubmit: () => latest.current.onSubmit?.(),
      });
      handle.current.setFault(latest.current.fault ?? null);
    });
    return () => { gone = true; handle.current?.destroy(); handle.current = null; };
  }, []);
  // What comes back from the editor itself is older than what it holds when somebody types fast.
  useEffect(() => {
    const isOwn = said.current.has(props.text);
    if (!isOwn || handle.current?.text() === props.text) said.current.clear();
    if (!isOwn) handle.current?.setText(props.text);
  }, [props.text]);
  useEffect(() => handle.current?.setFault(props.fault ?? null), [props.fault]);
  return <div class="editor" ref={place} data-editor={props.label} />;
}
