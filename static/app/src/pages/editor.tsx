/** Writing on a page, where it stands: a draft on the server as one writes, which readers see when it is published. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Page, Problem } from "@kbwork/client";
import type { Together, Unsent } from "../rich/together.ts";
import { useBeat } from "../around/beat.ts";
import { Rich } from "../screens/parts.tsx";
import { nowMs } from "../store/clock.ts";
import { remember } from "../store/changes.ts";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { present } from "../store/present.ts";
import { away, server } from "../store/server.ts";
import { offlineSince } from "../store/session.ts";
import { Wish } from "../store/wish.ts";
import { Coming } from "../talk/coming.tsx";
import { Writing } from "../talk/writing.tsx";
import { written } from "../ui/commands.ts";
import { Part } from "../ui/later.tsx";
import { say } from "../ui/notes.tsx";
import { t, when } from "../ui/texts.ts";
import { done, takeBack } from "./act.ts";
import { isRich, writeRich } from "./how.ts";
import { again, fetchPage, moved, trees } from "./known.ts";
import { editing } from "./menu.tsx";
import { merged } from "./merge.ts";
import { flat } from "./branches.ts";
import { Others } from "./presence.tsx";
import { PublishDialog } from "./publish.tsx";
import { words } from "./texts.ts";
import { topicOf } from "./topic.ts";

interface Text {
  readonly title: string;
  readonly body: string;
}

/** What is written and not on the server, with the version that it was made of. */
interface Kept extends Text {
  readonly version: number;
  /** What of the text is on its way to the others who write on it. */
  readonly unsent?: Unsent | undefined;
}

/** Others wrote in the same place: on the draft, or what readers see. */
interface Conflict {
  readonly theirs: Page;
  readonly of: "draft" | "published";
}

