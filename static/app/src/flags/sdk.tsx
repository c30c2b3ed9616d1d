/** The SDK keys of an environment, how programs use them, and whether one has asked yet. */
import { type Environment, type NewSdkKey, version } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { copy as copyText } from "../ui/clipboard.ts";
import { exactly, when } from "../ui/texts.ts";
import { changed, told, useAsked } from "./asked.ts";
import { useFlags, useTraffic } from "./catalogue.ts";
import { Badge, Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { done, useOnce } from "./writing.ts";

const LOOK_MS = 4_000;
const GRACE_HOURS = 24;

export function Keys({ project, environment }: { project: string; environment: Environment }) {
  const where = { project, environment: environment.key };
  const asked = useAsked(`keys ${project} ${environment.key}`, () => server.flags.keys(where));
  const traffic = useTraffic(project, environment.key).data;
  const [made, setMade] = useState<{ readonly key: NewSdkKey; readonly before: number }>();
  const [wrong, setWrong] = useState<string>();
  const [ends, setEnds] = useState<number>();
  const asks = [...(traffic?.values() ?? [])];
  const last = Math.max(0, ...asks.map((one) => one.at ?? 0));
  /** Moments are told by the hour: that one more has come is seen by how many they are. */
  const times = asks.flatMap((one) => one.counts).reduce((all, one) => all + one, 0);
  useEffect(() => {
    if (!made || times > made.before) return;
    const timer = setInterval(changed, LOOK_MS);
    return () => clearInterval(timer);
  }, [made, times]);
  const { busy, once } = useOnce();
  const act = async <T,>(work: Promise<T>, then: (found: T) => void): Promise<void> => {
    setWrong(undefined);
    try {
      then(await done(work));
    } catch (error) {
      setWrong(told(error));
    }
  };
  const make = (kind: "server" | "client", more = {}): Promise<void> => act(once((wish) => server.flags.key_create({ ...where, kind, ...more }, wish), JSON.stringify([kind, more])), (key) => setMade({ key, before: times }));
  const keys = asked.data ?? [];
  return (
    <div class="sdk">
      <p class="bar facts" role="status">
        <Badge {...(last ? { kind: "good" as const } : {})}>{last ? t.connected : t.notConnected}</Badge>
        {last > 0 && <span class="meta" title={exactly(last)}>{t.lastAsked(when(last))}</span>}
      </p>
      <ul class="lines keys-of" aria-label={t.sdkKeys}>
        {keys.map((one) => (
          <li key={one.id}>
            <code class="grow cut">{one.value ?? `srv_…${one.last4}`}</code>
            <span class="meta">{t.keyKinds[one.kind]} · {when(one.created_at)}{one.expires_at !== null && ` · ${t.endsAt(exactly(one.expires_at))}`}</span>
            {one.expires_at === null && one.kind === "server" && <button type="button" class="plain" title={t.rotateWhat} disabled={busy} onClick={() => void make("server", { expire_others_in_hours: GRACE_HOURS })}>{t.rotate}</button>}
            {ends === one.id
              ? <button type="button" class="primary risky" onClick={() => void act(server.flags.key_revoke({ ...where, id: one.id }), () => setEnds(undefined))}>{t.revokeReally}</button>
              : <button type="button" class="plain" onClick={() => setEnds(one.id)}>{t.revoke}</button>}
          </li>
        ))}
      </ul>
      <Wrong>{wrong}</Wrong>
      <div class="bar facts">
        <button type="button" disabled={busy} onClick={() => void make("server")}>{t.newServerKey}</button>
        <button type="button" disabled={busy} onClick={() => void make("client")}>{t.newClientKey}</button>
      </div>
      {made && <Snippets key={made.key.id} project={project} made={made.key} isAsked={times > made.before} onDone={() => setMade(undefined)} />}
    </div>
  );
}

function Snippets({ project, made, isAsked, onDone }: { project: string; made: NewSdkKey; isAsked: boolean; onDone: () => void }) {
  const snippets = SNIPPETS[made.kind];
  const [language, setLanguage] = useState(Object.keys(snippets)[0]!);
  const flags = useFlags(project).data ?? [];
  const open = made.kind === "client" ? flags.filter((one) => one.client_side) : flags;
  const flag = open[0]?.key ?? "new-checkout";
  const code = snippets[language]!(location.origin, made.secret, flag);
  const copy = (what: string): void => copyText(what, t.copied, t.copyYourself);
  return (
    <section class="snippets" aria-label={t.useIt}>
      <p class="bar facts"><strong>{made.kind === "server" ? t.shownOnce : t.isPublic}</strong><code class="secret">{made.secret}</code><button type="button" onClick={() => copy(made.secret)}>{t.copy}</button></p>
      <div class="bar facts" role="group" aria-label={t.language}>
        {Object.keys(snippets).map((one) => <button type="button" key={one} class="plain" aria-pressed={one === language} onClick={() => setLanguage(one)}>{one}</button>)}
        <span class="grow" />
        <button type="button" class="plain" onClick={() => copy(code)}>{t.copy}</button>
      </div>
      <pre tabIndex={0}><code>{code}</code></pre>
      {open.length === 0 && flags.length > 0 && <p class="meta">{t.noneForApps}</p>}
      <p class="bar"><span class={`lamp${isAsked ? " lit" : ""}`} aria-hidden="true" /><span class="grow" role="status">{isAsked ? t.arrived : t.waitsForFirst}</span><button type="button" onClick={onDone}>{t.keptIt}</button></p>
    </section>
  );
}

type Snippet = (url: string, secret: string, flag: string) => string;

/** By what they are for: a back end with its server key, and what has a client-side ID. */
const SNIPPETS: Record<NewSdkKey["kind"], Record<string, Snippet>> = {
  server: {
    Python: (url, secret, flag) => `# pip install ${url}/clients/kbwork_flags-${version}-py3-none-any.whl
from kbwork.flags import Client

client = Client(sdk_key="${secret}", base_url="${url}")
client.ready()
print(client.boolean("${flag}", False, {"key": "ana"}))
client.close()`,
    JavaScript: (url, secret, flag) => `// npm install ${url}/clients/flags-${version}.tgz
import { createClient } from "@kbwork/flags";

const flags = createClient({ sdkKey: "${secret}", baseUrl: "${url}" });
await flags.ready();
console.log(flags.boolean("${flag}", false, { key: "ana" }));
await flags.close();`,
    curl,
  },
  client: {
    "Web page": (url, secret, flag) => `<!doctype html>
<script type="module">
import { createClient } from "${url}/clients/flags-${version}.js";

const flags = createClient({ clientId: "${secret}", baseUrl: "${url}", context: { key: "ana" } });
await flags.ready();
document.body.append(\`${flag}: \${flags.boolean("${flag}", false)}\`);
await flags.flush(); // counts are sent every five minutes: these at once
</script>`,
    React: (url, secret, flag) => `// npm install ${url}/clients/flags-${version}.tgz
import { createClient } from "@kbwork/flags/browser";
import { FlagsProvider, useFlag } from "@kbwork/flags/react";

const context = { key: "ana" };
const flags = createClient({ clientId: "${secret}", baseUrl: "${url}", context });
const Shows = () => <p>{String(useFlag("${flag}", false))}</p>;

export const App = () => <FlagsProvider client={flags} context={context}><Shows /></FlagsProvider>;`,
    curl,
  },
};

function curl(url: string, secret: string, flag: string): string {
  return `curl "${url}/ofrep/v1/evaluate/flags/${flag}" \\
  -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/json" \\
  -d '{"context": {"targetingKey": "ana"}}'`;
}
