/** Parts of the room that few visits need: fetched when they are shown first. */
import type { ComponentType } from "preact";
import { Later, Part } from "../ui/later.tsx";

export function lazily<P extends object>(load: () => Promise<ComponentType<P>>, above = false): ComponentType<P> {
  const later = new Later(load);
  return function Lazily(props: P) {
    return <Part of={later} props={props} above={above} />;
  };
}
