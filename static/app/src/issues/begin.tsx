/** A new issue that begins in a column of a board. */
import { may } from "../store/session.ts";
import { Icon } from "../ui/icons.tsx";
import { here } from "../ui/router.ts";
import { t } from "../ui/texts.ts";
import { create } from "./asked.ts";
import { openProjects, projectHere } from "./drafted.ts";
import { beginnings } from "./edits.ts";

interface Props {
  /** What stands above the column. */
  readonly column: string;
  /** Keys of its lanes: the first that an issue may begin in is taken. Where there is none, neither is the button. */
  readonly lanes: readonly string[];
  /** Key of the project of the board; null, left out: that of the place. */
  readonly project?: string | null;
}

export function Begin({ column, lanes, project }: Props) {
  const place = here.value;
  const key = project ?? (place.name === "project" ? place.key : undefined);
  const into = key === undefined ? projectHere() : openProjects().find((one) => one.key === key); // who may only look makes none elsewhere
  const open = into && beginnings(into.key, into.default_type);
  const lane = into && may("issues:write") ? lanes.find((one) => open?.includes(one) ?? true) : undefined;
  if (!into || lane === undefined) return null;
  const label = t.newIssueIn(column);
  return (
    <button type="button" class="mini begin" aria-label={label} title={label} onClick={() => create({ project: into.key, lane })}>
      <Icon of="plus" />
    </button>
  );
}
