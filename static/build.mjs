/**
 * Builds what the server hands out to browsers and programs, into a folder: `node build.mjs [FOLDER]`.
 *
 * Whatever is built beside the client is a function beside `client`, named in `parts`; it answers what its bundles weigh.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { minify } from "terser";
import { vsix } from "./vsix.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const parts = [client, flags, editor, app];

/**
 * What each bundle may weigh, gzipped: the app by what comes at once, the rest by what comes when it is needed first. The
 * extension for editors by its whole package.
 */
const MOST_BYTES = {
  client: 5 * 1024,
  engine: 7 * 1000,
  flagserver: 13.6 * 1000,
  flagpage: 9.5 * 1000,
  flagrecorder: 2.7 * 1000,
  flagfurther: 2.7 * 1000,
  flagmodule: 13.6 * 1000,
  react: 1000,
  openfeatureserver: 1500,
  openfeatureweb: 1500,
  editor: 50 * 1000,
  app: 60 * 1000,
  ai: 10 * 1000,
  approvals: 5 * 1000,
  around: 3 * 1000,
  boards: 12 * 1000,
  burn: 8.2 * 1000,
  desk: 15 * 1000,
  dialogs: 35 * 1000,
  flags: 40 * 1000,
  inbox: 15 * 1000,
  issue: 22 * 1000,
  layouts: 20 * 1000,
  ownfields: 8 * 1000,
  pages: 40 * 1000,
  quotes: 6 * 1000,
  running: 4 * 1000,
  rich: 200 * 1000,
  search: 6 * 1000,
  settings: 40 * 1000,
  sprints: 6 * 1000,
  undo: 4 * 1000,
};

/** Parts that come behind another one, which has brought by then what both need. */
const BEHIND = {
  ai: ["issue", "dialogs"],
  approvals: ["issue", "dialogs"],
  around: ["issue", "dialogs"],
  boards: ["dialogs"],
  burn: ["dialogs", "sprints"],
  desk: ["issue", "dialogs"],
  layouts: ["dialogs"],
  ownfields: ["issue", "dialogs"],
  pages: ["issue", "dialogs"],
  quotes: ["issue", "dialogs"],
  rich: ["issue", "dialogs", "pages"],
  running: ["dialogs"],
  search: ["dialogs"],
  sprints: ["dialogs"],
  undo: ["dialogs"],
};

/** The client: a package for npm, and one module for pages and Deno that import it by its address. */
async function client(out) {
  const made = JSON.parse(await text("client/package.json"));
  const { version } = await import(await asModule("client/src/contract.ts"));
  const small = await bundle("client/src/index.ts", { minify: true });
  const weight = gzipSync(small, { level: 9 }).length;
  weighed("client", weight);
  const files = {
    "package.json": `${JSON.stringify({ ...made, version }, null, 2)}\n`,
    "README.md": await text("client/README.md"),
    "LICENSE": await text("../LICENSE"),
    "dist/index.js": await bundle("client/src/index.ts"),
    "dist/index.d.ts": await text("client/types/index.d.ts"),
    "dist/contract.d.ts": await text("client/types/contract.d.ts"),
  };
  await save(out, `clients/kbwork-client-${version}.tgz`, packed(files));
  await save(out, `clients/kbwork-client-${version}.js`, small);
  return { client: weight };
}

