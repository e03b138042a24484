/**
 * The page's files as a release serves them: modules bundled by view and minified, two stylesheets.
 *
 *     node pack.mjs WEB SOURCES
 *
 * writes WEB/packed/, each file also compressed by Brotli (`.br`), with `manifest.json`: the start module, for each
 * view the modules that it needs, the stylesheet of all views, that of all but the front page, all by their
 * addresses, and SOURCES, a digest of the files that they were made of. WEB/packed/engine/ has the engine and, where
 * WEB is the package's, its nets, compressed alone.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build, transform } from "esbuild";
import { rollup } from "rollup";

/** Modules smaller than this (in characters, before they are minified) join another one where that loads nothing
 * that would not be loaded anyway: a request costs more than they weigh. */
const SMALLEST = 20_000;
const MINIFY = /** @type {const} */ ({ minify: true, target: "es2022", legalComments: "none" });

const [folder, sources] = process.argv.slice(2);
const web = path.resolve(folder);
const out = path.join(web, "packed");
await rm(out, { recursive: true, force: true });
await mkdir(out);

/** Written under a name that changes with the contents. @param {string} name @param {string} text */
async function write(name, text) {
  await writeFile(path.join(out, name), text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(path.join(out, `${name}.br`), brotliCompressSync(text, { params }));
  return `/packed/${name}`;
}

/** A module and all that it imports when it is loaded. @param {string} id @param {any} graph @param {Set<string>} [known] */
function needs(id, graph, known = new Set()) {
  if (!known.has(id)) {
    known.add(id);
    for (const each of graph.getModuleInfo(id).importedIds) needs(each, graph, known);
  }
  return known;
}

/**
 * What a first visit loads holds nothing else: small modules of other views would be put beside it. One chunk for all
 * views, one for what the front page shares with a match, one for the front page; of what a match needs besides one chunk
 * for what views without a board need too, one for what others need, and one for the rest.
 * @param {string} id @param {any} graph
 */
function firstVisit(id, graph) {
  const start = needs(path.join(web, "app/main.js"), graph);
  const [match, home] = ["match", "home"].map((name) => viewNeeds(name, graph));
  if (start.has(id)) return "start";
  if (home.has(id)) return match.has(id) ? "board" : "home";
  if (!match.has(id)) return;
  const board = path.join(web, "board/board.js");
  // A chouette is played as a match is.
  const others = views.filter((name) => name !== "match" && name !== "chouette");
  const needing = others.map((name) => viewNeeds(name, graph)).filter((needed) => needed.has(id));
  if (!needing.length) return "match";
  return needing.every((needed) => needed.has(board)) ? "record" : "shared";
}

/** A view's modules. @param {string} view @param {any} graph */
const viewNeeds = (view, graph) => needs(path.join(web, `app/views/${view}.js`), graph);

/** Of the files there one is no view of its own: what a match and a chouette extend. */
const views = (await readdir(path.join(web, "app/views")))
  .map((file) => path.parse(file).name)
  .filter((name) => name !== "table-view")
  .sort();
const bundle = await rollup({ input: path.join(web, "app/main.js"), logLevel: "warn" });
const { output } = await bundle.generate({
  format: "es",
  entryFileNames: "[name]-[hash].js",
  chunkFileNames: "[name]-[hash].js",
  manualChunks: firstVisit,
  experimentalMinChunkSize: SMALLEST,
});
const chunks = new Map(output.map((chunk) => [chunk.fileName, /** @type {any} */ (chunk)]));
for (const { fileName, code } of chunks.values())
  await write(fileName, unindented((await transform(code, { ...MINIFY, loader: "js" })).code));

/** Templates without their indentation: after minifying there are no other lines. @param {string} code */
function unindented(code) {
  return code.replace(/\n\s+/g, "\n");
}

/** A chunk and all that it imports when it is loaded. @param {string} name @param {Set<string>} [known] */
function closure(name, known = new Set()) {
  if (!known.has(name)) {
    known.add(name);
    for (const each of chunks.get(name).imports) closure(each, known);
  }
  return known;
}

const main = output[0].fileName;
/** @type {Record<string, string[]>} */
const needed = {};
for (const view of views) {
  const source = path.join(web, `app/views/${view}.js`);
  const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.includes(source));
  needed[view] = [...closure(chunk.fileName, closure(main))].map((name) => `/packed/${name}`);
}

// index.html says in which order the stylesheets count, and which of them the front page does without.
const index = await readFile(path.join(web, "index.html"), "utf-8");

/** One stylesheet of several. @param {string} name @param {RegExp} links how index.html names them */
async function bundled(name, links) {
  const sheets = [...index.matchAll(links)].map(([, sheet]) => sheet);
  const styled = await build({
    ...MINIFY,
    bundle: true,
    write: false,
    external: ["/fonts/*", "/icons/*"],
    stdin: {
      contents: sheets.map((sheet) => `@import "./${sheet}";`).join("\n"),
      resolveDir: web,
      loader: "css",
    },
  });
  const css = styled.outputFiles[0].text;
  return write(`${name}-${createHash("sha256").update(css).digest("hex").slice(0, 8)}.css`, css);
}

const style = await bundled("styles", /<link rel="stylesheet" href="\/(styles\/[^"]+)">/g);
const further = await bundled("further", /<link rel="stylesheet" href="\/(styles\/[^"]+)" data-further>/g);

/** A file that keeps its contents, compressed under a name. @param {string} name @param {string} file */
async function compressed(name, file) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(
    path.join(out, "engine", `${name}.br`),
    brotliCompressSync(await readFile(file), { params }),
  );
}

// The engine is loaded by a worker, under the names that it is written with; its nets by their digests.
const [engine, nets] = [path.join(web, "engine"), path.join(web, "../engines/nets")];
await mkdir(path.join(out, "engine"));
for (const name of await readdir(engine))
  if (/\.(js|wasm)$/.test(name)) await compressed(name, path.join(engine, name));
for (const name of await readdir(nets).catch(() => [])) {
  if (!name.endsWith(".net")) continue;
  const digest = createHash("sha256").update(await readFile(path.join(nets, name)));
  await compressed(`${digest.digest("hex")}.net`, path.join(nets, name));
}

await writeFile(
  path.join(out, "manifest.json"),
  `${JSON.stringify({ sources, main: `/packed/${main}`, style, further, views: needed }, null, 1)}\n`,
);
