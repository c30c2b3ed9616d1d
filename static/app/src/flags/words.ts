/** Targeting as sentences: of what is there, of what instructions do, and of what a version changed. */
import type { Flag } from "@kbwork/client";
import { exactly, number } from "../ui/texts.ts";
import { ALL, called, type Clause, type Config, type Instruction, type Prerequisite, type Rollout, type Rule, type Serves, type Target } from "./model.ts";
import { t } from "./texts.ts";

type Named = Pick<Flag, "variations">;

export const OPERATORS: Record<string, readonly [is: string, isNot: string]> = {
  in: ["is", "is not"],
  startsWith: ["starts with", "does not start with"],
  endsWith: ["ends with", "does not end with"],
  contains: ["contains", "does not contain"],
  matches: ["matches", "does not match"],
  lessThan: ["is less than", "is not less than"],
  lessThanOrEqual: ["is at most", "is not at most"],
  greaterThan: ["is greater than", "is not greater than"],
  greaterThanOrEqual: ["is at least", "is not at least"],
  before: ["is before", "is not before"],
  after: ["is after", "is not after"],
  semVerEqual: ["is version", "is not version"],
  semVerLessThan: ["is a version before", "is not a version before"],
  semVerGreaterThan: ["is a version after", "is not a version after"],
  segmentMatch: ["is in the segment", "is not in the segment"],
};

const FEW = 4;

export function listed(values: readonly unknown[], most = FEW): string {
  const shown = values.slice(0, most).map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const more = values.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` ${t.andMore(more)}` : "");
}

export function percent(weight: number): string {
  return `${number((weight * 100) / ALL)} %`;
}

export function clauseWords({ contextKind, attribute, op, values, negate }: Clause): string {
  const words = OPERATORS[op]?.[negate ? 1 : 0] ?? op;
  const kind = contextKind === "user" ? "" : `${contextKind} `;
  if (op === "segmentMatch") return `${contextKind} ${words} ${values.map(String).join(" or ")}`;
  return `${kind}${attribute ?? ""} ${words} ${values.length > 1 && !negate ? t.anyOf : ""}${listed(values)}`;
}

export function rolloutWords(flag: Named, rollout: Rollout): string {
  const shares = rollout.variations.filter((one) => one.weight > 0).map((one) => `${percent(one.weight)} ${called(flag, one.variation)}`);
  const by = rollout.bucketBy && rollout.bucketBy !== "key" ? ` ${t.byAttribute(rollout.bucketBy)}` : "";
  return shares.join(", ") + by;
}

export function servesWords(flag: Named, serves: Serves): string {
  return serves.rollout ? rolloutWords(flag, serves.rollout) : called(flag, serves.variation);
}

export function ruleWords(flag: Named, rule: Pick<Rule, "clauses"> & Serves): string {
  return t.ifServe(rule.clauses.map(clauseWords).join(t.and), servesWords(flag, rule));
}

/** One sentence for each instruction; rules that it names stand in `config`, or came by an instruction before. */
export function sentences(flag: Named, instructions: readonly Instruction[], config: Config | undefined): string[] {
  const rules = new Map((config?.rules ?? []).map((rule, at) => [rule.id, { rule, at }]));
  const nameOf = (id: unknown): string => {
    const found = rules.get(String(id));
    return found ? t.ruleNumber(found.at + 1, found.rule.description) : t.ruleNew;
  };
  return instructions.map((one) => sentence(flag, one, nameOf, rules, config));
}

type Known = Map<string, { rule: Rule; at: number }>;

