// Bundles the page and writes it as a file of C++ (src/console/assets.h): node build.mjs OUT.cc
// Files have the hash of their content in their names, so browsers may keep them for ever.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const COMPRESSED_BYTES_MAX = 400 * 1024;
const TYPES = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
};
const here = dirname(fileURLToPath(import.meta.url));

function die(message) {
  console.error(`console: ${message}`);
  process.exit(1);
}

const out = process.argv[2] ?? die("usage: build.mjs OUT.cc");
if (!existsSync(join(here, "node_modules", "esbuild"))) {
  die("its npm packages are missing; ./dev build fetches them (so does `npm ci --ignore-scripts` in " +
      "console/), and -DSTATOR_CONSOLE=OFF builds without");
}
const { build } = await import("esbuild");

const common = {
  absWorkingDir: here,
  outdir: "/assets",
  bundle: true,
  write: false,
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  legalComments: "none",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  logLevel: "warning",
};
const bundles = await Promise.all([
  build({ ...common, entryPoints: { main: "src/main.tsx", style: "src/style/main.css" }, splitting: true, format: "esm" }),
  build({ ...common, entryPoints: { theme: "src/theme_first.ts" }, format: "iife" }),
]);
const files = bundles.flatMap((bundle) => bundle.outputFiles).map((file) => ({ name: basename(file.path), bytes: file.contents }));
const icon = readFileSync(join(here, "src", "icon.svg"));
const iconName = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
files.push({ name: iconName, bytes: icon });

const named = (start, end) =>
  files.find((file) => file.name.startsWith(start) && file.name.endsWith(end)).name;
const page = readFileSync(join(here, "src", "index.html"), "utf8")
  .replace("main.js", named("main-", ".js"))
  .replace("theme.js", named("theme-", ".js"))
  .replace("style.css", named("style-", ".css"))
  .replace("icon.svg", iconName);
files.push({ name: "index.html", bytes: Buffer.from(page) });

let total = 0;
const arrays = [];
const rows = [];
for (const [index, file] of files.entries()) {
  const gzip = gzipSync(file.bytes, { level: 9 });
  total += gzip.length;
  arrays.push(`constexpr unsigned char kFile${index}[] = {${[...gzip].join(",")}};`);
  rows.push(`    {"${file.name}", "${TYPES[extname(file.name)]}", Text(kFile${index})},`);
}
if (total > COMPRESSED_BYTES_MAX) {
  die(`${total} bytes compressed; at most ${COMPRESSED_BYTES_MAX} may go into the program`);
}
writeFileSync(out, `// Made by console/build.mjs.
#include <cstddef>

#include "console/assets.h"

namespace stator::console {
namespace {

${arrays.join("\n")}

template <std::size_t kSize>
std::string_view Text(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize};
}

const Asset kAssets[] = {
${rows.join("\n")}
};

}  // namespace

std::span<const Asset> Assets() {
  return kAssets;
}

}  // namespace stator::console
`);
console.log(`console: ${files.length} files, ${total} bytes compressed`);
