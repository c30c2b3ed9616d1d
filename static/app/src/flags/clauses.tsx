/** The clauses of a rule as one sentence that is edited in place: of flags, and of segments. */
import type { TargetedEvent } from "preact";
import { Chips, readValue } from "./chips.tsx";
import type { Clause } from "./model.ts";
import { t } from "./texts.ts";
import { OPERATORS } from "./words.ts";

export const FRESH_CLAUSE: Clause = { contextKind: "user", attribute: "", op: "in", values: [], negate: false };

interface ClausesProps {
  readonly clauses: readonly Clause[];
  /** What the rule is called, for who does not see it. */
  readonly of: string;
  readonly shut: boolean;
  readonly segments: readonly string[];
  readonly attributes: readonly string[];
  readonly onClauses: (clauses: readonly Clause[]) => void;
}

export function Clauses({ clauses, of, shut, segments, attributes, onClauses }: ClausesProps) {
  const put = (at: number, more: Partial<Clause>): void => onClauses(clauses.map((one, other) => (at === other ? { ...one, ...more } : one)));
  return (
    <div class="clauses">
      {clauses.map((clause, at) => (
        <Line
          key={at}
          clause={clause}
          label={t.clauseOf(of, at + 1)}
          first={at === 0}
          shut={shut}
          segments={segments}
          attributes={attributes}
          onPut={(more) => put(at, more)}
          onRemove={clauses.length > 1 ? () => onClauses(clauses.filter((_, other) => other !== at)) : undefined}
        />
      ))}
      {!shut && <button type="button" class="plain" onClick={() => onClauses([...clauses, FRESH_CLAUSE])}>{t.addClause}</button>}
    </div>
  );
}

interface LineProps {
  readonly clause: Clause;
  readonly label: string;
  readonly first: boolean;
  readonly shut: boolean;
  readonly segments: readonly string[];
  readonly attributes: readonly string[];
  readonly onPut: (more: Partial<Clause>) => void;
  readonly onRemove: (() => void) | undefined;
}

function Line({ clause, label, first, shut, segments, attributes, onPut, onRemove }: LineProps) {
  const isSegment = clause.op === "segmentMatch";
  const choose = (event: TargetedEvent<HTMLSelectElement>): void => {
    const [op = "in", negate] = event.currentTarget.value.split(" ");
    const otherKind = isSegment !== (op === "segmentMatch");
    const read = readValue(op, clause.attribute);
    onPut({ op, negate: negate === "not", values: otherKind ? [] : clause.values.map((one) => read(String(one))) });
  };
  const list = `attributes-${label.replace(/\W+/g, "-")}`;
  return (
    <div class="clause" role="group" aria-label={label}>
      <span class="meta joint">{first ? t.if : t.andAlso}</span>
      <input
        class="kind"
        aria-label={t.contextKind}
        title={t.contextKind}
        value={clause.contextKind}
        disabled={shut}
        spellcheck={false}
        ref={fitting}
        onInput={(event) => onPut({ contextKind: event.currentTarget.value.trim() || "user" })}
      />
      {!isSegment && (
        <input
          class="attribute"
          aria-label={t.attribute}
          placeholder={t.attribute}
          value={clause.attribute ?? ""}
          disabled={shut}
          list={list}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => onPut({ attribute: event.currentTarget.value.trim() })}
        />
      )}
      <datalist id={list}>{attributes.map((one) => <option key={one} value={one} />)}</datalist>
      <select aria-label={t.operator} value={`${clause.op}${clause.negate ? " not" : ""}`} disabled={shut} onChange={choose}>
        {Object.entries(OPERATORS).flatMap(([op, [is, isNot]]) => [
          <option key={op} value={op}>{is}</option>,
          <option key={`${op}-not`} value={`${op} not`}>{isNot}</option>,
        ])}
      </select>
      <Chips
        label={t.valuesOf(label)}
        values={clause.values}
        shut={shut}
        read={readValue(clause.op, clause.attribute)}
        among={isSegment ? segments : undefined}
        place={isSegment ? t.segmentPlace : (PLACES[clause.op] ?? t.addValue)}
        onValues={(values) => onPut({ values })}
      />
      {!shut && onRemove && <button type="button" class="mini remove" aria-label={t.removeOf(label)} onClick={onRemove}>×</button>}
    </div>
  );
}

const PLACES: Record<string, string> = {
  before: "2026-03-01T09:00:00Z", after: "2026-03-01T09:00:00Z", semVerEqual: "2.1.0", semVerLessThan: "2.1.0", semVerGreaterThan: "2.1.0", matches: "^.+@example\\.org$",
};

/** As wide as what stands in it. */
function fitting(it: HTMLInputElement | null): void {
  if (it) it.style.width = `${Math.max(4, it.value.length + 2)}ch`;
}
