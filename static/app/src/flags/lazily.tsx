/** Parts of the room that few visits need: fetched when they are shown first. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "./texts.ts";

export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let found: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [, turn] = useState({});
    const [wrong, setWrong] = useState(false);
    useEffect(() => {
      if (found) return;
      load().then(
        (made) => {
          found = made;
          turn({});
        },
        () => setWrong(true),
      );
    }, []);
    const Found = found;
    if (Found) return <Found {...props} />;
    return <p class="meta pad late-word">{wrong ? t.noAnswer : t.loading}</p>;
  };
}
