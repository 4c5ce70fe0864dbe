// What a binary holds: its first bytes as figures and as text, all of them as a file. Nothing of it is ever rendered.

import type { JSX } from "preact";
import { hexLines } from "../../value/binary.ts";
import { saveFile } from "../../parts/save_file.ts";

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export function BinaryView({ base64, name }: { base64: string; name: string }): JSX.Element {
  const save = () => saveFile(new Blob([bytesOf(base64)], { type: "application/octet-stream" }), "stator-binary.bin");
  return (
    <div class="binary">
      <pre class="code" tabIndex={0} role="region" aria-label={`Bytes of ${name}`}>{hexLines(base64).join("\n")}</pre>
      <button class="button small" type="button" onClick={save}>Save to a file</button>
    </div>
  );
}
