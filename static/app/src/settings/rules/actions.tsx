/** What a rule does, one below the other: an operation with its inputs, for which issues, and what is when it is refused. */
import type { AutomationCatalog } from "@kbwork/client";
import { useId } from "preact/hooks";
import { QueryLine } from "../../filter/query_line.tsx";
import type { Input, Operation } from "../../palette/operations.ts";
import { Icon } from "../../ui/icons.tsx";
import { type Drawn, isAt, Proposals } from "../parts/field.tsx";
import { s } from "../texts.ts";
import { w } from "./texts.ts";
import { FIRST_STEP, type Step, stepOf, stepsIn } from "./values.ts";

interface ActionsProps {
  readonly drawn: Drawn;
  readonly catalog: AutomationCatalog | undefined;
  readonly operations: readonly Operation[];
}

export function Actions({ drawn: { value, shut, within, onChange }, catalog, operations }: ActionsProps) {
  const steps = stepsIn(value);
  const put = (next: readonly Step[]): void => onChange(JSON.stringify(next));
  const move = (at: number, by: -1 | 1): void => {
    const next = [...steps];
    next.splice(at + by, 0, ...next.splice(at, 1));
    put(next);
  };
  const add = (key: string): void => {
    const preset = catalog?.general.find((one) => one.key === key);
    const more = preset ? preset.actions.map((action) => stepOf(action as unknown as Parameters<typeof stepOf>[0])) : [FIRST_STEP];
    put([...steps, ...more]);
  };
  return (
    <>
      {steps.map((step, at) => (
        <div class="step" key={at} role="group" aria-label={w.step(at + 1)}>
          <Operates
            step={step}
            at={at + 1}
            shut={shut}
            ops={catalog?.ops ?? []}
            operations={operations}
            onChange={(change) => put(steps.map((one, each) => (each === at ? { ...one, ...change } : one)))}
          >
            {!shut && (
              <>
                <button type="button" class="mini" disabled={at === 0} aria-label={w.up(at + 1)} onClick={() => move(at, -1)}>↑</button>
                <button type="button" class="mini" disabled={at === steps.length - 1} aria-label={w.down(at + 1)} onClick={() => move(at, 1)}>↓</button>
                <button type="button" class="mini" aria-label={w.takeOutAction(at + 1)} onClick={() => put(steps.filter((_, each) => each !== at))}><Icon of="close" /></button>
              </>
            )}
          </Operates>
          {within.filter(({ path }) => isAt(path, `actions[${at}]`)).map(({ path, message }) => (
            <p class="wrong" role="alert" key={path}><code>{path.replace(/^actions\[\d+\]\./, "")}</code> {message}</p>
          ))}
        </div>
      ))}
      {!shut && (
        <select aria-label={w.addAction} value="" onChange={(event) => {
          add(event.currentTarget.value);
          event.currentTarget.value = "";
        }}>
          <option value="" disabled>{w.addAction}</option>
          {(catalog?.general ?? []).map(({ key, title }) => <option key={key} value={key}>{title}</option>)}
          <option value="-">{w.empty}</option>
        </select>
      )}
      {!shut && catalog && <Placeholders of={catalog} />}
    </>
  );
}

interface OperatesProps {
  readonly step: Step;
  readonly at: number;
  readonly shut: boolean;
  readonly ops: readonly string[];
  readonly operations: readonly Operation[];
  readonly onChange: (change: Partial<Step>) => void;
  readonly children: preact.ComponentChildren;
}

