// The query in the reader's language.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { recall, remember } from "../../memory.ts";
import { Code } from "../../parts/code.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { home } from "../../state.ts";
import { LANGUAGES, type Language, codeOf } from "../../value/code.ts";
import type { Request } from "../../value/query.ts";
import { codeOfStatement } from "../../value/statement_code.ts";

const KEPT = "stator.language";

export function CodeDialog(props: { request: Request | string; onClose: () => void }): JSX.Element {
  const [language, setLanguage] = useState<Language>(() => LANGUAGES.find((name) => name === recall(KEPT)) ?? "Python");
  const place = { endpoint: location.origin, region: home.value?.region ?? "us-east-1" };
  const { request } = props;
  const codeIn = (asked: Request) => (asked.operation === "ExecuteStatement" ? codeOfStatement(language, asked.input, place) : codeOf(language, asked.operation, asked.input, place));
  return (
    <Dialog title="This query as code" wide onClose={props.onClose}>
      <div><Tabs label="Language" kind="segmented" tabs={LANGUAGES.map((name) => ({ id: name, name }))} chosen={language} onChoose={(name) => { setLanguage(name); remember(KEPT, name); }} /></div>
      {typeof request === "string" ? <p class="bad">{request}</p> : <Code text={codeIn(request)} what="the code" />}
      <div class="line end"><button class="button" type="button" onClick={props.onClose}>Close</button></div>
    </Dialog>
  );
}
