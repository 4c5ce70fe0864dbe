// Every view on a wall, on a desk and on a phone, in both themes.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { checkAccess, closeBrowser, makeShop, openPage, picture, startServer } from "./fixtures.mjs";

const PROGRAM = process.env.STATOR_PROGRAM ?? "build/stator";
const VIEWS = ["tables", "tables/shop/items", "tables/shop/indexes", "tables/shop/settings", "tables/shop/definition", "tables/shop/changes", "changes", "requests", "metrics", "tasks", "sessions", "events", "entities"];
let server;
before(async () => {
  server = await startServer("--memory");
  await makeShop(server.endpoint);
  for (const store of ["tasks", "sessions", "events"]) execFileSync(PROGRAM, ["tables", "create", "--for", store, "--data", server.endpoint], { env: { ...process.env, AWS_ACCESS_KEY_ID: "any", AWS_SECRET_ACCESS_KEY: "any" } });
});
after(async () => { await closeBrowser(); await server.end(); });

for (const [name, width, height, colorScheme] of [["wide", 2560, 1300, "dark"], ["wide", 2560, 1300, "light"], ["desk", 1280, 800, "dark"], ["desk", 1280, 800, "light"], ["phone", 360, 760, "dark"], ["phone", 360, 760, "light"]]) {
  test(`at ${width} pixels, ${colorScheme}`, async () => {
    const page = await openPage(server.endpoint, { viewport: { width, height }, colorScheme });
    for (const view of VIEWS) {
      await page.goto(`${server.endpoint}/_stator/${view}`);
      await page.locator("main h1").waitFor();
      await page.getByRole("status", { name: "Reading" }).waitFor({ state: "detached" });
      await checkAccess(page, `${view}, ${name} and ${colorScheme}`);
      await picture(page, `${name}-${colorScheme}-${view.replaceAll("/", "-")}`);
      for (const field of await page.locator(".head input:visible").all()) assert.ok((await field.boundingBox()).width > 120, `${view}: a filter that nothing can be written into`);
    }
    await page.done();
  });
}
