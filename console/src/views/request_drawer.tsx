// One request: why it failed, what it cost, its body and answer, what would send it again.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, type Bodies, type SeenRequest, raw, readBodies } from "../api/client.ts";
import { Code } from "../parts/code.tsx";
import { confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { ask } from "../router.ts";
import { home, isReadOnly } from "../state.ts";
import { targetOf } from "../value/operation.ts";
import { REQUEST_LANGUAGES, type RequestLanguage, requestCode } from "../value/request_code.ts";
import { clockTime, showBytes, showMillis, showText, showUnits } from "../value/show.ts";

const READS = /^(Get|Query|Scan|List|Describe|BatchGet|TransactGet)/;

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function RequestCode({ request, bodies }: { request: SeenRequest; bodies: Bodies }): JSX.Element {
  const [language, setLanguage] = useState<RequestLanguage>("AWS CLI");
  const text = bodies.cut ? null : requestCode(language, request.operation, bodies.request, { endpoint: location.origin, region: home.value?.region ?? "us-east-1" });
  return (
    <section class="stack-all">
      <div><Tabs label="Language" kind="segmented" tabs={REQUEST_LANGUAGES.map((name) => ({ id: name, name }))} chosen={language} onChoose={setLanguage} /></div>
      {text === null ? <p class="quiet">The whole request is not known.</p> : <Code text={text} what="the code" />}
    </section>
  );
}

type Face = "overview" | "request" | "answer" | "headers" | "code";

export function RequestDrawer({ request }: { request: SeenRequest & { table: string } }): JSX.Element {
  const [face, setFace] = useState<Face>("overview");
  const [bodies, setBodies] = useState<Bodies | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [replayed, setReplayed] = useState<string | null>(null);
  useEffect(() => {
    readBodies(request.id).then(setBodies, (error: unknown) => setFault(error instanceof Error ? error.message : String(error)));
  }, [request.id]);
  const replay = async () => {
    if (bodies === null) return;
    if (!READS.test(request.operation) && !(await confirm({ title: `Send ${request.operation} again?`, body: <><p>It changes data, now and as you{request.table !== "" && <>, in <span class="mono">{request.table}</span></>}.</p><pre class="code">{showText(bodies.request, 600)}</pre></>, act: "Send it" }))) return;
    try {
      const { value, ms } = await raw<unknown>(targetOf(request.operation), bodies.request);
      setReplayed(`${showMillis(ms)} ms\n${JSON.stringify(value, null, 2)}`);
    } catch (error) {
      setReplayed(error instanceof ApiError ? `${error.code}: ${error.message}` : String(error));
    }
  };
  const message = bodies === null || request.error === "" ? null : /"[mM]essage"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(bodies.answer)?.[1];
  return (
    <aside class="drawer" aria-label="Request">
      <header>
        <div>
          <h2>{request.operation || "No operation"}</h2>
          <p class="clip">{request.table !== "" && <>on {request.table} </>}by <span class="mono">{request.caller === "" ? "nobody named" : showText(request.caller, 64)}</span></p>
        </div>
        <button class="button plain small square" type="button" aria-label="Close" data-close onClick={() => ask({ i: null })}><Icon name="close" /></button>
      </header>
      <Tabs label="Request as" tabs={[{ id: "overview", name: "Overview" }, { id: "request", name: "Request" }, { id: "answer", name: "Answer" }, { id: "headers", name: "Headers" }, { id: "code", name: "Code" }]} chosen={face} onChoose={setFace} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Request">
        {face === "overview" && (
          <>
            {message != null && <section><h3>Why it failed</h3><p class="bad">{request.error}</p><p>{showText(message, 1000)}</p></section>}
            <section>
              <dl class="facts">
                <dt>Time</dt><dd>{clockTime(request.at)}</dd>
                <dt>Took</dt><dd>{showMillis(request.us / 1000)} ms</dd>
                <dt>Units</dt><dd>{showUnits(request.read_units)} read, {showUnits(request.write_units)} write</dd>
                <dt>Size</dt><dd>{showBytes(request.bytes_in)} in, {showBytes(request.bytes_out)} out</dd>
                <dt>Status</dt><dd>{request.status}</dd>
                <dt>From</dt><dd class="mono">{request.remote}</dd>
                <dt>Id</dt><dd class="mono wrap">{request.id}</dd>
              </dl>
            </section>
            {bodies !== null && <section><h3>Request</h3><Code text={pretty(bodies.request)} what="the request" /></section>}
            {replayed !== null && <section><h3>Sent again</h3><Code text={replayed} what="the answer" /></section>}
          </>
        )}
        {fault !== null && <section><p class="quiet">{fault}</p></section>}
        {face === "code" && bodies !== null && <RequestCode request={request} bodies={bodies} />}
        {face !== "overview" && face !== "code" && bodies !== null && <section><Code text={face === "request" ? pretty(bodies.request) : face === "answer" ? pretty(bodies.answer) : bodies.head} what={face === "headers" ? "the headers" : `the ${face}`} />{bodies.cut && <p class="faint">Cut at 256 KB.</p>}</section>}
      </div>
      <footer>
        <p>{READS.test(request.operation) ? "Reads change nothing" : isReadOnly.value ? "Read only: nothing is changed here" : "Writes ask before"}</p>
        {request.caller !== "" && <button class="button plain" type="button" onClick={() => ask({ q: `caller:${request.caller}` })}>Same caller</button>}
        <button class="button" type="button" disabled={bodies === null || bodies.cut || request.operation === "" || (isReadOnly.value && !READS.test(request.operation))} onClick={() => void replay()}><Icon name="again" />Replay</button>
      </footer>
    </aside>
  );
}
