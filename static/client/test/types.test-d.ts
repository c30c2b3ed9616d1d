/** What compiles and what does not. Nothing of it is run. */
import { kbwork, Problem } from "@kbwork/client";
import type { Event, In, Issue, IssueColumns, Kbwork, Label, Me, Name, Out, Project, ProblemSlug } from "@kbwork/client";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <A, B>(_: Same<A, B>): void => {};

export async function calls(kb: Kbwork, maybe: string | undefined, columns: string[]): Promise<void> {
  is<Out<"issues.create">, Issue>(true);
  const made = await kb.call("issues.create", { project: "WEB", title: "x" });
  is<typeof made, Issue>(true);
  const same = await kb.issues.create({ project: "WEB", title: "x", labels: ["a"] as const, body: maybe, status: null });
  is<typeof same, Issue>(true);
  is<Awaited<ReturnType<typeof kb.auth.me>>, Me>(true);
  await kb.auth.me();
  await kb.auth.me({}, { timeoutMs: 5 });
  await kb.call("auth.me");
  await kb.labels.list();

  // @ts-expect-error a field that has to be there
  await kb.issues.create({ project: "WEB" });
  // @ts-expect-error the same by name
  await kb.call("issues.create");
  // @ts-expect-error a field that is not there
  await kb.call("issues.create", { project: "WEB", title: "x", titel: "y" });
  // @ts-expect-error a value that does not fit
  await kb.issues.create({ project: "WEB", title: "x", priority: "pressing" });
  // @ts-expect-error an operation that is not there
  await kb.call("issues.crate", {});
  // @ts-expect-error a method that is not there
  await kb.issues.crate({});
  // @ts-expect-error nothing is taken
  await kb.auth.me({ anything: 1 });
  // @ts-expect-error a field of the answer that is not there
  made.titel;

  const whole = await kb.issues.list({ project: "WEB" });
  is<typeof whole.items, Issue[]>(true);
  const some = await kb.issues.list({ project: "WEB", columns: ["key", "title"] });
  is<typeof some.items, IssueColumns[]>(true);
  const named = await kb.call("issues.list", { columns });
  is<typeof named.items, IssueColumns[]>(true);
  const all = await kb.call("issues.list");
  is<typeof all.items, Issue[]>(true);

  const reply = await kb.ask("labels.list", {}, { etag: "x" });
  // @ts-expect-error nothing came where nothing changed
  reply.data.length;
  if (reply.fresh) is<typeof reply.data, Label[]>(true);
}

export async function lists(kb: Kbwork): Promise<void> {
  for await (const issue of kb.every("issues.list", { project: "WEB" })) is<typeof issue, Issue>(true);
  for await (const issue of kb.every("issues.list", { columns: ["key"] })) is<typeof issue, IssueColumns>(true);
  for await (const project of kb.every("projects.list")) is<typeof project, Project>(true);
  for await (const page of kb.paged("issues.list", { project: "WEB" })) is<typeof page.items, Issue[]>(true);
  for await (const part of kb.paged("sync.snapshot", { scopes: {} })) part.parts[0]?.kind;
  // @ts-expect-error it has no pages
  kb.paged("projects.list");
  // @ts-expect-error it is no list
  kb.every("auth.me");
  const [label, me, issues] = await kb.batch([
    ["labels.save", { name: "x" }],
    ["auth.me", {}],
    ["issues.list", { project: "WEB" }],
  ]);
  is<typeof label, Label>(true);
  is<typeof me, Me>(true);
  is<typeof issues.items, Issue[]>(true);
  // @ts-expect-error a step whose field does not fit
  await kb.batch([["labels.save", { nam: "x" }]]);
}

export async function streams(kb: Kbwork): Promise<void> {
  for await (const message of kb.stream({ kinds: ["issue.created", "comment.*"], rows: true })) {
    if (message.kind === "rows") message.upserts.length;
    else if (message.kind === "bye") is<typeof message.reason, ProblemSlug>(true);
    else if (message.kind === "issue.created") is<typeof message.actor, Event["actor"]>(true);
  }
  // @ts-expect-error a kind that is not there
  kb.stream({ kinds: ["issue.crated"] });
}

export function refusals(error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  // @ts-expect-error a refusal that is not there
  if (error.slug === "not-fuond") return undefined;
  return error.slug === "not-found" ? error.errors[0]?.path : error.detail;
}

/** As an outbox does it: an operation and what fits it. */
export const waiting = <K extends Name>(op: K, input: In<K>): { op: K; input: In<K> } => ({ op, input });
waiting("labels.save", { name: "x" });
kbwork({ url: "https://work.example.org", key: "kb_x", name: "types" });
