/** The extension as an editor has it: from its package, against a real server, in an editor that is none. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Document, Editor, Emitter, Position, Range, Uri } from "./vscode.mjs";

const { KBWORK_URL: URL_, KBWORK_KEY: KEY, KBWORK_SESSION: SESSION, KBWORK_EXTENSION: PLACE } = process.env;
const NEVER = { isCancellationRequested: false };

async function call(op, input = {}, key = KEY) {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${key}` };
  const answer = await fetch(`${URL_}/api/v1/${op}`, { method: "POST", headers, body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`${op}: ${await answer.text()}`);
  return answer.json();
}

const issue = (more) => call("issues.create", { project: "WEB", title: "The cart forgets", assignees: ["me"], ...more });

async function until(check, what = check) {
  for (let tries = 0; tries < 400; tries++) {
    const found = await check();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`never came: ${what}`);
}

/** An editor that is signed in. */
async function signedIn(context, change = () => {}) {
  const editor = new Editor();
  context.after(() => editor.end());
  editor.settings.address = URL_;
  editor.secrets.set(`key of ${URL_}`, KEY);
  change(editor);
  editor.begin(PLACE);
  await until(() => editor.contexts.get("kbwork.state") === "online", "online");
  return editor;
}

function repository(name) {
  const changes = new Emitter();
  const made = { state: { HEAD: { name, commit: "c0ffee" }, remotes: [], onDidChange: changes.event }, rootUri: Uri.file("/home/ana/work"), made: [] };
  const change = async (how, branch) => {
    made.made.push([how, branch]);
    made.state.HEAD = { ...made.state.HEAD, name: branch };
    changes.fire();
  };
  return Object.assign(made, {
    getBranch: async (branch) => (branch.endsWith("there") ? {} : Promise.reject(new Error("none"))),
    createBranch: (branch) => change("made", branch),
    checkout: (branch) => change("checked out", branch),
  });
}

const gitOf = (...repositories) => ({
  repositories,
  getRepository: () => repositories[0] ?? null,
  onDidOpenRepository: new Emitter().event,
  onDidCloseRepository: new Emitter().event,
});

test("it begins at once, whether the server is there or not", (context) => {
  const times = Array.from({ length: 5 }, () => {
    const editor = new Editor();
    context.after(() => editor.end());
    editor.settings.address = "http://127.0.0.1:1";
    return editor.begin(PLACE);
  });
  console.log(`activation: ${times.map((ms) => ms.toFixed(1)).join(" ")} ms`);
  assert.ok(Math.max(...times) < 200, String(times));
});

test("what its package promises is there", async (context) => {
  const editor = new Editor();
  context.after(() => editor.end());
  editor.begin(PLACE);
  const { createRequire } = await import("node:module");
  const { contributes } = createRequire(import.meta.url)(PLACE.replace("extension.js", "package.json"));
  const offered = contributes.commands.map(({ command }) => command.replace("kbwork.", ""));
  assert.deepEqual(offered.filter((name) => !editor.commands.has(name)), []);
  assert.deepEqual(contributes.views.kbwork.map(({ id }) => id), [...editor.views.keys()]);
  assert.equal(editor.contexts.get("kbwork.state"), "unnamed");
});

test("a person signs in by a code, and the key is kept for that address alone", async (context) => {
  const editor = new Editor();
  context.after(() => editor.end());
  editor.begin(PLACE);
  editor.answers.push(({ validateInput }) => {
    assert.ok(validateInput("ftp://x") && validateInput("words") && validateInput("https://a:b@c"));
    return `${URL_}/`;
  });
  const done = editor.run("connect");
  const page = await until(() => editor.opened[0], "the page of the code");
  const code = new URL(page).searchParams.get("code");
  assert.ok(editor.said.some(([how, text]) => how === "progress" && text.includes(code)));
  await call("auth.device_approve", { user_code: code, approve: true }, SESSION);
  await done;
  assert.deepEqual([...editor.secrets.keys()], [`key of ${URL_}`]);
  assert.ok(editor.said.some(([how, text]) => how === "told" && text === "Signed in as Ana Lund."));
  await until(() => editor.contexts.get("kbwork.state") === "online", "online");
  await editor.run("signOut");
  assert.equal(editor.secrets.size, 0);
  assert.equal(editor.contexts.get("kbwork.state"), "signedOut");
  assert.deepEqual(await editor.rows("kbwork.issues"), []);
});

