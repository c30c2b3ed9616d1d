/** Reads worlds of flags with questions as JSON, and answers each as the engine does: `node answers.mjs < worlds`. */
import { text } from "node:stream/consumers";
import { Context, Snapshot } from "@kbwork/flags/engine";

const answers = [];
for (const { world, questions } of JSON.parse(await text(process.stdin))) {
  const snapshot = Snapshot.parse(world);
  for (const { context, key, fallback, wanted } of questions) {
    const made = snapshot.keySalt === undefined ? context : await Context.hashed(context, snapshot.keySalt);
    answers.push(snapshot.evaluate(key, made, fallback, wanted));
  }
}
process.stdout.write(JSON.stringify(answers));
