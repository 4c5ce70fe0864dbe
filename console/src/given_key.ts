// `stator console` opens the page with a key that it made for this run: #key=ID:SECRET@REGION. It is
// taken out of the address at once.

import { keepSigner, signIn } from "./api/client.ts";

export function takeGivenKey(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  const parts = /^([^:@]+):([^:@]+)@([^:@]+)$/.exec(given ?? "");
  if (given === null) return;
  history.replaceState(null, "", location.pathname);
  if (parts === null) return;
  signIn(parts[1] ?? "", parts[2] ?? "", parts[3] ?? "");
  keepSigner();
}
