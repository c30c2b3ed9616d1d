// Runs the script of a page over a form, with a browser that hands out what it is told to: `node passkeys.mjs SCRIPT`,
// the question, the credential and the place on the standard input, what came of it on the standard output.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const given = JSON.parse(readFileSync(0, "utf8"));
const found = { asked: [], options: null, sent: null, wrong: null, gone: null };
const raw = (text) => Uint8Array.from(Buffer.from(text, "base64url")).buffer;
const hex = (one) => one instanceof Uint8Array || one instanceof ArrayBuffer ? Buffer.from(one).toString("hex") : one;
const readable = (value) => JSON.parse(JSON.stringify(value, function (key) { return hex(this[key]); }));

const wrong = { hidden: true, set textContent(words) { found.wrong = words; } };
const button = { disabled: false };
const form = {
  hidden: true,
  dataset: { passkey: given.purpose },
  elements: { challenge: { value: "" }, response: { value: "" }, half: { value: "kbl_half" } },
  querySelector: (what) => (what === "button" ? button : wrong),
  addEventListener: (_, listener) => { form.listener = listener; },
  submit() { found.sent = { challenge: this.elements.challenge.value, response: JSON.parse(this.elements.response.value) }; },
};
const answer = (options) => {
  found.options = readable(options.publicKey);
  if (given.refused) throw Object.assign(new Error(), { name: given.refused });
  const response = Object.fromEntries(Object.entries(given.credential.response).map(([name, text]) => [name, raw(text)]));
  return { id: given.credential.id, rawId: raw(given.credential.id), type: "public-key", response };
};
Object.defineProperty(globalThis, "navigator", {
  value: { credentials: { create: async (options) => answer(options), get: async (options) => answer(options) } },
});
globalThis.location = { ...given.location, assign: (path) => { found.gone = path; } };
globalThis.window = { PublicKeyCredential: given.old ? undefined : function () {} };
globalThis.document = { querySelectorAll: (what) => (what === "[data-passkey]" ? [form] : []) };
globalThis.fetch = async (path, sent) => {
  found.asked.push([path, sent.method, sent.headers, JSON.parse(sent.body)]);
  return { ok: given.ok ?? true, json: async () => given.question };
};

runInThisContext(readFileSync(process.argv[2], "utf8"));
if (form.listener) await form.listener({ preventDefault() {} });
console.log(JSON.stringify({ ...found, hidden: form.hidden, disabled: button.disabled }));
