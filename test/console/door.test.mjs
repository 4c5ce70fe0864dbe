// Who may come in, with what, and what the answers forbid.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { call, checkAccess, closeBrowser, makeShop, openPage, picture, startServer, temporaryFolder } from "./fixtures.mjs";

const folder = temporaryFolder();
const KEYS = ["all", "reader", "blind"].map((name) => `[${name}]\naws_access_key_id = AKID${name.toUpperCase()}\naws_secret_access_key = secret/of+${name}\n${name === "all" ? "" : `stator_policy = ${name}.json\n`}`).join("\n");
folder.write("credentials", KEYS);
folder.write("reader.json", JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: ["dynamodb:List*", "dynamodb:Describe*", "dynamodb:GetItem", "dynamodb:Query"], Resource: "*" }] }));
folder.write("blind.json", JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "dynamodb:GetItem", Resource: "*" }] }));

let open;
let closed;
before(async () => {
  open = await startServer("--data", `${folder.path}/data`);
  await makeShop(open.endpoint);
  await open.end();
  open = await startServer("--memory");
  closed = await startServer("--data", `${folder.path}/data`, "--credentials", `${folder.path}/credentials`);
});
after(async () => { await closeBrowser(); await open.end(); await closed.end(); folder.remove(); });

const signIn = async (name, secret = `secret/of+${name}`, path = "") => {
  const page = await openPage(closed.endpoint);
  await page.goto(`${closed.endpoint}/_stator/${path}`);
  await page.getByLabel("Access key").fill(`AKID${name.toUpperCase()}`);
  await page.getByLabel("Secret").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
  return page;
};

test("a key opens the door, a deep link stays, a reload does not ask again", async () => {
  const page = await signIn("all", undefined, "tables/shop/items#m=query&pk=S:CUSTOMER%234711");
  await page.getByText("42 of 42 items read").waitFor();
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  assert.ok(!kept.includes("secret/of"));
  assert.equal((await page.context().cookies()).length, 0);
  await page.reload();
  await page.getByText("42 of 42 items read").waitFor();
  await page.getByTitle("Where this is").click();
  await page.getByRole("dialog").getByText("AKIDALL").waitFor();
  await checkAccess(page, "home");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Access key").waitFor();
  await checkAccess(page, "sign in");
  await picture(page, "sign-in");
  await page.done();
});

test("a wrong secret says so", async () => {
  const page = await signIn("all", "wrong");
  await page.getByRole("alert").getByText(/signature/).waitFor();
  await page.done();
});

test("policies hold: what is missing is named", async () => {
  const page = await signIn("reader", undefined, "tables/shop/items");
  await page.getByText("AccessDeniedException").waitFor();
  await page.getByText(/"dynamodb:Scan"/).waitFor();
  await checkAccess(page, "no permission");
  await page.getByRole("tab", { name: "Query" }).click();
  await page.getByLabel("Value of pk").fill("CUSTOMER#4711");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("42 of 42 items read").waitFor();
  await page.getByRole("gridcell", { name: "shipped" }).first().dblclick();
  await page.getByLabel("New value").fill("mine");
  await page.keyboard.press("Enter");
  await page.getByText(/not authorized to perform: dynamodb:UpdateItem/).waitFor();
  await page.done();
  const blind = await signIn("blind");
  await blind.getByText(/dynamodb:ListTables/).first().waitFor();
  await blind.done();
});

test("answers are guarded: policy of content, caching, no foreign names and pages", async () => {
  const page = await fetch(`${open.endpoint}/_stator/tables/x`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-security-policy"), /default-src 'none'; script-src 'self'.*trusted-types 'none'/);
  assert.equal(page.headers.get("cache-control"), "no-cache");
  assert.equal(page.headers.get("x-content-type-options"), "nosniff");
  const text = await page.text();
  assert.ok(!/<script(?![^>]* src=)/.test(text));
  const asset = /assets\/main-[^"]+\.js/.exec(text)[0];
  const script = await fetch(`${open.endpoint}/_stator/${asset}`);
  assert.match(script.headers.get("cache-control"), /immutable/);
  assert.equal(script.headers.get("content-encoding"), "gzip");
  assert.equal((await fetch(`${open.endpoint}/_stator/assets/none.js`)).status, 404);
  for (const [headers, status] of [[{ origin: "http://evil.example" }, 403], [{ origin: open.endpoint }, 200], [{}, 200]]) {
    assert.equal((await fetch(`${open.endpoint}/_stator/api/home`, { headers })).status, status);
  }
  for (const path of ["home", "requests", "metrics"]) {
    const answer = await fetch(`${closed.endpoint}/_stator/api/${path}`, { headers: { cookie: "stator_session=x" } });
    assert.equal(answer.status, 401);
    assert.equal((await answer.json()).error.code, "SignatureNeeded");
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
  }
  assert.equal((await fetch(`${open.endpoint}/_stator/api/home`, { method: "POST", body: "{}" })).status, 405);
});

test("--no-console leaves nothing", async () => {
  const without = await startServer("--memory", "--no-console");
  assert.equal((await fetch(`${without.endpoint}/_stator/`)).status, 404);
  assert.deepEqual(await call(without.endpoint, "ListTables", {}), { TableNames: [] });
  await without.end();
});

test("a server that goes away is said, and what is shown stays", async () => {
  const gone = await startServer("--memory");
  await makeShop(gone.endpoint);
  const page = await openPage(gone.endpoint);
  await page.goto(`${gone.endpoint}/_stator/tables/shop/items`);
  await page.getByText("102 of 102 items read").waitFor();
  await page.route("**/*", (route) => route.abort());
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("The server does not answer. What is shown stays readable.").waitFor();
  await page.context().close();
  await gone.end();
});
