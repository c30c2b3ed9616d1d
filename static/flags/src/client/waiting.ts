/** Waiting, without keeping a program alive that has nothing else to do. */

declare const Deno: { unrefTimer(timer: unknown): void } | undefined;

/** A timer that does not keep the program alive. */
export function timer(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  const made = setTimeout(run, Math.min(ms, 0x7fffffff));
  if (typeof made === "object") (made as { unref(): void }).unref();
  else if (typeof Deno !== "undefined") Deno.unrefTimer(made);
  return made;
}

/** Shorter where the signal ends it. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(made);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const made = timer(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener("abort", done);
  });
}

/** Whether it is done within this time; somebody waits, so the program is kept alive. */
export function within(done: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const made = setTimeout(() => resolve(false), Math.min(ms, 0x7fffffff));
    void done.then(() => {
      clearTimeout(made);
      resolve(true);
    });
  });
}
