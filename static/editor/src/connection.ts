/** The one kbwork that the editor talks to, in the name of one person: its address, its key, and how it stands. */
import * as vscode from "vscode";
import { type EventKind, type Kbwork, kbwork, Problem, Unreachable } from "@kbwork/client";
import { told, words } from "./words.ts";

/** `unnamed`: no address; `signedOut`: no key; `refused`: a key that no longer counts. */
export type State = "starting" | "unnamed" | "signedOut" | "refused" | "offline" | "online";

/** What came by the stream. */
export type News = "issues" | "inbox";

/** What it is asked for; of the inbox it tells by a kind that is none of an event. */
const KINDS = ["issue.*", "notifications"] as unknown as readonly EventKind[];

/** So many addresses are offered again. */
const MOST_ADDRESSES = 10;
const ADDRESSES = "addresses";
/** How long it is waited behind a stream that was refused, and behind one whose past is no longer kept. */
const PAUSE_MS = 60_000;
const SHORT_PAUSE_MS = 1_000;

export class Connection implements vscode.Disposable {
  readonly #states = new vscode.EventEmitter<State>();
  readonly #news = new vscode.EventEmitter<News>();
  readonly #context: vscode.ExtensionContext;
  /** Ends what belongs to the address and key of before. */
  #ends = new AbortController();
  #kb: Kbwork | undefined;
  #key: string | undefined;
  #starting: Promise<void> | undefined;
  state: State = "starting";
  readonly onState = this.#states.event;
  readonly onNews = this.#news.event;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
  }

  get address(): string {
    return addressOf(vscode.workspace.getConfiguration("kbwork").get<string>("address", "")) ?? "";
  }

  /** Begin anew, with the address of the settings and the key that is kept for it. */
  start(): Promise<void> {
    const starting = this.#start(this.#begin());
    return (this.#starting = starting);
  }

  /** Another window of the editor may have signed in or out. */
  async meet(): Promise<void> {
    const { address } = this;
    if (address && (await this.#context.secrets.get(secretOf(address))) !== this.#key) await this.start();
  }

  /** What `work` answers. Rejected with what is wrong, which is kept in mind: `tell` says it. */
  async ask<T>(work: (kb: Kbwork) => Promise<T>): Promise<T> {
    await this.#starting;
    const kb = this.#kb;
    if (!kb) throw new Error(this.address ? words.signedOut(this.address) : words.unnamed);
    try {
      const answer = await work(kb);
      if (kb === this.#kb && this.state !== "refused") this.#stand("online");
      return answer;
    } catch (error) {
      if (kb === this.#kb) this.#note(error);
      throw error;
    }
  }

  /** Do something for the person who asked for it, and say what was in the way. */
  async attempt<T>(work: (kb: Kbwork) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.ask(work);
    } catch (error) {
      await this.tell(error);
      return undefined;
    }
  }

  /** Say what is wrong; where connecting mends it, offer that. */
  async tell(error: unknown): Promise<void> {
    const mends = this.state === "offline" ? words.tryAgain : this.state === "unnamed" ? words.connect : words.signIn;
    const offered = this.state === "online" || this.state === "starting" ? [] : [mends];
    if (await vscode.window.showErrorMessage(`kbwork: ${told(error, this.address)}`, ...offered)) await this.connect();
  }

  /** The one command that mends whatever is in the way: no address, no key, one that ended, or no answer. */
  async connect(): Promise<void> {
    if (!this.address) await this.changeAddress();
    else if (this.state === "offline" || this.state === "online") await this.start();
    else await this.#signIn();
  }

  async changeAddress(): Promise<void> {
    const known = this.#context.globalState.get<string[]>(ADDRESSES, []);
    const chosen = known.length ? await vscode.window.showQuickPick([...known, words.otherAddress], { title: words.address }) : words.otherAddress;
    const said = chosen === words.otherAddress ? await this.#askAddress() : chosen;
    const address = said && addressOf(said);
    if (!address) return;
    const settings = vscode.workspace.getConfiguration("kbwork");
    // A workspace that names an address of its own keeps naming one.
    const own = settings.inspect<string>("address")?.workspaceValue !== undefined;
    await settings.update("address", address, own ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
    await this.start();
    if (this.state === "signedOut") await this.#signIn();
  }

  async signOut(): Promise<void> {
    const { address } = this;
    if (!address) return;
    this.#key = undefined;
    await this.#context.secrets.delete(secretOf(address));
    await this.start();
    void vscode.window.showInformationMessage(words.signedOutNow);
  }

  /** The address of a page. */
  page(path: string): vscode.Uri {
    return vscode.Uri.parse(this.address + path, true);
  }

  dispose(): void {
    this.#ends.abort();
    this.#states.dispose();
    this.#news.dispose();
  }

  async #start({ signal }: AbortController): Promise<void> {
    const { address } = this;
    const key = address ? await this.#context.secrets.get(secretOf(address)) : undefined;
    if (signal.aborted) return this.#starting;
    this.#key = key;
    if (!address) return this.#stand("unnamed");
    if (!key) return this.#stand("signedOut");
    this.#kb = this.#client(address, key);
    void this.#follow(this.#kb, signal);
  }

  #begin(): AbortController {
    this.#ends.abort();
    this.#ends = new AbortController();
    this.#kb = undefined;
    this.#stand("starting");
    return this.#ends;
  }

  #client(url: string, key?: string): Kbwork {
    return kbwork({ url, key, name: "vscode", timeoutMs: 20_000, retries: 1, longestWaitMs: 5_000 });
  }

  #askAddress(): Thenable<string | undefined> {
    return vscode.window.showInputBox({
      title: words.address,
      placeHolder: words.addressHint,
      value: this.address,
      ignoreFocusOut: true,
      validateInput: (said) => (addressOf(said) ? undefined : words.noAddress),
    });
  }

  async #signIn(): Promise<void> {
    const { address } = this;
    const kb = this.#client(address);
    try {
      const key = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, cancellable: true, title: "kbwork" },
        (progress, cancelled) => {
          const ends = new AbortController();
          cancelled.onCancellationRequested(() => ends.abort());
          return kb.device({
            name: `${words.program} (${vscode.env.appName})`.slice(0, 64),
            signal: ends.signal,
            show: ({ url, code }) => {
              progress.report({ message: words.waiting(code, address) });
              // The editor itself asks whether to open it, and offers to copy it.
              void vscode.env.openExternal(vscode.Uri.parse(url, true));
            },
          });
        },
      );
      this.#key = key;
      await this.#context.secrets.store(secretOf(address), key);
      await this.#remember(address);
      await this.start();
      const me = await this.ask((client) => client.auth.me());
      void vscode.window.showInformationMessage(words.welcome(me.member.name));
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      if (error instanceof Unreachable) this.#note(error);
      await this.tell(error);
    }
  }

  async #remember(address: string): Promise<void> {
    const others = this.#context.globalState.get<string[]>(ADDRESSES, []).filter((one) => one !== address);
    await this.#context.globalState.update(ADDRESSES, [address, ...others].slice(0, MOST_ADDRESSES));
  }

  /** Hear what happens until the address or the key is another one. */
  async #follow(kb: Kbwork, signal: AbortSignal): Promise<void> {
    // A stream ends in places that let calls pass: whether the server is there a call says.
    const onBreak = (): void => void this.ask((client) => client.auth.me()).catch(() => {});
    while (!signal.aborted) {
      let pauseMs = PAUSE_MS;
      try {
        for await (const message of kb.stream({ kinds: KINDS, signal, retries: Infinity, onBreak })) {
          if (message.kind === "bye") throw new Problem(401, { title: message.reason });
          this.#heard(message.kind);
        }
      } catch (error) {
        if (signal.aborted) return;
        this.#note(error);
        if (this.state === "refused") return;
        if (error instanceof Problem && error.slug === "stale") pauseMs = SHORT_PAUSE_MS;
      }
      await pause(pauseMs, signal);
    }
  }

  #heard(kind: string): void {
    if (kind === "hello") this.#stand("online");
    // What changed before the stream began, or while it was broken, is told by nobody.
    if (kind === "hello" || kind === "notifications") this.#news.fire("inbox");
    else if (kind.startsWith("issue.")) this.#news.fire("issues");
  }

  #note(error: unknown): void {
    if (error instanceof Unreachable) this.#stand("offline");
    else if (error instanceof Problem && error.status === 401) this.#stand("refused");
  }

  #stand(state: State): void {
    if (state === this.state) return;
    this.state = state;
    void vscode.commands.executeCommand("setContext", "kbwork.state", state);
    this.#states.fire(state);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** As it is kept: without what stands behind the path. Undefined: it is none. */
function addressOf(said: string): string | undefined {
  const address = URL.canParse(said.trim()) ? new URL(said.trim()) : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password) return undefined;
  return (address.origin + address.pathname).replace(/\/+$/, "");
}

/** A key is never handed to another address than the one that gave it. */
const secretOf = (address: string): string => `key of ${address}`;
