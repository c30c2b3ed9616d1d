/** Parts of the app that are fetched behind the first screen, or when somebody goes there. */
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { offlineSince } from "../store/session.ts";
import { covers } from "./commands.ts";
import { t } from "./texts.ts";

export class Later<P extends object> {
  readonly #load: () => Promise<ComponentType<P>>;
  #found: ComponentType<P> | undefined;
  #coming: Promise<void> | undefined;

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load;
  }

  get found(): ComponentType<P> | undefined {
    return this.#found;
  }

  /** Once, whoever asks; anew where that failed. */
  fetch(): Promise<void> {
    this.#coming ??= this.#load().then(
      (found) => {
        this.#found = found;
      },
      (error: unknown) => {
        this.#coming = undefined;
        throw error;
      },
    );
    return this.#coming;
  }
}

/** A part with the style that came with it, which is of that part alone. `name`: of its folder. */
export function styled<P extends object>(name: string, style: string, Screen: ComponentType<P>): ComponentType<P> {
  dress(style);
  return (props: P) => <div class={`scope scope-${name}`}><Screen {...props} /></div>;
}

const worn = new Set<string>();

/** Have a style, of which the build says to what it belongs. Once: several parts of a folder bring the same. */
export function dress(style: string): void {
  if (worn.has(style)) return;
  worn.add(style);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}

interface PartProps<P extends object> {
  readonly of: Later<P>;
  readonly props: P;
  /** It will cover the rest: keys of one letter are its own already. */
  readonly above?: boolean;
}

/** The part, as soon as it is there. Without a network it is asked for again when there is one. */
export function Part<P extends object>({ of, props, above = false }: PartProps<P>) {
  const [, setCame] = useState(false);
  const [wrong, setWrong] = useState(false);
  const isAway = offlineSince.value !== undefined;
  const Found = of.found;
  useEffect(() => {
    let late = false;
    setWrong(false);
    // It may have come since this was drawn.
    if (!Found) of.fetch().then(() => late || setCame(true), () => late || setWrong(true));
    return () => {
      late = true;
    };
  }, [of, isAway]);
  const covering = above && !Found && !wrong;
  useLayoutEffect(() => {
    if (!covering) return;
    covers.value++;
    return () => {
      covers.value--;
    };
  }, [covering]);
  if (Found) return <Found {...props} />;
  return wrong ? <p class="empty"><strong>{t.partAbsent}</strong></p> : <p class="meta pad late-word">{t.loading}</p>;
}
