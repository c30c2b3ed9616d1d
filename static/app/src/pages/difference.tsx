/** What differs between two texts, line by line. */
import type { DiffHunk } from "@kbwork/client";
import { words } from "./texts.ts";

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

export function Difference({ hunks }: { hunks: readonly DiffHunk[] }) {
  if (!hunks.length) return <p class="meta">{words.same}</p>;
  return (
    <>
      {hunks.map(({ from_line: from, to_line: to, lines }) => (
        <div class="hunk" key={`${from}-${to}`} role="group" aria-label={words.lines(to)} tabIndex={0}>
          <p class="meta">{words.lines(to)}</p>
          {lines.map(({ kind, text }, at) => (
            <div class={`diff ${kind}`} key={at}>
              <span class="sign" aria-hidden="true">{SIGNS[kind]}</span>
              {kind !== "same" && <span class="hidden">{words[kind]}: </span>}
              <span dir="auto">{text || " "}</span>
            </div>
          ))}
        </div>
      ))}
    </>
  );
}