/** Flags evaluated where they are asked: a package for npm, whose entries share their pieces, and one module for pages. */
async function flags(out) {
  const made = JSON.parse(await text("flags/package.json"));
  const { version } = await import(await asModule("client/src/contract.ts"));
  const weights = {};
  const weigh = (part, code) => weighed(part, (weights[part] = gzipSync(code, { level: 9 }).length));
  const page = await smallest("flags/src/client/browser.ts");
  weigh("engine", (await smallest("flags/src/engine/index.ts")).first);
  weigh("flagserver", (await smallest("flags/src/client/index.ts")).first);
  weigh("flagpage", page.first);
  weigh("flagrecorder", page["page-recorder"]);
  weigh("flagfurther", page.further);
  const module = await shrunk(await bundle("flags/src/client/browser.ts", { minify: true, plugins: [whole] }));
  weigh("flagmodule", module);
  const files = {
    "package.json": `${JSON.stringify({ ...made, version }, null, 2)}\n`,
    "README.md": await text("flags/README.md"),
    "LICENSE": await text("../LICENSE"),
  };
  const entries = { engine: "flags/src/engine/index.ts", react: "flags/src/react/index.ts" };
  for (const name of ["index", "browser", "testing"]) entries[name] = `flags/src/client/${name}.ts`;
  for (const name of ["server", "web"]) entries[`openfeature-${name}`] = `flags/src/openfeature/${name}.ts`;
  // What stands beside a client is weighed beside it: by what its entry has of its own.
  for (const [part, entry, client] of [["react", "react", "browser"], ["openfeatureserver", "openfeature-server", "index"], ["openfeatureweb", "openfeature-web", "browser"]]) {
    const made = await bundles({ [entry]: entries[entry], [client]: entries[client] }, { minify: true });
    weigh(part, made[`${entry}.js`]);
  }
  for (const [name, content] of Object.entries(await bundles(entries))) files[`dist/${name}`] = content;
  for (const name of [...Object.keys(entries), "client"]) files[`dist/${name}.d.ts`] = await text(`flags/types/${name}.d.ts`);
  await save(out, `clients/flags-${version}.tgz`, packed(files));
  await save(out, `clients/flags-${version}.js`, module);
  return weights;
}

/** The extension for editors: a package that they install from a file. */
async function editor(out) {
  const { version } = await import(await asModule("client/src/contract.ts"));
  const made = { ...JSON.parse(await text("editor/package.json")), version };
  const platform = { format: "cjs", platform: "node", external: ["vscode"], minify: true };
  const packed = vsix(made, {
    "package.json": `${JSON.stringify(made)}\n`,
    "readme.md": await text("editor/README.md"),
    "LICENSE.txt": await text("../LICENSE"),
    "media/kbwork.svg": await text("editor/media/kbwork.svg"),
    "extension.js": await bundle("editor/src/extension.ts", platform),
  });
  weighed("editor", packed.length);
  await save(out, "clients/kbwork.vsix", packed);
  return { editor: packed.length };
}

/** What the app has in common with the server's own pages: under a name of its content nobody asks whether it is still so. */
const LOOK = [["tokens", "css"], ["theme", "js"]];

/**
 * A style that a script imports comes with that script, as its text, and is of what stands in its folder alone; the app's
 * own is a file.
 */
const styles = {
  name: "styles",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.css$/ }, ({ path, resolveDir, kind }) =>
      kind === "import-statement" ? { path: join(resolveDir, path), namespace: "style" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "style" }, async ({ path }) => {
      const scoped = `.scope-${basename(dirname(path))} { ${await readFile(path, "utf8")} }`;
      const { code } = await transform(scoped, { loader: "css", minify: true });
      return { contents: code, loader: "text", watchFiles: [path] };
    });
  },
};

