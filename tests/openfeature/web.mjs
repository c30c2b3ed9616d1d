// The provider for browsers: sets one context, asks for flags, then waits for each change and asks again.
// Reads a line with a context to set it anew; prints a line of JSON each time.
import { createInterface } from 'node:readline';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';
import { EventSource } from 'eventsource';

globalThis.EventSource = EventSource;
const { url, key, flags, context } = JSON.parse(process.argv[2]);
const tell = (why) => {
  const client = OpenFeature.getClient();
  const answers = Object.fromEntries(flags.map((flag) => [flag, client.getBooleanDetails(flag, false)]));
  console.log(JSON.stringify({ why, answers }));
};

await OpenFeature.setContext(context);
const provider = new OFREPWebProvider({
  baseUrl: url,
  pollInterval: -1,
  headers: [['Authorization', `Bearer ${key}`]],
});
await OpenFeature.setProviderAndWait(provider);
tell('ready');
OpenFeature.addHandler(ProviderEvents.ConfigurationChanged, () => tell('changed'));
for await (const line of createInterface({ input: process.stdin })) {
  await OpenFeature.setContext(JSON.parse(line));
  tell('context');
}
await OpenFeature.close();
process.exit(0);