const PAUSE_MS = 1_200;
/** So long letters wait for others, to go together. */
const PUSH_MS = 300;
const RETRY_MS = 3_000;
/** Signs that no text holds, which some programs copy along. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

export const draftName = (id: string): string => `page.${id}`;

export function Editor({ page }: { page: Page }) {
  const [text, setText] = useState<Text>();
  const [status, setStatus] = useState<"saved" | "saving" | "unsaved" | "away">("saved");
  const [savedAt, setSavedAt] = useState<number>();
  const [conflict, setConflict] = useState<Conflict>();
  const [asks, setAsks] = useState(false);
  const now = useRef<Text>({ title: page.title, body: page.body });
  /** What the server has of it, as of which version. */
  const there = useRef<Kept>({ title: page.title, body: page.body, version: page.version });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wish = useRef(new Wish());
  /** The text as those have it who write on it at once; undefined: it is not here yet, or not to be had. */
  const together = useRef<Together>(undefined);
  const isAlone = useRef(false);
  /** What was written here before, for as long as the server may not have it. */
  const restored = useRef<Kept>(undefined);
  /** Others may have written. */
  const isBehind = useRef(false);
  const isTorn = useRef(false);
  /** What was written is where it belongs, or was thrown away. */
  const isDone = useRef(false);
  const turn = useRef<Promise<boolean>>(Promise.resolve(true));
  const name = draftName(page.id);
  const isAway = offlineSince.value !== undefined;

  const put = (next: Text): void => {
    now.current = next;
    setText(next);
  };
  const tear = (next: Conflict | undefined): void => {
    isTorn.current = next?.of === "draft";
    setConflict(next);
  };
  const write = (part: Partial<Text>): void => {
    const next = { ...now.current, ...part };
    put({ ...next, body: next.body.replace(CONTROL, "") });
    if (!isTorn.current) together.current?.write(now.current.body);
    keepDraft(name, JSON.stringify({ ...now.current, version: there.current.version, unsent: together.current?.unsent } satisfies Kept));
    setStatus("unsaved");
    if (together.current) timer.current ??= setTimeout(() => void save(), PUSH_MS);
    else later(PAUSE_MS);
  };
  const later = (pause: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), pause);
  };
  const isUnsaved = (): boolean => {
    const { title, body } = there.current;
    const waits = together.current ? together.current.waits : restored.current !== undefined || now.current.body !== body;
    return waits || now.current.title !== title;
  };
  /** One behind the other. Answers whether the server has what is written. */
  const save = (): Promise<boolean> => {
    clearTimeout(timer.current);
    timer.current = undefined;
    turn.current = turn.current.then(saveOnce, saveOnce);
    return turn.current;
  };
  const saveOnce = async (): Promise<boolean> => {
    if (isTorn.current) return false;
    try {
      if (!together.current) {
        const joined = await join();
        if (joined !== true) return joined === undefined && (await saveAlone());
      }
      return await meet(together.current!);
    } catch (error) {
      wish.current.refused(error);
      setStatus(away(error) ? "away" : "unsaved");
      if (away(error)) later(RETRY_MS);
      else if (error instanceof Error && "theirs" in error) tear({ theirs: { ...page, ...there.current, body: error.theirs as string }, of: "draft" });
      else say((error as Error).message);
      return false;
    }
  };
  /** Write with the others. Answers false where that has to wait, undefined where it cannot be. */
  const join = async (): Promise<boolean | undefined> => {
    if (isAlone.current) return undefined;
    try {
      const { Together } = await import("../rich/index.tsx");
      let made = await Together.begin(page.id, merged, restored.current?.unsent);
      let base = there.current.body;
      if (restored.current && made.wentOn) base = restored.current.body;
      else if (restored.current) {
        if (!(await saveAlone())) return false;
        made = await Together.begin(page.id, merged);
        base = there.current.body;
      }
      restored.current = undefined;
      together.current = made;
      const both = merged(base, made.text, now.current.body);
      if (both === undefined) {
        tear({ theirs: { ...page, ...there.current, body: made.text }, of: "draft" });
        return false;
      }
      made.write(both);
      if (both !== now.current.body) put({ ...now.current, body: both });
      return true;
    } catch (error) {
      if (away(error)) throw error;
      isAlone.current = error instanceof Problem;
      return undefined;
    }
  };
  const meet = async (shared: Together): Promise<boolean> => {
    const { title } = now.current;
    const isNamed = title !== there.current.title && title.trim() !== "";
    const writes = isNamed || shared.waits;
    const all = isBehind.current;
    if (writes) setStatus("saving");
    if (isNamed) {
      await server.ask("pages.update", { id: page.id, title, draft: true }, wish.current);
      wish.current = new Wish();
      there.current = { ...there.current, title };
    }
    isBehind.current = false;
    await shared.meet(all).catch((error: unknown) => {
      isBehind.current = all;
      throw error;
    });
    if (shared.text !== now.current.body) put({ title: now.current.title, body: shared.text });
    if (writes) setSavedAt(nowMs() / 1000);
    const same = !shared.waits && now.current.title === title;
    setStatus(same ? "saved" : "unsaved");
    if (same) keepDraft(name, "");
    return true;
  };
  /** Where letters cannot be sent the text is, as a whole. */
  const saveAlone = async (): Promise<boolean> => {
    const sent = now.current;
    const base = there.current;
    if (sent.body === base.body && (sent.title === base.title || !sent.title.trim())) return true;
    setStatus("saving");
    try {
      const title = sent.title.trim() ? { title: sent.title } : {};
      const { data } = await server.ask("pages.update", { id: page.id, ...title, body: sent.body, draft: true, version: base.version }, wish.current);
      wish.current = new Wish();
      return data ? take(sent, data) : true;
    } catch (error) {
      wish.current.refused(error);
      setStatus(away(error) ? "away" : "unsaved");
      if (away(error)) later(RETRY_MS);
      if (error instanceof Problem && error.slug === "stale") tear({ theirs: error.document["current"] as Page, of: "draft" });
      else if (!away(error)) say((error as Error).message);
      return false;
    }
  };
  /** The server has it, maybe with what others wrote. */
  const take = (sent: Text, { title, body, version }: Page): boolean => {
    there.current = { title, body, version };
    setSavedAt(nowMs() / 1000);
    const mine = now.current;
    const both = merged(sent.body, body, mine.body);
    if (both === undefined) {
      tear({ theirs: { ...page, title, body, version }, of: "draft" });
      return false;
    }
    if (both !== mine.body) {
      put({ title: mine.title, body: both });
      say(words.merged);
    }
    const same = now.current.body === body;
    setStatus(same ? "saved" : "unsaved");
    if (same) keepDraft(name, "");
    return true;
  };
  useEffect(() => {
    let late = false;
    const kept = draftOf(name);
    const begin = (from: Kept): void => {
      if (late) return;
      there.current = from;
      const mine = kept ? (JSON.parse(kept) as Kept) : from;
      if (kept) {
        there.current = { ...from, version: mine.version };
        restored.current = mine;
      }
      put({ title: mine.title, body: mine.body });
      void save();
    };
    const drafted = page.has_draft || page.state === "draft";
    if (drafted) server.pages.get({ id: page.id, draft: true }).then(begin, () => begin(page));
    else begin(page);
    return () => {
      late = true;
      if (!isDone.current && isUnsaved()) void save();
    };
  }, []);
  useEffect(() => {
    if (!isAway && status === "away") void save();
  }, [isAway]);
  const hear = (): void => {
    if (!together.current) return;
    isBehind.current = true;
    void save();
  };
  const clock = Math.max(0, ...(present.value.get(`page:${page.id}`) ?? []).map(({ cursor }) => Number(cursor?.["clock"] ?? 0)));
  useEffect(() => {
    if (together.current?.isBehind(clock)) hear();
  }, [clock]);
  useEffect(hear, [moved.value]);
  useBeat(`page:${page.id}`, "editing");

  /** At once, so that the next key is none of the text; what is not saved yet is saved behind it. */
  const close = (): void => {
    void save().then(() => again(fetchPage(page.id)));
    void show();
  };
  const publish = async (more: { note?: string; notify?: boolean } = {}): Promise<void> => {
    setAsks(false);
    if (!(await save())) return;
    const sent = now.current;
    try {
      const reply = await server.ask("pages.publish", { id: page.id, ...more });
      remember(words.published(page.title), reply.seq);
      say(words.published(sent.title), { title: words.undo, run: () => void takeBack() });
      if (now.current !== sent) write({}); // somebody wrote on
      else await leave();
    } catch (error) {
      if (error instanceof Problem && error.slug === "stale") tear({ theirs: error.document["current"] as Page, of: "published" });
      else say(away(error) ? t.noAnswer : (error as Error).message);
    }
  };
  const leave = async (): Promise<void> => {
    isDone.current = true;
    keepDraft(name, "");
    there.current = { ...now.current, version: there.current.version };
    await show();
    moved.value++;
  };
  /** As readers see it; who came by a key is where the next one is heard. */
  const show = async (): Promise<void> => {
    editing.value = undefined;
    await again(fetchPage(page.id));
    document.querySelector<HTMLElement>(".top .edit")?.focus();
  };
  const discard = async (): Promise<void> => {
    await save(); // what waits would come behind it
    const mine = now.current;
    if (!(await done(words.discarded, "pages.discard", { id: page.id }))) return;
    const back = (): void => {
      keepDraft(name, JSON.stringify({ ...mine, version: page.version } satisfies Kept));
      editing.value = page.id;
    };
    await leave();
    say(words.discarded, { title: words.undo, run: back });
  };
  const keepMine = async ({ theirs, of }: Conflict): Promise<void> => {
    tear(undefined);
    if (of === "draft") {
      there.current = { title: theirs.title, body: theirs.body, version: theirs.version };
      together.current?.write(now.current.body);
      await save();
      return;
    }
    await save();
    const mine = now.current;
    if (!(await done(words.published(mine.title), "pages.update", { id: page.id, title: mine.title, body: mine.body, version: theirs.version }))) return;
    await server.pages.discard({ id: page.id }).catch(() => undefined); // readers have it: the draft says the same
    await leave();
  };
  const takeTheirs = async ({ theirs, of }: Conflict): Promise<void> => {
    tear(undefined);
    if (of === "published") {
      await save(); // what waits would come behind it
      await server.pages.discard({ id: page.id }).catch(() => undefined); // it is written over by the next one
      isBehind.current = true;
    }
    there.current = { title: theirs.title, body: theirs.body, version: theirs.version };
    const shared = together.current;
    put({ title: theirs.title, body: shared && of === "draft" ? shared.text : theirs.body });
    keepDraft(name, "");
    setStatus("saved");
    if (!shared || of === "draft") return;
    await save();
    if (shared.text !== theirs.body) write({ body: theirs.body });
  };

  if (!text) return <p class="meta pad late-word">{t.loading}</p>;
  const titles = (): readonly string[] => flat(trees.peek().get(page.space) ?? []).map(({ node }) => node.title);
  const writing = {
    label: words.writeText,
    value: text.body,
    topic: { ...topicOf(page), titles },
    focused: true,
    onInput: (body: string) => write({ body }),
    onSend: () => void publish(),
    onCancel: () => close(),
  };
  const said = { saved: savedAt ? words.savedAt(when(savedAt)) : "", saving: words.saving, unsaved: words.notSaved, away: words.savedHere }[status];
  return (
    <article class="page-text editor" aria-label={text.title}>
      {conflict && <Both conflict={conflict} mine={text} onMine={() => void keepMine(conflict)} onTheirs={() => void takeTheirs(conflict)} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void publish();
        }}
      >
        <h1>
          <input
            class="big"
            aria-label={words.writeTitle}
            dir="auto"
            maxLength={500}
            required
            value={text.title}
            onInput={(event) => write({ title: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === "Escape") close();
            }}
          />
        </h1>
        <div class="switch how" role="group" aria-label={words.how}>
          <button type="button" class="plain" aria-pressed={isRich.value} onClick={() => writeRich(true)}>{words.rich}</button>
          <button type="button" class="plain" aria-pressed={!isRich.value} onClick={() => writeRich(false)}>{words.markdown}</button>
        </div>
        {isRich.value ? <Part of={Rich} props={writing} /> : <Writing rows={18} most={60} {...writing} />}
        <ul><Coming subject={`page:${page.id}`} /></ul>
        <div class="bar wraps editor-bar">
          <button type="submit" class="primary" disabled={conflict !== undefined}>{words.publish} <kbd>{written("$mod+Enter")}</kbd></button>
          <button type="button" onClick={() => setAsks(true)} disabled={conflict !== undefined}>{words.publishNote}</button>
          <button type="button" class="plain" title={words.closeWhat} onClick={() => close()}>{words.closeEditor} <kbd>Esc</kbd></button>
          {page.state === "published" && (page.has_draft || savedAt !== undefined) && (
            <button type="button" class="plain" onClick={() => void discard()}>{words.discard}</button>
          )}
          <span class="grow" />
          <span class="meta" role="status">{said}</span>
        </div>
        <Others id={page.id} />
      </form>
      {asks && <PublishDialog onPublish={publish} onClose={() => setAsks(false)} />}
    </article>
  );
}

interface BothProps {
  readonly conflict: Conflict;
  readonly mine: Text;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

function Both({ conflict: { theirs }, mine, onMine, onTheirs }: BothProps) {
  return (
    <section class="both" role="alert" aria-label={words.conflict}>
      <h2>{words.conflict}</h2>
      <p>{words.conflictWhat}</p>
      <div class="sides">
        {([[words.theirs, theirs], [words.yours, mine]] as const).map(([title, one]) => (
          <div key={title}>
            <h3>{title}</h3>
            <pre tabIndex={0} aria-label={title} dir="auto">{`${one.title}\n\n${one.body}`}</pre>
          </div>
        ))}
      </div>
      <div class="bar">
        <button type="button" class="primary" onClick={onMine}>{words.keepMine}</button>
        <button type="button" onClick={onTheirs}>{words.takeTheirs}</button>
      </div>
    </section>
  );
}