test("a sign-in that is called off says nothing", async (context) => {
  const editor = new Editor();
  context.after(() => editor.end());
  editor.settings.address = URL_;
  editor.begin(PLACE);
  await until(() => editor.contexts.get("kbwork.state") === "signedOut", "signed out");
  const done = editor.run("connect");
  await until(() => editor.said.some(([how]) => how === "progress"), "the code");
  editor.cancel();
  await done;
  assert.deepEqual(editor.said.filter(([how]) => how === "refused"), []);
});

test("a refused key and a server that is away are told, and one command mends them", async (context) => {
  const editor = new Editor();
  context.after(() => editor.end());
  editor.settings.address = URL_;
  editor.secrets.set(`key of ${URL_}`, "kb_nonsense");
  editor.begin(PLACE);
  await until(() => editor.contexts.get("kbwork.state") === "refused", "refused");
  await editor.run("create");
  assert.match(editor.said.find(([how]) => how === "refused")[1], /refuses the key of this editor/);
  await until(() => editor.bars[0].shown, "the warning in the status bar");
  assert.equal(editor.bars[0].command.command, "kbwork.connect");

  const made = await issue();
  let away = true;
  const passing = createServer(async (asked, answer) => {
    if (away) return answer.destroy();
    const parts = [];
    for await (const part of asked) parts.push(part);
    const { host: _, connection: __, "content-length": ___, ...headers } = asked.headers;
    const ends = new AbortController();
    answer.on("close", () => ends.abort());
    try {
      const found = await fetch(URL_ + asked.url, { signal: ends.signal, method: asked.method, headers, body: asked.method === "POST" ? Buffer.concat(parts) : undefined });
      answer.writeHead(found.status, { "content-type": found.headers.get("content-type") });
      for await (const part of found.body) answer.write(part);
      answer.end();
    } catch {
      // Whoever asked has left.
    }
  });
  await new Promise((resolve) => passing.listen(0, "127.0.0.1", resolve));
  context.after(() => (passing.closeAllConnections(), passing.close()));
  const address = `http://127.0.0.1:${passing.address().port}`;
  editor.secrets.set(`key of ${address}`, KEY);
  editor.set("address", address);
  await until(() => editor.contexts.get("kbwork.state") === "offline", "offline");
  away = false;
  await editor.run("connect");
  await until(() => editor.contexts.get("kbwork.state") === "online", "online");
  await until(async () => await editor.row("kbwork.issues", made.key), "the issue");
  away = true;
  passing.closeAllConnections();
  await until(() => editor.contexts.get("kbwork.state") === "offline", "offline again");
  const [notice, ...kept] = await editor.rows("kbwork.issues");
  assert.equal(notice.command.command, "kbwork.connect");
  assert.ok(kept.some(({ label }) => label.startsWith(made.key)));
});

test("issues and the inbox stand in the side bar, follow what happens, and are dealt with in place", async (context) => {
  const made = await issue({ title: "Vouchers are lost" });
  const editor = await signedIn(context);
  const row = await until(() => editor.row("kbwork.issues", made.key), "the issue");
  await editor.run("open", row);
  assert.deepEqual(editor.opened, [`${URL_}/issues/${made.key}`]);
  editor.answers.push("In progress");
  await editor.run("status", row);
  assert.equal((await call("issues.get", { key: made.key })).status, "In progress");
  const later = await issue({ title: "Came later" });
  await until(() => editor.row("kbwork.issues", later.key), "what came by the stream");
  await editor.run("done", later.key);
  const done = await call("issues.get", { key: later.key });
  assert.deepEqual([done.category, done.outcome], ["done", "completed"]);
  await until(async () => !(await editor.row("kbwork.issues", later.key)), "its leaving");

  await call("comments.create", { subject: `issue:${made.key}`, body: "Which year, @ana?" }, process.env.KBWORK_OTHER_KEY);
  const entry = await until(() => editor.row("kbwork.inbox", made.key), "the entry");
  // The server has a clock of its own.
  context.mock.timers.enable({ apis: ["Date"], now: entry.at * 1000 });
  editor.answers.push("Tomorrow morning");
  await editor.run("entrySnooze", entry);
  context.mock.timers.reset();
  const [asleep] = (await call("notifications.list", { state: "snoozed" })).items;
  assert.deepEqual([asleep.id, new Date(asleep.snoozed_until * 1000).getHours()], [entry.id, 9]);
  await call("notifications.read", { ids: [entry.id], on: false });
  const again = await until(() => editor.row("kbwork.inbox", made.key), "the entry again");
  await editor.run("entryDone", again);
  await until(async () => !(await editor.row("kbwork.inbox", made.key)), "its leaving");
});

