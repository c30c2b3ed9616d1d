/** Markdown as it is read. What makes it is fetched with the first text, and nothing of a text gets by it unwashed. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Around } from "./wash.ts";

type Render = (text: string, around: Around) => string;
let render: Render | undefined;
let coming: Promise<Render> | undefined;

function renderer(): Promise<Render> {
  coming ??= import("./wash.ts").then((made) => (render = made.toHtml));
  return coming;
}

interface MarkdownProps extends Around {
  readonly text: string;
  /** It is in the document, as it is read. */
  readonly onDrawn?: (prose: HTMLElement) => void;
}

export function Markdown({ text, onDrawn, ...around }: MarkdownProps) {
  const prose = useRef<HTMLDivElement>(null);
  const [ready, setReady] = useState(render !== undefined);
  useEffect(() => {
    let late = false;
    if (!ready) void renderer().then(() => late || setReady(true));
    return () => {
      late = true;
    };
  }, [ready]);
  useLayoutEffect(() => {
    if (render && prose.current) onDrawn?.(prose.current);
  });
  if (!render) return <div class="prose plain-text" dir="auto">{text}</div>;
  return <div ref={prose} class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: render(text, around) }} />;
}