/** The app: one page, its style, its script, and the rooms that are fetched when somebody goes there. */
async function app(out) {
  const { metafile, outputFiles } = await build({
    entryPoints: { app: join(HERE, "app/src/main.tsx"), style: join(HERE, "app/src/app.css") },
    absWorkingDir: HERE,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    entryNames: "[name]-[hash]",
    chunkNames: "piece-[hash]",
    plugins: [styles],
    outdir: out,
    metafile: true,
    write: false,
  });
  const pieces = Object.fromEntries(outputFiles.map((file) => [basename(file.path), file.contents]));
  const [main, style] = [/^app-.*\.js$/, /^style-.*\.css$/].map((name) => Object.keys(pieces).find((one) => name.test(one)));
  const first = atOnce(metafile, main);
  // All scripts are named by what is in any of them, since each names others.
  const version = digest(Object.keys(pieces).sort().join(), await readFile(fileURLToPath(import.meta.url)));
  const script = `app-${version}.js`;
  const nameOf = (name) => (name.endsWith(".js") ? name.replace(/\.js$/, `-${version}.js`) : name);
  const named = await merged(pieces, metafile, first, script, nameOf);
  const weightOf = (names) => names.reduce((all, name) => all + gzipSync(named[name], { level: 9 }).length, 0);
  const weights = { app: weightOf([script]) };
  const rooms = {};
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    const room = /^app\/src\/(?:(\w+)\/index|screens\/(dialogs))\.tsx$/.exec(entryPoint)?.slice(1).find(Boolean);
    if (room) rooms[room] = atOnce(metafile, basename(path)).filter((name) => !first.includes(name));
  }
  for (const [room, names] of Object.entries(rooms)) {
    const there = BEHIND[room]?.flatMap((before) => rooms[before]) ?? [];
    weights[room] = weightOf(names.filter((name) => !there.includes(name)).map(nameOf));
  }
  for (const [part, weight] of Object.entries(weights)) weighed(part, weight);
  const look = {};
  for (const [name, ending] of LOOK) {
    const { code } = await transform(await text(`../kbwork/api/pages/static/${name}.${ending}`), { loader: ending, minify: true });
    look[name] = `${name}-${digest(code)}.${ending}`;
    named[look[name]] = code;
  }
  for (const [name, content] of Object.entries(named)) await save(out, `app/${name}`, content);
  await save(out, "app/worker.js", await bundle("app/worker/worker.ts", { minify: true, define: { FILES: JSON.stringify(Object.keys(named).sort()) } }));
  await save(out, "app/asker.js", await bundle("app/worker/asker.ts", { minify: true }));
  await save(out, "app/manifest.webmanifest", await text("app/manifest.webmanifest"));
  const files = { ...look, style, script };
  const page = await text("app/index.html");
  await save(out, "app/index.html", page.replaceAll(/\{\{ (\w+) \}\}/g, (_, name) => `/app/${files[name]}`));
  return weights;
}

/**
 * The same files by their new names, with those that come at once in one script, from which the others import: twenty small
 * ones take a slow machine a quarter of a second.
 */
async function merged(pieces, { outputs }, first, script, nameOf) {
  const exportsOf = Object.fromEntries(Object.entries(outputs).map(([path, told]) => [basename(path), told.exports]));
  /** How the one script calls what a piece of it gives to others. */
  const outside = (name, word) => `from${first.indexOf(name)}_${word}`;
  const put = (contents, piece) =>
    build({
      stdin: { contents, resolveDir: HERE },
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      legalComments: "none",
      write: false,
      plugins: [{ name: "pieces", setup: (hooks) => hookUp(hooks, piece) }],
    }).then(({ outputFiles: [file] }) => file.text);
  const hookUp = ({ onResolve, onLoad }, piece) => {
    onResolve({ filter: /./ }, ({ path }) => {
      const name = basename(path);
      if (first.includes(name)) return { path: name, namespace: "piece" };
      if (name !== script && !(name in pieces)) return { path, external: true }; // as Node's own
      return { path: `./${name === script ? name : nameOf(name)}`, external: true };
    });
    onLoad({ filter: /./, namespace: "piece" }, ({ path }) => ({ contents: piece(path) }));
  };
  const named = {};
  for (const [name, contents] of Object.entries(pieces)) {
    if (first.includes(name)) continue;
    const given = (from) => exportsOf[from].map((word) => `${outside(from, word)} as ${word}`);
    named[nameOf(name)] = name.endsWith(".js") ? await put(Buffer.from(contents).toString(), (from) => `export { ${given(from)} } from "./${script}";`) : contents;
  }
  const wanted = new Set(Object.values(named).flatMap((made) => (typeof made === "string" ? made.match(/\bfrom\d+_[\w$]+/g) ?? [] : [])));
  const lines = first.map((name) => {
    const words = exportsOf[name].filter((word) => wanted.has(outside(name, word)));
    return `export { ${words.map((word) => `${word} as ${outside(name, word)}`)} } from "./${name}";`;
  });
  named[script] = await put(`export * from "./${first[0]}";\n${lines.join("\n")}`, (name) => Buffer.from(pieces[name]).toString());
  return named;
}

