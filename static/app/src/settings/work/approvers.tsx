/** Who has to agree before an issue goes a way: people, teams, and whoever stands in a field of the issue. */
import { tables } from "../../store/tables.ts";
import { Icon } from "../../ui/icons.tsx";
import { compare } from "../../ui/texts.ts";
import type { Drawn } from "../parts/field.tsx";
import { s } from "../texts.ts";

const w = s.workflows;
const ADMINS = "team:admins";
const FIELD = "field:";
const PEOPLE = ["member", "members", "team"];

/** One of them in words. */
export function approverIs(ref: string): string {
  if (ref === ADMINS) return w.roles.admin;
  if (ref.startsWith(FIELD)) return w.inField(tables.field.watch(ref.slice(FIELD.length))?.name ?? ref.slice(FIELD.length));
  if (ref.startsWith("team:")) return w.team(tables.team.watch(Number(ref.slice("team:".length)))?.name ?? ref);
  return tables.member.watch(ref)?.name ?? ref;
}

export function Approvers({ value, shut, within, onChange }: Drawn) {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const sorted = <T extends { readonly name: string }>(all: T[]): T[] => all.sort((one, other) => compare(one.name, other.name));
  const groups: readonly (readonly [title: string, refs: readonly string[]])[] = [
    [w.people, sorted(tables.member.all().filter(({ state }) => state === "active")).map(({ id }) => id)],
    [w.teams, [ADMINS, ...sorted(tables.team.all()).map(({ id }) => `team:${id}`)]],
    [w.fields, sorted(tables.field.all().filter(({ on, kind }) => on === "issue" && PEOPLE.includes(kind))).map(({ key }) => `${FIELD}${key}`)],
  ];
  return (
    <div class="tokens">
      {chosen.map((ref, at) => (
        <span class="chip" key={ref}>
          <span class="cut" dir="auto">{approverIs(ref)}</span>
          {!shut && (
            <button type="button" class="mini" aria-label={s.takeOut(approverIs(ref))} onClick={() => onChange(chosen.filter((one) => one !== ref))}><Icon of="close" /></button>
          )}
          {within.filter(({ path }) => path.endsWith(`.approvers[${at}]`)).map(({ message }) => <span class="wrong" role="alert" key={message}>{message}</span>)}
        </span>
      ))}
      {!shut && (
        <select aria-label={w.addApprover} value="" onChange={(event) => event.currentTarget.value && onChange([...chosen, event.currentTarget.value])}>
          <option value="">{w.addApprover}</option>
          {groups.map(([title, refs]) => {
            const left = refs.filter((ref) => !chosen.includes(ref));
            return left.length > 0 && (
              <optgroup key={title} label={title}>{left.map((ref) => <option key={ref} value={ref}>{approverIs(ref)}</option>)}</optgroup>
            );
          })}
        </select>
      )}
    </div>
  );
}
