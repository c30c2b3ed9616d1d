/**
 * Flags as functions of a context, made when they are first asked for. What is broken throws when it is reached, and not
 * before: a broken clause behind one that failed does no harm. No code is generated, since browsers may forbid that.
 */
import { type Bucket, ends, hashed, hashedText, isBelow, ZERO } from "./buckets.ts";
import { attribute, type Context, USER } from "./contexts.ts";
import { type Detail, MALFORMED, type Reason } from "./details.ts";
import { hits, type Operators, SEGMENT_MATCH, testOf, texts } from "./operators.ts";
import { broken, BROKEN, bucketPath, itemsOf, kindOf, KEY, listOf, objectOf, textOf, variationOf, weightOf } from "./parts.ts";
import { isName, path } from "./references.ts";
import { isObject, type Loose, own, read } from "./values.ts";

type Condition = (context: Context) => boolean;
type Decide = (context: Context) => Detail;

/** Thrown where a prerequisite led back to a flag that is being evaluated: nothing of that flag can be said. */
const CIRCLE = Symbol("circle");
/** So many flags and segments are evaluated within each other; what stands deeper is evaluated by itself first. */
const DEEPEST = 400;

/** Thrown where something is to be evaluated before what leads to it. */
class TooDeep {
  constructor(readonly what: Node<unknown>) {}
}

/** What is the same object in the snapshot that follows keeps its function, where it leads to nothing, and its sets. */
const alone = new WeakMap<Loose, Map<string, Decide>>();
const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

let deep = 0;
/** Each evaluation has a number, by which a flag that several ask for is evaluated once. */
let turn = 0;

/** A flag or a segment: what it answers in this turn is kept. */
interface Node<T> {
  readonly answer: (context: Context) => T;
  /** Its function, which is enough where nothing leads anywhere. */
  readonly run: () => (context: Context) => T;
  /** It was waited for by itself: where it leads back to itself, whoever asks for it meets that. */
  readonly _leadsBack: () => void;
}

/** `back`: what is thrown where it leads back to itself. */
function nodeOf<T>(make: () => (context: Context) => T, back: symbol): Node<T> {
  let made: ((context: Context) => T) | undefined;
  let [answered, isBroken, isUnderWay] = [0, false, false];
  let found: T;
  const run = () => (made ??= make());
  const node: Node<T> = {
    run,
    answer(context) {
      if (answered === turn) return isBroken ? broken() : found;
      if (isUnderWay) throw back;
      if (deep >= DEEPEST) throw new TooDeep(node);
      isUnderWay = true;
      deep++;
      try {
        found = run()(context);
        [answered, isBroken] = [turn, false];
        return found;
      } finally {
        deep--;
        isUnderWay = false;
      }
    },
    _leadsBack() {
      if (back === CIRCLE) throw back;
      [answered, isBroken] = [turn, true];
    },
  };
  return node;
}

/**
 * What makes the function of a flag that is there, of flags and segments by key. `isHashed`: lists of keys hold hashes
 * instead of keys.
 */
