/** Instructions that make one configuration of another, and what they make of a configuration that moved meanwhile. */
import { type Clause, type Config, type Instruction, type Prerequisite, type Rollout, type Rule, same, servesOf, type Target } from "./model.ts";

/** What has to be done, in order, so that `from` becomes `to`. */
export function between(from: Config, to: Config): Instruction[] {
  const found: Instruction[] = [];
  if (from.on !== to.on) found.push({ kind: to.on ? "turnFlagOn" : "turnFlagOff" });
  if (from.offVariation !== to.offVariation) found.push({ kind: "updateOffVariation", variation: to.offVariation });
  found.push(...ofPrerequisites(from.prerequisites, to.prerequisites), ...ofTargets(from.targets, to.targets), ...ofRules(from.rules, to.rules));
  const serves = servesOf(to.fallthrough);
  if (!same(servesOf(from.fallthrough), serves)) found.push({ kind: "updateFallthroughVariationOrRollout", ...serves });
  if (from.trackEvents !== to.trackEvents) found.push({ kind: "updateTrackEvents", value: to.trackEvents });
  return found;
}

function ofPrerequisites(from: readonly Prerequisite[], to: readonly Prerequisite[]): Instruction[] {
  const found: Instruction[] = [];
  for (const { key } of from) if (!to.some((one) => one.key === key)) found.push({ kind: "removePrerequisite", key });
  for (const one of to) {
    const before = from.find((other) => other.key === one.key);
    if (before?.variation !== one.variation) found.push({ kind: before ? "updatePrerequisite" : "addPrerequisite", ...one });
  }
  return found;
}

/** A key that moves from one variation to another is only added: it is taken from where it stood. */
function ofTargets(from: readonly Target[], to: readonly Target[]): Instruction[] {
  const found: Instruction[] = [];
  const home = (targets: readonly Target[]): Map<string, Target> =>
    new Map(targets.flatMap((one) => one.values.map((key) => [`${one.contextKind} ${key}`, one] as const)));
  const [was, is] = [home(from), home(to)];
  for (const { contextKind, variation, values } of from) {
    const gone = values.filter((key) => !is.has(`${contextKind} ${key}`));
    if (gone.length) found.push({ kind: "removeTargets", variation, values: gone, contextKind });
  }
  for (const { contextKind, variation, values } of to) {
    const come = values.filter((key) => was.get(`${contextKind} ${key}`)?.variation !== variation);
    if (come.length) found.push({ kind: "addTargets", variation, values: come, contextKind });
  }
  return found;
}

function ofRules(from: readonly Rule[], to: readonly Rule[]): Instruction[] {
  const found: Instruction[] = [];
  const left = from.filter((rule) => to.some((one) => one.id === rule.id));
  for (const rule of from) if (!left.includes(rule)) found.push({ kind: "removeRule", ruleId: rule.id });
  for (const rule of to) {
    const before = left.find((one) => one.id === rule.id);
    found.push(...(before ? ofRule(before, rule) : [added(rule)]));
  }
  const natural = [...left, ...to.filter((rule) => !left.some((one) => one.id === rule.id))].map((rule) => rule.id);
  const wanted = to.map((rule) => rule.id);
  if (!same(natural, wanted)) found.push({ kind: "reorderRules", ruleIds: wanted });
  return found;
}

function added({ id, description, clauses, ...serves }: Rule): Instruction {
  return { kind: "addRule", ruleId: id, clauses, ...servesOf(serves), ...(description && { description }) };
}

function ofRule(from: Rule, to: Rule): Instruction[] {
  const found: Instruction[] = [];
  const ruleId = to.id;
  const come = without(to.clauses, from.clauses);
  const gone = without(from.clauses, to.clauses).map((clause) => from.clauses.indexOf(clause));
  if (come.length) found.push({ kind: "addClauses", ruleId, clauses: come });
  if (gone.length) found.push({ kind: "removeClauses", ruleId, clauseIndexes: gone });
  const serves = servesOf(to);
  if (!same(servesOf(from), serves)) found.push({ kind: "updateRuleVariationOrRollout", ruleId, ...serves });
  if (from.description !== to.description) found.push({ kind: "updateRuleDescription", ruleId, description: to.description });
  return found;
}

