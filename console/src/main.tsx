// The console: the page that `stator serve` shows at /_stator/.

import { render } from "preact";
import { needsSignature } from "./api/client.ts";
import { startKeys } from "./keys.ts";
import { startPageKeys } from "./page_keys.ts";
import { Confirmation } from "./parts/dialog.tsx";
import { KeysHelp } from "./parts/keys_help.tsx";
import { Palette } from "./parts/palette.tsx";
import { startRouter } from "./router.ts";
import { keysAreOpen, paletteIsOpen, start } from "./state.ts";
import { takeGivenKey } from "./given_key.ts";
import { Shell } from "./views/shell.tsx";
import { SignIn } from "./views/sign_in.tsx";
import { View } from "./views/view.tsx";

function Page() {
  if (needsSignature.value) return <SignIn />;
  return (
    <>
      <Shell><View /></Shell>
      {paletteIsOpen.value && <Palette />}
      {keysAreOpen.value && <KeysHelp />}
      <Confirmation />
    </>
  );
}

takeGivenKey();
startRouter();
startKeys();
startPageKeys();
void start();
const root = document.getElementById("root");
if (root !== null) render(<Page />, root);