export function compiler(flags: Loose, segments: Loose, isHashed: boolean, operators: Operators): (key: string) => Decide {
  const flagNodes = new Map<string, Node<Detail>>();
  const segmentNodes = new Map<string, Node<boolean>>();
  return (key) => {
    const node = flagNode(key);
    if (!leadsOn(read(flags, key))) return node.run();
    return (context) => {
      turn++;
      const waiting: Node<unknown>[] = [node];
      try {
        for (let last = waiting.at(-1); last; last = waiting.at(-1)) {
          const deeper = tried(last, context);
          if (!deeper) waiting.pop();
          else if (waiting.includes(deeper)) deeper._leadsBack();
          else waiting.push(deeper);
        }
        return node.answer(context);
      } catch (error) {
        if (error === CIRCLE) return MALFORMED;
        throw error;
      }
    };
  };

  function flagNode(key: string): Node<Detail> {
    return kept(flagNodes, key, () => nodeOf(() => flagOf(key, read(flags, key)), CIRCLE));
  }

  function segmentNode(key: string): Node<boolean> {
    return kept(segmentNodes, key, () => nodeOf(() => segmentOf(key, read(segments, key) as Loose), BROKEN));
  }

  // -- flags -------------------------------------------------------------------------------------------------

  function flagOf(key: string, flag: unknown): Decide {
    const make = (): Decide => made(key, flag);
    return !isObject(flag) || leadsOn(flag) ? make() : kept(kept(alone, flag, () => new Map()), key, make);
  }

  function made(key: string, flag: unknown): Decide {
    const decide = isObject(flag) ? decided(key, flag) : broken;
    return (context) => {
      try {
        return decide(context);
      } catch (error) {
        if (error === BROKEN) return MALFORMED;
        throw error;
      }
    };
  }

  function decided(key: string, flag: Loose): Decide {
    if (own(flag, "on") !== true) return offDetail(flag, "DISABLED");
    const steps = [prerequisiteSteps(flag), targetSteps(flag), ruleSteps(key, flag)];
    const last = reached(() => served(key, flag, objectOf(own(flag, "fallthrough")), "DEFAULT"));
    const [first, ...others] = steps.filter((step) => step !== undefined);
    if (!first) return last;
    return (context) => {
      let found = first(context);
      for (const step of others) found ??= step(context);
      return found ?? last(context);
    };
  }

  function offDetail(flag: Loose, reason: Reason, more: Partial<Detail> = {}): Decide {
    const place = own(flag, "offVariation");
    if (place !== undefined) return variationDetail(flag, place, reason, more);
    return answers({ value: null, variation: null, reason, ...more });
  }

  function variationDetail(flag: Loose, place: unknown, reason: Reason, more: Partial<Detail> = {}): Decide {
    return reached(() => {
      const [variation, value] = variationOf(flag, place);
      return answers({ value, variation, reason, ...more });
    });
  }

  function prerequisiteSteps(flag: Loose): Step | undefined {
    return steps(flag, "prerequisites", (wanted) => {
      const key = own(objectOf(wanted), "key");
      if (typeof key !== "string") return broken();
      const [other, variation] = [read(flags, key), own(wanted, "variation")];
      const off = offDetail(flag, "PREREQUISITE_FAILED", { prerequisiteKey: key });
      if (own(other, "archived") === true || own(other, "on") !== true) return off;
      const node = flagNode(key);
      return (context) => {
        const found = node.answer(context);
        return found.reason !== "ERROR" && found.variation !== null && found.variation === variation ? undefined : off(context);
      };
    });
  }

  function targetSteps(flag: Loose): Step | undefined {
    return steps(flag, "targets", (target) => {
      const isNamed = namedBy(kindOf(objectOf(target)), own(target, "values"));
      const served = variationDetail(flag, own(target, "variation"), "TARGETING_MATCH");
      return (context) => (isNamed(context) ? served(context) : undefined);
    });
  }

  function ruleSteps(key: string, flag: Loose): Step | undefined {
    return steps(flag, "rules", (rule, ruleIndex) => {
      const fits = conditions(objectOf(rule));
      const ruleId = own(rule, "id");
      const more = { ruleIndex, ...(typeof ruleId === "string" && { ruleId }) };
      const serve = reached(() => served(key, flag, rule as Loose, "TARGETING_MATCH", more));
      return (context) => (fits(context) ? serve(context) : undefined);
    });
  }

  /** What a rule or the fallthrough serves. */
  function served(key: string, flag: Loose, source: Loose, reason: Reason, more: Partial<Detail> = {}): Decide {
    const place = own(source, "variation");
    if (place !== undefined) return variationDetail(flag, place, reason, more);
    const rollout = objectOf(own(source, "rollout"));
    const slices = listOf(rollout, "variations");
    if (!slices.length) return broken();
    const bucket = bucketOf(key, flag, rollout, kindOf(rollout));
    const weights: number[] = [];
    const parts = slices.map((slice): Slice => {
      const weight = isObject(slice) ? own(slice, "weight") : undefined;
      if (typeof weight !== "number") return { end: undefined, serve: broken };
      weights.push(weight);
      return { end: ends(weights).at(-1)!, serve: variationDetail(flag, own(slice, "variation"), "SPLIT", more) };
    });
    const last = parts.findIndex(({ end }) => !end); // nothing behind what is broken is reached
    const fall = last < 0 ? parts.at(-1)!.serve : broken;
    const before = last < 0 ? parts : parts.slice(0, last);
    return (context) => {
      const at = bucket(context);
      for (const { end, serve } of before) if (isBelow(at, end!)) return serve(context);
      return fall(context);
    };
  }

  // -- clauses and segments -------------------------------------------------------------------------------------

  /** Whether all clauses of a rule hold. */
  function conditions(rule: Loose): Condition {
    return reached(() => {
      const clauses = listOf(rule, "clauses").map((clause) => reached(() => clauseOf(objectOf(clause))));
      const [first = always, second, third] = clauses;
      if (!second) return first;
      if (!third) return (context) => first(context) && second(context);
      return (context) => clauses.every((clause) => clause(context));
    });
  }

  function clauseOf(clause: Loose): Condition {
    const values = itemsOf(own(clause, "values"));
    const isNegated = own(clause, "negate") === true;
    const op = own(clause, "op");
    if (op === SEGMENT_MATCH) {
      const named = [...new Set(texts(values))].filter((key) => isObject(read(segments, key)));
      const asked = named.map((key) => segmentNode(key));
      return (context) => asked.some((segment) => segment.answer(context)) !== isNegated;
    }
    const at = path(own(clause, "attribute")) ?? broken();
    const test = testOf(operators, op, values);
    if (!test) return never;
    if (isName(at, "kind")) return (context) => hits(test, context.kinds) !== isNegated;
    const kind = kindOf(clause);
    if (isHashed && op === "in" && isName(at, KEY[0]!)) {
      const known = new Set(values);
      return (context) => context.part(kind) !== undefined && known.has(context.hash(kind)) !== isNegated;
    }
    const [name, further] = at as [string, string?];
    const isPlain = !further && name !== "_meta";
    return (context) => {
      const part = context.part(kind);
      if (part === undefined) return false;
      const plain = isPlain && Object.hasOwn(part, name) && part[name];
      if (typeof plain === "string") return test(plain) !== isNegated;
      const found = attribute(part, at);
      return found !== undefined && hits(test, found) !== isNegated;
    };
  }

  function segmentOf(key: string, segment: Loose): Condition {
    const steps = [...listsOf(segment, "included", true), ...listsOf(segment, "excluded", false)];
    const rules = reached((): Condition => {
      const all = listOf(segment, "rules").map((rule) => reached(() => segmentRuleOf(key, segment, objectOf(rule))));
      return (context) => all.some((rule) => rule(context));
    });
    return (context) => {
      for (const { names, answer } of steps) if (names(context)) return answer;
      return rules(context);
    };
  }

  /** Keys of users, and behind them those of other kinds. */
  function* listsOf(segment: Loose, name: string, answer: boolean): Generator<{ readonly names: Condition; readonly answer: boolean }> {
    yield { names: namedBy(USER, own(segment, name)), answer };
    const others = reached((): Condition => {
      const all = listOf(segment, `${name}Contexts`).map((entry) =>
        reached(() => namedBy(kindOf(objectOf(entry)), own(entry, "values"))),
      );
      return (context) => all.some((names) => names(context));
    });
    yield { names: others, answer };
  }

  function segmentRuleOf(key: string, segment: Loose, rule: Loose): Condition {
    const fits = conditions(rule);
    if (own(rule, "weight") === undefined) return fits;
    const inside = reached((): Condition => {
      const [end] = ends([weightOf(rule)]);
      const kind = kindOf(rule, "rolloutContextKind");
      const bucket = bucketOf(key, segment, rule, kind);
      return (context) => context.part(kind) !== undefined && isBelow(bucket(context), end!);
    });
    return (context) => fits(context) && inside(context);
  }

  /** Whether a context is named by its key. */
  function namedBy(kind: unknown, keys: unknown): Condition {
    const all = itemsOf(keys);
    if (!all.length) return never;
    const known = kept(sets, all, () => new Set(all));
    if (isHashed) return (context) => known.has(context.hash(kind) ?? NOBODY);
    return (context) => known.has(context.key(kind) ?? NOBODY);
  }
}

