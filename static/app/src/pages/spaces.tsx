/** All spaces: those at hand, one's own, and the others; and making one. */
import { useRef, useState } from "preact/hooks";
import type { Space } from "@kbwork/client";
import { openProjects } from "../issues/drafted.ts";
import { remember } from "../store/changes.ts";
import { Sending } from "../store/sending.ts";
import { may, me, myId } from "../store/session.ts";
import { stars } from "../store/stars.ts";
import { tables } from "../store/tables.ts";
import { Icon } from "../ui/icons.tsx";
import { Layer } from "../ui/layer.tsx";
import { go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { TopBar } from "../ui/topbar.tsx";
import { moved, spaces } from "./known.ts";
import { Emblem } from "./marks.tsx";
import { star } from "./menu.tsx";
import { words } from "./texts.ts";

type Which = "all" | "starred" | "mine";

export function Spaces({ wrong }: { wrong: string | undefined }) {
  const [which, setWhich] = useState<Which>("all");
  const [makes, setMakes] = useState(false);
  const [archived, setArchived] = useState(false);
  const all = spaces.value;
  const canMake = may("pages:write") && me.value?.member.role !== "guest";
  const old = all?.filter(({ archived_at }) => archived_at !== null).length ?? 0;
  const shown = (all ?? []).filter((one) => {
    if (one.archived_at !== null && !archived) return false;
    return which === "all" || (which === "mine" ? one.owner === myId.value : stars.value.has(`space:${one.key}`));
  });
  const make = canMake && (
    <button type="button" class="primary" aria-label={words.newSpace} onClick={() => setMakes(true)}>
      <Icon of="plus" /><span class="wide-only">{words.newSpace}</span>
    </button>
  );
  const [empty, what] = { all: [words.emptySpaces, words.emptySpacesWhat], starred: [words.emptyStarred, words.emptyStarredWhat], mine: [words.emptyMine, words.emptySpacesWhat] }[which];
  return (
    <>
      <TopBar title={t.rooms.pages}>
        <div class="switch" role="group" aria-label={words.spaces}>
          {(["all", "starred", "mine"] as const).map((one) => (
            <button key={one} type="button" class="plain" aria-pressed={which === one} onClick={() => setWhich(one)}>{words[one]}</button>
          ))}
        </div>
        <span class="grow" />
        {make}
      </TopBar>
      <div class="page">
        {wrong && !all && <p class="wrong pad">{wrong}</p>}
        {!all && !wrong && <p class="meta pad late-word">{t.loading}</p>}
        {all && !shown.length && <div class="empty"><strong>{empty}</strong><p>{what}</p>{which !== "starred" && make}</div>}
        {shown.length > 0 && <ul class="spaces">{shown.map((one) => <Line key={one.key} space={one} />)}</ul>}
        {old > 0 && !archived && <button type="button" class="plain more" onClick={() => setArchived(true)}>{words.showArchived(old)}</button>}
      </div>
      {makes && <SpaceDialog onClose={() => setMakes(false)} />}
    </>
  );
}

function Line({ space }: { space: Space }) {
  const on = stars.value.has(`space:${space.key}`);
  const title = on ? words.unstarIt(space.name) : words.starIt(space.name);
  return (
    <li class="space">
      <span class="cover" aria-hidden="true"><Emblem of={space.icon} /></span>
      <span class="grow about">
        <span class="bar">
          <a class="cut" data-in href={`/spaces/${space.key}`} dir="auto">{space.name}</a>
          <span class="meta">{space.key}</span>
          {space.archived_at !== null && <span class="chip">{words.archived}</span>}
        </span>
        <span class="meta cut" dir="auto">{space.description.split("\n")[0] || words.kinds[space.kind]}</span>
      </span>
      <span class="meta count">{words.pages(space.pages)}</span>
      <button type="button" class={on ? "mini turned" : "mini"} aria-pressed={on} aria-label={title} title={title} onClick={() => void star(`space:${space.key}`)}>
        <Icon of="star" />
      </button>
    </li>
  );
}

const MOST_KEY = 5;
const ONE_WORD = 4;

/** The first letters of its words; of one word its beginning. */
function keyOf(name: string): string {
  const parts = name.normalize("NFD").toUpperCase().match(/[A-Z0-9]+/g) ?? [];
  const key = parts.length < 2 ? (parts[0] ?? "").slice(0, ONE_WORD) : parts.map((part) => part[0]).join("").slice(0, MOST_KEY);
  return key.replace(/^[0-9]+/, "");
}

function SpaceDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [key, setKey] = useState<string>();
  const [kind, setKind] = useState<Space["kind"]>("team");
  const [visibility, setVisibility] = useState<Space["visibility"]>("org");
  const [project, setProject] = useState("");
  const [description, setDescription] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(new Sending());
  const found = key ?? keyOf(name);
  const led = openProjects().filter((one) => tables.project.get(one.key)?.my_role === "lead" || may("admin"));
  const isOpen = kind === "team" || kind === "kb";
  const make = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setWrong(undefined);
    const taken = spaces.peek()?.some((one) => one.key === found);
    const more = { ...(isOpen && { visibility }), ...(kind === "project" && { project: project || led[0]?.key }) };
    // An unknown key makes a space; a known one would change it.
    const { seq, wrong: why } = taken
      ? { seq: undefined, wrong: words.keyTaken(found) }
      : await sending.current.send("spaces.save", { key: found, name, kind, description, ...more });
    if (seq === undefined) {
      setWrong(why);
      setBusy(false);
      return;
    }
    remember(words.newSpace, seq);
    moved.value++;
    onClose();
    go(`/spaces/${found}`);
  };
  return (
    <Layer label={words.newSpace} kind="dialog" onClose={onClose}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <h2>{words.newSpace}</h2>
        <label class="field">
          {t.name}
          <input value={name} maxLength={200} required autocomplete="off" dir="auto" onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          {t.key}
          <input value={found} minLength={2} maxLength={20} required autocomplete="off" onInput={(event) => setKey(event.currentTarget.value.toUpperCase())} />
          <span class="meta">{words.keyWhat(found || "HAND")}</span>
        </label>
        <label class="field">
          {words.kind}
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Space["kind"])}>
            {(["team", "kb", ...(led.length ? (["project"] as const) : []), "personal"] as const).map((one) => <option key={one} value={one}>{words.kinds[one]}</option>)}
          </select>
          <span class="meta">{words.kindsWhat[kind]}</span>
        </label>
        {kind === "project" && (
          <label class="field">
            {words.project}
            <select value={project || led[0]?.key} onChange={(event) => setProject(event.currentTarget.value)}>
              {led.map((one) => <option key={one.key} value={one.key}>{one.name}</option>)}
            </select>
          </label>
        )}
        {isOpen && (
          <label class="field">
            {words.visibility}
            <select value={visibility} onChange={(event) => setVisibility(event.currentTarget.value as Space["visibility"])}>
              {(["org", "members", ...(kind === "kb" ? (["public"] as const) : [])] as const).map((one) => <option key={one} value={one}>{words.visibilities[one]}</option>)}
            </select>
          </label>
        )}
        <label class="field">
          {words.description}
          <textarea rows={2} dir="auto" value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
        </label>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy}>{words.makeSpace}</button>
        </div>
      </form>
    </Layer>
  );
}
