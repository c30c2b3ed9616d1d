/** Requests of customers as work: the queues of a desk at the side, what is in one of them, and an issue beside it. */
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { FilterBar } from "../filter/bar.tsx";
import { selected } from "../issues/cursor.ts";
import { IssueList } from "../issues/list.tsx";
import { shown, words } from "../issues/query.ts";
import { atWork, desks, fetchDesks } from "../store/desks.ts";
import { may, me, offlineSince } from "../store/session.ts";
import { offer } from "../ui/commands.ts";
import { Bulk } from "../screens/parts.tsx";
import { Icon } from "../ui/icons.tsx";
import { Part } from "../ui/later.tsx";
import { remember, remembered } from "../ui/remembered.ts";
import { go } from "../ui/router.ts";
import { number, t } from "../ui/texts.ts";
import { TopBar } from "../ui/topbar.tsx";
import { WordFilter } from "../ui/word_filter.tsx";
import { CreateRequest } from "./create.tsx";
import { byUsual, enter, follow, isUsual, queues, requests, type Usual, wrong } from "./known.ts";
import style from "./style.css";
import { w } from "./texts.ts";

export { style };
export { RequestCard } from "./card.tsx";
export { ReplyTools } from "./reply.tsx";
export { markSpam } from "./spam.ts";

const USUAL = Object.keys(w.usual) as Usual[];
/** The desk where one was last, in this browser. */
const LAST_DESK = "kbwork.desk";

export function Screen({ path: [asked, queue = ""] }: { path: readonly string[] }) {
  const [known, setKnown] = useState(desks.value.length > 0);
  const [isAway, setAway] = useState(false);
  const isOffline = offlineSince.value !== undefined;
  useEffect(() => {
    void fetchDesks().then((told) => {
      setAway(!told);
      setKnown(true);
    });
  }, [isOffline]);
  const last = remembered(LAST_DESK);
  const usual = atWork.value.find(({ project }) => project === last) ?? atWork.value[0];
  const key = asked?.toUpperCase() ?? usual?.project;
  const desk = desks.value.find(({ project }) => project === key);
  const title = desk?.name ?? t.rooms.requests;
  useEffect(() => {
    if (!desk) return;
    remember(LAST_DESK, desk.project);
    queueMicrotask(() => (document.title = `${desk.name} · ${me.value?.org.name ?? t.app}`));
  }, [desk?.project, desk?.name]);
  if (!known) return <><TopBar title={title} /><p class="meta pad late-word">{t.loading}</p></>;
  if (!desk) return <><TopBar title={title} />{isAway ? <p class="empty"><strong>{w.away}</strong></p> : <Nothing asked={asked} />}</>;
  return <Desk key={desk.project} of={desk.project} title={title} queue={/^\d+$/.test(queue) ? Number(queue) : isUsual(queue) ? queue : "us"} />;
}

function Nothing({ asked }: { asked: string | undefined }) {
  return (
    <div class="empty">
      <strong>{asked ? w.noDesk(asked.toUpperCase()) : w.none}</strong>
      {!asked && <p>{w.noneWhat}</p>}
      {may("admin") && <p class="below"><a data-in class="in-text" href="/settings/desk">{w.open}</a></p>}
    </div>
  );
}

function Desk({ of, title, queue }: { of: string; title: string; queue: Usual | number }) {
  const [makes, setMakes] = useState(false);
  useLayoutEffect(() => enter(of, queue), [of, queue]);
  useLayoutEffect(follow, []); // an effect ends behind the frame of the next desk
  useKeys(of, queue, () => setMakes(true));
  const mayMake = may("issues:write") && atWork.value.some(({ project }) => project === of);
  return (
    <>
      <TopBar title={title}>
        <span class="grow" />
        <span class="meta count">{t.issuesCount(shown.value.length)}</span>
        <WordFilter words={words} list=".list" />
        {mayMake && (
          <button type="button" class="primary" aria-label={w.newRequest} onClick={() => setMakes(true)}>
            <Icon of="plus" />
            <span class="wide-only">{w.newRequest}</span>
            <kbd class="wide-only">N</kbd>
          </button>
        )}
      </TopBar>
      <div class="desk">
        <Queues of={of} here={queue} />
        <div class="work">
          <FilterBar />
          {wrong.value && <p class="offline" role="status">{wrong.value}</p>}
          <IssueList />
          {selected.value.size > 0 && <Part of={Bulk} props={{}} />}
        </div>
      </div>
      {makes && <CreateRequest project={of} onClose={() => setMakes(false)} />}
    </>
  );
}

function Queues({ of, here }: { of: string; here: Usual | number }) {
  const others = atWork.value.filter(({ project }) => project !== of);
  const counted = requests.value !== undefined;
  return (
    <nav class="queues" aria-label={w.queues}>
      {USUAL.map((one) => <Line key={one} of={of} id={one} here={here} name={w.usual[one]} count={counted && one !== "done" ? byUsual.value[one].length : undefined} />)}
      {queues.value.length > 0 && <h2>{w.queues}</h2>}
      {queues.value.map(({ id, name, count, late }) => <Line key={id} of={of} id={id} here={here} name={name} count={count < 0 ? undefined : count} late={late} />)}
      {others.length > 0 && <h2 class="wide-only">{w.desk}</h2>}
      {others.map(({ project, name }) => <a key={project} class="place" data-in href={`/requests/${project}`}><span class="cut" dir="auto">{name}</span></a>)}
      <span class="grow" />
      <a class="place meta wide-only" data-in href={`/settings/desk/${of}`}><Icon of="settings" />{w.settings}</a>
    </nav>
  );
}

interface LineProps {
  readonly of: string;
  readonly id: Usual | number;
  readonly here: Usual | number;
  readonly name: string;
  readonly count: number | undefined;
  readonly late?: number;
}

function Line({ of, id, here, name, count, late = 0 }: LineProps) {
  return (
    <a class="place" data-in href={`/requests/${of}/${id}`} aria-current={id === here ? "page" : undefined}>
      <span class="grow cut" dir="auto">{name}</span>
      {late > 0 && <span class="late" title={w.late(late)}><span aria-hidden="true">!</span><span class="hidden">{w.late(late)},</span></span>}
      {count !== undefined && <span class="meta" title={w.inIt(count)}>{number(count)}</span>}
    </a>
  );
}

function useKeys(of: string, here: Usual | number, make: () => void): void {
  const own = queues.value;
  useLayoutEffect(() => {
    const all = [...USUAL.map((id) => ({ id: id as Usual | number, name: w.usual[id] as string })), ...own];
    const place = all.findIndex(({ id }) => id === here);
    const step = (by: -1 | 1): void => go(`/requests/${of}/${all[(place + by + all.length) % all.length]!.id}`);
    return offer([
      { id: "desk:next", title: w.nextQueue, group: w.queues, keys: ["]"], run: () => step(1) },
      { id: "desk:last", title: w.lastQueue, group: w.queues, keys: ["["], run: () => step(-1) },
      { id: "desk:new", title: w.newRequest, group: w.queues, keys: ["n"], when: () => may("issues:write"), run: make },
      ...all.map(({ id, name }) => ({ id: `desk:queue:${id}`, title: w.toQueue(name), group: w.queues, run: () => go(`/requests/${of}/${id}`) })),
    ]);
  }, [of, here, own]);
}
