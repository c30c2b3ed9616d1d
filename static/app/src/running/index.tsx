/** Running any operation by hand: what it takes as a form, what it answers, and the same call for every other client. */
import { useState } from "preact/hooks";
import { Problem } from "@kbwork/client";
import { dismiss } from "../issues/asked.ts";
import { open } from "../issues/cursor.ts";
import { remember } from "../store/changes.ts";
import { away, random, server } from "../store/server.ts";
import { tables } from "../store/tables.ts";
import { copy } from "../ui/clipboard.ts";
import { Layer } from "../ui/layer.tsx";
import { Picker } from "../ui/picker.tsx";
import { here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { type Input, type Operation, valueOf } from "../palette/operations.ts";
import { samples } from "./samples.ts";
import { words } from "./words.ts";

type Said = Readonly<Record<string, string>>;

/** What one looks at is what is meant, where it fits. */
function begun({ inputs }: Operation): Said {
  const place = here.peek();
  const issue = tables.issue.get(open.peek() ?? -1);
  const project = place.name === "project" ? place.key : issue?.project;
  const known: Record<string, string | undefined> = { key: issue?.key, keys: issue?.key, subject: issue && `issue:${issue.key}`, project };
  return Object.fromEntries(inputs.flatMap(({ name }) => (known[name] ? [[name, known[name]]] : [])));
}

export function OperationDialog({ of }: { of: Operation }) {
  const [said, setSaid] = useState<Said>(() => begun(of));
  const [wrong, setWrong] = useState<string>();
  const [answer, setAnswer] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [call, setCall] = useState(random);
  const [copying, setCopying] = useState<{ at: Element; texts: Record<string, string> }>();
  const given = (): Record<string, unknown> | undefined => {
    const found: Record<string, unknown> = {};
    for (const input of of.inputs) {
      try {
        const value = valueOf(input, said[input.name] ?? "");
        if (value !== undefined) found[input.name] = value;
      } catch {
        setWrong(words.noJson(input.name));
        return undefined;
      }
    }
    return found;
  };
  const run = async (): Promise<void> => {
    const input = given();
    if (!input) return;
    setBusy(true);
    setWrong(undefined);
    try {
      const reply = await server.ask(of.id as "org.get", input as never, { idempotencyKey: call });
      if (of.class !== "read") remember(words.took(of.id), reply.seq);
      setAnswer(JSON.stringify(reply.data, null, 2));
      setCall(random());
    } catch (error) {
      if (!(error instanceof Problem) && !away(error)) throw error;
      setWrong(away(error) ? t.noAnswer : (error as Problem).detail || (error as Problem).title);
      if (!away(error)) setCall(random()); // what is mended is another call; what got no answer may have been done
    } finally {
      setBusy(false);
    }
  };
  const copyAs = (at: Element): void => {
    const input = given();
    if (input) setCopying({ at, texts: samples(of.id, input, of.class === "destructive") });
  };
  const needed = of.inputs.filter((input) => input.required || said[input.name]);
  const others = of.inputs.filter((input) => !needed.includes(input));
  const field = (input: Input) => (
    <Field key={input.name} input={input} value={said[input.name] ?? ""} onValue={(value) => setSaid({ ...said, [input.name]: value })} />
  );
  return (
    <Layer label={words.operation} kind="dialog" onClose={dismiss}>
      <form
        class="create"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <h2 class="bar">
          <span class="grow">{of.title}</span>
          <a class="meta" href={`/docs/api/${of.id}`} target="_blank" rel="noopener"><code>{of.id}</code></a>
        </h2>
        {needed.map(field)}
        {others.length > 0 && (
          <details>
            <summary class="meta">{words.more(others.length)}</summary>
            <div class="create">{others.map(field)}</div>
          </details>
        )}
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        {answer !== undefined && <pre class="fault answer" aria-label={words.answer} tabIndex={0}>{answer}</pre>}
        <div class="bar">
          <button type="button" onClick={(event) => copyAs(event.currentTarget)}>{words.copyAs}</button>
          <span class="grow" />
          <button type="button" class="plain" onClick={dismiss}>{answer === undefined ? t.cancel : t.close}</button>
          <button type="submit" class="primary" disabled={busy}>
            {busy ? words.runs : of.class === "destructive" ? words.delete : words.run}
          </button>
        </div>
      </form>
      {copying && (
        <Picker
          label={words.copyAs}
          at={copying.at}
          options={Object.keys(copying.texts).map((title) => ({ value: title, title }))}
          chosen={[]}
          onChoose={(title) => copy(copying.texts[title]!)}
          onClose={() => setCopying(undefined)}
        />
      )}
    </Layer>
  );
}

function Field({ input, value, onValue }: { input: Input; value: string; onValue: (value: string) => void }) {
  const { name, kind, required, about, choices } = input;
  const told = { value, required, "aria-label": name, onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value) };
  const options = kind === "yes" ? ["true", "false"] : choices;
  return (
    <label class="field">
      <code>{name}</code>
      {options.length > 0 ? (
        <select {...told}>
          <option value="">{required ? "" : words.leftOut}</option>
          {options.map((one) => <option key={one} value={one}>{kind === "yes" ? (one === "true" ? words.yes : words.no) : one}</option>)}
        </select>
      ) : kind === "text" || kind === "number" ? (
        <input {...told} autocomplete="off" inputMode={kind === "number" ? "decimal" : "text"} />
      ) : (
        <textarea {...told} rows={2} spellcheck={kind === "long"} placeholder={kind === "list" ? words.listHint : kind === "json" ? words.jsonHint : ""} />
      )}
      <span class="meta">{about}</span>
    </label>
  );
}
