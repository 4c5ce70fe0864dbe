// One event: what it says, its tags, where it comes from, and what stands before and behind it.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../../api/client.ts";
import { type Neighbours, type Store, readEvent, readNeighbours } from "../../api/events.ts";
import { isField } from "../../keys.ts";
import { Code } from "../../parts/code.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useKeys } from "../../parts/use_keys.ts";
import { ask } from "../../router.ts";
import type { AttributeValue } from "../../value/attribute.ts";
import type { EventRow, WholeEvent } from "../../value/event.ts";
import { prettyJson } from "../../value/json_text.ts";
import { showBinary, showLines, showText } from "../../value/show.ts";
import { FaultState, Loading } from "../states.tsx";

const PAYLOAD_SHOWN_MAX = 400_000;

// A payload that is not in the row: where it is, or that it is gone.
function Elsewhere({ event }: { event: WholeEvent }): JSX.Element {
  if (event.erased) return <p class="quiet">What it said was erased.</p>;
  return (
    <>
      {event.payloadKey !== "" && <p class="quiet">It is in the blob store, under <span class="mono">{showText(event.payloadKey, 300)}</span></p>}
      {event.subject !== "" && <p class="quiet">It is sealed for subject <span class="mono">{showText(event.subject, 256)}</span>, and cannot be read here.</p>}
      <p class="quiet"><span class="mono">stator events show</span> has it, if it was not erased.</p>
    </>
  );
}

function Payload({ value }: { value: AttributeValue | null }): JSX.Element {
  if (value !== null && "B" in value) return <p class="v-b">{showBinary(value.B)}</p>;
  const text = value !== null && "S" in value ? value.S : "";
  return text === "" ? <p class="quiet">It has no payload.</p> : <Code text={showLines(prettyJson(text), PAYLOAD_SHOWN_MAX)} what="the payload" />;
}

function Step({ event, word }: { event: EventRow | null; word: string }): JSX.Element {
  if (event === null) return <span class="faint">{word === "before" ? "the first" : "the last"}</span>;
  return <button class="link clip" type="button" title={`The event ${word}`} onClick={() => ask({ at: event.id }, true)}>{showText(event.type, 40)}{event.position !== null && ` ${event.position}`}</button>;
}

export function EventDrawer({ store, id }: { store: Store; id: string }): JSX.Element {
  const [event, setEvent] = useState<WholeEvent | null | undefined>(undefined);
  const [around, setAround] = useState<Neighbours[] | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const read = async () => {
    try {
      const found = await readEvent(store, id);
      setEvent(found);
      setFault(null);
      if (found !== null) setAround(await readNeighbours(store, found));
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1));
    }
  };
  useEffect(() => { void read(); }, []);
  const step = (to: EventRow | null | undefined) => { if (to != null) ask({ at: to.id }, true); };
  useKeys([
    { keys: "ArrowLeft", does: "The event before, in the log", when: (event) => !isField(event.target), run: () => step(around?.[0]?.previous) },
    { keys: "ArrowRight", does: "The event behind, in the log", when: (event) => !isField(event.target), run: () => step(around?.[0]?.next) },
  ]);
  return (
    <aside class="drawer" aria-label="Event">
      <header>
        <div>
          <h2 class="clip">{event == null ? "Event" : showText(event.type, 80)}</h2>
          <p class="clip mono">{showText(id, 80)}</p>
        </div>
        <button class="button plain small square" type="button" aria-label="Close" data-close onClick={() => ask({ at: null })}><Icon name="close" /></button>
      </header>
      <div class="scroll" tabIndex={0} role="region" aria-label="Event">
        {fault !== null && <FaultState fault={fault} onRetry={() => void read()} />}
        {fault === null && event === undefined && <Loading />}
        {fault === null && event === null && <section><p class="quiet">There is no such event.</p></section>}
        {event != null && (
          <>
            <section><h3>Payload</h3>{event.erased || event.payloadKey !== "" || event.subject !== "" ? <Elsewhere event={event} /> : <Payload value={event.payload} />}</section>
            <section>
              <h3>Before and behind</h3>
              {around === null
                ? <p class="quiet">reading</p>
                : (
                  <table class="around">
                    <thead><tr><th scope="col">in</th><th scope="col">before</th><th scope="col">behind</th></tr></thead>
                    <tbody>
                      {around.map(({ tag, previous, next }) => (
                        <tr key={tag ?? ""}>
                          <th scope="row">{tag === null ? "the log" : <button class="link clip" type="button" title="All events of this tag" onClick={() => ask({ q: tag })}>{showText(tag, 60)}</button>}</th>
                          <td><Step event={previous} word="before" /></td>
                          <td><Step event={next} word="behind" /></td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                )}
            </section>
            <section>
              <dl class="facts">
                <dt>Position</dt><dd>{event.position ?? "—"}</dd>
                <dt>Sortable id</dt><dd class="mono wrap">{showText(event.sortableId, 80)}</dd>
                <dt>Recorded</dt><dd>{event.at === null ? "—" : new Date(event.at).toISOString()}</dd>
                <dt>Caused by</dt><dd class="mono wrap">{event.causation === "" ? "—" : <button class="link" type="button" onClick={() => ask({ at: event.causation }, true)}>{showText(event.causation, 80)}</button>}</dd>
                <dt>Correlation</dt><dd class="mono wrap">{showText(event.correlation || "—", 80)}</dd>
                <dt>By</dt><dd class="mono wrap">{showText(event.user || "—", 80)}</dd>
              </dl>
            </section>
          </>
        )}
      </div>
    </aside>
  );
}
