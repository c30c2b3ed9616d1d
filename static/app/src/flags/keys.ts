/** Commands of a screen, for the keyboard, the palette and the help, as long as it is shown. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Command, offer } from "../ui/commands.ts";
import { t } from "./texts.ts";

type Offered = Omit<Command, "group">;

/** Which there are stays the same while a screen is shown; what they do is of the last drawing. */
export function useCommands(some: readonly Offered[]): void {
  const now = useRef(some);
  now.current = some;
  useLayoutEffect(() => {
    const last = (id: string): Offered | undefined => now.current.find((one) => one.id === id);
    return offer(
      some.map((one) => ({
        ...one,
        group: t.flags,
        when: () => (last(one.id)?.when?.() ?? true) && last(one.id) !== undefined,
        run: () => last(one.id)?.run(),
      })),
    );
  }, [some.map((one) => one.id).join()]);
}
