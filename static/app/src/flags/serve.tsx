/** Choosing what is served: one variation, or shares of several that sum to all. */
import type { Flag } from "@kbwork/client";
import { useState } from "preact/hooks";
import { ALL, called, type Rollout, type Serves, variationsOf } from "./model.ts";
import { Shares, Wrong } from "./parts.tsx";
import { sumOf } from "./pending.ts";
import { t } from "./texts.ts";
import { percent } from "./words.ts";

const ROLLOUT = "rollout";

interface ServeProps {
  readonly flag: Flag;
  readonly serves: Serves;
  readonly label: string;
  readonly shut: boolean;
  readonly onServe: (serves: Serves) => void;
}

export function Serve({ flag, serves, label, shut, onServe }: ServeProps) {
  const variations = variationsOf(flag);
  const choose = (value: string): void => {
    if (value !== ROLLOUT) return onServe({ variation: Number(value) });
    // What everybody got, everybody gets: the shares are moved from there.
    const on = serves.variation ?? 0;
    onServe({ rollout: { variations: variations.map((_, at) => ({ variation: at, weight: at === on ? ALL : 0 })), contextKind: "user" } });
  };
  return (
    <span class="serve">
      <span class="bar">
        {!serves.rollout && <span class={`swatch v-${(serves.variation ?? 0) % 8}`} aria-hidden="true" />}
        <select aria-label={label} disabled={shut} value={serves.rollout ? ROLLOUT : String(serves.variation)} onChange={(event) => choose(event.currentTarget.value)}>
          {variations.map((_, at) => <option key={at} value={String(at)}>{called(flag, at)}</option>)}
          <option value={ROLLOUT}>{t.rollout}</option>
        </select>
      </span>
      {serves.rollout && <Split flag={flag} rollout={serves.rollout} label={label} shut={shut} onRollout={(rollout) => onServe({ rollout })} />}
    </span>
  );
}

interface SplitProps {
  readonly flag: Flag;
  readonly rollout: Rollout;
  readonly label: string;
  readonly shut: boolean;
  readonly onRollout: (rollout: Rollout) => void;
}

function Split({ flag, rollout, label, shut, onRollout }: SplitProps) {
  const weights = new Map(rollout.variations.map((one) => [one.variation, one.weight]));
  const indexes = variationsOf(flag).map((_, at) => at);
  const put = (at: number, weight: number): void => {
    const next = new Map(weights).set(at, weight);
    // Of two the other is what is left.
    const other = indexes.find((one) => one !== at);
    if (indexes.length === 2 && other !== undefined && weight <= ALL) next.set(other, ALL - weight);
    onRollout({ ...rollout, variations: indexes.filter((one) => next.has(one)).map((variation) => ({ variation, weight: next.get(variation)! })) });
  };
  const left = ALL - sumOf(rollout);
  return (
    <span class="split" role="group" aria-label={label}>
      <Shares flag={flag} rollout={rollout} />
      {indexes.map((at) => (
        <label class="share" key={at}>
          <span class={`swatch v-${at % 8}`} aria-hidden="true" />
          <span class="cut grow" dir="auto">{called(flag, at)}</span>
          <Percent weight={weights.get(at) ?? 0} shut={shut} label={t.shareOf(called(flag, at))} onWeight={(weight) => put(at, weight)} />
          {left !== 0 && !shut && <button type="button" class="plain rest" disabled={(weights.get(at) ?? 0) + left < 0} onClick={() => put(at, (weights.get(at) ?? 0) + left)}>{t.giveRest}</button>}
        </label>
      ))}
      {left !== 0 && <Wrong>{t.sum(percent(ALL - left))}</Wrong>}
      <label class="share meta">
        {t.bucketBy}
        <input
          class="by"
          value={rollout.bucketBy ?? ""}
          placeholder="key"
          disabled={shut}
          spellcheck={false}
          onInput={(event) => {
            const { bucketBy: _, ...rest } = rollout;
            const by = event.currentTarget.value.trim();
            onRollout(by ? { ...rest, bucketBy: by } : rest);
          }}
        />
      </label>
    </span>
  );
}

/** What is typed stays as it is typed; as soon as it is a number it counts. */
function Percent({ weight, shut, label, onWeight }: { weight: number; shut: boolean; label: string; onWeight: (weight: number) => void }) {
  const [text, setText] = useState<string>();
  const shown = String(weight / 1000);
  const take = (typed: string): void => {
    setText(typed);
    const value = Number(typed.replace(",", "."));
    if (typed.trim() && value >= 0 && value <= 100) onWeight(Math.round(value * 1000));
  };
  return (
    <span class="percent">
      <input
        inputMode="decimal"
        aria-label={label}
        disabled={shut}
        value={text ?? shown}
        onFocus={() => setText(shown)}
        onBlur={() => setText(undefined)}
        onInput={(event) => take(event.currentTarget.value)}
      />
      %
    </span>
  );
}
