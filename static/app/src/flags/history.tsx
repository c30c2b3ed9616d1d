/** What a flag was: each version with who, when and what differs, and the way back to it. */
import type { Environment, Flag, FlagRevision } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { may } from "../store/session.ts";
import { Avatar } from "../ui/icons.tsx";
import { Layer } from "../ui/layer.tsx";
import { say } from "../ui/notes.tsx";
import { exactly, when } from "../ui/texts.ts";
import { told, useAsked } from "./asked.ts";
import { nameOf } from "./changes.tsx";
import { between } from "./instructions.ts";
import { type Config, configOf, same } from "./model.ts";
import { EnvironmentName, Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { changeWords, type Difference, sentences } from "./words.ts";
import { done, useOnce } from "./writing.ts";

export function History({ flag, environment }: { flag: Flag; environment: Environment }) {
  const [meta, setMeta] = useState(false);
  const [back, setBack] = useState<FlagRevision>();
  const where = { project: flag.project, key: flag.key };
  const asked = useAsked(`history ${flag.project} ${flag.key} ${meta ? "" : environment.key}`, () => server.flags.history({ ...where, ...(!meta && { environment: environment.key }) }));
  return (
    <section class="history">
      <div class="bar headline">
        <label class="check"><input type="checkbox" checked={meta} onChange={(event) => setMeta(event.currentTarget.checked)} /> {t.ofItself}</label>
      </div>
      <Wrong>{asked.data ? undefined : asked.wrong}</Wrong>
      <ol class="lines">
        {(asked.data ?? []).map((one, at, all) => (
          <li key={one.id}>
            <Avatar id={one.who} name={nameOf(one.who)} agent={one.who.startsWith("agent:")} />
            <div class="grow">
              <p><strong dir="auto">{nameOf(one.who)}</strong>{one.via && <span class="meta"> {t.via(one.via)}</span>} <span class="meta" title={exactly(one.at)}>{when(one.at)} · {t.version(all.length - at)}</span></p>
              {one.comment && <p class="about" dir="auto">{one.comment}</p>}
              <ul class="sentences">{changeWords(flag, one.diff as unknown as Difference[]).map((words, place) => <li key={place} dir="auto">{words}</li>)}</ul>
            </div>
            {at === 0 ? <span class="meta">{t.now}</span> : may("flags:write") && !flag.archived && <button type="button" class="plain" onClick={() => setBack(one)}>{t.compareRestore}</button>}
          </li>
        ))}
      </ol>
      {back && <Back flag={flag} environment={meta ? undefined : environment} revision={back} onClose={() => setBack(undefined)} />}
    </section>
  );
}

interface BackProps {
  readonly flag: Flag;
  /** Left out: it is about the flag itself. */
  readonly environment: Environment | undefined;
  readonly revision: FlagRevision;
  readonly onClose: () => void;
}

/** What would be of it then is asked of the server, as a dry run. */
function Back({ flag, environment, revision, onClose }: BackProps) {
  const [then, setThen] = useState<{ flag?: Flag; wrong?: string }>();
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const { busy, once } = useOnce();
  const where = { project: flag.project, key: flag.key, revision: revision.id };
  useEffect(() => {
    let late = false;
    server.flags.restore({ ...where, dry_run: true }).then((found) => late || setThen({ flag: found }), (error: unknown) => late || setThen({ wrong: told(error) }));
    return () => {
      late = true;
    };
  }, []);
  const asks = environment?.require_approval ?? false;
  const names = environment !== undefined && environment.critical && !asks;
  const make = async (): Promise<void> => {
    try {
      await done(once((wish) => server.flags.restore(where, wish)));
      onClose();
      say(asks ? t.waitsForApproval : t.isAgain(flag.key));
    } catch (error) {
      setWrong(told(error));
    }
  };
  const words = then?.flag ? differing(flag, then.flag, environment) : [];
  return (
    <Layer label={t.compareRestore} kind="dialog" onClose={onClose}>
      <form class="create" onSubmit={(event) => { event.preventDefault(); void make(); }}>
        <h2 class="bar"><span class="cut" dir="auto">{flag.name}</span>{environment && <EnvironmentName of={environment} />}<span class="meta">{t.asOf(exactly(revision.at))}</span></h2>
        {!then && <p class="meta late-word">{t.loading}</p>}
        <Wrong>{then?.wrong}</Wrong>
        {then?.flag && (words.length ? <ul class="sentences">{words.map((one, at) => <li key={at} dir="auto">{one}</li>)}</ul> : <p class="meta">{t.sameAsNow}</p>)}
        {names && words.length > 0 && (
          <label class="field confirm">{t.confirmName(environment.key)}<input value={typed} autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} /></label>
        )}
        <Wrong>{wrong}</Wrong>
        <div class="bar">
          <span class="grow" />
          <button type="button" class="plain" onClick={onClose}>{t.cancel}</button>
          <button type="submit" class="primary" disabled={busy || !words.length || (names && typed.trim() !== environment.key)}>{asks ? t.ways.ask.act : t.makeAgain}</button>
        </div>
      </form>
    </Layer>
  );
}

/** Where it waits for approval, the request says what it would be. */
function differing(now: Flag, then: Flag, environment: Environment | undefined): string[] {
  if (!environment) {
    const parts = ["name", "description", "tags", "maintainers", "temporary", "client_side", "variations", "defaults", "schema"] as const;
    return parts.filter((part) => !same(now[part], then[part])).map((part) => t.was.other(t.parts[part === "client_side" ? "clientSide" : part] ?? part, JSON.stringify(now[part]), JSON.stringify(then[part])));
  }
  const [before, after] = [now, then].map((flag) => configOf(flag.environments[environment.key]!)) as [Config, Config];
  const known = new Set(now.changes?.map((one) => one.id));
  const asked = then.changes?.find((one) => !known.has(one.id))?.instructions.find((one) => one["kind"] === "replaceConfig")?.["config"] as Config | undefined;
  return sentences(now, between(before, asked ?? after), before);
}
