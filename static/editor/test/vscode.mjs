/** What the extension uses of its editor, in place of it: it notes what is shown, and answers what a test has laid out. */
import { createRequire } from "node:module";
import Module from "node:module";

class Emitter {
  heard = new Set();
  event = (hear, self) => {
    const bound = self ? hear.bind(self) : hear;
    this.heard.add(bound);
    return { dispose: () => this.heard.delete(bound) };
  };
  fire(told) {
    for (const hear of [...this.heard]) hear(told);
  }
  dispose() {
    this.heard.clear();
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end) {
    Object.assign(this, { start, end });
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    const { protocol, pathname } = new URL(text);
    this.scheme = protocol.slice(0, -1);
    this.path = decodeURIComponent(pathname);
    this.fsPath = this.path;
  }
  static parse = (text) => new Uri(text);
  static file = (path) => new Uri(`file://${encodeURI(path)}`);
  static from = ({ scheme, path }) => new Uri(`${scheme}:${encodeURI(path)}`);
  toString() {
    return this.text;
  }
}

class MarkdownString {
  constructor(value) {
    this.value = value;
  }
  appendMarkdown(text) {
    this.value += text;
    return this;
  }
  appendText(text) {
    this.value += text.replace(/[\\`*_{}[\]()#+\-!~<>|$]/g, "\\$&");
    return this;
  }
}

/** A text that is open. */
export class Document {
  languageId = "javascript";
  constructor(text, uri = Uri.file("/home/ana/work/src/cart.js")) {
    this.lines = text.split("\n");
    this.uri = uri;
  }
  get lineCount() {
    return this.lines.length;
  }
  lineAt(line) {
    return { text: this.lines[line] };
  }
  getText({ start, end }) {
    return this.lines[start.line].slice(start.character, end.character);
  }
  getWordRangeAtPosition({ line, character }, pattern) {
    for (const found of this.lines[line].matchAll(new RegExp(pattern.source, `${pattern.flags}g`))) {
      const end = found.index + found[0].length;
      if (found.index <= character && character <= end) return new Range(new Position(line, found.index), new Position(line, end));
    }
    return undefined;
  }
}

/** An input in which somebody writes and chooses. */
class QuickPick {
  constructor(editor) {
    for (const name of ["onDidChangeValue", "onDidAccept", "onDidHide"]) {
      const emitter = new Emitter();
      this[name] = emitter.event;
      this[`fire${name.slice(5)}`] = (told) => emitter.fire(told);
    }
    Object.assign(this, { editor, value: "", items: [], activeItems: [], selectedItems: [] });
  }
  show() {
    this.editor.picks.push(this);
  }
  hide() {
    this.fireHide();
  }
  dispose() {}
  write(text) {
    this.value = text;
    this.fireChangeValue(text);
  }
  accept(item = this.items[0]) {
    this.activeItems = this.selectedItems = [item];
    this.fireAccept();
  }
}

/** Loads the extension anew, with an editor of its own. */
export class Editor {
  settings = { address: "", myIssues: "assignee = me and open order by updated desc", flagProject: "", branchName: "{key}-{title}" };
  secrets = new Map();
  kept = new Map();
  commands = new Map();
  contexts = new Map();
  views = new Map();
  providers = {};
  /** What was shown, by the word for how. */
  said = [];
  opened = [];
  copied = [];
  picks = [];
  bars = [];
  edits = [];
  documents = [];
  /** Answers in the order of the questions: `undefined` closes one, a function sees it. */
  answers = [];
  repositories = [];
  git = undefined;
  activeEditor = undefined;
  #secretChanges = new Emitter();
  #settingChanges = new Emitter();
  #windowChanges = new Emitter();

  /** How long it takes to load it and to let it begin, in ms. */
  begin(place) {
    const require = createRequire(import.meta.url);
    const load = Module._load;
    const path = require.resolve(place);
    delete require.cache[path];
    const started = performance.now();
    Module._load = (name, ...rest) => (name === "vscode" ? this.#vscode() : load(name, ...rest));
    try {
      this.context = this.#context();
      require(path).activate(this.context);
    } finally {
      Module._load = load;
    }
    return performance.now() - started;
  }

  end() {
    for (const one of this.context.subscriptions) one.dispose();
  }

  run(name, ...told) {
    return this.commands.get(name)(...told);
  }

  set(name, value) {
    this.settings[name] = value;
    this.#settingChanges.fire({ affectsConfiguration: (asked) => `kbwork.${name}`.startsWith(asked) });
  }

  /** What stands in a view, as it is drawn. */
  async rows(view) {
    const { provider } = this.views.get(view);
    return Promise.all((await provider.getChildren()).map((row) => provider.getTreeItem(row)));
  }

  async row(view, label) {
    const { provider } = this.views.get(view);
    return (await provider.getChildren()).find((row) => provider.getTreeItem(row).label.includes(label));
  }

  async #answer(how, ...told) {
    this.said.push([how, ...told]);
    const answer = this.answers.shift();
    return typeof answer === "function" ? answer(...told) : answer;
  }

  #context() {
    const secrets = {
      get: async (name) => this.secrets.get(name),
      store: async (name, value) => (this.secrets.set(name, value), this.#secretChanges.fire({ key: name })),
      delete: async (name) => (this.secrets.delete(name), this.#secretChanges.fire({ key: name })),
      onDidChange: this.#secretChanges.event,
    };
    const state = { get: (name, otherwise) => this.kept.get(name) ?? otherwise, update: async (name, value) => void this.kept.set(name, value) };
    return { subscriptions: [], secrets, globalState: state, workspaceState: state };
  }

  #vscode() {
    const editor = this;
    const message = (how) => (text, ...more) => (editor.said.push([how, text]), Promise.resolve(editor.buttons?.(text, ...more)));
    return {
      EventEmitter: Emitter,
      Position,
      Range,
      Uri,
      MarkdownString,
      TreeItem: class {
        constructor(label) {
          this.label = label;
        }
      },
      ThemeIcon: class {
        constructor(id, color) {
          Object.assign(this, { id, color });
        }
      },
      ThemeColor: class {},
      Hover: class {
        constructor(contents, range) {
          Object.assign(this, { contents, range });
        }
      },
      CodeAction: class {
        constructor(title, kind) {
          Object.assign(this, { title, kind });
        }
      },
      CodeActionKind: { QuickFix: "quickfix" },
      StatusBarAlignment: { Left: 1 },
      ProgressLocation: { Window: 10, Notification: 15 },
      ConfigurationTarget: { Global: 1, Workspace: 2 },
      WorkspaceEdit: class {
        insert(uri, at, text) {
          this.insertion = { uri, at, text };
        }
      },
      window: {
        createTreeView: (id, { treeDataProvider }) => {
          const view = { provider: treeDataProvider, visible: true, onDidChangeVisibility: new Emitter().event, dispose() {} };
          editor.views.set(id, view);
          return view;
        },
        createStatusBarItem: () => {
          const bar = { shown: false, show: () => (bar.shown = true), hide: () => (bar.shown = false), dispose() {} };
          editor.bars.push(bar);
          return bar;
        },
        createQuickPick: () => new QuickPick(editor),
        showInformationMessage: message("told"),
        showWarningMessage: message("warned"),
        showErrorMessage: message("refused"),
        setStatusBarMessage: (text) => editor.said.push(["noted", text]),
        showInputBox: (options) => editor.#answer("asked", options),
        showQuickPick: async (items, options) => {
          const chosen = await editor.#answer("offered", options, items);
          return typeof chosen === "string" ? items.find((item) => (item.label ?? item).includes(chosen)) : chosen;
        },
        withProgress: (_, work) => work({ report: (told) => editor.said.push(["progress", told.message]) }, { onCancellationRequested: (cancel) => (editor.cancel = cancel) }),
        showTextDocument: async (document) => editor.documents.push(document),
        get activeTextEditor() {
          return editor.activeEditor;
        },
        onDidChangeActiveTextEditor: new Emitter().event,
        onDidChangeWindowState: editor.#windowChanges.event,
      },
      workspace: {
        getConfiguration: () => ({
          get: (name, otherwise) => editor.settings[name] ?? otherwise,
          inspect: () => ({}),
          update: async (name, value) => editor.set(name, value),
        }),
        getWorkspaceFolder: () => ({ uri: Uri.file("/home/ana/work") }),
        openTextDocument: async (uri) =>
          uri.scheme === "kbwork" ? { uri, text: editor.providers.content.provideTextDocumentContent(uri) } : editor.activeEditor.document,
        applyEdit: async (edit) => Boolean(editor.edits.push(edit.insertion)),
        registerTextDocumentContentProvider: (_, provider) => ((editor.providers.content = provider), { dispose() {} }),
        onDidChangeConfiguration: editor.#settingChanges.event,
      },
      languages: {
        registerHoverProvider: (_, provider) => ((editor.providers.hover = provider), { dispose() {} }),
        registerCodeActionsProvider: (_, provider) => ((editor.providers.actions = provider), { dispose() {} }),
        setTextDocumentLanguage: async (document, languageId) => ({ ...document, languageId }),
      },
      commands: {
        registerCommand: (name, run) => (editor.commands.set(name.replace("kbwork.", ""), run), { dispose() {} }),
        executeCommand: async (name, ...told) => {
          if (name === "setContext") editor.contexts.set(...told);
          else await editor.commands.get(name.replace("kbwork.", ""))?.(...told);
        },
      },
      env: {
        appName: "Test",
        openExternal: async (uri) => Boolean(editor.opened.push(uri.toString())),
        clipboard: { writeText: async (text) => void editor.copied.push(text) },
      },
      extensions: { getExtension: () => editor.git && { activate: async () => ({ getAPI: () => editor.git }) } },
    };
  }
}

export { Emitter, Position, Range, Uri };
