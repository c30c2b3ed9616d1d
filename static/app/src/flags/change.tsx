/** One change request: what it would change now, who says what to it, and how it comes to its end. */
import type { Environment, Flag, FlagChange } from "@kbwork/client";
import { useState } from "preact/hooks";
import { draftOf, dropSent, keepDraft } from "../store/drafts.ts";
import { server } from "../store/server.ts";
import { may, myId } from "../store/session.ts";
import { Avatar } from "../ui/icons.tsx";
import { exactly, when } from "../ui/texts.ts";
import { told, useAsked } from "./asked.ts";
import { useEnvironments } from "./catalogue.ts";
import { nameOf, Status } from "./changes.tsx";
import { type Config, configOf, type Instruction, pathOf } from "./model.ts";
import { Empty, EnvironmentName, Json, Wrong } from "./parts.tsx";
import { isAdmin } from "../store/rights.ts";
import { t } from "./texts.ts";
import { changeWords, type Difference, moment, sentences } from "./words.ts";
import { done } from "./writing.ts";

export function ChangePage({ project, id }: { project: string; id: number }) {
  const asked = useAsked(`change ${project} ${id}`, () => server.flags.change_get({ project, id }));
  const change = asked.data;
  const environments = useEnvironments(project).data ?? [];
  const flag = useAsked(change?.kind === "flag" ? `flag ${project} ${change.target}` : null, () => server.flags.get({ project, key: change!.target })).data;
  if (!change) return asked.wrong ? <Empty title={asked.wrong}><a data-in href={`${pathOf(project)}?show=changes`}>{t.toChanges}</a></Empty> : <p class="meta pad late-word">{t.loading}</p>;
  const environment = environments.find((one) => one.key === change.environment);
  const target = change.kind === "flag" ? `${pathOf(project, change.target)}?env=${encodeURIComponent(change.environment)}` : pathOf(project, "segments", change.environment, change.target);
  return (
    <div class="page flag-page narrow">
      <header class="flag-head">
        <h1>{t.changeOf(change.id)} <a data-in href={target} dir="auto">{flag?.name ?? change.target}</a></h1>
        <p class="bar facts">
          <Status of={change.status} />
          {environment && <EnvironmentName of={environment} />}
          <span class="meta" title={exactly(change.created_at)}>{t.askedBy(nameOf(change.requested_by))} · {when(change.created_at)}</span>
          {change.run_at !== null && <span class="meta">{t.runAt(moment(change.run_at))}</span>}
        </p>
        {change.comment && <p class="about" dir="auto">{change.comment}</p>}
      </header>
      <Effect change={change} flag={flag} />
      <Reviews change={change} least={environment?.min_approvals ?? 1} />
      {(change.status === "pending" || change.status === "approved") && environment && may("flags:write") && <Decide key={change.status} project={project} change={change} environment={environment} />}
    </div>
  );
}

interface Preview {
  readonly diff: Record<string, Difference[]>;
  readonly fits: boolean;
  readonly why: string | null;
}

function Effect({ change, flag }: { change: FlagChange; flag: Flag | undefined }) {
  const preview = change.preview as unknown as Preview | null;
  const isOpen = change.status === "pending" || change.status === "approved";
  const state = isOpen ? flag?.environments[change.environment] : undefined;
  const config: Config | undefined = state && configOf(state);
  const named = flag ?? { variations: [] };
  const diff = preview?.diff[change.environment] ?? [];
  const isWhole = change.instructions.some((one) => one["kind"] === "replaceConfig" || one["kind"] === "replaceBody");
  return (
    <section class="block">
      <h2>{isOpen ? t.wouldChange : t.wasToChange}</h2>
      <ul class="sentences big">
        {(isWhole && diff.length ? changeWords(named, diff) : sentences(named, change.instructions as Instruction[], config)).map((one, at) => <li key={at} dir="auto">{one}</li>)}
      </ul>
      {preview && !preview.fits && <p class="trouble"><span><strong>{t.fitsNoMore}</strong> {preview.why}</span></p>}
      {preview?.fits && !diff.length && <p class="meta">{t.unchanged}</p>}
      <Json of={change.instructions} />
    </section>
  );
}

function Reviews({ change, least }: { change: FlagChange; least: number }) {
  const approving = new Set(change.reviews.filter((one) => one.decision === "approve").map((one) => one.who)).size;
  return (
    <section class="block">
      <h2>{t.reviews} <span class="meta">{t.approvals(approving, least)}</span></h2>
      {change.reviews.map((one, at) => (
        <div class="said" key={at}>
          <Avatar id={one.who} name={nameOf(one.who)} />
          <div>
            <p class="by"><strong dir="auto">{nameOf(one.who)}</strong> <span>{t.decisions[one.decision]}</span> <span class="meta" title={exactly(one.at)}>{when(one.at)}</span></p>
            {one.comment && <p dir="auto" class="about">{one.comment}</p>}
          </div>
        </div>
      ))}
    </section>
  );
}

type Act = "approve" | "decline" | "comment" | "apply" | "cancel";

function Decide({ project, change, environment }: { project: string; change: FlagChange; environment: Environment }) {
  const name = `flag change ${change.id}`;
  const [text, setText] = useState(() => draftOf(name));
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const isMine = change.requested_by === myId.value;
  const where = { project, id: change.id };
  const act = async (what: Act): Promise<void> => {
    setBusy(true);
    setWrong(undefined);
    try {
      if (what === "apply") await done(server.flags.change_apply(where));
      else if (what === "cancel") await done(server.flags.change_cancel(where));
      else await done(server.flags.change_review({ ...where, decision: what, ...(text.trim() && { comment: text.trim() }) }));
      if (what !== "apply" && what !== "cancel") setText(dropSent(name, text));
    } catch (error) {
      setWrong(told(error));
    } finally {
      setBusy(false);
    }
  };
  const isPending = change.status === "pending";
  const shut: Partial<Record<Act, string>> = {
    ...(isMine && environment.require_approval && !environment.allow_self_approval && { approve: t.notOwn }),
    ...(isPending && { apply: t.lacksApprovals }),
    ...(!isMine && !isAdmin() && { cancel: t.notYours }),
    ...(!text.trim() && { comment: t.writeFirst }),
  };
  const button = (what: Act, kind = "") => (
    <button type="button" class={kind} disabled={busy || shut[what] !== undefined} title={shut[what]} onClick={() => void act(what)}>{t.acts[what]}</button>
  );
  return (
    <section class="block decide">
      {isPending && (
        <label class="field">
          {t.sayToIt}
          <textarea rows={2} maxLength={2000} value={text} onInput={(event) => { setText(event.currentTarget.value); keepDraft(name, event.currentTarget.value); }} />
        </label>
      )}
      <Wrong>{wrong}</Wrong>
      <div class="bar">
        {isPending && button("approve", "primary")}
        {isPending && button("decline")}
        {isPending && button("comment")}
        {!isPending && button("apply", "primary")}
        <span class="grow" />
        {button("cancel", "plain")}
      </div>
      {isPending && shut.approve && <p class="meta">{shut.approve}</p>}
      {shut.cancel && <p class="meta">{shut.cancel}</p>}
    </section>
  );
}
