/** An issue, beside the list or as a page: its fields, its text, what hangs on it and what people said. */
import { useState } from "preact/hooks";
import type { Issue as WholeIssue } from "@kbwork/client";
import { troubles } from "../store/changes.ts";
import { works } from "../store/rights.ts";
import { may } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { projectPath } from "../filter/state.ts";
import { byKey } from "../issues/cursor.ts";
import { TroubleBox } from "../issues/trouble.tsx";
import { Approvals, FlagsOfIssue, Mentions, Present, Proposals } from "../screens/parts.tsx";
import type { Issue } from "../store/kinds.ts";
import { attach } from "../talk/attach.ts";
import { Thread } from "../talk/comments.tsx";
import { RequestCard } from "../talk/desk.ts";
import { Talk } from "../talk/talk.tsx";
import { written } from "../ui/commands.ts";
import { Icon } from "../ui/icons.tsx";
import { Later, Part } from "../ui/later.tsx";
import { go } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { Activity } from "./activity.tsx";
import { Body } from "./body.tsx";
import { Checklist } from "./checklist.tsx";
import { checklistOf, customerOf, type Details, details, detailsOf, refetch, topicOf, useDetails, useLook } from "./details.ts";
import { Fields } from "./fields.tsx";
import { Choose, Files } from "./files.tsx";
import { More } from "./more.tsx";
import { addBelow, Below, canHaveBelow, Relations } from "./relations.tsx";
import { words } from "./texts.ts";
import { Title } from "./title.tsx";

const Absent = new Later(async () => (await import("./absent.tsx")).Absent);

export function IssueView({ asked, onClose }: { asked: string; onClose?: () => void }) {
  const id = byKey(asked);
  const issue = id === undefined ? undefined : tables.issue.watch(id);
  const wrong = useDetails(issue);
  const found = issue && details.value.get(issue.id);
  const seen = useLook(issue, found !== undefined || wrong !== undefined);
  if (!issue) return <Talk><Part of={Absent} props={{ asked, detailsOf, topicOf, Thread }} /></Talk>;
  const trouble = troubles.value.get(issue.id) ?? [];
  return (
    <Talk>
      <article
        class="issue"
        aria-label={issue.key}
        key={issue.id}
        onDragOver={(event) => event.dataTransfer?.types.includes("Files") && event.preventDefault()}
        onDrop={(event) => {
          const files = [...(event.dataTransfer?.files ?? [])];
          if (event.defaultPrevented || !files.length || !found?.whole.can.edit) return;
          event.preventDefault();
          void attach(topicOf(issue), files);
        }}
      >
        <Head issue={issue} whole={found?.whole} since={seen?.previous?.seq} {...(onClose && { onClose })} />
        {trouble.map((one) => <TroubleBox key={one.change.id} trouble={one} />)}
        <Title issue={issue} />
        <Fields issue={issue} found={found} />
        {wrong && <p class="wrong">{wrong}</p>}
        {!found && !wrong && <p class="meta pad late-word">{t.loading}</p>}
        {found?.whole.request && works(issue.project) && <Part of={RequestCard} props={{ issue, request: found.whole.request, onDone: () => refetch(issue) }} />}
        {found && found.approvals.length > 0 && <Part of={Approvals} props={{ issue, requests: found.approvals, onDone: () => void refetch(issue) }} />}
        {found && found.proposals.length > 0 && (
          <Part of={Proposals} props={{ issue, whole: found.whole, proposals: found.proposals, onDone: () => void refetch(issue) }} />
        )}
        {found && <Rest issue={issue} found={found} />}
        <Activity
          issue={issue}
          comments={found?.comments ?? []}
          history={found?.history ?? []}
          canComment={found?.whole.can.comment ?? may("comments:write")}
          customer={found && customerOf(found)}
          known={found !== undefined}
          seen={seen}
        />
      </article>
    </Talk>
  );
}

function Rest({ issue, found }: { issue: Issue; found: Details }) {
  const [ticks, setTicks] = useState(false);
  const [relates, setRelates] = useState<Element>();
  const { whole, files } = found;
  const list = checklistOf(found);
  const has = { checklist: list === undefined || list.total > 0 || ticks, below: (whole.children?.length ?? 0) > 0 };
  return (
    <>
      <Body issue={issue} whole={whole} comments={found.comments} />
      {whole.can.edit && (
        <p class="bar adds">
          {!has.checklist && <button type="button" class="chip" onClick={() => setTicks(true)}><Icon of="check" />{words.checklist}</button>}
          {!has.below && canHaveBelow(issue) && (
            <button type="button" class="chip" onClick={() => addBelow(issue)}><Icon of="plus" />{words.addBelow}</button>
          )}
          {!whole.relations?.length && (
            <button type="button" class="chip" onClick={(event) => setRelates(event.currentTarget)}><Icon of="link" />{words.relate}</button>
          )}
          {!files.length && <Choose issue={issue} chip><Icon of="clip" />{words.attach}</Choose>}
        </p>
      )}
      {list && <Checklist issue={issue} list={list} begun={ticks} />}
      <Below issue={issue} whole={whole} />
      <Relations issue={issue} whole={whole} asking={relates} onAsk={setRelates} />
      {whole.flags && whole.flags.length > 0 && <Part of={FlagsOfIssue} props={{ flags: whole.flags }} />}
      {may("pages:read") && <Part key={issue.key} of={Mentions} props={{ issueKey: issue.key }} />}
      <Files issue={issue} files={files} canAdd={whole.can.edit} />
    </>
  );
}

function Head({ issue, whole, since, onClose }: { issue: Issue; whole: WholeIssue | undefined; since: number | undefined; onClose?: () => void }) {
  return (
    <header class="bar">
      <a data-in href={projectPath(issue.project)} class="meta cut">{tables.project.watch(issue.project)?.name}</a>
      <span class="key meta">{issue.key}</span>
      <span class="grow" />
      <Part of={Present} props={{ id: issue.id }} />
      {whole && <More issue={issue} whole={whole} since={since} />}
      {onClose && (
        <>
          <button type="button" class="mini" title={`${t.open} (${written("Enter")})`} aria-label={t.open} onClick={() => go(`/issues/${issue.key}`)}>
            <Icon of="out" />
          </button>
          <button type="button" class="mini" title={`${t.close} (${written("Escape")})`} aria-label={t.close} onClick={onClose}>
            <Icon of="close" />
          </button>
        </>
      )}
    </header>
  );
}
