/** Who sees a request: whoever asked, and who takes part. */
import type { DeskRequesterSet, RequestPeople } from "@kbwork/client";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { away, server } from "../store/server.ts";
import { Avatar, Icon } from "../ui/icons.tsx";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { t } from "../ui/texts.ts";
import { CustomerNames } from "./create.tsx";
import { w } from "./texts.ts";

interface PeopleProps {
  /** Key of the request. */
  readonly of: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function People({ of: key, onClose, onDone }: PeopleProps) {
  const [found, setFound] = useState<RequestPeople>();
  const [add, setAdd] = useState("");
  const [asked, setAsked] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const list = useId();
  const first = useRef<HTMLInputElement>(null);
  const isHere = found !== undefined;
  useEffect(() => first.current?.focus(), [isHere]); // it comes behind the dialog
  const put = async (change: Omit<DeskRequesterSet, "key">): Promise<boolean> => {
    setWrong(undefined);
    try {
      setFound(await server.desk.requester_set({ key, ...change }));
      return true;
    } catch (error) {
      setWrong(away(error) ? t.noAnswer : (error as Error).message);
      return false;
    }
  };
  useEffect(() => void put({}), []); // without a change it says who they are
  const change = async (of: Omit<DeskRequesterSet, "key">): Promise<void> => {
    if (!(await put(of))) return;
    say(w.changed);
    setAdd("");
    setAsked(undefined);
    onDone();
  };
  return (
    <Layer label={w.people} kind="dialog" onClose={onClose}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          if (add.trim()) void change({ add: [add.trim()] });
        }}
      >
        <h2>{w.people}</h2>
        <p class="meta">{w.peopleWhat}</p>
        {found && (
          <>
            <label class="field">
              {w.requester}
              <span class="bar">
                <input class="grow" list={list} value={asked ?? found.requester.email} onInput={(event) => setAsked(event.currentTarget.value)} />
                <button type="button" disabled={!asked?.trim() || asked === found.requester.email} onClick={() => void change({ requester: asked!.trim() })}>{w.change}</button>
              </span>
            </label>
            {found.participants.length > 0 && (
              <ul class="people" aria-label={w.takesPart}>
                {found.participants.map(({ id, name, email }) => (
                  <li key={id}>
                    <Avatar id={`customer:${id}`} name={name} />
                    <span class="grow cut" dir="auto">{name} <span class="meta">{email}</span></span>
                    <button type="button" class="mini" aria-label={w.remove(name)} onClick={() => void change({ remove: [String(id)] })}><Icon of="close" /></button>
                  </li>
                ))}
              </ul>
            )}
            <label class="field">
              {w.addPerson}
              <span class="bar">
                <input ref={first} class="grow" list={list} autocomplete="off" value={add} onInput={(event) => setAdd(event.currentTarget.value)} />
                <button type="submit" disabled={!add.trim()}>{w.add}</button>
              </span>
              <span class="meta">{w.addWhat}</span>
            </label>
            <CustomerNames id={list} />
          </>
        )}
        {!found && !wrong && <p class="meta">{t.loading}</p>}
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        <div class="bar"><span class="grow" /><button type="button" class="plain" onClick={onClose}>{t.close}</button></div>
      </form>
    </Layer>
  );
}
