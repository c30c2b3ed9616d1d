/** The rules of a flag in their order: the first that fits decides. They are moved by mouse and by key. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { random } from "../store/server.ts";
import { Clauses, FRESH_CLAUSE } from "./clauses.tsx";
import type { Rule } from "./model.ts";
import { Sign } from "./parts.tsx";
import { Serve } from "./serve.tsx";
import type { Editing } from "./targeting.tsx";
import { t } from "./texts.ts";

export function Rules({ flag, config, shut, set, segments }: Editing & { segments: readonly string[] }) {
  const [moves, setMoves] = useState<{ from: number; to: number }>();
  const list = useRef<HTMLOListElement>(null);
  /** What has the focus once it is there: whoever types on at once is typing there. */
  const focusOn = useRef<(() => HTMLElement | null | undefined) | undefined>(undefined);
  useLayoutEffect(() => {
    focusOn.current?.()?.focus();
    focusOn.current = undefined;
  }, [config.rules]);
  const rules = config.rules;
  const put = (at: number, rule: Rule): void => set({ rules: rules.map((one, other) => (other === at ? rule : one)) });
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= rules.length || from === to) return;
    const next = [...rules];
    next.splice(to, 0, ...next.splice(from, 1));
    set({ rules: next });
  };
  const attributes = [...new Set(rules.flatMap((rule) => rule.clauses.map((one) => one.attribute ?? "")))].filter(Boolean);
  const add = (): void => {
    set({ rules: [...rules, { id: random().slice(0, 12), description: "", clauses: [FRESH_CLAUSE], variation: 0 }] });
    focusOn.current = () => list.current?.querySelector<HTMLInputElement>("li:last-child .attribute");
  };
  return (
    <section class="block">
      <h2>{t.rules} {rules.length > 1 && <span class="meta">{t.firstDecides}</span>}</h2>
      <ol class="rules" ref={list}>
        {rules.map((rule, at) => (
          <li
            key={rule.id}
            class={`rule${moves?.from === at ? " moves" : ""}${moves?.to === at && moves.from !== at ? (moves.from < at ? " drop-after" : " drop-before") : ""}`}
            aria-label={t.ruleNumber(at + 1, rule.description)}
          >
            <header class="bar">
              {!shut && rules.length > 1 && (
                <button
                  type="button"
                  class="mini grip"
                  aria-label={t.moveRule(at + 1, rules.length)}
                  title={t.moveWhat}
                  onPointerDown={(event) => {
                    if (event.button) return;
                    event.currentTarget.setPointerCapture(event.pointerId);
                    setMoves({ from: at, to: at });
                  }}
                  onPointerMove={(event) => {
                    const to = moves && placeAt(list.current!, event.clientY);
                    if (to !== undefined && to !== moves!.to) setMoves({ ...moves!, to });
                  }}
                  onPointerUp={() => {
                    if (moves) move(moves.from, moves.to);
                    setMoves(undefined);
                  }}
                  onPointerCancel={() => setMoves(undefined)}
                  onKeyDown={(event) => {
                    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
                    if (!step) return;
                    event.preventDefault();
                    event.stopPropagation();
                    const grip = event.currentTarget;
                    move(at, at + step);
                    focusOn.current = () => grip;
                  }}
                >
                  <Sign of="grip" />
                </button>
              )}
              <span class="meta number">{at + 1}</span>
              <input class="naming" aria-label={t.nameRule(at + 1)} placeholder={t.nameRulePlace} value={rule.description} disabled={shut} maxLength={2000} onInput={(event) => put(at, { ...rule, description: event.currentTarget.value })} />
              {!shut && <button type="button" class="mini remove" aria-label={t.removeRule(at + 1)} onClick={() => set({ rules: rules.filter((_, other) => other !== at) })}>×</button>}
            </header>
            <Clauses clauses={rule.clauses} of={t.ruleNumber(at + 1, "")} shut={shut} segments={segments} attributes={attributes} onClauses={(clauses) => put(at, { ...rule, clauses })} />
            <div class="bar sentence">
              <span class="joint meta">{t.serve}</span>
              <Serve flag={flag} serves={rule} label={t.servedByRule(at + 1)} shut={shut} onServe={(serves) => { const { variation: _, rollout: __, ...rest } = rule; put(at, { ...rest, ...serves }); }} />
            </div>
          </li>
        ))}
      </ol>
      {!shut && <button type="button" class="plain" onClick={add}>{t.addRule}</button>}
      {shut && !rules.length && <p class="meta">{t.noRules}</p>}
    </section>
  );
}

/** The place of the rule that stands at this height; nothing between two of them. */
function placeAt(list: HTMLElement, y: number): number | undefined {
  const at = [...list.children].findIndex((rule) => {
    const { top, bottom } = rule.getBoundingClientRect();
    return y >= top && y <= bottom;
  });
  return at < 0 ? undefined : at;
}
