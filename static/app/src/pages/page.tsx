/** A page as it is read: its text, what is known of it, what hangs on it and what was said. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Comment, Page } from "@kbwork/client";
import { Dot, nameOf, Who } from "../issues/marks.tsx";
import { Remarks, Rich } from "../screens/parts.tsx";
import { nowMs } from "../store/clock.ts";
import { draftOf } from "../store/drafts.ts";
import { tables } from "../store/tables.ts";
import { Coming } from "../talk/coming.tsx";
import { Thread } from "../talk/comments.tsx";
import { Write } from "../talk/write.tsx";
import { Icon } from "../ui/icons.tsx";
import { Part } from "../ui/later.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { day, exactly, t, when } from "../ui/texts.ts";
import { done } from "./act.ts";
import { draftName, Editor } from "./editor.tsx";
import { edits, type Found } from "./known.ts";
import { Emblem } from "./marks.tsx";
import { chooseLabels, chooseOwner, editing } from "./menu.tsx";
import { Others } from "./presence.tsx";
import { words } from "./texts.ts";
import { aroundOf, tick, topicOf } from "./topic.ts";

/** A shorter text needs no list of its headings. */
const LONG = 3;
const DAY_S = 86_400;

export function PageView({ whole }: { whole: Found }) {
  const { page } = whole;
  const canEdit = edits(page);
  useEffect(() => {
    // Whoever may write here finds the editor at hand.
    if (canEdit) (window.requestIdleCallback ?? setTimeout)(() => void Rich.fetch().catch(() => undefined));
  }, [canEdit]);
  if (editing.value === page.id && canEdit) return <Editor key={page.id} page={page} />;
  return (
    <article class="page-text" aria-label={page.title} key={page.id}>
      <States page={page} canEdit={canEdit} />
      <h1 dir="auto">{page.icon && <Emblem of={page.icon} />} {page.title}</h1>
      <Facts page={page} canEdit={canEdit} />
      <Text whole={whole} canEdit={canEdit} />
      <Around whole={whole} />
      <Talked page={page} comments={whole.comments} canComment={speaks(page)} />
    </article>
  );
}

function speaks({ my_level, state }: Page): boolean {
  return my_level !== "view" && state !== "archived";
}

function States({ page, canEdit }: { page: Page; canEdit: boolean }) {
  const publish = (): void => void done(words.published(page.title), "pages.publish", { id: page.id });
  const goOn = <button type="button" onClick={() => (editing.value = page.id)}>{words.goOn}</button>;
  return (
    <>
      {page.state === "archived" && <p class="state" role="note">{words.archivedState}</p>}
      {page.state === "draft" && (
        <div class="state bar" role="note">
          <span class="grow">{words.draftState}</span>
          {canEdit && <button type="button" class="primary" onClick={publish}>{words.publish}</button>}
        </div>
      )}
      {(page.has_draft || draftOf(draftName(page.id))) && page.state === "published" && (
        <div class="state bar" role="note"><span class="grow">{words.unpublished}</span>{canEdit && goOn}</div>
      )}
      <Others id={page.id} />
    </>
  );
}

function Facts({ page, canEdit }: { page: Page; canEdit: boolean }) {
  const owner = nameOf(page.owner) ?? page.owner;
  const isOver = page.verified_until !== null && page.verified_until * 1000 < nowMs();
  const until = page.verified_until === null ? "" : day(new Date(page.verified_until * 1000).toISOString().slice(0, 10));
  return (
    <p class="facts bar wraps">
      <button type="button" class="chip" disabled={!canEdit || page.limits === null} title={`${words.owner}: ${owner}`} onClick={(event) => chooseOwner(page, event.currentTarget)}>
        <Who id={page.owner} /> {owner}
      </button>
      {page.labels.map((name) => <span class="chip" key={name}><Dot color={tables.label.all().find((one) => one.name === name)?.color ?? "currentColor"} /> {name}</span>)}
      {canEdit && (
        <button type="button" class={page.labels.length ? "mini" : "chip adds"} aria-label={words.addLabels} title={words.addLabels} onClick={(event) => chooseLabels(page, event.currentTarget)}>
          <Icon of="plus" />{!page.labels.length && words.labels}
        </button>
      )}
      {until && (
        <span class={isOver ? "chip over" : "chip checked"} title={nameOf(page.verified_by ?? undefined) ?? ""}>
          <Icon of={isOver ? "blocked" : "check"} /> {isOver ? words.checkOver(until) : words.checked(until)}
        </span>
      )}
      {page.locked && <span class="chip" title={words.lockedWhat}>{words.lockedState}</span>}
      {page.restricted && <span class="chip"><Icon of="eye" /> {words.restrictedState}</span>}
      <span class="meta" title={exactly(page.updated_at)}>
        {words.changedBy(nameOf(page.updated_by) ?? page.updated_by, when(page.updated_at))}
        {page.updated_at - page.created_at > DAY_S && page.counts.views_30d > 0 && ` · ${words.views(page.counts.views_30d)}`}
      </span>
    </p>
  );
}

