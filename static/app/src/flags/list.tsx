/** The flags of a project: a row each, with its state in every environment. */
import { computed, signal, useComputed, useSignal } from "@preact/signals";
import type { Environment, Flag } from "@kbwork/client";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { may } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { Avatar } from "../ui/icons.tsx";
import { go, query } from "../ui/router.ts";
import { compare } from "../ui/texts.ts";
import type { TrafficOf } from "./catalogue.ts";
import { useEnvironments, useFlags, useStale, useTraffic } from "./catalogue.ts";
import { keepEnvironment, keptEnvironment } from "./chosen.ts";
import { KILL_SWITCH, pathOf, type Serves } from "./model.ts";
import { newFlag } from "./asking.ts";
import { Badge, Empty, EnvironmentName, Toggle, Traffic, VariationName, Wrong } from "./parts.tsx";
import { askTurn } from "./quick.tsx";
import { useCommands } from "./keys.ts";
import { t } from "./texts.ts";
import { rolloutWords } from "./words.ts";

const ROW_PX = 36;
const BEYOND = 10;
/** More of them stand side by side only for who looks at one of them. */
const MOST_SIDE = 4;

export const words = signal("");
type Sort = "name" | "traffic" | "new";
const sort = signal<Sort>("name");
const cursor = signal<string | undefined>(undefined);

interface Shown {
  readonly flags: readonly Flag[];
  readonly environments: readonly Environment[];
  readonly environment: Environment | undefined;
  readonly traffic: TrafficOf | undefined;
  readonly stale: ReadonlyMap<string, string> | undefined;
}

/** Which environment the keys and the numbers are about: that of the address, or of the last time. */
export function environmentOf(project: string, environments: readonly Environment[]): Environment | undefined {
  const asked = query.value.get("env") ?? keptEnvironment(project);
  return environments.find((one) => one.key === asked) ?? environments.find((one) => one.critical) ?? environments[0];
}

export function FlagList({ project }: { project: string }) {
  const state = query.value.get("state") ?? "";
  const archived = state === "archived";
  const asked = useFlags(project, archived);
  const environments = useEnvironments(project).data ?? [];
  const environment = environmentOf(project, environments);
  const traffic = useTraffic(project, environment?.key).data;
  const stale = useStale(project).data;
  useEffect(() => {
    if (environment) keepEnvironment(project, environment.key);
  }, [project, environment?.key]);
  if (asked.wrong && !asked.data) return <Wrong>{asked.wrong}</Wrong>;
  if (!asked.data) return <p class="meta pad late-word">{t.loading}</p>;
  const shown: Shown = { flags: arranged(asked.data, state, stale, traffic, environment), environments, environment, traffic, stale };
  return (
    <>
      <Switches shown={{ ...shown, flags: asked.data }} />
      <Grid project={project} shown={shown} all={asked.data.length} />
    </>
  );
}

function arranged(flags: readonly Flag[], state: string, stale: Shown["stale"], traffic: TrafficOf | undefined, environment: Environment | undefined): Flag[] {
  const looked = words.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const tag = query.value.get("tag");
  const at = environment?.key ?? "";
  const found = flags.filter(
    (flag) =>
      (!tag || flag.tags.includes(tag)) &&
      (state !== "on" || flag.environments[at]?.on) &&
      (state !== "off" || !flag.environments[at]?.on) &&
      (state !== "stale" || stale?.has(flag.key)) &&
      (state !== "temporary" || flag.temporary) &&
      looked.every((word) => textOf(flag).includes(word)),
  );
  const sum = (flag: Flag): number => traffic?.get(flag.key)?.counts.reduce((all, one) => all + one, 0) ?? 0;
  if (sort.value === "traffic") return found.sort((one, other) => sum(other) - sum(one) || compare(one.name, other.name));
  return found.sort((one, other) => compare(one.name, other.name));
}

const texts = new WeakMap<Flag, string>();

function textOf(flag: Flag): string {
  let text = texts.get(flag);
  if (text === undefined) texts.set(flag, (text = `${flag.key} ${flag.name} ${flag.description} ${flag.tags.join(" ")}`.toLocaleLowerCase()));
  return text;
}

/** What can be stopped at once stands above all else. */
function Switches({ shown: { flags, environment } }: { shown: Shown }) {
  const found = flags.filter((flag) => flag.tags.includes(KILL_SWITCH) && !flag.archived);
  if (!found.length || !environment) return null;
  return (
    <section class="switches" aria-label={t.killSwitches}>
      <h2><EnvironmentName of={environment} /> {t.killSwitches}</h2>
      {found.slice(0, 12).map((flag) => (
        <span class="kill" key={flag.key}>
          <Toggle
            on={flag.environments[environment.key]?.on ?? false}
            critical={environment.critical}
            label={t.turnLabel(flag.name, environment.name)}
            onTurn={() => askTurn(flag, environment)}
          />
          <a data-in class="cut" dir="auto" href={pathOf(flag.project, flag.key)}>{flag.name}</a>
        </span>
      ))}
    </section>
  );
}

