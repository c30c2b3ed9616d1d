// The provider for back ends: asks for each flag of the first argument's cases, prints the answers as JSON.
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

const { url, key, cases } = JSON.parse(process.argv[2]);
const provider = new OFREPProvider({ baseUrl: url, headers: [['Authorization', `Bearer ${key}`]] });
await OpenFeature.setProviderAndWait(provider);
const client = OpenFeature.getClient();
const ask = {
  boolean: (...call) => client.getBooleanDetails(...call),
  string: (...call) => client.getStringDetails(...call),
  number: (...call) => client.getNumberDetails(...call),
  object: (...call) => client.getObjectDetails(...call),
};
const answers = [];
for (const { flag, type, fallback, context } of cases) {
  const { value, variant, reason, errorCode, flagMetadata } = await ask[type](flag, fallback, context);
  answers.push({ value, variant, reason, errorCode, flagMetadata });
}
console.log(JSON.stringify(answers));
await OpenFeature.close();