interface Slice {
  /** Below it a context falls into this one; undefined: it is broken. */
  readonly end: Bucket | undefined;
  readonly serve: Decide;
}

/** A step towards an answer: undefined where it does not decide. */
type Step = (context: Context) => Detail | undefined;

const NOBODY = Symbol();
const never: Condition = () => false;
const always: Condition = () => true;

/** The same, each time. */
function answers(detail: Detail): Decide {
  Object.freeze(detail);
  return () => detail;
}

/** What is broken throws when it runs, not when it is made. */
function reached<T>(make: () => (context: Context) => T): (context: Context) => T {
  try {
    return make();
  } catch (error) {
    if (error === BROKEN) return broken;
    throw error;
  }
}

/** One step for each of a list, the first that decides; undefined where there is none. */
function steps(flag: Loose, name: string, make: (one: unknown, place: number) => Step): Step | undefined {
  const all = own(flag, name);
  if (all === undefined || (Array.isArray(all) && !all.length)) return undefined;
  return reached((): Step => {
    const made = listOf(flag, name).map((one, place) => reached(() => make(one, place)));
    if (made.length === 1) return made[0]!;
    return (context) => {
      for (const step of made) {
        const found = step(context);
        if (found) return found;
      }
      return undefined;
    };
  });
}

/** In which bucket a context is; bucket 0 where it lacks what it is hashed by. */
function bucketOf(key: string, owner: Loose, source: Loose, kind: unknown): (context: Context) => Bucket {
  const at = bucketPath(source);
  // By its own key, or that which it had before it was renamed.
  const prefix = `${textOf(owner, "hashKey", key)}.${textOf(owner, "salt", "")}.`;
  return (context) => {
    const part = context.part(kind);
    const text = part && hashedText(attribute(part, at));
    return text === undefined ? ZERO : hashed(prefix, text);
  };
}

/** Whether other flags or segments may be asked for. */
function leadsOn(flag: unknown): boolean {
  if (itemsOf(own(flag, "prerequisites")).length) return true;
  return itemsOf(own(flag, "rules")).some((rule) => itemsOf(own(rule, "clauses")).some((clause) => own(clause, "op") === SEGMENT_MATCH));
}

/** What has to be evaluated first; undefined: nothing, it is done. */
function tried(node: Node<unknown>, context: Context): Node<unknown> | undefined {
  try {
    node.answer(context);
  } catch (error) {
    if (error instanceof TooDeep) return error.what;
    if (error !== BROKEN) throw error;
    node._leadsBack(); // a segment that is broken: whoever asks for it meets that
  }
  return undefined;
}

function kept<K, T>(all: { get(key: K): T | undefined; set(key: K, made: T): unknown }, key: K, make: () => T): T {
  let found = all.get(key);
  if (!found) all.set(key, (found = make()));
  return found;
}
