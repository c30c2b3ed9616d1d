/** Who else writes on a page while one does. */
import { useEffect } from "preact/hooks";
import { nameOf } from "../issues/marks.tsx";
import { random, server } from "../store/server.ts";
import { may, myId } from "../store/session.ts";
import { present } from "./live.ts";
import { words } from "./texts.ts";

const BEAT_MS = 15_000;
/** This tab, for those who see who is here. */
const WINDOW = random();

/** Say that one writes, for as long as one does. */
export function useBeat(id: string): void {
  useEffect(() => {
    if (!may("activity:write")) return;
    const subject = `page:${id}`;
    const say = (state: "editing" | "left"): void =>
      void server.presence.beat({ subject, state, window: WINDOW }, { retries: 0 }).then(
        ({ people }) => {
          present.value = new Map(present.peek()).set(subject, people);
        },
        () => undefined, // it is said again
      );
    say("editing");
    const timer = setInterval(() => say("editing"), BEAT_MS);
    return () => {
      clearInterval(timer);
      say("left");
    };
  }, [id]);
}

export function Others({ id }: { id: string }) {
  const writing = (present.value.get(`page:${id}`) ?? []).filter(({ who, state }) => state === "editing" && who !== myId.value);
  if (!writing.length) return null;
  return <p class="state" role="status">{words.others(writing.map(({ who }) => nameOf(who)).join(", "))}</p>;
}
