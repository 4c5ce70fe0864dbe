// Who asks: an access key and its secret, of which the secret is used here and goes nowhere.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError, keepSigner, needsSignature, signIn, signOut } from "../api/client.ts";
import { refreshTables } from "../api/tables.ts";
import { Mark } from "../parts/icon.tsx";
import { home, homeFault, refreshHome } from "../state.ts";

const ANY_REGION = "us-east-1"; // The server takes signatures for any.

async function attempt(accessKeyId: string, secret: string): Promise<ApiError | null> {
  // A second time after the server's clock is known, if that was why.
  for (const _ of [1, 2]) {
    signIn(accessKeyId, secret, ANY_REGION);
    if (await refreshHome()) {
      keepSigner();
      void refreshTables();
      return null;
    }
  }
  signOut();
  return homeFault.value;
}

export function SignIn(): JSX.Element {
  const [key, setKey] = useState("");
  const [secret, setSecret] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const isOpen = location.protocol === "http:" && !/^(localhost|127\.|\[::1\])/.test(location.hostname);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const problem = await attempt(key.trim(), secret.trim());
    setBusy(false);
    if (problem !== null) {
      needsSignature.value = true;
      setFault(problem.message);
    }
    setSecret("");
  };
  return (
    <main class="sign-in" id="main">
      <form class="float dialog" aria-label="Sign in" onSubmit={(event) => void submit(event)}>
        <h1 class="mark"><Mark />Stator</h1>
        {isOpen && <p class="note" role="note"><strong>This connection is not encrypted</strong>Everybody on the way can read what you see. Requests are signed, so the secret itself is not sent.</p>}
        <label class="stack"><span class="quiet">Access key</span>
          <span class="field"><input class="mono" name="access-key" required autofocus autocomplete="username" spellcheck={false} value={key} onInput={(event) => setKey(event.currentTarget.value)} /></span>
        </label>
        <label class="stack"><span class="quiet">Secret</span>
          <span class="field"><input class="mono" name="secret" type="password" required autocomplete="current-password" value={secret} onInput={(event) => setSecret(event.currentTarget.value)} /></span>
        </label>
        <p class="faint">The secret stays in this page. This tab keeps keys made from it, for three days at most.</p>
        {fault !== null && <p class="bad" role="alert">{fault}</p>}
        <div class="line end"><button class="button primary" type="submit" disabled={busy}>Sign in</button></div>
        {home.value !== null && <p class="faint">{home.value.location}</p>}
      </form>
    </main>
  );
}
