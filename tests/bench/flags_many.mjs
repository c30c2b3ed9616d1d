/** A client of a server that follows ten thousand flags, told what to measure by lines: see flags_many.py. */
import { createInterface } from "node:readline";
import { createClient } from "@kbwork/flags";

const ANA = { kind: "user", key: "ana", plan: "gold" };
const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
const say = (value) => console.log(JSON.stringify(value));

// Node compiles its reader of HTTP when it first fetches something, 40 ms on a thread beside: that is over when it is asked.
await (await fetch(`${process.env.KBWORK_URL}/healthz`)).text();
await new Promise((over) => setTimeout(over, 300));

/** The body is handed out when all of it is there; what follows is what the library does with it, and the stream waits. */
let arrivedMs = 0;
let goOn;
const answered = new Promise((done) => (goOn = done));
const timed = async (...asked) => {
  if (String(asked[0]).endsWith("/stream")) await answered;
  const answer = await fetch(...asked);
  if (!String(asked[0]).includes("/snapshot")) return answer;
  const body = await answer.arrayBuffer();
  arrivedMs = cpuMs();
  return new Response(answer.status === 304 ? null : body, answer);
};

const client = createClient({ sdkKey: process.env.FLAGS_KEY, baseUrl: process.env.KBWORK_URL, sendEvents: false, fetch: timed });
const seen = [];
// The clock of the whole machine, as Python has it.
client.subscribe(() => seen.push([client.version, Number(process.hrtime.bigint()) / 1e9]));
await client.ready();
client.boolean("f7", false, ANA);
say({ first: cpuMs() - arrivedMs });
goOn();

let [ticking, longest] = [false, 0];
function tick(before) {
  client.boolean("f7", false, ANA);
  const now = performance.now();
  longest = Math.max(longest, now - before);
  if (ticking) setImmediate(tick, now);
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "cpu") say(cpuMs());
  else if (line === "seen") say(seen);
  else if (line === "ask") {
    for (let n = 0; n < 10_000; n++) client.boolean(`f${n}`, false, ANA);
    say(client.status.connected);
  } else if (line === "tick") {
    [ticking, longest] = [true, 0];
    tick(performance.now());
    say(true);
  } else if (line === "tock") {
    ticking = false;
    say(longest);
  } else break;
}
await client.close();
