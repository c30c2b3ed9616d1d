/** Asking a model about what one looks at: it answers with a text, and nothing is done. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { AIContext, ReaderProfile } from "@kbwork/client";
import { dismiss, type AboutModel } from "../issues/asked.ts";
import { fetchPolicy, ownKey, policy, type Way, ways } from "../store/models.ts";
import { server } from "../store/server.ts";
import { copy } from "../ui/clipboard.ts";
import { Layer } from "../ui/layer.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { t } from "../ui/texts.ts";
import { OwnKey } from "./key.tsx";
import { askHere } from "./own.ts";
import { words } from "./texts.ts";

const PATIENCE_MS = 150_000;

type Mode = "summary" | "changes" | "explain";

interface Said {
  readonly text: string;
  readonly by: string;
  readonly model: string;
}

export function AskModel({ about }: { about: AboutModel }) {
  const [place, setPlace] = useState(0);
  const [chosen, setChosen] = useState("");
  const [profile, setProfile] = useState("");
  const [said, setSaid] = useState<Said>();
  const [wrong, setWrong] = useState<string>();
  const [, setKeys] = useState(0);
  const [shown, setShown] = useState<AIContext>();
  const running = useRef<AbortController | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const profiles = useProfiles();
  useEffect(() => {
    void fetchPolicy();
    return () => running.current?.abort();
  }, []);
  const all = ways(policy.value);
  const way = all[place] ?? all[0];
  if (!way) return <Layer label={words.ask(about.title)} kind="dialog" onClose={dismiss}><p class="pad">{words.nobody}</p></Layer>;
  const { label, models, default_model } = way.provider;
  const model = models.includes(chosen) ? chosen : default_model;
  const reader = profiles.find(({ key }) => key === profile)?.key ?? profiles[0]?.key ?? "";
  const needsKey = way.own && way.provider.needs_key && ownKey(way.provider) === undefined;
  const ask = async (mode: Mode): Promise<void> => {
    const { signal } = (running.current = new AbortController());
    setBusy(true);
    setWrong(undefined);
    setSaid(undefined);
    try {
      const text = await answerOf(way, model, askedFor(about, mode, reader), signal);
      if (!signal.aborted) setSaid({ text, by: label, model });
    } catch (error) {
      if (!signal.aborted) setWrong((error as Error).message);
    }
    if (running.current?.signal === signal) setBusy(false);
  };
  const stop = (): void => {
    running.current?.abort();
    setBusy(false);
  };
  const look = async (open: boolean): Promise<void> => {
    if (!open || shown) return;
    await server.ai.context({ subject: about.subject }).then(setShown, (error: Error) => setWrong(error.message));
  };
  return (
    <Layer label={words.ask(about.title)} kind="dialog" onClose={dismiss}>
      <div class="create ask">
        <h2 dir="auto">{words.ask(about.title)}</h2>
        <p class="bar wraps">
          {all.length > 1 && (
            <select aria-label={words.whom} value={all.indexOf(way)} onChange={(event) => setPlace(Number(event.currentTarget.value))}>
              {all.map(({ provider, own }, at) => <option key={at} value={at}>{words.whomWay(provider.label, own)}</option>)}
            </select>
          )}
          {models.length > 1 && (
            <select aria-label={words.model} value={model} onChange={(event) => setChosen(event.currentTarget.value)}>
              {models.map((one) => <option key={one} value={one}>{one}</option>)}
            </select>
          )}
        </p>
        {way.own && way.provider.needs_key && <OwnKey key={way.provider.id} provider={way.provider} onChange={() => setKeys((count) => count + 1)} />}
        <p class="bar wraps">
          <button type="button" disabled={busy || needsKey} onClick={() => void ask("summary")}>{words.summary}</button>
          {about.since !== undefined && <button type="button" disabled={busy || needsKey} onClick={() => void ask("changes")}>{words.changes}</button>}
          {reader && (
            <>
              <button type="button" disabled={busy || needsKey} onClick={() => void ask("explain")}>{words.explain}</button>
              <select aria-label={words.reader} value={reader} onChange={(event) => setProfile(event.currentTarget.value)}>
                {profiles.map((one) => <option key={one.key} value={one.key}>{one.label}</option>)}
              </select>
            </>
          )}
        </p>
        <div aria-live="polite">
          {busy && <p class="bar"><span class="meta">{words.asking(label)}</span><button type="button" class="plain" onClick={stop}>{words.stop}</button></p>}
          {wrong && <p class="wrong" role="alert">{wrong}</p>}
          {said && (
            <>
              <blockquote><Markdown text={said.text} /></blockquote>
              <p class="bar"><span class="meta">{words.saidBy(said.by, said.model)}</span><span class="grow" /><button type="button" class="plain" onClick={() => copy(said.text)}>{words.copy}</button></p>
            </>
          )}
        </div>
        <details onToggle={(event) => void look(event.currentTarget.open)}>
          <summary>{words.sent}</summary>
          {shown ? <pre dir="auto" tabIndex={0}>{`${shown.system}\n\n${shown.prompt}`}</pre> : <p class="meta">{t.loading}</p>}
        </details>
      </div>
    </Layer>
  );
}

interface AskedFor {
  readonly subject: string;
  readonly mode: Mode;
  readonly since?: number;
  readonly profile?: string;
}

function askedFor({ subject, since }: AboutModel, mode: Mode, profile: string): AskedFor {
  return { subject, mode, ...(mode === "changes" && since !== undefined && { since }), ...(mode === "explain" && { profile }) };
}

async function answerOf(way: Way, model: string, { profile = "", ...asked }: AskedFor, signal: AbortSignal): Promise<string> {
  const { subject, mode } = asked;
  const options = { signal, timeoutMs: PATIENCE_MS };
  if (way.own) return askHere(way, model, await server.ai.context({ ...asked, ...(profile && { profile }) }, { signal }), signal);
  const by = { provider: way.provider.id, ...(model && { model }) };
  if (mode === "explain") return (await server.ai.explain({ subject, profile, ...by }, options)).text;
  return (await server.ai.summarize({ ...asked, mode, ...by }, options)).summary;
}

function useProfiles(): readonly ReaderProfile[] {
  const [found, setFound] = useState<readonly ReaderProfile[]>([]);
  useEffect(() => {
    server.ai.profiles().then(setFound, () => undefined); // the rest can be asked without
  }, []);
  return found;
}
