/** The flags of a project: a row each, with its state in every environment. */
import { computed, useComputed, useSignal } from "@preact/signals";
import type { Environment, Flag } from "@kbwork/client";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { may } from "../store/session.ts";
import { rowPx } from "../ui/density.ts";
import { aside } from "../ui/direction.ts";
import { go, query } from "../ui/router.ts";
import { compare } from "../ui/texts.ts";
import { newFlag } from "./asking.ts";
import { type TrafficOf, useEnvironments, useFlags, useStale, useTraffic } from "./catalogue.ts";
import { keepEnvironment } from "./chosen.ts";
import { useCommands } from "./keys.ts";
import { cursor, environmentOf, goWith, type Shown, sort, words } from "./listed.ts";
import { KILL_SWITCH, pathOf } from "./model.ts";
import { Empty, EnvironmentName, Toggle, Wrong } from "./parts.tsx";
import { askTurn } from "./quick.tsx";
import { Heads, Line } from "./row.tsx";
import { t } from "./texts.ts";

const BEYOND = 10;
/** More of them stand side by side only for who looks at one of them. */
const MOST_SIDE = 4;

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
    { id: "flags:env", title: t.keys.environment, keys: ["ArrowRight"], when: () => environments.length > 1, run: () => switchTo(aside(1)) },
    { id: "flags:env-back", title: t.keys.environmentBack, keys: ["ArrowLeft"], when: () => environments.length > 1, run: () => switchTo(aside(-1)) },
  ]);
  const active = useComputed(() => (cursor.value === undefined ? undefined : `flag-${cursor.value}`));
  const first = Math.max(0, Math.floor(top.value / rowPx.value) - BEYOND);
  const last = Math.ceil((top.value + height.value) / rowPx.value) + BEYOND;
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
      <div class="whole" role="presentation" ref={(it) => void (it && (it.style.height = `${flags.length * rowPx.value}px`))}>
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
  const [from, to] = [at * rowPx.peek(), (at + 2) * rowPx.peek()];
  if (from < box.scrollTop) box.scrollTop = from;
  else if (to > box.scrollTop + box.clientHeight) box.scrollTop = to - box.clientHeight;
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
