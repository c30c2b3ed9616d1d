/** Saying that one is there. */
import { useEffect } from "preact/hooks";
import type { PresenceBeat } from "@kbwork/client";
import { tellPresent } from "../store/present.ts";
import { random, server } from "../store/server.ts";
import { may } from "../store/session.ts";

const BEAT_MS = 15_000;
/** This tab, for those who see who is here. */
const WINDOW = random();

/** Say what one does with a thing, for as long as one does; undefined: nothing. */
export function useBeat(subject: string, state: Exclude<PresenceBeat["state"], "left"> | undefined): void {
  useEffect(() => {
    if (state === undefined || !may("activity:write")) return;
    const say = (what: PresenceBeat["state"]): void =>
      void server.presence.beat({ subject, state: what, window: WINDOW }, { retries: 0 }).then(
        ({ people }) => tellPresent({ subject, people }),
        () => undefined, // it is said again
      );
    const leave = (): void => say("left");
    say(state);
    const timer = setInterval(() => say(state), BEAT_MS);
    addEventListener("pagehide", leave);
    return () => {
      clearInterval(timer);
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [subject, state]);
}