/** A script and whatever it imports before it runs. */
function atOnce({ outputs }, script) {
  const byName = new Map(Object.entries(outputs).map(([path, told]) => [basename(path), told]));
  const found = new Set([script]);
  for (const name of found) {
    for (const { path, kind } of byName.get(name).imports) if (kind === "import-statement") found.add(basename(path));
  }
  return [...found];
}

/** For a name: another one where the content is another one. */
function digest(...contents) {
  const sum = createHash("sha256");
  for (const content of contents) sum.update(content);
  return sum.digest("hex").slice(0, 8).toUpperCase();
}

function weighed(part, weight) {
  if (!(weight <= MOST_BYTES[part])) {
    throw new Error(`the ${part} weighs ${weight} bytes, gzipped; it may weigh ${MOST_BYTES[part]}`);
  }
}

async function bundle(entry, options = {}) {
  const made = await build({ ...plain, entryPoints: [join(HERE, entry)], ...options });
  return made.outputFiles[0].text;
}

/** A module of one file fetches nothing behind itself. */
const whole = {
  name: "whole",
  setup: ({ onResolve }) => onResolve({ filter: /^\.\/later\.ts$/ }, ({ resolveDir }) => ({ path: join(resolveDir, "at-once.ts") })),
};

/** What comes at once for those who bundle this entry, and by its name each piece that is fetched later. */
async function smallest(entry) {
  const { outputFiles, metafile } = await build({ ...split({ entry }), chunkNames: "[name]-[hash]", minify: true, metafile: true });
  const made = Object.fromEntries(outputFiles.map((file) => [basename(file.path), file.text]));
  const first = atOnce(metafile, "entry.js");
  const named = await merged(made, metafile, first, "first", (name) => name.replace(/-\w+\.js$/, ""));
  for (const [name, code] of Object.entries(named)) named[name] = await shrunk(code);
  return named;
}

/** For what comes into pages of others, whose bytes count most: terser leaves some five per cent less than esbuild. */
async function shrunk(code) {
  return (await minify(code, { module: true, ecma: 2022, compress: { passes: 3 } })).code;
}

/** Several, by their names, with the pieces that they share. */
async function bundles(entries, options = {}) {
  const { outputFiles } = await build({ ...split(entries), ...options });
  return Object.fromEntries(outputFiles.map((file) => [basename(file.path), file.text]));
}

const split = (entryPoints) => ({ ...plain, entryPoints, splitting: true, outdir: HERE, chunkNames: "piece-[hash]" });

const plain = {
  absWorkingDir: HERE,
  bundle: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  external: ["node:*", "react", "@openfeature/*"],
  mangleProps: /^_/,
  write: false,
};

/** A file of values alone, to be imported here. */
async function asModule(entry) {
  return `data:text/javascript,${encodeURIComponent(await bundle(entry))}`;
}

/** The same files give the same archive: in the form of `npm pack`, with one date, of nobody. */
function packed(files) {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const body = Buffer.from(content);
    const rest = Buffer.alloc((512 - (body.length % 512)) % 512);
    return [head(`package/${name}`, body.length), body, rest];
  });
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 9 });
  archive[9] = 255; // the system that packed it
  return archive;
}

/** A head of ustar: octal numbers at their places, and the sum of it all. */
function head(name, size) {
  const block = Buffer.alloc(512);
  const octal = (number, digits) => `${number.toString(8).padStart(digits, "0")}\0`;
  block.write(name, 0);
  block.write(octal(0o644, 7) + octal(0, 7) + octal(0, 7), 100);
  block.write(octal(size, 11) + octal(499162500, 11), 124);
  block.write(" ".repeat(8), 148);
  block.write("0", 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function text(name) {
  return readFile(join(HERE, name), "utf8");
}

async function save(out, name, content) {
  await mkdir(dirname(join(out, name)), { recursive: true });
  await writeFile(join(out, name), content);
}

const out = process.argv[2] ?? join(HERE, "..", "kbwork", "web");
const weights = await Promise.all(parts.map((part) => part(out)));
await save(out, "sizes.json", `${JSON.stringify(Object.assign({}, ...weights))}\n`);
