/** How much each can do in a sprint, beside what they have in it. What is written stays until it is saved. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { SprintLoad } from "@kbwork/client";
import { Who } from "../issues/marks.tsx";
import { remember } from "../store/changes.ts";
import { draftOf, keepDraft } from "../store/drafts.ts";
import { Sending } from "../store/sending.ts";
import { away, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { compare, t } from "../ui/texts.ts";
import { words } from "./texts.ts";

/** By member; nothing: none is said. */
type Written = Readonly<Record<string, string>>;

export function SprintCapacity({ id }: { id: number }) {
  const draft = `sprint.capacity.${id}`;
  const [isOpen, setOpen] = useState(() => draftOf(draft) !== "");
  const [load, setLoad] = useState<readonly SprintLoad[]>();
  const [written, setWritten] = useState<Written>(() => JSON.parse(draftOf(draft) || "{}") as Written);
  const now = useRef(written);
  const [wrong, setWrong] = useState<string>();
  const [state, setState] = useState<"" | "busy" | "saved">("");
  useEffect(() => {
    if (!isOpen) return;
    server.sprints.plan({ id }).then((plan) => setLoad(plan.load), (error: unknown) => setWrong(away(error) ? t.noAnswer : (error as Error).message));
  }, [isOpen, id]);
  const set = (next: Written): void => {
    now.current = next;
    setWritten(next);
    setState("");
    keepDraft(draft, Object.keys(next).length ? JSON.stringify(next) : "");
  };
  const save = async (): Promise<void> => {
    if (state === "busy" || !Object.keys(written).length) return;
    setState("busy");
    setWrong(undefined);
    const { seq, wrong: why } = await send(id, written);
    setWrong(why);
    if (seq === undefined) return setState("");
    remember(words.capacity, seq);
    const said = Object.entries(written).map(([member, text]) => ({ member, capacity: text === "" ? null : Number(text) }));
    setLoad((before = []) => said.reduce((all, one) => changed(all, one), before));
    // What was written meanwhile is still to be saved.
    const left = Object.entries(now.current).filter(([member, text]) => written[member] !== text);
    set(Object.fromEntries(left));
    setState(left.length ? "" : "saved");
  };
  const people = (load ?? []).filter(({ member }) => tables.member.watch(member));
  const rows = [...people, ...Object.keys(written).filter((who) => !people.some(({ member }) => member === who)).map(nothingOf)];
  const others = tables.member.all().filter((one) => one.state === "active" && !rows.some(({ member }) => member === one.id)).sort((one, other) => compare(one.name, other.name));
  return (
    <details class="can" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.capacity}</summary>
      <p class="meta">{words.capacityWhat}</p>
      {isOpen && !load && !wrong && <p class="meta late-word">{t.loading}</p>}
      <ul>
        {rows.map((one) => (
          <Row key={one.member} load={one} text={written[one.member]} onText={(text) => set({ ...written, [one.member]: text })} onEnter={() => void save()} />
        ))}
      </ul>
      {wrong && <p class="wrong" role="alert">{wrong}</p>}
      <div class="bar">
        <select aria-label={words.add} value="" onChange={(event) => event.currentTarget.value && set({ ...written, [event.currentTarget.value]: "" })}>
          <option value="">{words.add}</option>
          {others.map(({ id: who, name }) => <option key={who} value={who}>{name}</option>)}
        </select>
        <button type="button" disabled={state === "busy" || !Object.keys(written).length} onClick={() => void save()}>{words.saveCapacity}</button>
        <span class="meta" role="status">{state === "saved" && words.saved}</span>
      </div>
    </details>
  );
}

interface RowProps {
  readonly load: SprintLoad;
  readonly text: string | undefined;
  readonly onText: (text: string) => void;
  readonly onEnter: () => void;
}

function Row({ load: { member, planned, capacity, absent_days }, text, onText, onEnter }: RowProps) {
  const name = tables.member.watch(member)?.name ?? member;
  const can = text === undefined ? capacity : text === "" ? null : Number(text);
  return (
    <li class="bar">
      <Who id={member} />
      <span class="grow cut" dir="auto">{name}</span>
      <span class="meta">{words.planned(planned)}{absent_days > 0 && ` · ${words.absent(absent_days)}`}</span>
      {can !== null && planned > can && <span class="late">{words.over(planned - can)}</span>}
      <input
        type="number"
        min={0}
        step="any"
        aria-label={words.capacityOf(name)}
        value={text ?? capacity ?? ""}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.metaKey || event.ctrlKey) return;
          event.preventDefault(); // it is not the form around it that is sent
          onEnter();
        }}
      />
    </li>
  );
}

function nothingOf(member: string): SprintLoad {
  return { member, planned: 0, capacity: null, absent_days: 0 };
}

function changed(all: readonly SprintLoad[], { member, capacity }: Pick<SprintLoad, "member" | "capacity">): SprintLoad[] {
  const before = all.find((one) => one.member === member) ?? nothingOf(member);
  return [...all.filter((one) => one.member !== member), { ...before, capacity }];
}

/** The whole list as it is now, with what was written: what somebody said of others meanwhile stays. */
async function send(id: number, written: Written): Promise<{ readonly seq?: number; readonly wrong?: string }> {
  try {
    const { capacity } = await server.sprints.get({ id });
    const next: Record<string, number> = { ...capacity };
    for (const [member, text] of Object.entries(written)) {
      if (text === "") delete next[member];
      else next[member] = Number(text);
    }
    return await new Sending().send("sprints.capacity_set", { id, capacity: next });
  } catch (error) {
    return { wrong: away(error) ? t.noAnswer : (error as Error).message };
  }
}
