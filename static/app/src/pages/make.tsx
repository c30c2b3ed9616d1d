/** Making a page from anywhere, and finding one. What is written stays until it is made or thrown away. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageSummary, PageTemplate } from "@kbwork/client";
import { dismiss, type OfPage } from "../issues/asked.ts";
import { remember } from "../store/changes.ts";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { Sending } from "../store/sending.ts";
import { away, server } from "../store/server.ts";
import { Combobox } from "../ui/combobox.tsx";
import { Layer } from "../ui/layer.tsx";
import { rankBy } from "../ui/match.ts";
import { go, here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { flat, turn } from "./branches.ts";
import { byAddress, fetchSpaces, fetchTree, moved, spaces, trees } from "./known.ts";
import { Emblem } from "./marks.tsx";
import { editing } from "./menu.tsx";
import { words } from "./texts.ts";

const MOST = 12;

export function PageDialog({ of }: { of: OfPage }) {
  useEffect(() => void fetchSpaces().catch(() => undefined), []); // what was here before is chosen from
  return of.what === "make" ? <Make of={of} /> : <Find />;
}

/** The space and the page that one looks at. */
function around(): { space?: string; page?: string } {
  const place = here.peek();
  if (place.name !== "room" || place.room !== "pages") return {};
  const [first, second = "", third = ""] = place.path;
  if (first === "spaces") return { space: second.toUpperCase() };
  const page = byAddress(/^\d+$/.test(second) ? second : `${second}/${third}`)?.page;
  return page ? { space: page.space, page: page.id } : {};
}

interface Fields {
  readonly title: string;
  readonly template: number | null;
  readonly draft: boolean;
}

const NAME = "page.new";
const EMPTY: Fields = { title: "", template: null, draft: false };

function Make({ of }: { of: Extract<OfPage, { what: "make" }> }) {
  const beside = useMemo(around, []);
  const [fields, setFields] = useState<Fields>(() => ({ ...EMPTY, ...(JSON.parse(draftOf(NAME) || "{}") as Partial<Fields>) }));
  const [chosen, setSpace] = useState(of.space ?? beside.space);
  const [parent, setParent] = useState(of.parent ?? (of.space ? "" : (beside.page ?? "")));
  const [templates, setTemplates] = useState<readonly PageTemplate[]>([]);
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(new Sending());
  const writable = (spaces.value ?? []).filter(({ my_level, archived_at }) => archived_at === null && my_level !== "view" && my_level !== "comment");
  const space = writable.find(({ key }) => key === chosen) ?? writable[0];
  useEffect(() => {
    if (!space) return;
    let late = false;
    fetchTree(space.key).catch(() => undefined); // it stands at the top, then
    server.pages.templates({ space: space.key }).then((found) => late || setTemplates(found), () => undefined); // with an empty page, then
    return () => {
      late = true;
    };
  }, [space?.key]);
  const branches = flat(space ? (trees.value.get(space.key) ?? []) : []);
  const below = branches.some(({ node }) => node.id === parent) ? parent : "";
  const set = (part: Partial<Fields>): void => {
    const next = { ...fields, ...part };
    setFields(next);
    keepDraft(NAME, next.title ? JSON.stringify(next) : "");
  };
  const make = async (): Promise<void> => {
    if (busy || !space) return;
    setBusy(true);
    setWrong(undefined);
    const { title, template, draft } = fields;
    const input = { space: space.key, title: title.trim(), draft, ...(below && { parent: below }), ...(template !== null && { template }) };
    const { data, seq, wrong: why } = await sending.current.send("pages.create", input);
    if (seq === undefined || !data) {
      setWrong(why);
      setBusy(false);
      return;
    }
    remember(words.makeIt(title), seq);
    keepDraft(NAME, "");
    if (below) turn(below, true);
    await Promise.allSettled([fetchTree(space.key)]);
    moved.value++;
    dismiss();
    editing.value = data.id;
    go(`/pages/${data.id}`);
  };
  return (
    <Layer label={t.newPage} kind="dialog" onClose={dismiss}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <h2>{t.newPage}</h2>
        <label class="field">
          {words.title}
          <input value={fields.title} maxLength={500} required autocomplete="off" dir="auto" onInput={(event) => set({ title: event.currentTarget.value })} />
        </label>
        <div class="bar wraps">
          <label class="field grow">
            {words.space}
            <select value={space?.key} onChange={(event) => (setSpace(event.currentTarget.value), setParent(""))}>
              {writable.map(({ key, name }) => <option key={key} value={key}>{name}</option>)}
            </select>
          </label>
          <label class="field grow">
            {words.parent}
            <select value={below} onChange={(event) => setParent(event.currentTarget.value)}>
              <option value="">{words.atTop}</option>
              {branches.map(({ node, level }) => <option key={node.id} value={node.id}>{`${"\u2003".repeat(level - 1)}${node.title}`}</option>)}
            </select>
          </label>
        </div>
        <label class="field">
          {words.template}
          <select value={fields.template ?? ""} onChange={(event) => set({ template: event.currentTarget.value ? Number(event.currentTarget.value) : null })}>
            <option value="">{words.empty}</option>
            {templates.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </select>
        </label>
        <label class="bar"><input type="checkbox" checked={fields.draft} onChange={() => set({ draft: !fields.draft })} /> {words.asDraft}</label>
        {spaces.value && !writable.length && <p class="meta">{words.noSpaceYet}</p>}
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={() => (keepDraft(NAME, ""), dismiss())}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy || !space}>{words.makePage}</button>
        </div>
      </form>
    </Layer>
  );
}

function Find() {
  const [text, setText] = useState("");
  const [on, setOn] = useState(0);
  const [found, setFound] = useState<readonly PageSummary[]>([]);
  useEffect(() => {
    let late = false;
    const ask = (): void =>
      void server.pages.list({ limit: 50, ...(text.trim() && { q: text.trim() }) }).then(
        ({ items }) => late || setFound(items),
        (error: unknown) => away(error) || reportError(error),
      );
    const timer = setTimeout(ask, text ? 120 : 0);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [text]);
  const shown = (text.trim() ? rankBy(text, found, ({ title }) => title) : found).slice(0, MOST);
  const take = ({ path }: PageSummary): void => {
    dismiss();
    queueMicrotask(() => go(path));
  };
  return (
    <Layer label={words.find} kind="palette" onClose={dismiss}>
      <Combobox
        label={words.find}
        text={text}
        onText={setText}
        entries={shown}
        on={Math.min(on, Math.max(0, shown.length - 1))}
        onMove={setOn}
        onTake={take}
        keyOf={({ id }) => id}
        isSelected={(_, at) => at === on}
      >
        {({ icon, title, space, state }) => (
          <>
            <span class="mark"><Emblem of={icon} /></span>
            <span class="grow cut" dir="auto">{title}</span>
            {state === "draft" && <span class="chip">{words.draft}</span>}
            <span class="meta">{spaces.value?.find(({ key }) => key === space)?.name ?? space}</span>
          </>
        )}
      </Combobox>
    </Layer>
  );
}
