/** Proposals of models on the page of an issue: each as what it would change, to be applied or dismissed. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AIProposal, Issue as WholeIssue } from "@kbwork/client";
import { fieldName, valueText } from "../issue/texts.ts";
import { nameOf } from "../issues/marks.tsx";
import type { Issue } from "../store/kinds.ts";
import { Sending } from "../store/sending.ts";
import { may } from "../store/session.ts";
import { offer } from "../ui/commands.ts";
import { Markdown } from "../ui/markdown.tsx";
import { exactly, t, when } from "../ui/texts.ts";
import { effectOf, type FieldChange } from "./changes.ts";
import { decide } from "./decide.ts";
import { Difference } from "./difference.tsx";
import { words } from "./texts.ts";

interface ProposalsProps {
  readonly issue: Issue;
  readonly whole: WholeIssue;
  readonly proposals: readonly AIProposal[];
  /** Something was done with one of them. */
  readonly onDone: () => void;
}

export function Proposals({ issue, whole, proposals, onDone }: ProposalsProps) {
  return (
    <section aria-label={words.proposals}>
      {proposals.map((one) => <Proposal key={one.id} issue={issue} whole={whole} proposal={one} onDone={onDone} />)}
    </section>
  );
}

function Proposal({ issue, whole, proposal, onDone }: Omit<ProposalsProps, "proposals"> & { readonly proposal: AIProposal }) {
  const { id, created_at, rule, error, state } = proposal;
  const [busy, setBusy] = useState(false);
  const sending = useRef({ yes: new Sending(), no: new Sending() });
  const settle = async (apply: boolean): Promise<void> => {
    if (busy) return;
    setBusy(true);
    await decide(apply ? sending.current.yes : sending.current.no, proposal, issue.key, apply);
    setBusy(false);
    onDone(); // what was refused was decided meanwhile
  };
  const now = useRef(settle);
  now.current = settle;
  useLayoutEffect(
    () =>
      offer([true, false].map((apply) => ({
        id: `proposal:${id}:${apply}`,
        title: `${apply ? words.apply : words.dismiss}: ${words.proposals}, ${issue.key}`,
        group: t.issue,
        when: () => may("ai:write"),
        run: () => void now.current(apply),
      }))),
    [id, issue.key],
  );
  return (
    <div class="proposal">
      <p class="meta">
        <strong>{words.proposals}</strong>, <time title={exactly(created_at)}>{when(created_at)}</time>
        {rule !== null && ` · ${words.byRule(rule)}`}
      </p>
      <Effect whole={whole} proposal={proposal} />
      {state === "failed" && <p class="wrong">{words.failed(error ?? "")}</p>}
      <p class="bar wraps">
        {may("ai:write") && (
          <>
            <button type="button" class="primary" disabled={busy} onClick={() => void settle(true)}>{state === "failed" ? words.again : words.apply}</button>
            <button type="button" class="plain" disabled={busy} onClick={() => void settle(false)}>{words.dismiss}</button>
          </>
        )}
        <span class="meta">{words.unchecked}</span>
      </p>
    </div>
  );
}

function Effect({ whole, proposal }: { whole: WholeIssue; proposal: AIProposal }) {
  const effect = effectOf(proposal, whole);
  if (effect.kind === "comment") {
    return (
      <>
        <p class={effect.internal ? "internal" : ""}>{effect.internal ? words.saysInternal : words.says}:</p>
        <blockquote class={effect.internal ? "internal" : ""}><Markdown text={effect.body} /></blockquote>
      </>
    );
  }
  if (effect.kind === "fields") {
    const changes = effect.changes.filter(({ from, to }) => JSON.stringify(from ?? "") !== JSON.stringify(to ?? ""));
    return changes.length ? <dl>{changes.map((change) => <Change key={change.field} change={change} />)}</dl> : <p class="meta">{words.sameAs}</p>;
  }
  return (
    <>
      <p>{words.runs(proposal.op)}</p>
      <dl>
        {effect.input.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Fields that are read as text, and not as one value in the place of another. */
const TEXTS = ["title", "body"];

function Change({ change: { field, from, to } }: { change: FieldChange }) {
  const called = (id: string): string => nameOf(id) ?? id;
  return (
    <div>
      <dt>{fieldName(field)}</dt>
      <dd>
        {TEXTS.includes(field) ? (
          <Difference from={String(from ?? "").trimEnd()} to={String(to ?? "").trimEnd()} />
        ) : (
          <>
            <del dir="auto"><span class="hidden">{words.removed} </span>{valueText(field, from, called) || words.nothing}</del>{" "}
            <ins dir="auto"><span class="hidden">{words.added} </span>{valueText(field, to, called) || words.nothing}</ins>
          </>
        )}
      </dd>
    </div>
  );
}
