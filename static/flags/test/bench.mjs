/**
 * How many questions a second of the processor answers, beside two peers: `node bench.mjs SECONDS`, JSON by workload and
 * library. Our client counts each answer and gives typed details; LaunchDarkly's sends no events, flagd-core counts none.
 */
import { createClient, Context } from "@kbwork/flags";
import { Snapshot } from "@kbwork/flags/engine";
import launchdarkly from "@launchdarkly/node-server-sdk";
import { TestData } from "@launchdarkly/node-server-sdk/integrations";
import { FlagdCore } from "@openfeature/flagd-core";
import { sealed, SDK_KEY } from "./far.mjs";

const SECONDS = Number(process.argv[2] ?? 0.5);
const ROUNDS = 5;
const BULK = 1000;
/** A hundred people, every second of whom is in each segment. */
const PEOPLE = Array.from({ length: 100 }, (_, place) => ({ plan: "gold", country: "DE", age: 20 + (place % 50), email: `u${place}@x.example`, key: `u${place}` }));
const RAW = PEOPLE.map((one) => ({ kind: "user", ...one }));
const OPENFEATURE = PEOPLE.map(({ key, ...one }) => ({ targetingKey: key, ...one }));

const members = (size) => Array.from({ length: size }, (_, place) => `u${2 * place}`);
const clause = (attribute, op, ...values) => ({ contextKind: "user", attribute, op, values, negate: false });
/** Whose first clause fits, and whose second does not. */
const RULES = [0, 1, 2, 3, 4].map((place) => [clause("plan", "in", "gold", `p${place}`), clause("country", "startsWith", "DEU")]);
const FITS = [clause("plan", "in", "gold"), clause("country", "startsWith", "D")];

const ours = { flags: {}, segments: {} };
const theirs = { flags: {}, segments: {} };
const flagd = {};
put("onoff", {});
put("rules", { rules: RULES.map((clauses, place) => ({ id: `r${place}`, clauses, variation: 1 })) });
put("rollout", { fallthrough: { rollout: { variations: [25_000, 75_000].map((weight, variation) => ({ variation, weight })) } } });
for (const size of [1_000, 100_000]) {
  const segment = { key: `s${size}`, included: members(size), excluded: [], rules: [], salt: "s", version: 1 };
  ours.segments[segment.key] = theirs.segments[segment.key] = segment;
  const asked = { contextKind: "user", attribute: "", op: "segmentMatch", values: [segment.key], negate: false };
  put(`segment${size}`, { rules: [{ id: "r", clauses: [asked], variation: 1 }] });
}
for (const place of [1, 2, 3]) put(`chain${place}`, place > 1 ? { prerequisites: [{ key: `chain${place - 1}`, variation: 0 }] } : {});
for (let place = 0; place < BULK; place++) put(`bulk${place}`, { rules: [{ id: "r", clauses: FITS, variation: 1 }] });

flagd.onoff = {};
const all = (clauses) => ({ and: clauses });
const is = (name, ...values) => ({ in: [{ var: name }, values] });
const starts = (head) => ({ starts_with: [{ var: "country" }, head] });
flagd.rules = { targeting: { if: [...RULES.flatMap((_, place) => [all([is("plan", "gold", `p${place}`), starts("DEU")]), "off"]), "on"] } };
flagd.rollout = { targeting: { fractional: [{ cat: [{ var: "$flagd.flagKey" }, { var: "targetingKey" }] }, ["on", 25], ["off", 75]] } };
for (const size of [1_000, 100_000]) flagd[`segment${size}`] = { targeting: { if: [is("targetingKey", ...members(size)), "off", "on"] } };
const fits = all([is("plan", "gold"), starts("D")]);

function put(key, changed) {
  const flag = { key, on: true, version: 4, salt: "salt", offVariation: 1, fallthrough: { variation: 0 }, ...changed };
  ours.flags[key] = { ...flag, variations: [{ value: true }, { value: false }] };
  theirs.flags[key] = { targets: [], rules: [], prerequisites: [], ...flag, variations: [true, false] };
}

async function ourClient() {
  const content = JSON.stringify({ format: 1, environment: { id: 1, key: "p", version: 1 }, ...ours });
  const answers = {
    snapshot: () => new Response(sealed(content, 1), { headers: { ETag: '"1"' } }),
    stream: () => new Response(new ReadableStream({ start: (open) => open.enqueue(new TextEncoder().encode('event: hello\ndata: {"version":1}\n\n')) })),
    events: () => new Response("{}", { status: 202 }),
  };
  const client = createClient({ sdkKey: SDK_KEY, fetch: async (url) => answers[new URL(url).pathname.split("/").at(-1)]() });
  if (!(await client.ready())) throw new Error("the client got no flags");
  return client;
}