function Text({ whole: { page, tasks, comments }, canEdit }: { whole: Found; canEdit: boolean }) {
  const ticks = useMemo(() => new Set(tasks.map(({ line }) => line)), [tasks]);
  const around = aroundOf(page.space);
  /** The line whose box has the focus, which a text that is drawn anew takes away. */
  const held = useRef<string>(undefined);
  useEffect(() => {
    // A link may lead to a heading, which is there when the text is drawn.
    const name = decodeURIComponent(location.hash.slice(1));
    if (name) requestAnimationFrame(() => document.getElementById(name)?.scrollIntoView());
  }, [page.id, location.hash]);
  if (!page.body.trim()) {
    return (
      <div class="no-text">
        <p class="meta">{words.noText} {canEdit && words.noTextWhat}</p>
      </div>
    );
  }
  const onDrawn = (prose: HTMLElement): void => {
    if (held.current && document.activeElement === document.body) queueMicrotask(() => prose.querySelector<HTMLElement>(`.tick[data-line="${held.current}"]`)?.focus());
    const headings = [...prose.querySelectorAll("h2, h3, h4, h5, h6")];
    if (headings.length === page.headings.length) headings.forEach((one, at) => (one.id = page.headings[at]!.anchor));
    for (const box of prose.querySelectorAll<HTMLElement>(".tick")) {
      box.role = "checkbox";
      box.ariaChecked = String(box.textContent === "☑");
      box.ariaLabel = box.parentElement?.textContent?.replace(/[☐☑]/g, "").trim() ?? "";
      if (canEdit) box.tabIndex = 0;
      else box.ariaDisabled = "true";
    }
  };
  const ticked = (event: Event): void => {
    const line = (event.target as Element).closest<HTMLElement>(".tick")?.dataset["line"];
    if (!line || !canEdit) return;
    event.preventDefault();
    void tick(page.id, Number(line));
  };
  return (
    <div class="text-and-contents">
      <div
        class="text remarked"
        onClick={ticked}
        onFocusIn={(event) => {
          held.current = (event.target as HTMLElement).dataset["line"];
        }}
        onFocusOut={(event) => {
          if (event.relatedTarget) held.current = undefined;
        }}
        onKeyDown={(event) => {
          if (event.key === " " || event.key === "Enter") ticked(event);
        }}
      >
        <Markdown text={page.body} ticks={ticks} onDrawn={onDrawn} {...around} />
        <Part of={Remarks} props={{ topic: topicOf(page), comments, canComment: speaks(page) }} />
      </div>
      {page.headings.length >= LONG && <Contents page={page} />}
    </div>
  );
}

function Contents({ page: { headings } }: { page: Page }) {
  const top = Math.min(...headings.map(({ level }) => level));
  return (
    <nav class="contents" aria-label={words.contents}>
      <h2 class="meta">{words.contents}</h2>
      <ul>
        {headings.map(({ level, text, anchor }) => (
          <li key={anchor} style={{ "--level": level - top }}>
            <a
              href={`#${anchor}`}
              class="cut"
              onClick={(event) => {
                event.preventDefault();
                history.replaceState(history.state, "", `${location.pathname}#${anchor}`);
                document.getElementById(anchor)?.scrollIntoView();
              }}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The pages around a page: those below it, and those that name it. */
function Around({ whole: { children, backlinks } }: { whole: Found }) {
  return (
    <>
      {children.length > 0 && (
        <section aria-label={words.children}>
          <h2>{words.children}</h2>
          <ul class="lines">
            {children.map((one) => (
              <li key={one.id} class="bar">
                <Emblem of={one.icon} />
                <a class="cut grow" data-in href={one.path} dir="auto">{one.title}</a>
                {one.state === "draft" && <span class="chip">{words.draft}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {backlinks.length > 0 && (
        <section aria-label={words.backlinks}>
          <h2>{words.backlinks}</h2>
          <ul class="lines">
            {backlinks.map(({ subject, title, excerpt }) => (
              <li key={subject}>
                <a data-in href={`/pages/${subject.split(":")[1]}`} dir="auto">{title}</a>
                <p class="meta cut">{excerpt}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Talked({ page, comments, canComment }: { page: Page; comments: readonly Comment[]; canComment: boolean }) {
  const topic = topicOf(page);
  const threads = comments.filter(({ parent }) => parent === null);
  if (!threads.length && !canComment) return null;
  return (
    <section aria-label={words.comments}>
      <h2>{words.comments}</h2>
      <ol class="comments" aria-label={t.comments}>
        {threads.map((one) => <Thread key={one.id} topic={topic} starter={one} comments={comments} canComment={canComment} />)}
      </ol>
      <ul><Coming subject={topic.subject} /></ul>
      {canComment && <Write topic={topic} />}
    </section>
  );
}
