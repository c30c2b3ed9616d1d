/** Small things of which the screens of the room are made. */
import type { Environment, Flag } from "@kbwork/client";
import type { ComponentChildren } from "preact";
import { number } from "../ui/texts.ts";
import { ALL, called, type Rollout } from "./model.ts";
import { t } from "./texts.ts";
import { percent, servesWords } from "./words.ts";

const SIGNS = {
  lock: "M3.5 6.5h7v5h-7zM5 6.5V4.6a2 2 0 0 1 4 0v1.9",
  clock: "M7 12.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM7 4v3.2l2 1.3",
  stop: "M4.8 1.8h4.4l3 3v4.4l-3 3H4.8l-3-3V4.8ZM7 4.3v3M7 9.5v.2",
  grip: "M5 3v.1M9 3v.1M5 7v.1M9 7v.1M5 11v.1M9 11v.1",
  review: "M2 7.5l3 3L12 3.5",
} as const;

export function Sign({ of }: { of: keyof typeof SIGNS }) {
  return (
    <svg class={`mark sign-${of}`} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path class="stroke" d={SIGNS[of]} />
    </svg>
  );
}

interface ToggleProps {
  readonly on: boolean;
  readonly label: string;
  readonly critical?: boolean;
  readonly shut?: boolean;
  readonly tabIndex?: number;
  readonly onTurn: () => void;
}

/** It says by its word what it is. */
export function Toggle({ on, label, critical, shut, tabIndex, onTurn }: ToggleProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      tabIndex={tabIndex}
      class={`toggle${on ? " is-on" : ""}${critical ? " critical" : ""}`}
      disabled={shut}
      onClick={onTurn}
    >
      <span class="word" aria-hidden="true">{on ? t.on : t.off}</span>
      <span class="knob" aria-hidden="true" />
    </button>
  );
}

/** A critical one has a lock and its own colour; one that asks for approval says so. */
export function EnvironmentName({ of }: { of: Environment }) {
  return (
    <span class={`environment${of.critical ? " critical" : ""}`} title={of.require_approval ? t.asksApproval(of.min_approvals) : of.critical ? t.critical : undefined}>
      {of.critical && <Sign of="lock" />}
      <span class="cut" dir="auto">{of.name}</span>
      {of.require_approval && <Sign of="review" />}
      {of.critical && <span class="hidden">{t.critical}</span>}
    </span>
  );
}

/** A variation has a colour of its own, and its name. */
export function VariationName({ flag, at, nothing }: { flag: Pick<Flag, "variations">; at: number | null | undefined; nothing?: string }) {
  const shape = at === null || at === undefined ? "none" : at % 8;
  return (
    <span class="variation">
      <span class={`swatch v-${shape}`} aria-hidden="true" />
      <span class="cut" dir="auto">{called(flag, at, nothing)}</span>
    </span>
  );
}

export function Badge({ kind, title, children }: { kind?: "warn" | "bad" | "good"; title?: string | undefined; children: ComponentChildren }) {
  return <span class={`badge ${kind ?? ""}`} title={title}>{children}</span>;
}

const [WIDE, HIGH] = [84, 20];

/** Evaluations by hour, oldest first. */
export function Spark({ counts, label }: { counts: readonly number[]; label: string }) {
  const most = Math.max(...counts, 1);
  const step = WIDE / Math.max(1, counts.length - 1);
  const points = counts.map((count, at) => `${(at * step).toFixed(1)},${(HIGH - 1 - (count / most) * (HIGH - 3)).toFixed(1)}`);
  return (
    <svg class="spark" width={WIDE} height={HIGH} viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={label}>
      <path class="ground" d={`M0,${HIGH} L${points.join(" L")} L${WIDE},${HIGH}Z`} />
      <polyline points={points.join(" ")} fill="none" stroke="currentColor" stroke-width="1.3" />
    </svg>
  );
}

export function Traffic({ counts }: { counts: readonly number[] | undefined }) {
  const sum = counts?.reduce((all, one) => all + one, 0) ?? 0;
  if (!counts || !sum) return <span class="meta">{counts ? t.noTraffic : ""}</span>;
  return (
    <>
      <Spark counts={counts} label={t.traffic(number(sum))} />
      <span class="meta sum" aria-hidden="true">{brief(sum)}</span>
    </>
  );
}

function brief(value: number): string {
  return Intl.NumberFormat(navigator.language, { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

/** Shares side by side, each as wide as it is large. */
export function Shares({ flag, rollout }: { flag: Pick<Flag, "variations">; rollout: Rollout }) {
  return (
    <span class="shares" role="img" aria-label={servesWords(flag, { rollout })}>
      {rollout.variations.filter((one) => one.weight > 0).map((one) => (
        <span
          key={one.variation}
          class={`v-${one.variation % 8}`}
          title={`${called(flag, one.variation)} ${percent(one.weight)}`}
          ref={(it) => void (it && (it.style.flexGrow = String(one.weight / ALL)))}
        />
      ))}
    </span>
  );
}

/** What did not go, and why. */
export function Wrong({ children }: { children: ComponentChildren }) {
  return children ? <p class="wrong" role="alert">{children}</p> : null;
}

export function Empty({ title, what, children }: { title: string; what?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {what && <p>{what}</p>}
      {children && <div class="way-on">{children}</div>}
    </div>
  );
}

export function Json({ of }: { of: unknown }) {
  return (
    <details class="json">
      <summary class="meta">{t.asJson}</summary>
      <pre tabIndex={0}>{JSON.stringify(of, null, 2)}</pre>
    </details>
  );
}
