/** The SDK keys of an environment, how programs use them, and whether one has asked yet. */
import type { Environment, NewSdkKey } from "@kbwork/client";
import { useEffect, useState } from "preact/hooks";
import { server } from "../store/server.ts";
import { copy as copyText } from "../ui/clipboard.ts";
import { exactly, when } from "../ui/texts.ts";
import { changed, told, useAsked } from "./asked.ts";
import { useFlags, useTraffic } from "./catalogue.ts";
import { Badge, Wrong } from "./parts.tsx";
import { t } from "./texts.ts";
import { done } from "./writing.ts";

const LOOK_MS = 4_000;
const GRACE_HOURS = 24;

export function Keys({ project, environment }: { project: string; environment: Environment }) {
  const where = { project, environment: environment.key };
  const asked = useAsked(`keys ${project} ${environment.key}`, () => server.flags.keys(where));
  const traffic = useTraffic(project, environment.key).data;
  const [made, setMade] = useState<NewSdkKey>();
  const [wrong, setWrong] = useState<string>();
  const [ends, setEnds] = useState<number>();
  const last = Math.max(0, ...[...(traffic?.values() ?? [])].map((one) => one.at ?? 0));
  useEffect(() => {
    if (!made || last) return;
    const timer = setInterval(changed, LOOK_MS);
    return () => clearInterval(timer);
  }, [made, last]);
  const act = async <T,>(work: Promise<T>, then: (found: T) => void): Promise<void> => {
    setWrong(undefined);
    try {
      then(await done(work));
    } catch (error) {
      setWrong(told(error));
    }
  };
  const make = (kind: "server" | "client", more = {}): Promise<void> => act(server.flags.key_create({ ...where, kind, ...more }), setMade);
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
            {one.expires_at === null && one.kind === "server" && <button type="button" class="plain" title={t.rotateWhat} onClick={() => void make("server", { expire_others_in_hours: GRACE_HOURS })}>{t.rotate}</button>}
            {ends === one.id
              ? <button type="button" class="primary risky" onClick={() => void act(server.flags.key_revoke({ ...where, id: one.id }), () => setEnds(undefined))}>{t.revokeReally}</button>
              : <button type="button" class="plain" onClick={() => setEnds(one.id)}>{t.revoke}</button>}
          </li>
        ))}
      </ul>
      <Wrong>{wrong}</Wrong>
      <div class="bar facts">
        <button type="button" onClick={() => void make("server")}>{t.newServerKey}</button>
        <button type="button" onClick={() => void make("client")}>{t.newClientKey}</button>
      </div>
      {made && <Snippets project={project} made={made} isAsked={last > 0} onDone={() => setMade(undefined)} />}
    </div>
  );
}

function Snippets({ project, made, isAsked, onDone }: { project: string; made: NewSdkKey; isAsked: boolean; onDone: () => void }) {
  const [language, setLanguage] = useState<keyof typeof LANGUAGES>("Python");
  const flag = useFlags(project).data?.[0]?.key ?? "new-checkout";
  const code = LANGUAGES[language](location.origin, made.secret, flag, made.kind === "client");
  const copy = (what: string): void => copyText(what, t.copied, t.copyYourself);
  return (
    <section class="snippets" aria-label={t.useIt}>
      <p class="bar facts"><strong>{made.kind === "server" ? t.shownOnce : t.isPublic}</strong><code class="secret">{made.secret}</code><button type="button" onClick={() => copy(made.secret)}>{t.copy}</button></p>
      <div class="bar facts" role="group" aria-label={t.language}>
        {(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]).map((one) => <button type="button" key={one} class="plain" aria-pressed={one === language} onClick={() => setLanguage(one)}>{one}</button>)}
        <span class="grow" />
        <button type="button" class="plain" onClick={() => copy(code)}>{t.copy}</button>
      </div>
      <pre tabIndex={0}><code>{code}</code></pre>
      <p class="bar"><span class={`lamp${isAsked ? " lit" : ""}`} aria-hidden="true" /><span class="grow" role="status">{isAsked ? t.arrived : t.waitsForFirst}</span><button type="button" onClick={onDone}>{t.keptIt}</button></p>
    </section>
  );
}

type Snippet = (url: string, secret: string, flag: string, isClient: boolean) => string;

const LANGUAGES: Record<"Python" | "TypeScript" | "curl", Snippet> = {
  Python: (url, secret, flag, isClient) => `# pip install kbwork
from kbwork.flags import Client

client = Client(${isClient ? "client_id" : "sdk_key"}="${secret}", base_url="${url}")
client.ready()
print(client.boolean("${flag}", False, {"key": "ana"}))
client.close()`,
  TypeScript: (url, secret, flag, isClient) => isClient
    ? `// npm install @openfeature/web-sdk @openfeature/ofrep-web-provider
import { OpenFeature } from "@openfeature/web-sdk";
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";

await OpenFeature.setContext({ targetingKey: "ana" });
await OpenFeature.setProviderAndWait(new OFREPWebProvider({
  baseUrl: "${url}",
  headers: [["Authorization", "Bearer ${secret}"]],
}));
console.log(OpenFeature.getClient().getBooleanValue("${flag}", false));`
    : `// npm install @openfeature/server-sdk @openfeature/ofrep-provider
import { OpenFeature } from "@openfeature/server-sdk";
import { OFREPProvider } from "@openfeature/ofrep-provider";

await OpenFeature.setProviderAndWait(new OFREPProvider({
  baseUrl: "${url}",
  headers: [["Authorization", "Bearer ${secret}"]],
}));
const client = OpenFeature.getClient();
console.log(await client.getBooleanValue("${flag}", false, { targetingKey: "ana" }));`,
  curl: (url, secret, flag) => `curl "${url}/ofrep/v1/evaluate/flags/${flag}" \\
  -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/json" \\
  -d '{"context": {"targetingKey": "ana"}}'`,
};
