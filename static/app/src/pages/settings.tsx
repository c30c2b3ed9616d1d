/** What a space is, who works in it, and putting it away: for those who manage it. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Grant, Space } from "@kbwork/client";
import { remember } from "../store/changes.ts";
import { Sending } from "../store/sending.ts";
import { away, server } from "../store/server.ts";
import { may } from "../store/session.ts";
import { Icon } from "../ui/icons.tsx";
import { say } from "../ui/notes.tsx";
import { Picker } from "../ui/picker.tsx";
import { go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { done, quietly } from "./act.ts";
import { flat } from "./branches.ts";
import { moved, trees } from "./known.ts";
import { everybody } from "./people.tsx";
import { words } from "./texts.ts";

const LEVELS = ["view", "comment", "edit", "manage"] as const;

export function SpaceSettings({ space }: { space: Space }) {
  return (
    <>
      {space.archived_at === null && <About space={space} />}
      {space.archived_at === null && space.kind !== "personal" && <Grants space={space} />}
      <PutAway space={space} />
    </>
  );
}

function About({ space }: { space: Space }) {
  const [name, setName] = useState(space.name);
  const [description, setDescription] = useState(space.description);
  const [visibility, setVisibility] = useState(space.visibility);
  const [home, setHome] = useState(space.home ?? "");
  const [days, setDays] = useState(space.review_days === null ? "" : String(space.review_days));
  const [wrong, setWrong] = useState<string>();
  const sending = useRef(new Sending());
  const isOpen = space.kind === "team" || space.kind === "kb";
  const save = async (): Promise<void> => {
    const input = { key: space.key, name, description, home: home || null, review_days: days ? Number(days) : null, ...(isOpen && { visibility }) };
    const { seq, wrong: why } = await sending.current.send("spaces.save", input);
    setWrong(why);
    if (seq === undefined) return;
    remember(words.saved(space.name), seq);
    say(words.saved(name));
    moved.value++;
  };
  return (
    <form
      class="create space-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label class="field">
        {t.name}
        <input value={name} maxLength={200} required autocomplete="off" dir="auto" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label class="field">
        {words.description}
        <textarea rows={3} dir="auto" value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
      </label>
      {isOpen && (
        <label class="field">
          {words.visibility}
          <select value={visibility} onChange={(event) => setVisibility(event.currentTarget.value as Space["visibility"])}>
            {(["org", "members", "public"] as const).map((one) => <option key={one} value={one}>{words.visibilities[one]}</option>)}
          </select>
        </label>
      )}
      <label class="field">
        {words.homePage}
        <select value={home} onChange={(event) => setHome(event.currentTarget.value)}>
          <option value="">{words.noHome}</option>
          {flat(trees.value.get(space.key) ?? []).map(({ node, level }) => <option key={node.id} value={node.id}>{`${"\u2003".repeat(level - 1)}${node.title}`}</option>)}
        </select>
      </label>
      <label class="field">
        {words.reviewDays}
        <input type="number" min={1} max={3650} value={days} placeholder={words.noReview} onInput={(event) => setDays(event.currentTarget.value)} />
      </label>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      <div class="bar"><button type="submit" class="primary">{t.save}</button></div>
    </form>
  );
}

function Grants({ space }: { space: Space }) {
  const [grants, setGrants] = useState<readonly Grant[]>([]);
  const [wrong, setWrong] = useState<string>();
  const [asks, setAsks] = useState(false);
  const at = useRef<HTMLButtonElement>(null);
  const subject = `space:${space.key}`;
  useEffect(() => {
    let late = false;
    server.access.grants({ subject }).then(
      (found) => late || (setGrants(found), setWrong(undefined)),
      (error: unknown) => late || setWrong(away(error) ? t.noAnswer : (error as Error).message),
    );
    return () => {
      late = true;
    };
  }, [subject, moved.value]);
  const give = (who: string, name: string, level: Grant["level"] | "none"): void => void quietly(words.gave(name), "access.grant_set", { subject, who, level });
  const held = new Set(grants.filter(({ from }) => from === "here").map(({ who }) => who));
  const guests = { value: "role:guest", title: words.guests };
  return (
    <section aria-label={words.people}>
      <h2>{words.people}</h2>
      <p class="meta">{words.peopleWhat}</p>
      {wrong && <p class="wrong">{wrong}</p>}
      <ul class="lines">
        {grants.map(({ who, name, level, from }) => (
          <li key={`${who} ${from}`} class="bar">
            <span class="grow cut" dir="auto">{name}</span>
            {from === "here" ? (
              <>
                <select aria-label={words.level(name)} value={level} onChange={(event) => give(who, name, event.currentTarget.value as Grant["level"])}>
                  {LEVELS.map((one) => <option key={one} value={one}>{words.levels[one]}</option>)}
                </select>
                <button type="button" class="mini" aria-label={words.takeRight(name)} title={words.takeRight(name)} onClick={() => give(who, name, "none")}><Icon of="close" /></button>
              </>
            ) : (
              <span class="meta">{words.levels[level]}, {words.from[from]}</span>
            )}
          </li>
        ))}
      </ul>
      <button type="button" ref={at} onClick={() => setAsks(true)}><Icon of="plus" />{words.addPerson}</button>
      {asks && (
        <Picker
          label={words.addPerson}
          at={at.current}
          options={[...everybody(), guests].filter(({ value }) => !held.has(value))}
          chosen={[]}
          most={50}
          onChoose={(who) => give(who, everybody().find(({ value }) => value === who)?.title ?? words.guests, who === guests.value ? "view" : "edit")}
          onClose={() => setAsks(false)}
        />
      )}
    </section>
  );
}

function PutAway({ space }: { space: Space }) {
  const [typed, setTyped] = useState("");
  const on = space.archived_at === null;
  const archive = (): void => void done((on ? words.archivedOne : words.broughtBack)(space.name), "spaces.archive", { key: space.key, on });
  const remove = (): Promise<unknown> =>
    done(words.deletedSpace(space.name), "spaces.delete", { key: space.key, confirm_key: typed }, () => go("/spaces"));
  return (
    <section aria-label={words.archiveSpace}>
      <h2>{words.archiveSpace}</h2>
      <p class="meta">{words.archiveSpaceWhat}</p>
      <button type="button" onClick={archive}>{on ? words.archiveSpace : words.unarchive}</button>
      {may("admin") && (
        <form
          class="create delete"
          onSubmit={(event) => {
            event.preventDefault();
            void remove();
          }}
        >
          <h2>{words.deleteSpace}</h2>
          <p class="meta">{words.deleteSpaceWhat(space.pages)}</p>
          <label class="field">
            {words.confirmKey(space.key)}
            <input value={typed} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
          </label>
          <div class="bar"><button type="submit" disabled={typed.trim().toUpperCase() !== space.key}>{words.deleteSpace}</button></div>
        </form>
      )}
    </section>
  );
}
