/** Short words at the edge of the screen: what was done, with the way back. */
import { signal } from "@preact/signals";

interface Note {
  readonly text: string;
  readonly act?: { readonly title: string; readonly run: () => void };
}

const SHOWN_MS = 6_000;
const note = signal<Note | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string, act?: Note["act"]): void {
  clearTimeout(timer);
  note.value = act ? { text, act } : { text };
  timer = setTimeout(() => {
    note.value = undefined;
  }, SHOWN_MS);
}

/** It is there all the time, so that what comes into it is read out. */
export function Notes() {
  const shown = note.value;
  return (
    <div class="notes" role="status">
      {shown && (
        <div class="note">
          <span>{shown.text}</span>
          {shown.act && (
            <button type="button" class="plain" onClick={shown.act.run}>
              {shown.act.title}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