function sentence(flag: Named, one: Instruction, nameOf: (id: unknown) => string, rules: Known, config: Config | undefined): string {
  const given = one as Instruction & Serves & Target & Rule & Prerequisite & { ruleId: string; ruleIds: string[]; clauseIndexes: number[]; value: unknown };
  switch (one.kind) {
    case "turnFlagOn": return t.does.on;
    case "turnFlagOff": return config ? t.does.offServes(called(flag, config.offVariation)) : t.does.off;
    case "updateOffVariation": return t.does.offVariation(called(flag, given.variation));
    case "updateFallthroughVariationOrRollout":
      return t.does.fallthrough(config ? servesWords(flag, config.fallthrough) : "", servesWords(flag, given));
    case "addTargets": return t.does.addTargets(called(flag, given.variation), given.contextKind ?? "user", listed(given.values));
    case "removeTargets": return t.does.removeTargets(called(flag, given.variation), given.contextKind ?? "user", listed(given.values));
    case "expireTargets": return t.does.expireTargets(given.contextKind ?? "user", listed(given.values), one["at"] === null ? "" : moment(Number(one["at"])));
    case "replaceTargets": return t.does.replaceTargets;
    case "addRule": return t.does.addRule(ruleWords(flag, given));
    case "removeRule": {
      const found = rules.get(given.ruleId);
      return t.does.removeRule(nameOf(given.ruleId), found ? ruleWords(flag, found.rule) : "");
    }
    case "updateRuleVariationOrRollout": {
      const found = rules.get(given.ruleId);
      return t.does.ruleServes(nameOf(given.ruleId), found ? servesWords(flag, found.rule) : "", servesWords(flag, given));
    }
    case "updateRuleDescription": return t.does.describe(nameOf(given.ruleId), given.description);
    case "addClauses": return t.does.addClauses(nameOf(given.ruleId), given.clauses.map(clauseWords).join(t.and));
    case "removeClauses": {
      const clauses = rules.get(given.ruleId)?.rule.clauses ?? [];
      return t.does.removeClauses(nameOf(given.ruleId), given.clauseIndexes.map((at) => (clauses[at] ? clauseWords(clauses[at]) : `#${at + 1}`)).join(t.and));
    }
    case "reorderRules": return t.does.reorder(given.ruleIds.map(nameOf).join(", "));
    case "addPrerequisite":
    case "updatePrerequisite": return t.does.prerequisite(given.key, given.variation);
    case "removePrerequisite": return t.does.noPrerequisite(given.key);
    case "updateTrackEvents": return given.value ? t.does.track : t.does.trackNot;
    case "replaceConfig": return t.does.replaceConfig;
    default: return ofOthers(one);
  }
}

/** Those on segments, and on flags everywhere. */
function ofOthers(one: Instruction): string {
  const values = listed((one["values"] as unknown[] | undefined) ?? []);
  const clauses = (one["clauses"] as Clause[] | undefined) ?? [];
  switch (one.kind) {
    case "addIncludedTargets": return t.does.include(values);
    case "removeIncludedTargets": return t.does.includeNot(values);
    case "addExcludedTargets": return t.does.exclude(values);
    case "removeExcludedTargets": return t.does.excludeNot(values);
    case "replaceBody": return t.does.replaceBody;
    case "deleteSegment": return t.does.deleteSegment;
    case "addRule": return t.does.addRule(clauses.map(clauseWords).join(t.and));
    default: return `${one.kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${values}`.trim();
  }
}

export interface Difference {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
  /** Of a long list what came and what went, instead of both. */
  readonly added?: readonly unknown[];
  readonly removed?: readonly unknown[];
}