function Operates({ step, at, shut, ops, operations, onChange, children }: OperatesProps) {
  const id = useId();
  const operation = operations.find((one) => one.id === step.op);
  const titles = new Map(operations.map((one) => [one.id, one.title]));
  const others = Object.keys(step.said).filter((name) => !operation?.inputs.some((one) => one.name === name));
  const inputs = [...(operation?.inputs ?? []), ...others.map((name): Input => ({ name, kind: "text", required: false, about: "", choices: [] }))];
  const needed = inputs.filter(({ name, required }) => required || step.said[name] !== undefined);
  const rest = inputs.filter((one) => !needed.includes(one));
  const field = (input: Input) => (
    <InputField key={input.name} input={input} at={at} value={step.said[input.name] ?? ""} onValue={(text) => onChange({ said: { ...step.said, [input.name]: text } })} />
  );
  return (
    <>
      <div class="bar">
        <input class="grow" aria-label={w.action(at)} list={id} autocomplete="off" spellcheck={false} value={step.op} onInput={(event) => onChange({ op: event.currentTarget.value })} />
        <Proposals id={id} of={ops.map((op) => ({ value: op, title: titles.get(op) ?? op }))} />
        {children}
      </div>
      {operation && <p class="meta">{operation.title}</p>}
      {shut && !needed.some(({ name }) => step.said[name]) ? <p class="meta">{w.hidden}</p> : needed.map(field)}
      {!shut && rest.length > 0 && (
        <details>
          <summary class="meta">{w.otherInputs(rest.length)}</summary>
          <div class="create">{rest.map(field)}</div>
        </details>
      )}
      <details open={Boolean(step.each || step.delay || step.apply || step.on_error === "go_on")}>
        <summary class="meta">{w.how}</summary>
        <div class="create"><How step={step} at={at} onChange={onChange} /></div>
      </details>
    </>
  );
}

function How({ step, at, onChange }: Pick<OperatesProps, "step" | "at" | "onChange">) {
  return (
    <>
      <label class="field">
        {w.each}
        <QueryLine told={{ "aria-label": w.eachOf(at), placeholder: w.eachWhat }} label={s.proposed(w.eachOf(at))} text={step.each} project={undefined} onText={(each) => onChange({ each })} />
      </label>
      <label class="field">
        {w.onError}
        <select value={step.on_error} onChange={(event) => onChange({ on_error: event.currentTarget.value as Step["on_error"] })}>
          {Object.entries(w.errors).map(([one, title]) => <option key={one} value={one}>{title}</option>)}
        </select>
      </label>
      <label class="field">
        {w.delay}
        <input type="number" min={0} value={step.delay} onInput={(event) => onChange({ delay: event.currentTarget.value })} />
      </label>
      {step.op.startsWith("ai.") && <label class="bar"><input type="checkbox" checked={step.apply} onChange={(event) => onChange({ apply: event.currentTarget.checked })} />{w.apply}</label>}
    </>
  );
}

/** What a choice is, a placeholder may be as well: so that it is written, and proposed. */
function InputField({ input: { name, kind, required, about, choices }, at, value, onValue }: { input: Input; at: number; value: string; onValue: (text: string) => void }) {
  const id = useId();
  const told = { value, "aria-required": required, "aria-label": w.input(name, at), "aria-describedby": `${id}-told`, onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value) };
  return (
    <label class="field">
      <code>{name}</code>
      {kind === "yes" ? (
        <select {...told}>
          <option value="">{w.leftOut}</option>
          <option value="true">{w.yes}</option>
          <option value="false">{w.no}</option>
        </select>
      ) : kind === "text" || kind === "number" || kind === "choice" ? (
        <>
          <input {...told} autocomplete="off" list={choices.length ? id : undefined} />
          {choices.length > 0 && <Proposals id={id} of={choices.map((one) => ({ value: one, title: one }))} />}
        </>
      ) : (
        <textarea {...told} rows={2} spellcheck={kind === "long"} placeholder={kind === "list" ? w.listHint : kind === "json" ? w.jsonHint : ""} />
      )}
      <span class="meta" id={`${id}-told`}>{about}</span>
    </label>
  );
}

function Placeholders({ of }: { of: AutomationCatalog }) {
  return (
    <details>
      <summary class="meta">{w.placeholders}</summary>
      <div class="table" role="region" aria-label={w.placeholders} tabIndex={0}>
        <table>
          <thead><tr><th scope="col">{w.placeholder}</th><th scope="col">{w.becomes}</th><th scope="col">{w.example}</th></tr></thead>
          <tbody>
            {of.variables.map(({ name, title, example }) => <tr key={name}><td><code>{`{{${name}}}`}</code></td><td>{title}</td><td class="meta">{example}</td></tr>)}
          </tbody>
        </table>
      </div>
    </details>
  );
}
