/** The title of an issue, written where it stands. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { titling } from "../issues/cursor.ts";
import { setTitle } from "../issues/edits.ts";
import type { Issue } from "../store/kinds.ts";
import { place } from "../store/place.ts";
import { t } from "../ui/texts.ts";

export function Title({ issue }: { issue: Issue }) {
  const box = useRef<HTMLTextAreaElement>(null);
  /** What stood there when somebody began to write, and up to which event that was. */
  const begun = useRef({ title: issue.title, seq: place.seq });
  useLayoutEffect(() => {
    // Whoever writes goes on: what others made of it meanwhile meets it when it is sent.
    if (document.activeElement !== box.current) box.current!.value = issue.title;
    grow(box.current!);
  }, [issue.id, issue.title]);
  const save = (written: string): void => {
    const { title, seq } = begun.current;
    if (written.trim() !== title) setTitle(issue, written, seq);
  };
  // As soon as it is there: the next key is written into it.
  useLayoutEffect(() => {
    if (titling.peek() === issue.id) box.current!.focus();
    titling.value = undefined;
  }, [issue.id]);
  // Whoever leaves by a key of the browser leaves no field before.
  const left = useRef(save);
  left.current = save;
  useLayoutEffect(() => {
    const at = box.current!;
    return () => {
      if (document.activeElement === at) left.current(at.value);
    };
  }, []);
  return (
    <h1 class="title">
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label={t.title}
        maxLength={500}
        data-title
        onInput={(event) => grow(event.currentTarget)}
        onFocus={() => {
          begun.current = { title: issue.title, seq: place.seq };
        }}
        onBlur={(event) => {
          save(event.currentTarget.value);
          if (event.currentTarget.value.trim() === begun.current.title) event.currentTarget.value = issue.title; // others may have changed it meanwhile
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Escape") event.currentTarget.value = issue.title;
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          event.currentTarget.blur();
        }}
      />
    </h1>
  );
}

/** Browsers that size fields by what stands in them do it themselves, and lay out nothing twice for it. */
const SIZES = CSS.supports("field-sizing", "content");

function grow(box: HTMLTextAreaElement): void {
  if (SIZES) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}
