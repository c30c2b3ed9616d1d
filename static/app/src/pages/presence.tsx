/** Who else writes on a page while one does. */
import { nameOf } from "../issues/marks.tsx";
import { present } from "../store/present.ts";
import { myId } from "../store/session.ts";
import { words } from "./texts.ts";

export function Others({ id }: { id: string }) {
  const writing = (present.value.get(`page:${id}`) ?? []).filter(({ who, state }) => state === "editing" && who !== myId.value);
  if (!writing.length) return null;
  return <p class="state" role="status">{words.others(writing.map(({ who }) => nameOf(who)).join(", "))}</p>;
}