test("keys of issues and of flags are told where they stand", async (context) => {
  const made = await issue({ title: "Not **bold**, and [no link](command:x)" });
  const editor = await signedIn(context, (one) => (one.settings.flagProject = "shop"));
  const asked = [];
  const send = globalThis.fetch;
  globalThis.fetch = (...told) => (asked.push(String(told[0]).split("/").pop()), send(...told));
  context.after(() => (globalThis.fetch = send));
  const document = new Document(`// ${made.key} and UTF-8\nif (flags.on("banner")) {}\nconst bannerx = "${made.key}9";`);
  const hover = (line, character) => editor.providers.hover.provideHover(document, new Position(line, character), NEVER);
  const { contents } = await hover(0, 5);
  assert.ok(contents.value.includes(`(${URL_}/issues/${made.key})`), contents.value);
  assert.ok(contents.value.includes("Not \\*\\*bold\\*\\*, and \\[no link\\]\\(command:x\\)"), contents.value);
  assert.ok(contents.value.includes("Ana Lund"));
  assert.deepEqual(contents.isTrusted, { enabledCommands: ["kbwork.status", "kbwork.branch"] });
  assert.equal(await hover(0, 16), undefined);
  assert.equal(await hover(2, 9), undefined);
  const flag = (await hover(1, 15)).contents.value;
  assert.match(flag, /test: \*\*off\*\* → false/);
  assert.match(flag, /Last change: [^,]+, Cy/);
  assert.ok(asked.includes("issues.get") && asked.includes("flags.list"));
  const before = asked.length;
  await hover(0, 5);
  await hover(0, 16);
  await hover(1, 15);
  assert.equal(asked.length, before);
});

test("a branch is made of an issue, and the status bar tells of its issue", async (context) => {
  const made = await issue({ title: "Élan: the cart's vouchers, gone!" });
  const place = repository("main");
  const editor = await signedIn(context, (one) => (one.git = gitOf(place)));
  await until(() => !editor.bars[0].shown, "nothing");
  editor.answers.push(({ value, validateInput }) => {
    assert.equal(value, `${made.key}-elan-the-cart-s-vouchers-gone`);
    assert.ok(validateInput("a..b") && validateInput("-x") && validateInput("a b") && !validateInput("feature/x"));
    return value;
  });
  await editor.run("branch", made.key);
  assert.deepEqual(place.made, [["made", `${made.key}-elan-the-cart-s-vouchers-gone`]]);
  await until(() => editor.bars[0].shown && editor.bars[0].text.includes(`${made.key} To do`), "the issue");
  editor.answers.push(() => `${made.key}-there`);
  await editor.run("branch", made.key);
  assert.deepEqual(place.made.at(-1), ["checked out", `${made.key}-there`]);
  editor.answers.push("Finish");
  await editor.run(editor.bars[0].command.command.replace("kbwork.", ""), made.key);
  await until(() => editor.bars[0].text.includes("Done"), "what became of it");
});

test("where there is no Git the name of the branch is copied", async (context) => {
  const made = await issue({ title: "買い物かご" });
  const editor = await signedIn(context);
  editor.answers.push(({ value }) => value);
  await editor.run("branch", made.key);
  assert.deepEqual(editor.copied, [made.key]);
});

