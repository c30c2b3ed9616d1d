/** Parts of the room that its first screen does not need: fetched behind it, or when they are shown. */
import type { ComponentType } from "preact";
import { Later, Part } from "../ui/later.tsx";

const all: { fetch(): Promise<void> }[] = [];

export function lazily<P extends object>(load: () => Promise<ComponentType<P>>, above = false): ComponentType<P> {
  const later = new Later(load);
  all.push(later);
  return function Lazily(props: P) {
    return <Part of={later} props={props} above={above} />;
  };
}

/** Have them all, so that none is waited for. Which does not come now comes when it is shown. */
export function fetchAll(): void {
  for (const one of all) one.fetch().catch(() => undefined);
}