/** What a version changed: what belongs together stands in one sentence. */
export function changeWords(flag: Named, diff: readonly Difference[]): string[] {
  if (diff.some(({ path, from }) => path === "/kind" && from === null) || (diff.length > 5 && diff.every(({ from }) => from === null))) return [t.was.made];
  const groups = Map.groupBy(diff, ({ path }) => path.split("/").slice(1, /^\/(rules|targets|prerequisites|variations)\//.test(path) ? 3 : 2).join("/"));
  return [...groups].map(([name, some]) => groupWords(flag, name, some));
}

function groupWords(flag: Named, name: string, some: readonly Difference[]): string {
  const [part = "", place] = name.split("/");
  const [first] = some as readonly [Difference];
  const whole = first.path === `/${name}`;
  const at = Number(place) + 1;
  if (part === "on") return first.to ? t.was.on : t.was.off;
  if (part === "archived") return first.to ? t.was.archived : t.was.restored;
  if (part === "offVariation") return t.was.offVariation(called(flag, first.from as number | null), called(flag, first.to as number | null));
  if (part === "fallthrough") return t.was.fallthrough(servedIn(flag, some, "from"), servedIn(flag, some, "to"));
  if (part === "rules" && whole) {
    const rule = (first.to ?? first.from) as Rule;
    return (first.to ? t.was.ruleCame : t.was.ruleWent)(at, ruleWords(flag, rule));
  }
  if (part === "rules") return t.was.rule(at, partWords(flag, some));
  if (part === "targets" && whole) {
    const target = (first.to ?? first.from) as Target;
    return (first.to ? t.does.addTargets : t.does.removeTargets)(called(flag, target.variation), target.contextKind, listed(target.values));
  }
  if (part === "targets" || first.added || Array.isArray(first.to ?? first.from)) return t.was.list(t.parts[part] ?? part, lists(some));
  if (part === "prerequisites" && whole) {
    const wanted = (first.to ?? first.from) as Prerequisite;
    return first.to ? t.does.prerequisite(wanted.key, wanted.variation) : t.does.noPrerequisite(wanted.key);
  }
  return t.was.other(t.parts[part] ?? part, told(first.from), told(first.to));
}

function partWords(flag: Named, some: readonly Difference[]): string {
  const serves = some.filter(({ path }) => /^\/rules\/\d+\/(variation|rollout)/.test(path));
  const words = serves.length ? [t.was.serves(servedIn(flag, serves, "from"), servedIn(flag, serves, "to"))] : [];
  for (const one of some) {
    if (serves.includes(one)) continue;
    const isClause = /\/clauses\/\d+$/.test(one.path);
    words.push(isClause ? t.was.clause(one.from ? clauseWords(one.from as Clause) : "", one.to ? clauseWords(one.to as Clause) : "")
      : one.added || (Array.isArray(one.from) && Array.isArray(one.to)) ? lists([one]) : `${told(one.from)} → ${told(one.to)}`);
  }
  return words.join("; ");
}

/** What was served before or after, as far as the difference says it. */
function servedIn(flag: Named, some: readonly Difference[], side: "from" | "to"): string {
  const weights = some.filter(({ path }) => path.endsWith("/weight")).map((one) => percent(Number(one[side])));
  for (const one of some) {
    const value = one[side];
    if (value === null || value === undefined) continue;
    if (/\/variation$/.test(one.path) && !/rollout/.test(one.path)) return called(flag, value as number);
    if (one.path.endsWith("/rollout")) return rolloutWords(flag, value as Rollout);
    if (/\/rollout\/variations\/\d+$/.test(one.path)) weights.push(`${percent((value as { weight: number }).weight)} ${called(flag, (value as { variation: number }).variation)}`);
  }
  return weights.join(" / ") || "…";
}

function lists(some: readonly Difference[]): string {
  return some
    .map(({ from, to, added, removed }) => {
      const [was, is] = [(from as unknown[] | null) ?? [], (to as unknown[] | null) ?? []];
      if (!Array.isArray(was) || !Array.isArray(is)) return `${told(from)} → ${told(to)}`;
      const come = added ?? is.filter((one) => !was.includes(one));
      const gone = removed ?? was.filter((one) => !is.includes(one));
      return [come.length ? `+ ${listed(come)}` : "", gone.length ? `− ${listed(gone)}` : ""].filter(Boolean).join("  ") || t.was.order;
    })
    .join("; ");
}

function told(value: unknown): string {
  if (value === null || value === "") return t.nothing;
  if (typeof value === "boolean") return value ? t.yes : t.no;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A moment to come, in milliseconds. */
export function moment(ms: number): string {
  return exactly(ms / 1000);
}