test("a TODO becomes an issue that says where it stands, and has its key from then on", async (context) => {
  const place = repository("main");
  place.state.remotes = [{ name: "origin", fetchUrl: "https://ana:hunter2@code.example/acme/shop.git" }];
  const editor = await signedIn(context, (one) => (one.git = gitOf(place)));
  const document = new Document("a\n  // TODO(ana): Count `them` twice */\nb\n// TODO WEB-1: known\nconst TODO = 1;");
  editor.activeEditor = { document };
  const actions = (line) => editor.providers.actions.provideCodeActions(document, new Range(new Position(line, 0), new Position(line, 0)));
  assert.deepEqual([0, 1, 3, 4].map((line) => actions(line).length), [0, 1, 0, 0]);
  const [{ command }] = actions(1);
  editor.answers.push("WEB", ({ value }) => `${value}${"!".repeat(5_000)}`, ({ value }) => {
    assert.ok(value.endsWith("!!!"), "what was refused stands there again");
    return "Count them twice";
  });
  await editor.run("todo", ...command.arguments);
  const [{ at, text }] = editor.edits;
  assert.deepEqual([at.line, at.character], [1, "  // TODO".length]);
  const made = await call("issues.get", { key: text.trim() });
  assert.equal(made.title, "Count them twice");
  assert.ok(made.body.startsWith("[`src/cart.js:2`](https://code.example/acme/shop/blob/c0ffee/src/cart.js#L2)"), made.body);
  assert.ok(made.body.includes("// TODO(ana)") && !/hunter2|\/home/.test(made.body), made.body);
});

test("a line that moved meanwhile is found, and one that is gone loses nothing", async (context) => {
  const editor = await signedIn(context);
  const document = new Document("# TODO: Later");
  editor.activeEditor = { document };
  const change = (lines) => () => {
    document.lines = lines;
    return "Later";
  };
  editor.answers.push("WEB", change(["new", "# TODO: Later"]));
  await editor.run("todo", document.uri, 0);
  assert.equal(editor.edits[0].at.line, 1);
  editor.answers.push("WEB", change(["gone"]));
  await editor.run("todo", document.uri, 1);
  assert.equal(editor.edits.length, 1);
  assert.match(editor.copied[0], /^WEB-\d+$/);
});

test("a query is written with what the server proposes, mended where it does not fit, and its rows lead on", async (context) => {
  const made = await issue({ title: "Found by a query" });
  const editor = await signedIn(context);
  const done = editor.run("query");
  const pick = await until(() => editor.picks[0], "the input");
  pick.write("titl");
  await until(() => pick.items.some(({ label }) => label === "title"), "proposals");
  pick.accept(pick.items.find(({ label }) => label === "title"));
  assert.equal(pick.value.trim(), "title");
  pick.write('title ~~ "x"');
  pick.accept();
  const again = await until(() => editor.picks[1], "the input again");
  assert.equal(again.value, 'title ~~ "x"');
  assert.match(again.title, /^Query: ./);
  again.write(`key = ${made.key}`);
  editor.answers.push((_, items) => {
    assert.equal(items[0].label, `${made.key} Found by a query`);
    assert.match(items[0].description, /To do.* Ana Lund/);
    return items[0];
  });
  again.accept();
  await done;
  assert.deepEqual(editor.opened, [`${URL_}/issues/${made.key}`]);
});

test("operations are chosen, filled in, refused without a loss, and answered as JSON", async (context) => {
  const made = await issue({ title: "By the palette" });
  const editor = await signedIn(context);
  editor.answers.push((_, items) => {
    assert.ok(items.length > 400, String(items.length));
    return items.find(({ description }) => description === "issues.update");
  });
  editor.answers.push(() => made.key, "title");
  editor.answers.push(() => "x".repeat(5_000), "Run", ({ title }, items) => {
    assert.equal(items.find(({ label }) => label === "title").description.length, 5_000);
    return items.find(({ label }) => label === "title");
  });
  editor.answers.push(() => "By the palette, again", "priority", "high", "Run");
  await editor.run("run");
  assert.match(editor.said.find(([how]) => how === "refused")[1], /title/);
  const [{ text, languageId }] = editor.documents;
  assert.equal(languageId, "json");
  const told = JSON.parse(text);
  assert.deepEqual([told.key, told.title, told.priority], [made.key, "By the palette, again", "high"]);
});

test("what takes something away is asked for twice", async (context) => {
  const made = await issue({ title: "To be deleted" });
  const editor = await signedIn(context);
  const chosen = (_, items) => items.find(({ description }) => description === "issues.delete");
  editor.answers.push(chosen, () => made.key, "Run", undefined);
  await editor.run("run");
  assert.equal((await call("issues.get", { key: made.key })).key, made.key);
  editor.buttons = (_, how, sure) => (how?.modal ? sure : undefined);
  editor.answers.push(chosen, ({ value }) => value, "Run");
  await editor.run("run");
  await assert.rejects(call("issues.get", { key: made.key }), /not-found/);
});
