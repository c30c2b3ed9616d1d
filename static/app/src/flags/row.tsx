/** One flag as a row, and the heads above the rows. */
import { useComputed } from "@preact/signals";
import type { Environment, Flag } from "@kbwork/client";
import { may } from "../store/session.ts";
import { tables } from "../store/tables.ts";
import { rowPx } from "../ui/density.ts";
import { Avatar } from "../ui/icons.tsx";
import { go, query } from "../ui/router.ts";
import { cursor, goWith, type Shown, type Sort, sort } from "./listed.ts";
import { pathOf, type Serves } from "./model.ts";
import { Badge, EnvironmentName, Toggle, Traffic, VariationName } from "./parts.tsx";
import { askTurn } from "./quick.tsx";
import { t } from "./texts.ts";
import { rolloutWords } from "./words.ts";

export function Heads({ side, environment }: { side: readonly Environment[]; environment: Environment | undefined }) {
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

export function Line({ flag, index, side, shown }: { flag: Flag; index: number; side: readonly Environment[]; shown: Shown }) {
  const on = useComputed(() => cursor.value === flag.key);
  const reason = shown.stale?.get(flag.key);
  const environment = shown.environment;
  const top = index * rowPx.value;
  return (
    <div
      class={`row flag${on.value ? " on" : ""}`}
      role="row"
      id={`flag-${flag.key}`}
      aria-rowindex={index + 2}
      aria-selected={on.value}
      ref={(it) => void (it && (it.style.transform = `translateY(${top}px)`))}
      onClick={(event) => {
        cursor.value = flag.key;
        if (!(event.target as Element).closest("button, a")) go(pathOf(flag.project, flag.key));
      }}
    >
      <span role="gridcell" class="title">
        <a data-in tabIndex={-1} dir="auto" href={pathOf(flag.project, flag.key)}>{flag.name}</a>
        {flag.key !== flag.name && <code class="meta cut key-of">{flag.key}</code>}
        {reason ? <><Badge kind="warn" title={reason}>{t.stale}</Badge>{query.value.get("state") === "stale" && <span class="meta cut why-stale">{reason}</span>}</> : flag.temporary && <Badge title={t.temporaryWhat}>{t.temporary}</Badge>}
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
