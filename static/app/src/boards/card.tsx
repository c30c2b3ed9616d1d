/** What a card says on a board that chose it: these fields, and the colour of one. Fetched for such boards alone. */
import { useComputed } from "@preact/signals";
import { usualName } from "../filter/columns.ts";
import { Face } from "../issues/board.tsx";
import { type Column, columnOf } from "../layouts/columns.tsx";
import { useOwnValues } from "../layouts/own_values.ts";
import type { Issue } from "../store/kinds.ts";
import { colorOf } from "./colors.ts";
import { board, stacks } from "./known.ts";

/** They stand on each card. */
const FIRST: readonly string[] = ["key", "title"];
/** What cards say where a board chose nothing. */
const USUAL: readonly string[] = ["assignee", "priority", "label", "due"];

const named = (name: string): Column[] => [columnOf(usualName(name)) ?? []].flat();

/** Undefined: the usual ones. */
function chosen(): readonly Column[] | undefined {
  const names = board.value?.card_fields ?? [];
  return names.length ? names.filter((name) => !FIRST.includes(usualName(name))).flatMap(named) : undefined;
}

function colouring(): Column | undefined {
  const name = board.value?.color_by;
  return name ? named(name)[0] : undefined;
}

/** Have the values of own fields for as long as cards show some. */
export function Values() {
  const ids = useComputed(() => ([...(chosen() ?? []), colouring()].some((one) => one?.own) ? stacks.value.flatMap(({ issues }) => issues.map(({ id }) => id)) : []));
  useOwnValues(ids);
  return null;
}

export function ChosenFace({ issue }: { issue: Issue }) {
  const [columns, color] = [chosen(), colouring()];
  const paint = color && colorOf(issue, color);
  // What a colour says stands there in words, too.
  const isSaid = color === undefined || (columns ? columns.some(({ name }) => name === color.name) : USUAL.includes(color.name));
  return (
    <>
      {paint && <span class="stripe" style={{ background: paint }} aria-hidden="true" />}
      <Face issue={issue} facts={columns?.map((column) => <Fact key={column.name} issue={issue} column={column} />)}>
        {!isSaid && <Fact issue={issue} column={color} />}
      </Face>
    </>
  );
}

function Fact({ issue, column: { title, text, mark, shows, digits, own } }: { issue: Issue; column: Column }) {
  const said = text(issue);
  if (!said) return null;
  return (
    <span class="bar fact" title={`${title}: ${said}`}>
      <span class={digits || own ? "meta" : "hidden"}>{title}<span class="hidden">: </span></span>
      {mark?.(issue)}
      {shows ? shows(issue) : <span class="cut" dir="auto">{said}</span>}
    </span>
  );
}
