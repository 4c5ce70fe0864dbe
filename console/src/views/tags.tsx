// Tags of a table: words for people and bills.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, call } from "../api/client.ts";
import type { TableInfo } from "../api/tables.ts";
import { complain } from "../messages.ts";
import { Icon } from "../parts/icon.tsx";
import { showText } from "../value/show.ts";

interface Tag { Key: string; Value: string }

async function readTags(arn: string): Promise<Tag[]> {
  const tags: Tag[] = [];
  let next: string | undefined;
  do {
    const { value }: { value: { Tags?: Tag[]; NextToken?: string } } = await call("ListTagsOfResource", { ResourceArn: arn, ...(next === undefined ? {} : { NextToken: next }) });
    tags.push(...(value.Tags ?? []));
    next = value.NextToken;
  } while (next !== undefined);
  return tags;
}

export function Tags({ table }: { table: TableInfo }): JSX.Element {
  const [tags, setTags] = useState<Tag[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const refresh = async () => {
    try {
      setTags(await readTags(table.arn));
      setFault(null);
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : String(error));
    }
  };
  useEffect(() => void refresh(), [table.arn]);
  const change = async (operation: "TagResource" | "UntagResource", input: object) => {
    try {
      await call(operation, { ResourceArn: table.arn, ...input });
      setName("");
      setText("");
      await refresh();
    } catch (error) {
      complain(error);
    }
  };
  const add = (event: Event) => {
    event.preventDefault();
    if (name !== "") void change("TagResource", { Tags: [{ Key: name, Value: text }] });
  };
  return (
    <section class="block">
      <h2>Tags</h2>
      {fault !== null && <p class="quiet">{fault}</p>}
      {tags !== null && tags.length === 0 && <p class="quiet">None.</p>}
      {tags !== null && tags.length > 0 && (
        <ul class="chips tags" aria-label="Tags">
          {tags.map((tag) => <li key={tag.Key} class="chip">{showText(tag.Key, 128)}{tag.Value !== "" && ` = ${showText(tag.Value, 256)}`}<button class="button plain tiny" type="button" aria-label={`Remove the tag ${tag.Key}`} onClick={() => void change("UntagResource", { TagKeys: [tag.Key] })}><Icon name="close" /></button></li>)}
        </ul>
      )}
      {fault === null && (
        <form class="line" onSubmit={add}>
          <label class="field"><span class="hidden">Name of a new tag</span><input placeholder="name" value={name} onInput={(event) => setName(event.currentTarget.value)} /></label>
          <label class="field"><span class="hidden">Value of a new tag</span><input placeholder="value" value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
          <button class="button small" type="submit" disabled={name === ""}><Icon name="plus" />Tag</button>
        </form>
      )}
    </section>
  );
}