function Grid({ project, shown, all }: { project: string; shown: Shown; all: number }) {
  const { flags, environment, environments } = shown;
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(900);
  const order = useRef<readonly Flag[]>(flags);
  order.current = flags;
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(() => {
      height.value = box.current!.clientHeight;
    });
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  const move = (step: number): void => {
    const rows = order.current;
    const at = rows.findIndex((flag) => flag.key === cursor.value);
    const next = rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
    if (!next) return;
    cursor.value = next.key;
    seen(box.current!, rows.indexOf(next));
    box.current!.focus({ preventScroll: true });
  };
  const here = (): Flag | undefined => order.current.find((flag) => flag.key === cursor.value);
  const switchTo = (step: number): void => {
    const at = environments.findIndex((one) => one.key === environment?.key);
    const next = environments[(at + step + environments.length) % environments.length];
    if (next) goWith({ env: next.key });
  };
  useCommands([
    { id: "flags:down", title: t.keys.next, keys: ["j", "ArrowDown"], run: () => move(1) },
    { id: "flags:up", title: t.keys.previous, keys: ["k", "ArrowUp"], run: () => move(-1) },
    { id: "flags:open", title: t.keys.open, keys: ["Enter", "o"], when: () => here() !== undefined, run: () => go(pathOf(project, cursor.value!)) },
    { id: "flags:turn", title: t.keys.turn, keys: ["t"], when: () => here() !== undefined && environment !== undefined, run: () => askTurn(here()!, environment!) },
    { id: "flags:env", title: t.keys.environment, keys: ["ArrowRight"], when: () => environments.length > 1, run: () => switchTo(1) },
    { id: "flags:env-back", title: t.keys.environmentBack, keys: ["ArrowLeft"], when: () => environments.length > 1, run: () => switchTo(-1) },
  ]);
  const active = useComputed(() => (cursor.value === undefined ? undefined : `flag-${cursor.value}`));
  const first = Math.max(0, Math.floor(top.value / ROW_PX) - BEYOND);
  const last = Math.ceil((top.value + height.value) / ROW_PX) + BEYOND;
  const side = beside(environments, environment);
  return (
    <div
      class="list flags"
      ref={box}
      role="grid"
      tabIndex={0}
      aria-label={t.flags}
      aria-rowcount={flags.length + 1}
      aria-activedescendant={flags.some((flag) => flag.key === cursor.value) ? active : undefined}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
    >
      {flags.length > 0 && <Heads side={side} environment={environment} />}
      <div class="whole" role="presentation" ref={(it) => void (it && (it.style.height = `${flags.length * ROW_PX}px`))}>
        {flags.slice(first, last).map((flag, at) => (
          <Line key={flag.key} flag={flag} index={first + at} side={side} shown={shown} />
        ))}
      </div>
      {!flags.length && <None project={project} all={all} />}
    </div>
  );
}

/** Those that have a column: the first few, and the one that is looked at. */
function beside(environments: readonly Environment[], environment: Environment | undefined): readonly Environment[] {
  const first = environments.slice(0, MOST_SIDE);
  if (!environment || first.includes(environment)) return first;
  return [...first.slice(0, -1), environment];
}

function seen(box: HTMLElement, at: number): void {
  const [from, to] = [at * ROW_PX, (at + 2) * ROW_PX];
  if (from < box.scrollTop) box.scrollTop = from;
  else if (to > box.scrollTop + box.clientHeight) box.scrollTop = to - box.clientHeight;
}

function Heads({ side, environment }: { side: readonly Environment[]; environment: Environment | undefined }) {
  const by = (what: Sort, title: string) => (
    <button type="button" class="sorts" tabIndex={-1} onClick={() => (sort.value = what)}>
      {title}{sort.value === what ? " ↓" : ""}
    </button>
  );
  return (
    <div class="heads" role="row" aria-rowindex={1}>
      <span role="columnheader" class="grow" aria-sort={sort.value === "name" ? "ascending" : "none"}>{by("name", t.flag)}</span>
      <span role="columnheader" class="owner">{t.owner}</span>
      <span role="columnheader" class="flow" aria-sort={sort.value === "traffic" ? "descending" : "none"}>{by("traffic", t.lastDay)}</span>
      <span role="columnheader" class="serves">{t.serves}</span>
      {side.map((one) => (
        <span role="columnheader" class={`env${one === environment ? " is" : ""}`} key={one.key}>
          <button type="button" class="sorts" tabIndex={-1} aria-pressed={one === environment} onClick={() => goWith({ env: one.key })}>
            <EnvironmentName of={one} />
          </button>
        </span>
      ))}
    </div>
  );
}

