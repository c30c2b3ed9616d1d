/** A change that was taken back: why, and what one can do. */
import { again, settle, type Trouble } from "../store/changes.ts";
import { tables } from "../store/tables.ts";
import { Picker } from "../ui/picker.tsx";
import { t } from "../ui/texts.ts";
import { useState } from "preact/hooks";

export function TroubleLine({ trouble }: { trouble: Trouble }) {
  const [at, setAt] = useState<Element | null>(null);
  const conflict = trouble.others.length > 0;
  const options = [
    { value: true, title: conflict ? t.takeMine : t.retry },
    { value: false, title: conflict ? t.takeTheirs : t.discard },
  ];
  return (
    <>
      <button
        type="button"
        class="mini refused"
        tabIndex={-1}
        title={why(trouble)}
        onClick={(event) => {
          event.stopPropagation();
          setAt(event.currentTarget);
        }}
      >
        ! {trouble.change.title}
      </button>
      {at && (
        <Picker
          label={why(trouble)}
          at={at}
          options={options}
          chosen={[]}
          onChoose={(mine) => (mine ? again(trouble) : settle(trouble.change.issue, trouble.change.title))}
          onClose={() => setAt(null)}
        />
      )}
    </>
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
  return others.map(({ actor, field, value }) => t.theirs(tables.member.get(actor)?.name ?? actor, field, say(value))).join("; ");
}

function say(value: unknown): string {
  if (value === null || value === "") return t.none;
  return typeof value === "string" || typeof value === "number" ? `“${value}”` : JSON.stringify(value);
}
