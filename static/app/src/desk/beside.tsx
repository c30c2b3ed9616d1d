/** What an agent needs of a request at a glance, beside its title: who asked, who waits for whom, what was said when. */
import { isDone } from "../issues/lanes.ts";
import { tables } from "../store/tables.ts";
import { exactly, when } from "../ui/texts.ts";
import { requests } from "./known.ts";
import { w } from "./texts.ts";

export function Beside({ id }: { id: number }) {
  const request = requests.value?.get(id);
  const issue = tables.issue.watch(id);
  if (!request || !issue) return <span role="gridcell" class="beside" />;
  const { customer, type, ours, at } = request;
  const isOpen = !isDone(issue);
  return (
    <span role="gridcell" class="beside meta">
      <span class="who cut" dir="auto" title={`${w.whose}: ${customer}${type && ` · ${type}`}`}>
        {customer}
      </span>
      <span class={ours ? "turn ours" : "turn"} title={ours ? w.us : w.them}>{isOpen && (ours ? w.ourTurn : w.theirTurn)}</span>
      <time title={w.said(exactly(at))}>{when(at)}</time>
    </span>
  );
}
