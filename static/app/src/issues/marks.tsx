/** People, labels and days as they stand in rows, cards and fields. */
import { outsiderName } from "../store/outsiders.ts";
import { tables } from "../store/tables.ts";
import { Avatar } from "../ui/icons.tsx";
import { day, dayFromNow, t } from "../ui/texts.ts";

export function nameOf(id: string | undefined): string | undefined {
  if (id === "system") return t.server;
  return id === undefined ? undefined : (tables.member.watch(id)?.name ?? outsiderName(id) ?? id.replace(/^agent:/, ""));
}

export function Who({ id }: { id: string | undefined }) {
  const name = nameOf(id);
  if (!id || !name) return <span class="avatar nobody" aria-hidden="true" />;
  return Avatar({ id, name, agent: id.startsWith("agent:") });
}

export function Labels({ ids }: { ids: readonly number[] }) {
  return (
    <>
      {ids.map((id) => {
        const label = tables.label.watch(id);
        return (
          label && (
            <span class="chip" key={id}>
              <Dot color={label.color} />
              {label.name}
            </span>
          )
        );
      })}
    </>
  );
}

export function Due({ date, done }: { date: string; done: boolean }) {
  const late = !done && date < dayFromNow(0);
  return (
    <span class={`due meta${late ? " late" : ""}`} title={late ? t.overdueSince(date) : `${t.due} ${date}`}>
      {late && <span aria-hidden="true">! </span>}
      {day(date)}
    </span>
  );
}

/** A dot in the colour that people gave. */
export function Dot({ color }: { color: string }) {
  return (
    <svg class="mark" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="4" fill={color} />
    </svg>
  );
}
