/** A program that follows a server, told by the environment: it says what a flag serves, at first and after each change. */
import * as page from "@kbwork/flags/browser";
import * as server from "@kbwork/flags";

const { KBWORK_URL, FLAGS_KEY } = process.env;
const isPage = FLAGS_KEY.startsWith("cli_");
const made = { baseUrl: KBWORK_URL, context: { key: "ana" }, sdkKey: FLAGS_KEY, clientId: FLAGS_KEY };
const client = isPage ? page.createClient(made) : server.createClient(made);

function say() {
  for (let times = 0; times < 100; times++) client.boolean("checkout", true, made.context);
  console.log(client.version, client.boolean("checkout", true, made.context), client.boolean("none", true, made.context));
}

client.subscribe(() => client.status.connected && say());
await client.ready();
while (!client.status.connected) await new Promise((done) => setTimeout(done, 5));
say();
for await (const _ of process.stdin) break;
await client.close();