async function theirClient() {
  const data = new TestData();
  for (const flag of Object.values(theirs.flags)) data.usePreconfiguredFlag(flag);
  for (const segment of Object.values(theirs.segments)) data.usePreconfiguredSegment(segment);
  const client = launchdarkly.init("sdk-key", { updateProcessor: data.getFactory(), sendEvents: false, logger: launchdarkly.basicLogger({ level: "none" }) });
  await client.waitForInitialization({ timeout: 10 });
  return client;
}

function flagdCore(flags) {
  const core = new FlagdCore();
  const made = Object.entries(flags).map(([key, one]) => [key, { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "on", ...one }]);
  core.setConfigurations(JSON.stringify({ flags: Object.fromEntries(made) }));
  return core;
}

const client = await ourClient();
const launch = await theirClient();
const core = flagdCore(flagd);
const many = flagdCore(Object.fromEntries(Array.from({ length: BULK }, (_, place) => [`bulk${place}`, { targeting: { if: [fits, "off", "on"] } }])));
const READY = RAW.map((one) => new Context(one));
const engine = Snapshot.parse(JSON.stringify({ flags: Object.fromEntries(Object.entries(ours.flags).filter(([key]) => key.startsWith("bulk"))), segments: {} }));

/** Seconds of the processor that these calls took. */
async function spent(run, times) {
  const before = process.cpuUsage();
  await run(times);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** So many calls as are worth a measurement. */
async function enough(run) {
  for (let times = 1; ; times *= 2) if ((await spent(run, times)) >= SECONDS / 2) return times;
}

/**
 * Calls a second of the processor of each, the best of some rounds. Each has run before the first is measured, and rounds
 * go over all: code that has seen one flag alone is compiled for that flag, and whoever came first would be ahead.
 */
async function rates(runs) {
  const times = new Map();
  for (const run of runs) times.set(run, await enough(run));
  const best = new Map(runs.map((run) => [run, 0]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const run of runs) best.set(run, Math.max(best.get(run), times.get(run) / (await spent(run, times.get(run)))));
  }
  return best;
}

/** Each asks for one person after another. */
const asks = {
  raw: (key) => (times) => each(times, (place) => client.booleanDetail(key, false, RAW[place])),
  prepared: (key) => (times) => each(times, (place) => client.booleanDetail(key, false, READY[place])),
  launchdarkly: (key) => async (times) => {
    for (let time = 0; time < times; time++) await launch.boolVariationDetail(key, RAW[time % 100], false);
  },
  flagd: (key) => (times) => each(times, (place) => core.resolveBooleanEvaluation(key, false, OPENFEATURE[place])),
};
const { keys } = engine;
const bulk = {
  prepared: (times) => each(times, (place) => keys.map((key) => engine.evaluate(key, READY[place], false, "boolean"))),
  launchdarkly: async (times) => {
    for (let time = 0; time < times; time++) await launch.allFlagsState(RAW[time % 100]);
  },
  flagd: (times) => each(times, (place) => many.resolveAll(OPENFEATURE[place])),
};

function each(times, ask) {
  for (let time = 0; time < times; time++) ask(time % 100);
}

/** What the second person is served, who is in no segment; undefined where that hangs on a hash. */
const WORKLOADS = { onoff: true, rules: true, rollout: undefined, segment1000: true, segment100000: true, chain3: true };
const runs = { bulk };
for (const [key, expected] of Object.entries(WORKLOADS)) {
  const answered = [client.boolean(key, !expected, RAW[1]), await launch.boolVariation(key, RAW[1], !expected)];
  if (key in flagd) answered.push(core.resolveBooleanEvaluation(key, !expected, OPENFEATURE[1]).value);
  if (expected !== undefined && answered.some((value) => value !== expected)) throw new Error(`${key} is answered ${answered}`);
  const asked = Object.entries(asks).filter(([name]) => name !== "flagd" || key in flagd);
  runs[key] = Object.fromEntries(asked.map(([name, ask]) => [name, ask(key)]));
}
const best = await rates(Object.values(runs).flatMap(Object.values));
const found = Object.fromEntries(
  [...Object.keys(WORKLOADS), "bulk"].map((key) => [key, Object.fromEntries(Object.entries(runs[key]).map(([name, run]) => [name, best.get(run)]))]),
);
console.log(JSON.stringify(found));
await client.close();
launch.close();
