// What an item was: its versions, what differs between any two of them, and the way back.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, type ItemVersion, readVersions, serverNow } from "../../api/client.ts";
import type { TableInfo } from "../../api/tables.ts";
import { complain, say } from "../../messages.ts";
import { confirm } from "../../parts/dialog.tsx";
import { DiffList } from "../../parts/diff.tsx";
import { pathOf } from "../../router.ts";
import { home } from "../../state.ts";
import type { Item } from "../../value/attribute.ts";
import { type Change, changesOf, sizeOf } from "../../value/change.ts";
import { momentOf, showMoment } from "../../value/moment.ts";
import { ago, count, showBytes, showText } from "../../value/show.ts";
import { FaultState, Loading } from "../states.tsx";
import { restoreItem } from "./saving.ts";

interface Known {
  versions: ItemVersion[];
  more: boolean;
}

function whatChanged(before: Item | null | undefined, item: Item | null): { word: string; changes: Change[]; tone: string } {
  if (item === null) return { word: before === undefined ? "not there" : "deleted", changes: changesOf(before ?? {}, {}), tone: before === undefined ? "" : "bad" };
  if (before === undefined) return { word: "as it was when recovery began", changes: [], tone: "" };
  if (before === null) return { word: "made", changes: changesOf({}, item), tone: "good" };
  return { word: "changed", changes: changesOf(before, item), tone: "now" };
}

// Versions may follow one another within a second.
const timeOf = (micros: number): string => `${showMoment(micros / 1000)}.${String(Math.floor(micros / 1000) % 1000).padStart(3, "0")}`;

function nameOf(version: ItemVersion | undefined): string {
  return version === undefined ? "nothing" : version.since === null ? "the first that is known" : timeOf(version.since);
}

export function ItemHistory(props: { table: TableInfo; itemKey: Item; onRestored: (item: Item | null) => void }): JSX.Element {
  const { table, itemKey } = props;
  const [known, setKnown] = useState<Known | null>(null);
  const [fault, setFault] = useState<ApiError | null>(null);
  const [chosen, setChosen] = useState(0);
  const [against, setAgainst] = useState<number | null>(null); // null: the one before
  const tells = home.value?.tells_versions === true;
  const read = async (from: Known | null) => {
    try {
      const last = from?.versions.at(-1)?.since ?? null;
      const page = await readVersions(table.name, itemKey, from === null ? null : last);
      setKnown({ versions: [...(from?.versions ?? []), ...page.versions], more: page.more });
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError("Error", String(error), -1));
    }
  };
  useEffect(() => { if (table.recovery && tells) void read(null); }, []);
  if (!table.recovery) return <section><p class="quiet">What items were is kept from when recovery is on. <a href={pathOf("tables", table.name, "settings")}>Settings</a></p></section>;
  if (!tells) return <section><p class="quiet">This home does not tell the versions of an item. {home.value?.kind === "remote" ? "A server of Stator tells them on its own console." : ""}</p></section>;
  if (fault !== null) return <FaultState fault={fault} onRetry={() => void read(known)} />;
  if (known === null) return <Loading />;
  const { versions } = known;
  const version = versions[chosen] ?? versions[0];
  // Of the last that was read the one before is not known, unless it is the first of all.
  const isEdge = (at: number) => at === versions.length - 1;
  const before = (at: number): Item | null | undefined => (isEdge(at) ? undefined : versions[at + 1]?.item);
  const other = against === null ? before(chosen) : versions[against]?.item;
  const differences = version === undefined ? [] : changesOf(other ?? {}, version.item ?? {});
  const restore = async () => {
    const now = versions[0]?.item ?? null;
    const then = version?.item ?? null;
    const yes = await confirm({
      title: then === null ? "Delete the item, as it was then?" : "Restore this version?",
      body: <><p>Only if the item is still what it is here.</p><DiffList changes={changesOf(now ?? {}, then ?? {})} /></>,
      act: "Restore",
      keep: "Leave it",
    });
    if (!yes) return;
    try {
      const saved = await restoreItem(table, now, then);
      if (saved.kind === "conflict") say("Somebody changed this item in between. Nothing was written; its history is read again.", null, true);
      else {
        say("Restored.", async () => {
          const back = await restoreItem(table, then, now);
          if (back.kind === "conflict") throw new Error("The item was changed again; nothing was undone.");
          props.onRestored(now);
          await read(null);
        });
        props.onRestored(then);
      }
      setChosen(0);
      setAgainst(null);
      await read(null);
    } catch (error) {
      complain(error);
    }
  };
  const now = serverNow();
  return (
    <>
      <section>
        <ol class="steps versions">
          {versions.map((one, at) => {
            const what = whatChanged(before(at), one.item);
            return (
              <li key={one.since ?? "first"} class={what.tone}>
                <button class="link op" type="button" aria-pressed={at === chosen} onClick={() => { setChosen(at); setAgainst(null); }}>{one.since === null && one.item === null ? "not there before" : isEdge(at) && known.more ? "changed" : what.word}</button>
                {one.since !== null && <time title={momentOf(one.since)}>{ago((now - one.since / 1000) / 1000)}</time>}
                <p class="clip">{at === 0 && <b>now, </b>}{one.since !== null && `${timeOf(one.since)} `}{what.changes.slice(0, 4).map((change) => showText(change.path.join("."), 30)).join(", ")}{what.changes.length > 4 && ` +${what.changes.length - 4}`}</p>
              </li>
            );
          })}
        </ol>
        {known.more && <button class="button small" type="button" onClick={() => void read(known)}>Older ones</button>}
      </section>
      {version !== undefined && (
        <section aria-label="Difference">
          <div class="line">
            <h3 class="grow">{chosen === 0 ? "Now" : nameOf(version)}</h3>
            <select class="field" aria-label="Compared with" value={against === null ? "" : String(against)} onChange={(event) => setAgainst(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
              <option value="">the one before</option>
              {versions.map((one, at) => (at === chosen ? null : <option key={at} value={String(at)}>{at === 0 ? "what it is now" : nameOf(one)}</option>))}
            </select>
          </div>
          {differences.length === 0 ? <p class="quiet">{other === undefined ? "The one before is not known." : "Nothing differs."}</p> : <DiffList changes={differences} />}
          <p class="faint">{version.item === null ? "There was no item." : `${count(Object.keys(version.item).length, "attribute")}, ${showBytes(sizeOf(version.item))}`}</p>
          {chosen > 0 && <button class="button" type="button" onClick={() => void restore()}>Restore this</button>}
        </section>
      )}
    </>
  );
}
