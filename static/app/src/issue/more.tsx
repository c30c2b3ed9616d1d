/** What else can be done with an issue: to watch it, to star it, and what stands behind the three dots. */
import type { Issue as WholeIssue } from "@kbwork/client";
import { askModel, choose, openMyChanges } from "../issues/asked.ts";
import type { Issue } from "../store/kinds.ts";
import { canAsk } from "../store/models.ts";
import { keeps, works } from "../store/rights.ts";
import { take } from "../store/stars.ts";
import { copy } from "../ui/clipboard.ts";
import { say } from "../ui/notes.tsx";
import { go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { Dots, Turn } from "../ui/turn.tsx";
import { act } from "./act.ts";
import { show } from "./details.ts";
import { words } from "./texts.ts";

/** `since`: where one had seen it, as `askModel` takes it. */
export function More({ issue, whole, since }: { issue: Issue; whole: WholeIssue; since: number | undefined }) {
  const put = (part: Partial<WholeIssue>): void => show(issue.id, { whole: { ...whole, ...part } });
  const watch = async (): Promise<void> => {
    const on = !whole.watching;
    if (await act(on ? words.watch : words.unwatch, "issues.watch", { key: issue.key, on })) put({ watching: on });
  };
  const star = async (): Promise<void> => {
    const on = !whole.starred;
    const all = await act(on ? words.star : words.unstar, "stars.set", { subject: issue.key, on });
    if (!all) return;
    put({ starred: on });
    await take(all).catch(() => undefined); // it stands there already, and leads where its kind does
  };
  return (
    <>
      {issue.level !== null && <span class="chip">{words.privateMark}</span>}
      {whole.archived_at !== null && <span class="chip">{words.archived}</span>}
      {whole.locked && <span class="chip">{words.locked}</span>}
      <Turn of="eye" on={whole.watching} title={whole.watching ? words.unwatch : words.watch} onClick={() => void watch()} />
      <Turn of="star" on={whole.starred} title={whole.starred ? words.unstar : words.star} onClick={() => void star()} />
      <Dots title={words.more} onClick={(at) => choose({ label: words.more, at, options: optionsFor(issue, whole, since) })} />
    </>
  );
}

interface Option {
  readonly title: string;
  readonly run: () => void;
}

function optionsFor(issue: Issue, whole: WholeIssue, since: number | undefined): Option[] {
  const { key } = issue;
  const title = `${issue.key} ${issue.title}`;
  const found: Option[] = [{ title: words.copyLink, run: () => copy(location.origin + whole.path) }];
  if (canAsk.value) found.push({ title: t.askModel, run: () => askModel({ subject: `issue:${key}`, title: key, since }) });
  if (whole.can.edit) {
    found.push({
      title: words.copy,
      run: () =>
        void act(words.copied(key), "issues.copy", { key, with: ["checklists"] }).then((made) => {
          if (made) say(words.copied(key), { title: t.open, run: () => go(`/issues/${made.key}`) });
        }),
    });
    found.push({ title: words.archive, run: () => void act(`${words.archive} ${title}`, "issues.archive", { keys: [key], on: true }) });
  }
  if (keeps(issue.project)) {
    const on = !whole.locked;
    found.push({ title: on ? words.lock : words.unlock, run: () => void act(on ? words.lock : words.unlock, "issues.lock", { key, on }) });
  }
  const { request } = whole;
  if (request && works(issue.project)) {
    const spam = (block: boolean): void => void import("../desk/index.tsx").then((desk) => desk.markSpam(issue, request, block));
    found.push({ title: words.spam, run: () => spam(false) }, { title: words.spamAndBlock, run: () => spam(true) });
  }
  if (whole.can.delete) {
    found.push({
      title: words.toTrash,
      run: () => void act(`${words.toTrash} ${title}`, "issues.delete", { key }).then((done) => done && say(words.trashed(key), { title: t.myChanges, run: openMyChanges })),
    });
  }
  return found;
}