function Line({ flag, index, side, shown }: { flag: Flag; index: number; side: readonly Environment[]; shown: Shown }) {
  const on = useComputed(() => cursor.value === flag.key);
  const reason = shown.stale?.get(flag.key);
  const environment = shown.environment;
  return (
    <div
      class={`row flag${on.value ? " on" : ""}`}
      role="row"
      id={`flag-${flag.key}`}
      aria-rowindex={index + 2}
      aria-selected={on.value}
      ref={(it) => void (it && (it.style.transform = `translateY(${index * ROW_PX}px)`))}
      onClick={(event) => {
        cursor.value = flag.key;
        if (!(event.target as Element).closest("button, a")) go(pathOf(flag.project, flag.key));
      }}
    >
      <span role="gridcell" class="title">
        <a data-in tabIndex={-1} dir="auto" href={pathOf(flag.project, flag.key)}>{flag.name}</a>
        {flag.key !== flag.name && <code class="meta cut key-of">{flag.key}</code>}
        {reason ? <Badge kind="warn" title={reason}>{t.stale}</Badge> : flag.temporary && <Badge title={t.temporaryWhat}>{t.temporary}</Badge>}
        {flag.tags.slice(0, 2).map((tag) => (
          <button type="button" class="chip tag" tabIndex={-1} key={tag} onClick={() => goWith({ tag })}>{tag}</button>
        ))}
        {flag.tags.length > 2 && <span class="meta" title={flag.tags.join(", ")}>+{flag.tags.length - 2}</span>}
      </span>
      <span role="gridcell" class="owner">{flag.maintainers.slice(0, 2).map((id) => <Owner key={id} id={id} />)}</span>
      <span role="gridcell" class="flow"><Traffic counts={shown.traffic?.get(flag.key)?.counts} /></span>
      <span role="gridcell" class="serves">{environment && <ServesNow flag={flag} environment={environment.key} />}</span>
      {side.map((one) => (
        <span role="gridcell" class={`env${one === environment ? " is" : ""}`} key={one.key}>
          {flag.environments[one.key] && (
            <Toggle
              on={flag.environments[one.key]!.on}
              critical={one.critical}
              shut={flag.archived || !may("flags:write")}
              tabIndex={-1}
              label={t.turnLabel(flag.name, one.name)}
              onTurn={() => askTurn(flag, one)}
            />
          )}
        </span>
      ))}
    </div>
  );
}

export function Owner({ id }: { id: string }) {
  const name = tables.member.watch(id)?.name ?? id;
  return (
    <>
      <Avatar id={id} name={name} />
      <span class="hidden">{name}</span>
    </>
  );
}

/** What whoever no rule is about gets there. */
function ServesNow({ flag, environment }: { flag: Flag; environment: string }) {
  const state = flag.environments[environment];
  if (!state) return null;
  const serves = state.fallthrough as Serves;
  const rules = (state.counts?.["rules"] ?? 0) + (state.counts?.["targets"] ?? 0);
  if (!state.on) return <VariationName flag={flag} at={state.off_variation} />;
  return (
    <>
      {serves.rollout ? <span class="cut" title={rolloutWords(flag, serves.rollout)}>{rolloutWords(flag, serves.rollout)}</span> : <VariationName flag={flag} at={serves.variation} />}
      {rules > 0 && <span class="meta" title={t.rulesBefore(rules)}>+{rules}</span>}
    </>
  );
}

const isNarrowed = computed(() => words.value.trim() !== "" || query.value.has("tag") || query.value.has("state"));

function None({ project, all }: { project: string; all: number }) {
  if (isNarrowed.value && (all || query.value.get("state"))) {
    return (
      <Empty title={t.noneFit}>
        <button type="button" onClick={() => { words.value = ""; goWith({ tag: null, state: null }); }}>{t.showAll}</button>
      </Empty>
    );
  }
  return (
    <Empty title={t.noFlags} what={t.noFlagsWhat}>
      {may("flags:write") && <button type="button" class="primary" onClick={() => newFlag(project)}>{t.newFlag}</button>}
    </Empty>
  );
}

/** The same place with something else behind the question mark. */
export function goWith(more: Readonly<Record<string, string | null>>): void {
  const found = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(more)) {
    if (value === null || value === "") found.delete(name);
    else found.set(name, value);
  }
  const text = String(found);
  go(location.pathname + (text ? `?${text}` : ""), { replace: true });
}
