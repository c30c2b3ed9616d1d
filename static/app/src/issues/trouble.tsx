/** A change that was taken back: why, and what one can do. */
import type { PushedChange } from "@kbwork/client";
import { again, settle, type Trouble } from "../store/changes.ts";
import { tables } from "../store/tables.ts";
import { t } from "../ui/texts.ts";
import { choose } from "./asked.ts";
import { ownNamed, ownText } from "./own.tsx";

export function TroubleLine({ trouble }: { trouble: Trouble }) {
  const conflict = trouble.others.length > 0;
  const options = [
    { title: conflict ? t.takeMine : t.retry, run: () => again(trouble) },
    { title: conflict ? t.takeTheirs : t.discard, run: () => settle(trouble.change.issue, trouble.change.title) },
  ];
  return (
    <button
      type="button"
      class="mini refused"
      tabIndex={-1}
      title={why(trouble)}
      onClick={(event) => {
        event.stopPropagation();
        choose({ label: why(trouble), at: event.currentTarget, options });
      }}
    >
      ! {trouble.change.title}
    </button>
  );
}

/** As a box of its own, where there is room. */
export function TroubleBox({ trouble }: { trouble: Trouble }) {
  const conflict = trouble.others.length > 0;
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{trouble.change.title}</strong> {why(trouble)}
      </p>
      <button type="button" onClick={() => again(trouble)}>{conflict ? t.takeMine : t.retry}</button>
      <button type="button" class="plain" onClick={() => settle(trouble.change.issue, trouble.change.title)}>
        {conflict ? t.takeTheirs : t.discard}
      </button>
    </div>
  );
}

function why({ detail, others }: Trouble): string {
  if (!others.length) return detail;
  return others.map(theirs).join("; ");
}

function theirs({ actor, field, value }: PushedChange): string {
  const who = tables.member.get(actor)?.name ?? actor;
  const own = ownNamed(field);
  if (field === "sprint" && typeof value === "number") return t.theirs(who, field, say(tables.sprint.get(value)?.name ?? value));
  if (!own) return t.theirs(who, field, say(value));
  // Of some own fields it is told only that they changed.
  return value === null ? t.theyChanged(who, own.name) : t.theirs(who, own.name, say(ownText(own, value)));
}

function say(value: unknown): string {
  if (value === null || value === "") return t.none;
  return typeof value === "string" || typeof value === "number" ? `“${value}”` : JSON.stringify(value);
}
