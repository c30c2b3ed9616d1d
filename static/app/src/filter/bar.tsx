/** What is asked for, as chips: each is changed by a click, turned round, or taken away. */
import { choose, filterBy, queryDialog, saveView } from "../issues/asked.ts";
import { listed } from "../issues/listed.ts";
import { within } from "../issues/query.ts";
import { may } from "../store/session.ts";
import { isClose, turnDensity } from "../ui/density.ts";
import { Icon } from "../ui/icons.tsx";
import { go, here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { CONDITIONS, FIELDS } from "./fields.tsx";
import { choice, type FieldTerm, type Term } from "./terms.ts";
import { chooseSort, GROUPS, group, isChanged, leaveView, reset, setGroup, setSubgroup, setTerms, setTql, sort, SORTS, subgroup, terms, tql } from "./state.ts";
import { usualView, view } from "./view.ts";

export function FilterBar() {
  const some = terms.value;
  return (
    <div class="filter-bar" role="group" aria-label={t.filterBy}>
      <OfProject />
      <button type="button" class="chip" data-filter onClick={(event) => filterBy(undefined, event.currentTarget)}>
        <Icon of="view" />
        {t.filterBy}
      </button>
      {some?.map((_, at) => <Chip key={at} terms={some} at={at} />)}
      {!some && <Whole />}
      {tql.value && <button type="button" class="plain" onClick={() => setTql("")}>{t.clear}</button>}
      <span class="grow" />
      <Changed />
      <button type="button" class="plain wide-only" title={t.asTextWhat} onClick={() => queryDialog()}>{t.asText}</button>
      {!listed.value?.fixed && <Display />}
    </div>
  );
}

/** The view that one sees of a project; elsewhere in that, the one that it opens with. */
function OfProject() {
  const place = here.value;
  if (place.name !== "project") return null;
  const usual = usualView.value;
  const found = view.value;
  if (!found) {
    return usual && (
      <button type="button" class="chip of-view" onClick={() => go(`/projects/${place.key}?view=${usual.id}`)}>
        <Icon of="view" />
        <span class="cut" dir="auto">{usual.name}</span>
      </button>
    );
  }
  return (
    <span class="chip filter-chip of-view">
      <span class="bar"><Icon of="view" /><span class="cut" dir="auto">{found.name}</span></span>
      <button type="button" class="bare" aria-label={t.withoutView} title={t.withoutView} onClick={leaveView}><Icon of="close" /></button>
    </span>
  );
}

function Changed() {
  if (!isChanged.value || listed.value) return null; // a view has no more than the query
  const ofView = view.value !== undefined;
  return (
    <>
      {ofView && <button type="button" class="plain" onClick={reset}>{t.resetView}</button>}
      {may("boards:write") && <button type="button" class="plain" onClick={saveView}>{ofView ? t.updateView : t.saveView}</button>}
    </>
  );
}

/** A query that is more than chips can say. */
function Whole() {
  return (
    <button type="button" class="chip cut query-text" title={tql.value} onClick={() => queryDialog()}>
      {tql.value}
    </button>
  );
}

function Chip({ terms: some, at }: { terms: readonly Term[]; at: number }) {
  const term = some[at]!;
  const put = (next: Term | undefined): void => setTerms(some.flatMap((one, index) => (index === at ? (next ?? []) : one)));
  const what = titleOf(term);
  return (
    <span class="chip filter-chip">
      {"condition" in term ? (
        <button type="button" class="bare" title={t.turnRound} onClick={() => put({ ...term, not: !term.not })}>
          {term.not ? `${t.not} ${what.toLowerCase()}` : what}
        </button>
      ) : (
        <>
          <span class="meta">{FIELDS[term.field].title}</span>
          <button type="button" class="bare meta" title={t.turnRound} onClick={() => put({ ...term, not: !term.not })}>{relationOf(term)}</button>
          <button type="button" class="bare cut" onClick={(event) => filterBy(term.field, event.currentTarget)}>
            {term.values.map((value) => (
              <span class="bar" key={value}>{choice(term.field, value)?.mark}{choice(term.field, value)?.title ?? value}</span>
            ))}
          </button>
        </>
      )}
      <button type="button" class="bare" aria-label={t.removeFilter(what)} title={t.removeFilter(what)} onClick={() => put(undefined)}>
        <Icon of="close" />
      </button>
    </span>
  );
}

function titleOf(term: Term): string {
  return "condition" in term ? CONDITIONS[term.condition].title : FIELDS[term.field].title;
}

function relationOf({ not, values }: FieldTerm): string {
  if (not) return t.isNot;
  return values.length > 1 ? t.isAnyOf : t.is;
}

/** How what is found is grouped and sorted. */
function Display() {
  const ask = (at: Element): void => {
    const groups = GROUPS.map((one) => ({
      title: `${t.groupBy}: ${t.groups[one]}`,
      on: group.value === one,
      run: () => setGroup(one),
    }));
    const within = group.value === "none" ? [] : GROUPS.filter((one) => one !== group.value);
    const subgroups = within.map((one) => ({ title: `${t.thenBy}: ${t.groups[one]}`, on: subgroup.value === one, run: () => setSubgroup(one) }));
    const sorts = SORTS.map((one) => ({ title: `${t.sortBy}: ${t.sorts[one]}`, on: sort.value.by === one, run: () => chooseSort(one) }));
    choose({ label: t.display, at, options: [...groups, ...subgroups, ...sorts, { title: t.closeRows, on: isClose.value, run: turnDensity }] });
  };
  return (
    <button type="button" class="plain" aria-haspopup="dialog" onClick={(event) => ask(event.currentTarget)}>
      <Icon of="settings" /> {t.display}
    </button>
  );
}

/** So many of this place a choice would leave. */
export function countOf(fits: (issue: Parameters<(typeof CONDITIONS)["open"]["fits"]>[0]) => boolean): number {
  return within.peek().filter(fits).length;
}
