/** The Git of the editor, where there is one: the branch that is checked out, and where a line is to be seen by others. */
import * as vscode from "vscode";

/** What is used of `vscode.git`. */
export interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD: { readonly name?: string; readonly commit?: string } | undefined;
    readonly remotes: readonly { readonly name: string; readonly fetchUrl?: string }[];
    readonly onDidChange: vscode.Event<void>;
  };
  getBranch(name: string): Promise<unknown>;
  createBranch(name: string, checkout: boolean): Promise<void>;
  checkout(name: string): Promise<void>;
}

export interface Git {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
  getRepository(uri: vscode.Uri): Repository | null;
}

let asked: Promise<Git | undefined> | undefined;

/** Undefined: the extension is not there, or is switched off. */
export function git(): Promise<Git | undefined> {
  asked ??= find();
  return asked;
}

async function find(): Promise<Git | undefined> {
  try {
    const extension = vscode.extensions.getExtension<{ getAPI(version: 1): Git }>("vscode.git");
    return (await extension?.activate())?.getAPI(1);
  } catch {
    return undefined;
  }
}

/** The repository of the text that is open, else the first. */
export function repositoryHere(found: Git | undefined): Repository | undefined {
  const open = vscode.window.activeTextEditor?.document.uri;
  return (open && found?.getRepository(open)) || found?.repositories[0];
}

/** How the branch of an issue is called. */
export function branchName(form: string, key: string, title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const short = words.length > 50 ? words.slice(0, 50).replace(/-[^-]*$/, "") : words;
  return (form || "{key}-{title}").replaceAll("{key}", key).replaceAll("{title}", short).replace(/[-/.]+$/, "");
}

/** What `git check-ref-format` takes, in short. */
export function isBranchName(name: string): boolean {
  return !/^[-/.]|\.\.|\/[/.]|[\u0000-\u0020~^:?*[\\\u007f]|@\{|[/.]$|\.lock(?:\/|$)|^@?$/.test(name);
}

/** Where others see a line, at the commit that is checked out; undefined where the host is not known to show lines. */
export function permalink(repository: Repository, file: vscode.Uri, line: number): string | undefined {
  const { HEAD, remotes } = repository.state;
  const remote = remotes.find(({ name }) => name === "origin") ?? remotes[0];
  const path = pathIn(repository.rootUri, file);
  const place = remote?.fetchUrl && placeOf(remote.fetchUrl);
  if (!HEAD?.commit || !path || !place) return undefined;
  const parts = path.split("/").map(encodeURIComponent).join("/");
  if (/bitbucket/i.test(place)) return `${place}/src/${HEAD.commit}/${parts}#lines-${line}`;
  if (/gitea|forgejo|codeberg/i.test(place)) return `${place}/src/commit/${HEAD.commit}/${parts}#L${line}`;
  return `${place}${/gitlab/i.test(place) ? "/-" : ""}/blob/${HEAD.commit}/${parts}#L${line}`;
}

/** The page of a repository, without whatever name and password its address holds; undefined: it is a folder. */
function placeOf(remote: string): string | undefined {
  const found = /^(?:https?:\/\/(?:[^@/]*@)?|ssh:\/\/(?:[^@/]*@)?|(?:[^@/:]+@)(?=[^/:]+:))([^/:]+)(?::(\d+)(?=\/))?[:/]+(.+?)(?:\.git)?\/*$/.exec(remote);
  if (!found) return undefined;
  const [, host, port, path] = found;
  const own = port && remote.startsWith("http") ? `:${port}` : "";
  return `${remote.startsWith("http:") ? "http" : "https"}://${host}${own}/${path}`;
}

/** Undefined: it stands elsewhere. */
export function pathIn(root: vscode.Uri, file: vscode.Uri): string | undefined {
  const folder = root.path.replace(/\/*$/, "/");
  return file.path.startsWith(folder) ? file.path.slice(folder.length) : undefined;
}