/** Those of the first that have no equal among the others, each equal taken once. */
function without(some: readonly Clause[], others: readonly Clause[]): Clause[] {
  const left = [...others];
  return some.filter((one) => {
    const at = left.findIndex((other) => same(one, other));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** What instructions make of another configuration, and those that do not fit it. */
export function applied(config: Config, instructions: readonly Instruction[]): { config: Config; lost: Instruction[] } {
  const lost: Instruction[] = [];
  let found = config;
  for (const one of instructions) {
    const next = step(found, one as Instruction & Given);
    if (next) found = next;
    else lost.push(one);
  }
  return { config: found, lost };
}

interface Given {
  readonly variation: number;
  readonly rollout?: Rollout;
  readonly values: readonly string[];
  readonly contextKind: string;
  readonly key: string;
  readonly ruleId: string;
  readonly ruleIds: readonly string[];
  readonly clauses: readonly Clause[];
  readonly clauseIndexes: readonly number[];
  readonly description?: string;
  readonly value: boolean;
}

/** Nothing: it does not fit. */
function step(config: Config, one: Instruction & Given): Config | undefined {
  const rule = config.rules.find((other) => other.id === one.ruleId);
  const put = (more: Partial<Rule>): Config | undefined =>
    rule && { ...config, rules: config.rules.map((other) => (other === rule ? { ...other, ...more } : other)) };
  switch (one.kind) {
    case "turnFlagOn":
      return { ...config, on: true };
    case "turnFlagOff":
      return { ...config, on: false };
    case "updateOffVariation":
      return { ...config, offVariation: one.variation };
    case "updateFallthroughVariationOrRollout":
      return { ...config, fallthrough: servesOf(one) };
    case "updateTrackEvents":
      return { ...config, trackEvents: one.value };
    case "addTargets":
    case "removeTargets":
      return { ...config, targets: retargeted(config.targets, one) };
    case "addPrerequisite":
    case "updatePrerequisite":
    case "removePrerequisite": {
      const rest = config.prerequisites.filter((other) => other.key !== one.key);
      const more = one.kind === "removePrerequisite" ? [] : [{ key: one.key, variation: one.variation }];
      return { ...config, prerequisites: [...rest, ...more] };
    }
    case "addRule":
      if (rule) return undefined;
      return { ...config, rules: [...config.rules, { id: one.ruleId, description: one.description ?? "", clauses: one.clauses, ...servesOf(one) }] };
    case "removeRule":
      return rule && { ...config, rules: config.rules.filter((other) => other !== rule) };
    case "addClauses":
      return put({ clauses: [...(rule?.clauses ?? []), ...one.clauses] });
    case "removeClauses":
      return put({ clauses: (rule?.clauses ?? []).filter((_, at) => !one.clauseIndexes.includes(at)) });
    case "updateRuleDescription":
      return put({ description: one.description ?? "" });
    case "updateRuleVariationOrRollout": {
      const { variation: _, rollout: __, ...rest } = rule ?? { id: "", description: "", clauses: [] };
      return rule && { ...config, rules: config.rules.map((other) => (other === rule ? { ...rest, ...servesOf(one) } : other)) };
    }
    case "reorderRules": {
      // Rules that came meanwhile stand behind those that were ordered.
      const at = (id: string): number => (one.ruleIds.includes(id) ? one.ruleIds.indexOf(id) : Infinity);
      return { ...config, rules: [...config.rules].sort((left, right) => (at(left.id) === at(right.id) ? 0 : at(left.id) - at(right.id))) };
    }
    default:
      return undefined;
  }
}

function retargeted(targets: readonly Target[], { kind, contextKind, variation, values }: Instruction & Given): Target[] {
  const isMine = (one: Target): boolean => one.contextKind === contextKind && one.variation === variation;
  const found = targets.map((one) =>
    one.contextKind === contextKind && (kind === "addTargets" || isMine(one))
      ? { ...one, values: one.values.filter((key) => !values.includes(key)) }
      : one,
  );
  if (kind === "addTargets") {
    const mine = found.findIndex(isMine);
    if (mine < 0) found.push({ contextKind, variation, values });
    else found[mine] = { ...found[mine]!, values: [...found[mine]!.values, ...values] };
  }
  return found.filter((one) => one.values.length);
}
