/** Who else looks at an issue, and who writes there. */
import { useEffect, useRef, useState } from "preact/hooks";
import { nameOf, Who } from "../issues/marks.tsx";
import { present } from "../store/present.ts";
import { myId } from "../store/session.ts";
import { number } from "../ui/texts.ts";
import { useBeat } from "./beat.ts";
import { w } from "./texts.ts";

/** Who goes through a list looks at none of it. */
const STAYS_MS = 1_000;
const MOST = 4;
type Doing = keyof typeof w.does;

export function Present({ id }: { id: number }) {
  const box = useRef<HTMLSpanElement>(null);
  useBeat(`issue:${id}`, useDoing(box));
  const others = (present.value.get(`issue:${id}`) ?? []).filter(({ who }) => who !== myId.value);
  const said = others.map(({ who, state }) => w.does[state as Doing](nameOf(who) ?? who));
  return (
    <span ref={box} class="others" role="status">
      <span class="hidden">{said.join(". ")}</span>
      {others.slice(0, MOST).map(({ who, state }, at) => <span key={who} class={`other ${state}`} title={said[at]} aria-hidden="true"><Who id={who} /></span>)}
      {others.length > MOST && <span class="meta" title={said.slice(MOST).join("\n")} aria-hidden="true">+{number(others.length - MOST)}</span>}
    </span>
  );
}

/** What one does with the issue around this: nothing before one stays, or while the page is not seen. */
function useDoing(box: { readonly current: Element | null }): Doing | undefined {
  const [stays, setStays] = useState(false);
  const [doing, setDoing] = useState<Doing>("viewing");
  useEffect(() => {
    const issue = box.current!.closest("article")!;
    const look = (): void => setDoing(doingAt(issue.contains(document.activeElement) ? document.activeElement! : issue));
    const later = (): void => queueMicrotask(look); // behind the focus, which goes somewhere
    const seen = (): void => setStays(!document.hidden);
    const timer = setTimeout(seen, STAYS_MS);
    issue.addEventListener("focusin", look);
    issue.addEventListener("focusout", later);
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearTimeout(timer);
      issue.removeEventListener("focusin", look);
      issue.removeEventListener("focusout", later);
      document.removeEventListener("visibilitychange", seen);
    };
  }, []);
  return stays ? doing : undefined;
}

function doingAt(focused: Element): Doing {
  if (!focused.matches("textarea, [contenteditable=true], [data-title]")) return "viewing";
  return focused.closest(".write") ? "replying" : "editing";
}
